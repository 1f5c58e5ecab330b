// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/volume/volume_controls.h"

#include "ui/image/colour_map.h"

#include <QCheckBox>
#include <QComboBox>
#include <QFormLayout>
#include <QLabel>
#include <QPushButton>
#include <QSignalBlocker>
#include <QSlider>

#include <algorithm>
#include <cmath>

namespace ui
{

namespace
{

constexpr int sliderSteps = 1000;

std::array<int, 3> countsOf(const engine::Volume& volume)
{
    return {volume.width, volume.height, volume.slices};
}

} // namespace

VolumeControls::VolumeControls(QWidget* parent) : QWidget(parent)
{
    auto* const form = new QFormLayout(this);
    form->setRowWrapPolicy(QFormLayout::WrapAllRows);
    form->setVerticalSpacing(4);
    addSizes(form);
    addParts(form);
    addLooks(form);
    addPositions(form);
    auto* const reset = new QPushButton(tr("&Reset the view"), this);
    connect(reset, &QPushButton::clicked, this, &VolumeControls::resetRequested);
    form->addRow(reset);
    auto* const hint = new QLabel(tr("Drag: turn · Shift: move · Wheel: zoom · Ctrl on a slice: shift it"), this);
    hint->setWordWrap(true);
    hint->setForegroundRole(QPalette::PlaceholderText);
    form->addRow(hint);
    m_request = new StackRequest(this);
    form->addRow(m_request);
}

void VolumeControls::addSizes(QFormLayout* form)
{
    m_size = new QLabel(this);
    m_note = new QLabel(this);
    m_note->setObjectName(QStringLiteral("note"));
    for (QLabel* const label : {m_size, m_note})
        label->setWordWrap(true);
    form->addRow(m_size);
    form->addRow(m_note);
}

void VolumeControls::addParts(QFormLayout* form)
{
    m_volumeOn = new QCheckBox(tr("Volu&me"), this);
    m_slicesOn = new QCheckBox(tr("Slices"), this);
    m_corner = new QCheckBox(tr("Corner cut ope&n"), this);
    m_corner->setToolTip(tr("Takes the corner between the slices and you out of the volume"));
    for (QCheckBox* const box : {m_volumeOn, m_slicesOn, m_corner}) {
        box->setChecked(true);
        connect(box, &QCheckBox::toggled, this, &VolumeControls::changed);
        form->addRow(box);
    }
}

void VolumeControls::addLooks(QFormLayout* form)
{
    m_colours = new QComboBox(this);
    m_colours->setAccessibleName(tr("Colour map of the volume"));
    for (const ColourMap& map : colourMaps())
        m_colours->addItem(map.name);
    connect(m_colours, &QComboBox::currentIndexChanged, this, &VolumeControls::changed);
    form->addRow(tr("C&olours"), m_colours);
    m_threshold = makeSlider(tr("Threshold: below it the volume is transparent"));
    m_opacity = makeSlider(tr("Opacity of the volume"));
    m_opacity->setValue(sliderSteps / 2);
    m_thresholdValue = new QLabel(this);
    form->addRow(m_thresholdValue, m_threshold);
    form->addRow(tr("Opacity"), m_opacity);
}

void VolumeControls::addPositions(QFormLayout* form)
{
    const std::array<QString, 3> names = {tr("Column (x)"), tr("Row (y)"), tr("Slice (z)")};
    for (const int k : {2, 1, 0}) {
        m_position[k] = makeSlider(names[k]);
        m_positionValue[k] = new QLabel(this);
        form->addRow(m_positionValue[k], m_position[k]);
    }
}

QSlider* VolumeControls::makeSlider(const QString& name)
{
    auto* const slider = new QSlider(Qt::Horizontal, this);
    slider->setRange(0, sliderSteps);
    slider->setAccessibleName(name);
    connect(slider, &QSlider::valueChanged, this, &VolumeControls::changed);
    return slider;
}

int VolumeControls::position(Axis axis) const
{
    return m_position[static_cast<int>(axis)]->value();
}

void VolumeControls::setPosition(Axis axis, int position)
{
    m_position[static_cast<int>(axis)]->setValue(position);
}

double VolumeControls::threshold() const
{
    return m_range.low + (m_range.high - m_range.low) * m_threshold->value() / sliderSteps;
}

void VolumeControls::takeRange(const engine::Reconstruction& stack)
{
    m_range = valueRange(stack.image.values);
    const double part = (m_range.threshold - m_range.low) / (m_range.high - m_range.low);
    const QSignalBlocker quiet(m_threshold);
    m_threshold->setValue(static_cast<int>(std::lround(sliderSteps * part)));
}

void VolumeControls::placeSlices(const engine::Reconstruction& stack, const engine::Reconstruction* before)
{
    const std::array<int, 3> counts = countsOf(stack.image);
    for (int k = 0; k < 3; ++k) {
        const double wanted = before ? m_position[k]->value() * voxelSpacing(*before)[k] / voxelSpacing(stack)[k]
                                     : static_cast<double>(counts[k] / 2);
        const QSignalBlocker quiet(m_position[k]);
        m_position[k]->setRange(0, counts[k] - 1);
        m_position[k]->setValue(static_cast<int>(std::lround(wanted)));
    }
}

void VolumeControls::offer(const engine::Volume& volume)
{
    const std::array<int, 3> counts = countsOf(volume);
    m_size->setText(stackSizeText(counts));
    const bool thin = volume.slices <= 2;
    m_note->setText(volume.slices == 1 ? tr("A single slice has no volume view; three or more slices do.")
                    : thin             ? tr("Two slices are too few for a volume: the planes alone are shown.")
                                       : QString());
    m_note->setVisible(thin);
    for (QWidget* const control : {static_cast<QWidget*>(m_volumeOn), static_cast<QWidget*>(m_corner),
                                   static_cast<QWidget*>(m_threshold), static_cast<QWidget*>(m_opacity)})
        control->setEnabled(!thin);
    for (int k = 0; k < 3; ++k)
        m_position[k]->setEnabled(counts[k] > 1 && (volume.slices > 1 || k == 2));
}

void VolumeControls::showNumbers(const engine::Reconstruction& stack)
{
    const std::array<QString, 3> names = {tr("Column (x) %1"), tr("Row (y) %1"), tr("Slice (z) %1")};
    const auto pixel = [&stack](int k, int value) { // numbered as in the image views
        const bool everySlice = stack.image.slices == stack.request.place.slices.count;
        const double step = k == 2 && everySlice ? 1 : stack.grid.step;
        return (k == 0 ? stack.grid.x0 : k == 1 ? stack.grid.y0 : stack.request.place.slices.first) + value * step;
    };
    for (int k = 0; k < 3; ++k)
        m_positionValue[k]->setText(names[k].arg(pixel(k, m_position[k]->value())));
    const QString unit = stack.unit.empty() ? QString() : QLatin1Char(' ') + QString::fromStdString(stack.unit);
    m_thresholdValue->setText(tr("Transparent below %1%2").arg(QString::number(threshold(), 'g', 3), unit));
}

VolumeLook VolumeControls::look(const engine::Reconstruction& stack) const
{
    VolumeLook look;
    for (int k = 0; k < 3; ++k)
        look.position[k] = m_position[k]->value();
    look.low = m_range.low;
    look.high = m_range.high;
    look.threshold = threshold();
    look.opacity = static_cast<double>(m_opacity->value()) / sliderSteps;
    look.colours = colourMaps()[std::max(m_colours->currentIndex(), 0)].colours;
    look.volumeVisible = m_volumeOn->isChecked() && stack.image.slices > 2;
    look.slicesVisible = m_slicesOn->isChecked();
    look.cornerOpen = m_corner->isChecked();
    return look;
}

} // namespace ui
