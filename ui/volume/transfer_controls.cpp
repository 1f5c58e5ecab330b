// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/volume/transfer_controls.h"

#include "ui/image/colour_map.h"
#include "ui/image/value_spin_box.h"
#include "ui/volume/transfer_editor.h"
#include "ui/volume/volume_scene.h"
#include "ui/widgets/boxes.h"
#include "ui/widgets/number_box.h"

#include <QComboBox>
#include <QFormLayout>
#include <QSignalBlocker>
#include <QSlider>

namespace ui
{

namespace
{

constexpr int opacitySteps = 1000;
constexpr int ownCurve = static_cast<int>(std::tuple_size_v<std::remove_cvref_t<decltype(opacityPresets())>>);

} // namespace

TransferControls::TransferControls(QWidget* parent)
    : QWidget(parent), m_kind(new QComboBox), m_preset(new QComboBox), m_editor(new TransferEditor),
      m_value(new ValueSpinBox), m_opacityOfPoint(new CountBox), m_opacity(new QSlider(Qt::Horizontal)),
      m_colours(new QComboBox)
{
    auto* const form = new QFormLayout(this);
    form->setContentsMargins(0, 0, 0, 0);
    form->setVerticalSpacing(4);
    addFields(form);
    connectFields();
    takeRange({}, {});
}

void TransferControls::addFields(QFormLayout* form)
{
    m_kind->setObjectName(QStringLiteral("volumeKind3d"));
    m_kind->setAccessibleName(tr("How the volume is drawn"));
    m_kind->addItem(tr("Volume"));
    m_kind->addItem(tr("Isosurface"));
    m_kind->setItemData(0, tr("Rays through all values, each with its opacity"), Qt::ToolTipRole);
    m_kind->setItemData(1, tr("The surface at one value"), Qt::ToolTipRole);
    form->addRow(tr("Draw as"), m_kind);
    m_preset->setObjectName(QStringLiteral("opacityPreset"));
    m_preset->setAccessibleName(tr("Preset of the opacity"));
    for (const OpacityPreset& preset : opacityPresets()) {
        m_preset->addItem(preset.text());
        m_preset->setItemData(m_preset->count() - 1, preset.description(), Qt::ToolTipRole);
    }
    m_preset->addItem(tr("Own curve"));
    m_preset->setItemData(ownCurve, tr("As edited in the histogram"), Qt::ToolTipRole);
    form->addRow(tr("Preset"), m_preset);
    form->addRow(m_editor);
    m_value->setObjectName(QStringLiteral("pointValue"));
    m_value->setAccessibleName(tr("Value of the chosen point, or of the isosurface"));
    m_opacityOfPoint->setObjectName(QStringLiteral("pointOpacity"));
    m_opacityOfPoint->setAccessibleName(tr("Opacity of the chosen point in per cent"));
    m_opacityOfPoint->setToolTip(tr("Opacity at this value"));
    m_opacityOfPoint->setRange(0, 100);
    m_opacityOfPoint->setSuffix(tr(" %"));
    auto* point = filled(new QHBoxLayout, {{m_value, 1}, m_opacityOfPoint}, {.spacing = 4});
    form->addRow(point);
    m_opacity->setRange(0, opacitySteps);
    m_opacity->setValue(opacitySteps / 2);
    m_opacity->setAccessibleName(tr("Opacity of the volume"));
    m_opacity->setToolTip(tr("Factor of all opacities"));
    form->addRow(tr("Opacity"), m_opacity);
    m_colours->setAccessibleName(tr("Colour map of the volume"));
    for (const ColourMap& map : colourMaps())
        m_colours->addItem(map.name);
    m_editor->setColours(colourMaps().front().colours);
    form->addRow(tr("C&olours"), m_colours);
}

void TransferControls::connectFields()
{
    connect(m_kind, &QComboBox::currentIndexChanged, this, [this] {
        m_editor->setIsosurface(isSurface() ? std::optional(m_surface) : std::nullopt);
        showPoint();
        emit changed();
    });
    connect(m_preset, &QComboBox::currentIndexChanged, this, [this](int index) {
        choosePreset(index);
        emit changed();
    });
    connect(m_editor, &TransferEditor::curveEdited, this, [this] {
        showEdited();
        emit changed();
    });
    connect(m_editor, &TransferEditor::isosurfaceEdited, this, [this] {
        m_surface = *m_editor->isosurface();
        showPoint();
        emit changed();
    });
    connect(m_editor, &TransferEditor::pointChosen, this, &TransferControls::showPoint);
    connect(m_value, &QDoubleSpinBox::valueChanged, this, &TransferControls::takeValue);
    connect(m_opacityOfPoint, &QSpinBox::valueChanged, this, [this](int percent) {
        movePoint({m_editor->curve()[m_editor->chosen()].value, percent / 100.0});
    });
    connect(m_opacity, &QSlider::valueChanged, this, &TransferControls::changed);
    connect(m_colours, &QComboBox::currentIndexChanged, this, [this](int index) {
        m_editor->setColours(colourMaps()[index].colours);
        emit changed();
    });
    connect(m_opacity, &QSlider::sliderPressed, this, [this] { emit dragged(true); });
    connect(m_opacity, &QSlider::sliderReleased, this, [this] { emit dragged(false); });
    connect(m_editor, &TransferEditor::dragged, this, &TransferControls::dragged);
}

bool TransferControls::isSurface() const
{
    return m_kind->currentIndex() == 1;
}

void TransferControls::choosePreset(int index)
{
    if (index < ownCurve)
        m_editor->setCurve(opacityPresets()[index].curve(m_range));
    showPoint();
}

void TransferControls::showEdited()
{
    const QSignalBlocker quiet(m_preset);
    m_preset->setCurrentIndex(ownCurve);
    showPoint();
}

// Shows what is chosen in the editor.
void TransferControls::showPoint()
{
    const OpacityPoint& point = m_editor->curve()[m_editor->chosen()];
    m_value->showValue(isSurface() ? m_surface : point.value);
    const QSignalBlocker quiet(m_opacityOfPoint);
    m_opacityOfPoint->setValue(static_cast<int>(std::lround(100 * point.opacity)));
    for (QWidget* const each :
         {static_cast<QWidget*>(m_opacityOfPoint), static_cast<QWidget*>(m_opacity), static_cast<QWidget*>(m_preset)})
        each->setEnabled(!isSurface());
}

void TransferControls::takeValue()
{
    if (!isSurface())
        return movePoint({m_value->value(), m_editor->curve()[m_editor->chosen()].opacity});
    m_surface = m_value->value();
    m_editor->setIsosurface(m_surface);
    emit changed();
}

void TransferControls::movePoint(const OpacityPoint& to)
{
    m_editor->setCurve(withPointMoved(m_editor->curve(), m_editor->chosen(), to));
    showEdited();
    emit changed();
}

// A preset follows the new range; an own curve and the isosurface stay where they were in the histogram.
void TransferControls::takeRange(const StackValues& range, const QString& unit)
{
    const bool isFirst = m_range.counts.empty();
    m_surface = isFirst ? range.threshold : rescaled({{m_surface, 0}, {m_surface, 0}}, m_range, range).front().value;
    if (m_preset->currentIndex() == ownCurve)
        m_editor->setCurve(rescaled(m_editor->curve(), m_range, range));
    m_range = range;
    m_editor->setRange(range);
    if (isSurface())
        m_editor->setIsosurface(m_surface);
    m_value->setStep((range.most - range.least) / 100);
    m_value->setSuffix(unit.isEmpty() ? QString() : QLatin1Char(' ') + unit);
    choosePreset(m_preset->currentIndex());
}

void TransferControls::apply(VolumeLook& look) const
{
    look.low = m_range.low;
    look.high = m_range.high;
    look.colours = colourMaps()[m_colours->currentIndex()].colours;
    look.opacity = m_editor->curve();
    for (OpacityPoint& point : look.opacity)
        point.opacity *= static_cast<double>(m_opacity->value()) / opacitySteps;
    look.isosurface = isSurface() ? std::optional(m_surface) : std::nullopt;
}

} // namespace ui
