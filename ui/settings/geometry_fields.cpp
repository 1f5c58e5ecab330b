// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/settings/geometry_fields.h"

#include "ui/settings/option_field.h"
#include "ui/widgets/length_box.h"
#include "ui/widgets/measure_box.h"

#include <QEvent>
#include <QGridLayout>
#include <QLabel>
#include <QSignalBlocker>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace ui
{

namespace
{

constexpr double farthestMm = 1e6;

// Returns the factor from the unit of the options (mm, radians or a count) to the unit of the number.
double factorOf(const engine::ConeNumber& number)
{
    const std::string unit = number.unit;
    return unit == "µm" ? 1000 : unit == "°" ? 180 / std::numbers::pi : 1;
}

QDoubleSpinBox* boxFor(const engine::ConeNumber& number)
{
    const std::string unit = number.unit;
    if (number.count)
        return new MeasureBox(QLatin1Char(' ') + translated(unit), 0, 1 << 16, 0, 16);
    if (unit == "°")
        return new MeasureBox(translated(unit), -90, 90, 5, 0.05);
    return new LengthBox(translated(unit), number.mayBeNegative ? -farthestMm : 0, farthestMm, 1);
}

std::optional<double> valueOf(const engine::ConeNumber& number, const engine::ConeOptions& options)
{
    if (number.count)
        return options.*number.count ? std::optional<double>(*(options.*number.count)) : std::nullopt;
    return options.*number.real ? std::optional(*(options.*number.real) * factorOf(number)) : std::nullopt;
}

void setValue(const engine::ConeNumber& number, engine::ConeOptions& options, double value)
{
    if (number.count)
        options.*number.count = static_cast<int>(value);
    else
        options.*number.real = value / factorOf(number);
}

// Changes one number of the volume; its other numbers keep their present values. If the voxel size changes, the
// numbers of voxels are scaled so that the volume covers the same part of the object.
void setInVolume(const engine::ConeNumber& number, engine::ConeOptions& options, const engine::ConeBeam& beam,
                 double value)
{
    options.voxelMm = beam.volume.voxelMm;
    options.size = beam.volume.size;
    options.slices = beam.volume.slices;
    setValue(number, options, value);
    if (number.real != &engine::ConeOptions::voxelMm)
        return;
    const double ratio = beam.volume.voxelMm / *options.voxelMm;
    const auto scaled = [ratio](int count) { return static_cast<int>(std::clamp(count * ratio + 0.5, 1.0, 1e6)); };
    options.size = scaled(beam.volume.size);
    options.slices = beam.rows > 1 ? scaled(beam.volume.slices) : 1;
}

} // namespace

GeometryFields::GeometryFields(int labelWidth, QWidget* parent) : QWidget(parent)
{
    auto* grid = new QGridLayout(this);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setVerticalSpacing(4);
    grid->setColumnStretch(1, 1);
    grid->setColumnMinimumWidth(0, labelWidth);
    for (const engine::ConeField& field : engine::coneFields()) {
        if (field.id == std::string("direction"))
            addDirection(grid);
        for (const engine::ConeNumber& number : field.use.numbers)
            add(grid, field, number);
    }
}

void GeometryFields::add(QGridLayout* grid, const engine::ConeField& field, const engine::ConeNumber& number)
{
    QDoubleSpinBox* box = boxFor(number);
    auto* label = new QLabel(translated(number.label));
    label->setBuddy(box);
    label->setToolTip(translated(number.summary));
    box->setObjectName(QLatin1String(number.name));
    box->setAccessibleName(translated(number.summary).section(u'\n', 0, 0));
    box->setSpecialValueText(translated(number.unset));
    const int row = grid->rowCount();
    grid->addWidget(label, row, 0);
    grid->addWidget(box, row, 1);
    m_boxes.push_back({&field, &number, box, label});
    for (QWidget* each : {static_cast<QWidget*>(box), static_cast<QWidget*>(label)})
        each->installEventFilter(this);
    connect(box, &QDoubleSpinBox::valueChanged, this, [this, k = m_boxes.size() - 1] { take(m_boxes[k]); });
}

bool GeometryFields::eventFilter(QObject* watched, QEvent* event)
{
    const auto box = std::ranges::find_if(
        m_boxes, [watched](const Box& each) { return each.box == watched || each.label == watched; });
    if (box == m_boxes.end())
        return QWidget::eventFilter(watched, event);
    const QEvent::Type type = event->type();
    if (type == QEvent::FocusIn)
        m_focused = box->number;
    else if (type == QEvent::FocusOut && m_focused == box->number)
        m_focused = nullptr;
    else if (type == QEvent::Enter)
        m_hovered = box->number;
    else if ((type == QEvent::Leave || type == QEvent::Hide) && m_hovered == box->number)
        m_hovered = nullptr;
    else
        return false;
    emit pointedAt(m_hovered ? m_hovered : m_focused);
    return false;
}

void GeometryFields::addDirection(QGridLayout* grid)
{
    m_direction = new ChoiceCombo;
    m_direction->setObjectName(QStringLiteral("direction"));
    m_direction->setAccessibleName(tr("Direction of increasing angle"));
    m_direction->setToolTip(m_direction->accessibleName());
    m_direction->addChoice(tr("anticlockwise"), false, tr("The mathematical direction, seen from above"));
    m_direction->addChoice(tr("clockwise"), true, tr("The opposite direction; a wrong direction mirrors the object"));
    auto* label = new QLabel(tr("Direction"));
    label->setBuddy(m_direction);
    label->setToolTip(m_direction->accessibleName());
    const int row = grid->rowCount();
    grid->addWidget(label, row, 0);
    grid->addWidget(m_direction, row, 1);
    connect(m_direction, &QComboBox::currentIndexChanged, this,
            [this] { emit directionChosen(m_direction->currentData().toBool()); });
}

double GeometryFields::shown(const Box& box) const
{
    // The numbers of the volume come from the beam, which has them even if the user gave none.
    const bool isOfVolume = box.field->use.isOfVolume;
    const auto value = isOfVolume && m_beam.volume.voxelMm == 0
                           ? std::nullopt
                           : valueOf(*box.number, isOfVolume ? engine::optionsOf(m_beam) : m_options);
    return value.value_or(box.box->minimum());
}

void GeometryFields::show(const engine::ConeOptions& options, const engine::ConeBeam& beam, bool isBecoming)
{
    m_options = options;
    m_beam = beam;
    for (const Box& each : m_boxes) {
        const QSignalBlocker blocker(each.box);
        each.box->setValue(shown(each));
        const bool isOfVolume = each.field->use.isOfVolume;
        const bool isSaidByMatrices = !isOfVolume && !m_beam.isCircle();
        const bool isOfOtherRows = each.number->isOfRows && m_beam.rows == 1;
        const bool isLater = isOfVolume && isBecoming; // hidden: computed once the user has entered the distances
        each.box->setVisible(!isLater);
        each.label->setVisible(!isLater);
        each.box->setEnabled(!isSaidByMatrices && !isOfOtherRows);
        each.box->setToolTip(isSaidByMatrices ? tr("Given by the projection matrices of the scan.")
                             : isOfOtherRows  ? tr("A fan beam (one row) has none.")
                                              : translated(each.number->summary));
    }
    m_direction->setEnabled(m_beam.isCircle());
}

void GeometryFields::showDirection(bool isClockwise)
{
    m_direction->select(isClockwise);
}

QStringList GeometryFields::missing() const
{
    QStringList missing;
    for (const Box& each : m_boxes) {
        const bool isNeeded = *each.field->use.needed && each.number == &each.field->use.numbers.front();
        if (isNeeded && !(valueOf(*each.number, m_options).value_or(0) > 0))
            missing << each.label->text();
    }
    return missing;
}

void GeometryFields::focusFirst()
{
    m_boxes.front().box->setFocus(Qt::TabFocusReason); // selects its text
}

void GeometryFields::take(const Box& box)
{
    const double value = box.box->value();
    if (value == box.box->minimum()) // shown as "no value"
        return emit cleared();
    if (box.field->use.isOfVolume)
        setInVolume(*box.number, m_options, m_beam, value);
    else
        setValue(*box.number, m_options, value);
    emit changed(m_options);
}

} // namespace ui
