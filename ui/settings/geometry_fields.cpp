#include "ui/settings/geometry_fields.h"

#include "ui/widgets/length_box.h"
#include "ui/widgets/measure_box.h"

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

constexpr double degreesOfRad = 180 / std::numbers::pi;
constexpr double farthestMm = 1e6, umPerMm = 1000;

// The volume as it is, so that one of its numbers can be changed alone.
void sayVolume(engine::ConeOptions& options, const engine::ConeBeam& beam)
{
    options.voxelMm = beam.volume.voxelMm;
    options.size = beam.volume.size;
    options.slices = beam.volume.slices;
}

// As much of the object in other voxels.
void sayVoxel(engine::ConeOptions& options, const engine::ConeBeam& beam, double um)
{
    const double mm = um / umPerMm, ratio = beam.volume.voxelMm / mm;
    const auto scaled = [ratio](int count) { return static_cast<int>(std::clamp(count * ratio + 0.5, 1.0, 1e6)); };
    options.voxelMm = mm;
    options.size = scaled(beam.volume.size);
    options.slices = beam.rows > 1 ? scaled(beam.volume.slices) : 1;
}

using Value = std::optional<double> engine::ConeOptions::*;

auto said(Value value, double factor)
{
    return [=](const engine::ConeOptions& options, const engine::ConeBeam&) {
        return options.*value ? std::optional(*(options.*value) * factor) : std::nullopt;
    };
}

auto say(Value value, double factor)
{
    return
        [=](engine::ConeOptions& options, const engine::ConeBeam&, double given) { options.*value = given / factor; };
}

// Of the volume that there is.
auto volume(auto of, double factor = 1)
{
    return [=](const engine::ConeOptions&, const engine::ConeBeam& beam) {
        return beam.volume.voxelMm > 0 ? std::optional(beam.volume.*of * factor) : std::nullopt;
    };
}

QDoubleSpinBox* length(double leastMm)
{
    return new LengthBox(QStringLiteral("mm"), leastMm, farthestMm, 1);
}

QDoubleSpinBox* pixel()
{
    return new LengthBox(QStringLiteral("µm"), 0, 1e6, 1);
}

QDoubleSpinBox* angle()
{
    return new MeasureBox(QStringLiteral("°"), -90, 90, 5, 0.05);
}

QDoubleSpinBox* count(const QString& of)
{
    return new MeasureBox(of, 0, 1 << 16, 0, 16);
}

} // namespace

GeometryFields::GeometryFields(int labelWidth, QWidget* parent) : QWidget(parent)
{
    auto* grid = new QGridLayout(this);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setVerticalSpacing(4);
    grid->setColumnStretch(1, 1);
    grid->setColumnMinimumWidth(0, labelWidth);
    addBeam(grid);
    addAngles(grid);
    addDirection(grid);
    addVolume(grid);
}

void GeometryFields::add(QGridLayout* grid, const char* name, const QString& text, QDoubleSpinBox* box,
                         const QString& unsaid, Field field)
{
    auto* label = new QLabel(text);
    label->setBuddy(box);
    label->setToolTip(field.tooltip);
    box->setObjectName(QLatin1String(name));
    box->setAccessibleName(field.tooltip.section(u'\n', 0, 0));
    box->setSpecialValueText(unsaid);
    field.box = box;
    field.label = label;
    const int row = grid->rowCount();
    grid->addWidget(label, row, 0);
    grid->addWidget(box, row, 1);
    m_fields.push_back(std::move(field));
    connect(box, &QDoubleSpinBox::valueChanged, this, [this, k = m_fields.size() - 1] { take(m_fields[k]); });
}

// THE table of what is said of the beam.
void GeometryFields::addBeam(QGridLayout* grid)
{
    using Options = engine::ConeOptions;
    const QString none = tr("not said");
    add(grid, "sourceAxis", tr("Source–axis"), length(0), none,
        {{},
         {},
         said(&Options::sourceAxisMm, 1),
         say(&Options::sourceAxisMm, 1),
         tr("Distance from the source to the rotation axis"),
         true,
         false,
         true});
    add(grid, "sourceDetector", tr("–detector"), length(0), none,
        {{},
         {},
         said(&Options::sourceDetectorMm, 1),
         say(&Options::sourceDetectorMm, 1),
         tr("Distance from the source to the detector, along its normal"),
         true,
         false,
         true});
    add(grid, "pixelU", tr("Pixel u"), pixel(), none,
        {{},
         {},
         said(&Options::pixelUMm, umPerMm),
         say(&Options::pixelUMm, umPerMm),
         tr("Distance of neighbouring bins on the detector"),
         true,
         false,
         true});
    add(grid, "pixelV", tr("Pixel v"), pixel(), tr("as u"),
        {{},
         {},
         said(&Options::pixelVMm, umPerMm),
         say(&Options::pixelVMm, umPerMm),
         tr("Distance of neighbouring rows on the detector"),
         true,
         true});
    add(grid, "offsetU", tr("Offset u"), length(-farthestMm), tr("not known"),
        {{},
         {},
         said(&Options::offsetUMm, 1),
         say(&Options::offsetUMm, 1),
         tr("How far the middle of the detector lies from the central ray, towards higher bins\n"
            "It says where the rotation axis is, unless Axis above says otherwise."),
         true});
    add(grid, "offsetV", tr("Offset v"), length(-farthestMm), tr("none"),
        {{},
         {},
         said(&Options::offsetVMm, 1),
         say(&Options::offsetVMm, 1),
         tr("How far the middle of the detector lies from the central ray, towards lower rows of the image"),
         true,
         true});
}

void GeometryFields::addAngles(QGridLayout* grid)
{
    using Options = engine::ConeOptions;
    add(grid, "tilt", tr("Tilt"), angle(), tr("none"),
        {{},
         {},
         said(&Options::tiltRad, degreesOfRad),
         say(&Options::tiltRad, degreesOfRad),
         tr("How far the axis leans towards the detector"),
         true,
         true});
    add(grid, "roll", tr("Roll"), angle(), tr("none"),
        {{},
         {},
         said(&Options::rollRad, degreesOfRad),
         say(&Options::rollRad, degreesOfRad),
         tr("How far the detector is turned about the central ray"),
         true,
         true});
}

void GeometryFields::addDirection(QGridLayout* grid)
{
    m_direction = new ChoiceCombo;
    m_direction->setObjectName(QStringLiteral("direction"));
    m_direction->setAccessibleName(tr("Direction in which the angles count"));
    m_direction->setToolTip(m_direction->accessibleName());
    m_direction->addChoice(tr("anticlockwise"), false, tr("As angles are counted in a plane, seen from above"));
    m_direction->addChoice(tr("clockwise"), true, tr("The other way: a wrong direction mirrors the object"));
    auto* label = new QLabel(tr("Turns"));
    label->setBuddy(m_direction);
    label->setToolTip(m_direction->accessibleName());
    const int row = grid->rowCount();
    grid->addWidget(label, row, 0);
    grid->addWidget(m_direction, row, 1);
    connect(m_direction, &QComboBox::currentIndexChanged, this,
            [this] { emit directionChosen(m_direction->currentData().toBool()); });
}

void GeometryFields::addVolume(QGridLayout* grid)
{
    using Options = engine::ConeOptions;
    using Beam = engine::ConeBeam;
    add(grid, "voxel", tr("Voxel"), pixel(), tr("automatic"),
        {{},
         {},
         volume(&engine::ConeVolume::voxelMm, umPerMm),
         sayVoxel,
         tr("Edge of a voxel; as much of the object is shown\nA detector's pixel as it is seen at the axis, when it "
            "isn't said.")});
    add(grid, "volumeSize", tr("Size"), count(tr(" voxels")), tr("automatic"),
        {{},
         {},
         volume(&engine::ConeVolume::size),
         [](Options& options, const Beam& beam, double size) {
             sayVolume(options, beam);
             options.size = static_cast<int>(size);
         },
         tr("Voxels along each side of a slice")});
    add(grid, "volumeSlices", tr("Slices"), count(tr(" slices")), tr("automatic"),
        {{},
         {},
         volume(&engine::ConeVolume::slices),
         [](Options& options, const Beam& beam, double slices) {
             sayVolume(options, beam);
             options.slices = static_cast<int>(slices);
         },
         tr("Slices of the volume, around the plane of the central ray"),
         false,
         true});
}

void GeometryFields::show(const engine::ConeOptions& options, const engine::ConeBeam& beam, bool isBecoming)
{
    m_options = options;
    m_beam = beam;
    for (const Field& field : m_fields) {
        const QSignalBlocker blocker(field.box);
        field.box->setValue(field.get(m_options, m_beam).value_or(field.box->minimum()));
        const bool isSaidByMatrices = field.ofCircle && !m_beam.isCircle();
        const bool isOfOtherRows = field.ofRows && m_beam.rows == 1;
        const bool isLater = !field.ofCircle && isBecoming; // it follows from the lengths
        field.box->setVisible(!isLater);
        field.label->setVisible(!isLater);
        field.box->setEnabled(!isSaidByMatrices && !isOfOtherRows);
        field.box->setToolTip(isSaidByMatrices ? tr("The projection matrices of the scan say it.")
                              : isOfOtherRows  ? tr("A fan beam, of one row, has none.")
                                               : field.tooltip);
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
    for (const Field& field : m_fields)
        if (field.isNeeded && !(field.get(m_options, m_beam).value_or(0) > 0))
            missing << field.label->text();
    return missing;
}

void GeometryFields::focusFirst()
{
    m_fields.front().box->setFocus();
}

void GeometryFields::take(const Field& field)
{
    const double value = field.box->value();
    if (value == field.box->minimum()) // "no value"
        return emit cleared();
    field.set(m_options, m_beam, value);
    emit changed(m_options);
}

} // namespace ui
