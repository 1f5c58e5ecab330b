#include "ui/settings/geometry_panel.h"

#include "engine/scan/geometry_facts.h"
#include "engine/scan/reinterpreted_scan.h"
#include "ui/widgets/fold_out.h"
#include "ui/widgets/length_box.h"
#include "ui/widgets/measure_box.h"

#include <QGridLayout>
#include <QLabel>
#include <QPushButton>
#include <QSignalBlocker>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace ui
{

namespace
{

constexpr double degreesOfRad = 180 / std::numbers::pi;
constexpr double farthestMm = 1e6, umPerMm = 1000;

QLabel* remark(const char* name)
{
    auto* label = new QLabel;
    label->setObjectName(QLatin1String(name));
    label->setTextFormat(Qt::PlainText);
    label->setWordWrap(true);
    label->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    return label;
}

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

GeometryPanel::GeometryPanel(int labelWidth, QWidget* parent)
    : QWidget(parent), m_fold(new FoldOut("geometryHeading", tr("How the scan was taken, to be read and corrected"))),
      m_rows(new QWidget), m_taken(remark("takenAs")), m_problem(remark("geometryProblem")),
      m_missing(remark("geometryMissing")), m_becomeCone(new QPushButton(tr("Cone…"))),
      m_takeCone(new QPushButton(tr("Take as a cone beam"))),
      m_takeParallel(new QPushButton(tr("Take as a parallel beam"))), m_back(new QPushButton(tr("As it was")))
{
    setObjectName(QStringLiteral("geometry"));
    m_becomeCone->setObjectName(QStringLiteral("becomeCone"));
    m_becomeCone->setToolTip(tr("Say how a cone beam recorded it: source, detector and pixel"));
    m_takeCone->setObjectName(QStringLiteral("takeCone"));
    m_takeParallel->setObjectName(QStringLiteral("takeParallel"));
    m_takeParallel->setToolTip(tr("The same rows, each a slice of its own"));
    m_back->setObjectName(QStringLiteral("geometryBack"));
    m_back->setToolTip(tr("The geometry that the scan has now"));
    m_missing->setForegroundRole(QPalette::PlaceholderText);

    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_fold);
    QVBoxLayout* body = m_fold->body();
    body->addWidget(m_taken);
    body->addWidget(m_becomeCone);
    body->addWidget(m_rows);
    body->addWidget(m_problem);
    body->addWidget(m_back);
    body->addWidget(m_missing);
    body->addWidget(m_takeCone);
    body->addWidget(m_takeParallel);
    auto* grid = new QGridLayout(m_rows);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setVerticalSpacing(4);
    grid->setColumnStretch(1, 1);
    addFields(grid, labelWidth);

    connect(m_becomeCone, &QPushButton::clicked, this, [this] {
        m_kind = Kind::becoming;
        show();
        m_fields.front().box->setFocus();
        m_fold->unfold();
    });
    connect(m_back, &QPushButton::clicked, this, [this] {
        m_said = m_held;
        m_problem->clear();
        show();
    });
    connect(m_takeCone, &QPushButton::clicked, this, [this] { emit coneWanted(m_said); });
    connect(m_takeParallel, &QPushButton::clicked, this, [this] {
        if (m_kind == Kind::cone)
            return emit parallelWanted();
        m_kind = Kind::parallel;
        show();
    });
    setScan(nullptr);
}

void GeometryPanel::addFields(QGridLayout* grid, int labelWidth)
{
    grid->setColumnMinimumWidth(0, labelWidth);
    addBeam(grid);
    addDirection(grid);
    addVolume(grid);
}

void GeometryPanel::add(QGridLayout* grid, const char* name, const QString& text, QDoubleSpinBox* box,
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
void GeometryPanel::addBeam(QGridLayout* grid)
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

void GeometryPanel::addDirection(QGridLayout* grid)
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
    connect(m_direction, &QComboBox::currentIndexChanged, this, [this] {
        m_said.direction = m_direction->currentData().toBool() != m_clockwise ? engine::AngleDirection::clockwise
                                                                              : engine::AngleDirection::anticlockwise;
        if (m_kind == Kind::cone)
            emit coneWanted(m_said);
    });
}

void GeometryPanel::addVolume(QGridLayout* grid)
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

void GeometryPanel::setScan(const engine::Scan* scan)
{
    const auto* cone = scan ? std::get_if<engine::ConeBeam>(&scan->geometry) : nullptr;
    m_kind = !scan ? Kind::none : cone ? Kind::cone : Kind::parallel;
    m_held = m_said = scan ? engine::saidOf(*scan) : engine::ConeOptions();
    m_beam = cone ? *cone : engine::ConeBeam();
    if (scan && !cone)
        m_beam.rows = scan->rows;
    m_clockwise = scan && scan->projections() > 1 && scan->anglesRad()[1] < scan->anglesRad()[0];
    m_fold->setTitle(scan ? tr("Geometry: %1").arg(QString::fromStdString(engine::labelOf(scan->geometry)))
                          : tr("Geometry"));
    QStringList doubts;
    for (const std::string& doubt : scan ? engine::geometryDoubts(scan->geometry) : std::vector<std::string>())
        doubts << QString::fromStdString(doubt);
    m_problem->setText(doubts.join(QLatin1Char('\n')));
    show();
}

// What was typed stays: another number may make it right.
void GeometryPanel::showProblem(const QString& message)
{
    m_problem->setText(message);
    show();
    m_fold->unfold();
}

// What the panel knows, in its fields.
void GeometryPanel::show()
{
    setEnabled(m_kind != Kind::none);
    const bool hasRows = m_kind == Kind::cone || m_kind == Kind::becoming;
    m_taken->setVisible(m_kind == Kind::parallel);
    m_taken->setText(tr("Taken as a parallel beam: every row of the detector is a slice."));
    m_becomeCone->setVisible(m_kind == Kind::parallel);
    m_rows->setVisible(hasRows);
    m_takeCone->setVisible(m_kind == Kind::becoming);
    m_takeParallel->setVisible(hasRows);
    m_takeParallel->setText(m_kind == Kind::becoming ? tr("Leave it a parallel beam") : tr("Take as a parallel beam"));
    m_problem->setVisible(!m_problem->text().isEmpty());
    m_back->setVisible(m_kind == Kind::cone && m_said != m_held);
    for (const Field& field : m_fields) {
        const QSignalBlocker blocker(field.box);
        field.box->setValue(field.get(m_said, m_beam).value_or(field.box->minimum()));
        const bool isSaidByMatrices = field.ofCircle && !m_beam.isCircle();
        const bool isOfOtherRows = field.ofRows && m_beam.rows == 1;
        const bool isLater = !field.ofCircle && m_kind == Kind::becoming; // it follows from the lengths
        field.box->setVisible(!isLater);
        field.label->setVisible(!isLater);
        field.box->setEnabled(!isSaidByMatrices && !isOfOtherRows);
        field.box->setToolTip(isSaidByMatrices ? tr("The projection matrices of the scan say it.")
                              : isOfOtherRows  ? tr("A fan beam, of one row, has none.")
                                               : field.tooltip);
    }
    m_direction->select(m_clockwise);
    m_direction->setEnabled(m_beam.isCircle());
    offerCone();
}

void GeometryPanel::take(const Field& field)
{
    const double value = field.box->value();
    if (value == field.box->minimum()) // nothing is said by it
        return show();
    field.set(m_said, m_beam, value);
    m_problem->clear();
    if (m_kind == Kind::cone)
        emit coneWanted(m_said);
    else
        offerCone();
}

// With all that is missing for it.
void GeometryPanel::offerCone()
{
    QStringList missing;
    for (const Field& field : m_fields)
        if (field.isNeeded && !(field.get(m_said, m_beam).value_or(0) > 0))
            missing << field.label->text();
    const bool isBefore = missing.isEmpty() && *m_said.sourceDetectorMm < *m_said.sourceAxisMm;
    m_missing->setText(!missing.isEmpty() ? tr("Still to be said: %1.").arg(missing.join(tr(", ")))
                       : isBefore         ? tr("The detector lies before the axis: one of the distances is wrong.")
                                          : QString());
    m_missing->setVisible(m_kind == Kind::becoming && !m_missing->text().isEmpty());
    m_takeCone->setEnabled(missing.isEmpty() && !isBefore);
    m_takeCone->setToolTip(m_takeCone->isEnabled() ? tr("Slices are made of cones of rays from now on")
                                                   : m_missing->text());
}

} // namespace ui
