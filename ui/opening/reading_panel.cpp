#include "ui/opening/reading_panel.h"

#include "engine/base/error.h"
#include "engine/io/formats/hdf5_data_sets.h"
#include "ui/opening/angles_field.h"
#include "ui/opening/path_field.h"
#include "ui/opening/raw_field.h"
#include "ui/widgets/length_box.h"
#include "ui/widgets/measure_box.h"
#include "ui/widgets/without_flags.h"

#include <QFileInfo>
#include <QFrame>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QSignalBlocker>
#include <QVBoxLayout>

#include <algorithm>
#include <numbers>

namespace ui
{

namespace
{

constexpr int filesWidth = 240;
constexpr double umPerMm = 1000;

// As high as what is in it, and scrolled sideways where the window is narrow.
class Strip : public QScrollArea
{
  public:
    explicit Strip(QWidget* content)
    {
        setFrameShape(QFrame::NoFrame);
        setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
        setWidgetResizable(true);
        setFocusPolicy(Qt::NoFocus);
        setWidget(content);
        setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
        content->installEventFilter(this);
    }
    QSize sizeHint() const override
    {
        const int bar = widget()->minimumSizeHint().width() > width() ? horizontalScrollBar()->sizeHint().height() : 0;
        return {0, widget()->sizeHint().height() + bar};
    }
    QSize minimumSizeHint() const override { return sizeHint(); }

  protected:
    bool eventFilter(QObject* watched, QEvent* event) override
    {
        if (event->type() == QEvent::LayoutRequest)
            updateGeometry();
        return QScrollArea::eventFilter(watched, event);
    }
    void resizeEvent(QResizeEvent* event) override
    {
        QScrollArea::resizeEvent(event);
        updateGeometry();
    }
};

QFrame* between()
{
    auto* line = new QFrame;
    line->setFrameShape(QFrame::VLine);
    line->setFrameShadow(QFrame::Plain);
    line->setForegroundRole(QPalette::Midlight);
    return line;
}

} // namespace

ReadingPanel::ReadingPanel(QWidget* parent)
    : QWidget(parent), m_angles(new AnglesField), m_raw(new RawField), m_rawName(new QLabel), m_name(new QLabel),
      m_problem(new QLabel), m_back(new QPushButton(tr("As it was"))), m_dataSets(new QPushButton(tr("Data sets…"))),
      m_found(new QPushButton(tr("What was found…")))
{
    setObjectName(QStringLiteral("reading"));
    setAccessibleName(tr("How the scan is read"));
    layOut();
    connectFiles();
    connectNumbers();
    connect(m_transpose, &QPushButton::clicked, this,
            [this] { want([this](engine::OpenOptions& said) { said = engine::withExchangedAxes(said, *m_scan); }); });
    connect(m_found, &QPushButton::clicked, this, &ReadingPanel::foundWanted);
    connect(m_dataSets, &QPushButton::clicked, this, [this] { emit dataSetsWanted(m_path, m_said); });
    connect(m_back, &QPushButton::clicked, this, [this] {
        m_said = m_held;
        if (m_scan)
            m_path = QString::fromStdString(m_scan->path);
        showFields();
        showProblem({});
    });
    show(nullptr, {});
    hide();
}

void ReadingPanel::connectFiles()
{
    connect(m_angles, &AnglesField::changed, this,
            [this] { want([this](engine::OpenOptions& said) { m_angles->applyTo(said); }); });
    connect(m_geometry, &PathField::changed, this, [this] {
        want([this](engine::OpenOptions& said) {
            said.geometryFile = m_geometry->path();
            said.beam.reset(); // as the file says
            const auto pixel = said.cone.pixelUMm;
            said.cone = {}; // of the geometry before
            said.cone.pixelUMm = pixel;
        });
    });
    connect(m_darks, &PathField::changed, this,
            [this] { want([this](engine::OpenOptions& said) { said.darks = m_darks->path(); }); });
    connect(m_flats, &PathField::changed, this,
            [this] { want([this](engine::OpenOptions& said) { said.flats = m_flats->path(); }); });
    connect(m_shifts, &PathField::changed, this,
            [this] { want([this](engine::OpenOptions& said) { said.shiftsFile = m_shifts->path(); }); });
    connect(m_raw, &RawField::wanted, this,
            [this] { want([this](engine::OpenOptions& said) { said.raw = m_raw->layout(); }); });
}

void ReadingPanel::connectNumbers()
{
    connect(m_pixel, &QDoubleSpinBox::valueChanged, this, [this](double um) {
        want([um](engine::OpenOptions& said) {
            said.cone.pixelUMm = um > 0 ? std::optional(um / umPerMm) : std::nullopt;
            said.cone.pixelVMm.reset();
        });
    });
    connect(m_size, &QDoubleSpinBox::valueChanged, this, [this](double pixels) {
        want([pixels](engine::OpenOptions& said) {
            said.cone.size = pixels > 0 ? std::optional(static_cast<int>(pixels)) : std::nullopt;
        });
    });
    connect(m_outputPixel, &QDoubleSpinBox::valueChanged, this, [this](double size) {
        want([this, size](engine::OpenOptions& said) {
            said.cone.voxelBins.reset();
            said.cone.voxelMm.reset();
            if (size > 0 && m_isOutputInUm)
                said.cone.voxelMm = size / umPerMm;
            else if (size > 0)
                said.cone.voxelBins = size;
        });
    });
    connect(m_rotation, &QDoubleSpinBox::valueChanged, this, [this](double degrees) {
        want([degrees](engine::OpenOptions& said) {
            said.cone.rotateRad = degrees != 0 ? std::optional(degrees * (std::numbers::pi / 180)) : std::nullopt;
        });
    });
    connect(m_bin, &QDoubleSpinBox::valueChanged, this, [this](double pixels) {
        want([pixels](engine::OpenOptions& said) { said.reduction.bin = static_cast<int>(pixels); });
    });
    connect(m_every, &QDoubleSpinBox::valueChanged, this, [this](double every) {
        want([every](engine::OpenOptions& said) { said.reduction.every = static_cast<int>(every); });
    });
}

void ReadingPanel::layOut()
{
    auto* content = new QWidget;
    auto* groups = new QHBoxLayout(content);
    groups->setContentsMargins(12, 6, 12, 2);
    groups->setSpacing(14);
    groups->addWidget(m_rawGroup = makeRaw());
    groups->addWidget(m_angles, 0);
    groups->addWidget(between());
    groups->addWidget(makeFiles(), 0);
    groups->addStretch(1);

    m_problem->setObjectName(QStringLiteral("readingProblem"));
    m_problem->setTextFormat(Qt::PlainText);
    m_problem->setWordWrap(true);
    m_problem->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_problem->setMinimumHeight(m_back->sizeHint().height()); // nothing moves when it comes
    m_back->setObjectName(QStringLiteral("readingBack"));
    m_back->setToolTip(tr("What the scan is open with now"));
    auto* below = new QHBoxLayout;
    below->setContentsMargins(12, 0, 12, 4);
    below->setSpacing(8);
    QFont bold = m_name->font();
    bold.setBold(true);
    m_name->setFont(bold);
    m_name->setTextFormat(Qt::PlainText);
    for (QPushButton* button : {m_found, m_dataSets, m_transpose})
        below->addWidget(button);
    below->addWidget(m_name);
    below->addWidget(m_problem, 1);
    below->addWidget(m_back);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(new Strip(content));
    column->addLayout(below);
    auto* line = new QFrame;
    line->setFrameShape(QFrame::HLine);
    line->setFrameShadow(QFrame::Plain);
    line->setForegroundRole(QPalette::Midlight);
    column->addWidget(line);
}

QWidget* ReadingPanel::makeRaw()
{
    auto* group = new QWidget;
    auto* row = new QHBoxLayout(group);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(14);
    auto* column = new QVBoxLayout;
    column->setSpacing(4);
    m_rawName->setTextFormat(Qt::PlainText);
    column->addWidget(m_rawName);
    column->addWidget(m_raw);
    column->addStretch(1);
    row->addLayout(column);
    row->addWidget(between());
    return group;
}

QWidget* ReadingPanel::makeFiles()
{
    m_geometry = new PathField("geometryFile", tr("File of the geometry: RTK, Nikon, JSON or projection matrices"),
                               PathField::Takes::files);
    m_darks = new PathField("darks", tr("Dark fields"), PathField::Takes::filesAndFolders);
    m_flats = new PathField("flats", tr("Flat fields"), PathField::Takes::filesAndFolders);
    m_shifts = new PathField("shiftsFile",
                             tr("File of shifts: how far each projection is off, in bins, and in rows in a second "
                                "column; towards higher bins and rows"),
                             PathField::Takes::files);
    makeSlices();
    makeReduction();
    makeButtons();
    auto* group = new QWidget;
    auto* grid = new QGridLayout(group);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setHorizontalSpacing(6);
    grid->setVerticalSpacing(4);
    grid->setColumnMinimumWidth(1, filesWidth);
    const auto add = [&](const QString& text, QWidget* field, int row, int column) {
        auto* label = new QLabel(text);
        label->setBuddy(field);
        grid->addWidget(label, row, column);
        grid->addWidget(field, row, column + 1);
        return label;
    };
    add(tr("Geometry"), m_geometry, 0, 0);
    m_pixelName = add(tr("Pixel"), m_pixel, 0, 2);
    add(tr("Darks"), m_darks, 1, 0);
    m_sizeName = add(tr("Slice"), m_size, 1, 2);
    add(tr("Flats"), m_flats, 2, 0);
    m_shiftsName = add(tr("Shifts"), m_shifts, 3, 0);
    add(tr("turned by"), m_rotation, 2, 4);
    m_outputPixelName = add(tr("of pixels"), m_outputPixel, 1, 4);
    add(tr("Bin"), m_bin, 3, 2);
    add(tr("Take every"), m_every, 3, 4);
    add(tr("Leave out"), m_leaveOut, 0, 4);
    m_flatFramesName = add(tr("Flat frames"), m_flatFrames, 4, 2);
    m_darkFramesName = add(tr("Dark frames"), m_darkFrames, 4, 4);
    grid->setRowStretch(9, 1);
    return group;
}

// The size of the detector's pixels, and what follows from it.
void ReadingPanel::makeSlices()
{
    m_pixel = new LengthBox(QStringLiteral("µm"), 0, 1e6, 1);
    m_pixel->setObjectName(QStringLiteral("pixelSize"));
    m_pixel->setSpecialValueText(tr("as the scan says"));
    m_pixel->setAccessibleName(tr("Pixel size"));
    m_pixel->setToolTip(tr("Side of a pixel of the detector, in µm or with another unit: 0.65, 650 nm, 0.2 mm. The "
                           "slices, the scale bar and phase retrieval take it from here."));
    m_pixel->setFixedWidth(104);
    m_size = new MeasureBox(tr(" px"), 0, 1 << 16, 0, 16);
    m_size->setObjectName(QStringLiteral("sliceSize"));
    m_size->setSpecialValueText(tr("as the bins"));
    m_size->setAccessibleName(tr("Slice size"));
    m_size->setToolTip(tr("Pixels along each side of a slice: more than bins where the axis is aside of the detector's "
                          "middle over a full turn"));
    m_size->setFixedWidth(104);
    m_outputPixel = new LengthBox(QStringLiteral("bins"), 0, 1e6, 0.25);
    m_outputPixel->setObjectName(QStringLiteral("outputPixel"));
    m_outputPixel->setSpecialValueText(tr("as the bins"));
    m_outputPixel->setAccessibleName(tr("Pixels of the slices"));
    m_outputPixel->setFixedWidth(104);
    m_rotation = new MeasureBox(QStringLiteral("°"), -360, 360, 3, 1);
    m_rotation->setObjectName(QStringLiteral("rotation"));
    m_rotation->setAccessibleName(tr("Rotation of the slices"));
    m_rotation->setToolTip(tr("Turns the slices, anticlockwise as they are shown"));
    m_rotation->setFixedWidth(104);
}

void ReadingPanel::makeButtons()
{
    m_found->setObjectName(QStringLiteral("foundButton"));
    m_found->setToolTip(tr("A table of what was found of the scan and what is missing, with pictures of it"));
    m_dataSets->setObjectName(QStringLiteral("dataSetsButton"));
    m_dataSets->setToolTip(tr("Which data sets of the HDF5 file are the projections, angles, flats and darks"));
    m_transpose = new QPushButton(tr("Transpose"));
    m_transpose->setObjectName(QStringLiteral("transposeButton"));
    m_transpose->setToolTip(tr("Exchange projections and bins, or of images of sinograms projections and rows: the "
                               "file doesn't name its dimensions"));
}

// What of the scan is read, where all of it would be too much.
void ReadingPanel::makeReduction()
{
    m_bin = new MeasureBox(tr(" px"), 1, engine::Reduction::mostBin, 0, 1);
    m_bin->setObjectName(QStringLiteral("bin"));
    m_bin->setSpecialValueText(tr("none"));
    m_bin->setAccessibleName(tr("Pixels of the detector that are joined"));
    m_bin->setToolTip(tr("2 joins 2 × 2 pixels of the detector to one, their mean: an eighth of the volume"));
    m_bin->setFixedWidth(104);
    m_every = new MeasureBox(tr(". projection"), 1, engine::Reduction::mostEvery, 0, 1);
    m_every->setObjectName(QStringLiteral("every"));
    m_every->setSpecialValueText(tr("projection"));
    m_every->setAccessibleName(tr("Which projections are read"));
    m_every->setToolTip(tr("2 reads every second projection alone"));
    m_every->setFixedWidth(104);
    m_leaveOut =
        rangesField(QStringLiteral("leaveOut"), tr("Projections that are left out"), tr("no projection"),
                    [](engine::OpenOptions& said) -> std::vector<engine::RowRange>& { return said.reduction.leftOut; });
    m_darkFrames =
        rangesField(QStringLiteral("darkFrames"), tr("Projections that are dark fields"), tr("none"),
                    [](engine::OpenOptions& said) -> std::vector<engine::RowRange>& { return said.darkFrames; });
    m_flatFrames =
        rangesField(QStringLiteral("flatFrames"), tr("Projections that are flat fields"), tr("none"),
                    [](engine::OpenOptions& said) -> std::vector<engine::RowRange>& { return said.flatFrames; });
}

QLineEdit* ReadingPanel::rangesField(const QString& id, const QString& name, const QString& none, const Ranges& ranges)
{
    auto* field = new QLineEdit;
    field->setObjectName(id);
    field->setPlaceholderText(none);
    field->setAccessibleName(name);
    field->setToolTip(name + tr("; counted from 0 as they were recorded, ranges with both ends: 3,7:20"));
    field->setFixedWidth(104);
    connect(field, &QLineEdit::editingFinished, this, [this, field, ranges] {
        try {
            const std::string text = field->text().trimmed().toStdString();
            const auto wanted = text.empty() ? std::vector<engine::RowRange>() : engine::rangesFromText(text);
            if (wanted != ranges(m_said))
                want([&](engine::OpenOptions& said) { ranges(said) = wanted; });
        } catch (const engine::Error& error) {
            showProblem(QString::fromUtf8(error.what()));
        }
    });
    return field;
}

void ReadingPanel::show(std::shared_ptr<const engine::Scan> scan, const engine::OpenOptions& openedWith)
{
    m_scan = std::move(scan);
    m_held = m_said = openedWith;
    m_path = m_scan ? QString::fromStdString(m_scan->path) : QString();
    showFields();
    showProblem({});
}

void ReadingPanel::ask(const QString& path, const engine::OpenOptions& openedWith)
{
    m_path = path;
    m_said = openedWith;
    showFields();
    showProblem({});
    m_back->setVisible(m_scan != nullptr);
    setVisible(true);
}

void ReadingPanel::askForShape(const QString& path, const engine::OpenOptions& openedWith)
{
    engine::OpenOptions shapeless = openedWith;
    shapeless.raw.emplace();
    ask(path, shapeless);
    m_raw->setFocus();
}

void ReadingPanel::askForAngles()
{
    setVisible(true);
    m_angles->askForFile();
}

void ReadingPanel::showFields()
{
    const bool isOfTheScan = m_scan && m_path.toStdString() == m_scan->path;
    const engine::Scan* scan = isOfTheScan ? m_scan.get() : nullptr;
    setEnabled(!m_path.isEmpty());
    m_name->setVisible(!isOfTheScan && !m_path.isEmpty());
    m_name->setText(tr("%1 isn't open yet.").arg(QFileInfo(m_path).fileName()));
    m_rawGroup->setVisible(m_said.raw.has_value());
    if (m_said.raw) {
        m_rawName->setText(tr("Numbers of %1").arg(QFileInfo(m_path).fileName()));
        m_raw->show(m_held.raw && isOfTheScan ? m_said.raw : std::nullopt, m_path.toStdString());
    }
    const QString folder = QFileInfo(m_path).absolutePath();
    m_angles->setFolder(folder);
    for (PathField* field : {m_geometry, m_darks, m_flats, m_shifts})
        field->setFolder(folder);
    m_angles->show(m_said, scan);
    const auto fieldsOf = [&](int frames) {
        return frames > 0 ? tr("as the scan has them: %1").arg(frames) : tr("none known");
    };
    m_geometry->show(m_said.geometryFile,
                     scan && !scan->geometryFile.empty()
                         ? QString::fromStdString(scan->geometryFile.filename().string()) + tr(", beside the scan")
                         : tr("as the scan says"));
    m_darks->show(m_said.darks, fieldsOf(scan ? scan->darkFrames : 0));
    m_flats->show(m_said.flats, fieldsOf(scan ? scan->flatFrames : 0));
    m_dataSets->setVisible(!m_said.raw && engine::hasDataSets(m_path.toStdString()));
    m_found->setVisible(scan != nullptr);
    m_transpose->setVisible(scan && !scan->exchangedAxes.empty());
    showFrames(scan);
    showSlices(scan);
    m_shifts->show(m_said.shiftsFile, tr("none"));
}

// Which projections and pixels are read.
void ReadingPanel::showFrames(const engine::Scan* scan)
{
    const QSignalBlocker quietBin(m_bin), quietEvery(m_every);
    m_bin->setValue(m_said.reduction.bin);
    m_every->setValue(m_said.reduction.every);
    m_leaveOut->setText(QString::fromStdString(engine::rangesToText(m_said.reduction.leftOut)));
    m_darkFrames->setText(QString::fromStdString(engine::rangesToText(m_said.darkFrames)));
    m_flatFrames->setText(QString::fromStdString(engine::rangesToText(m_said.flatFrames)));
    const bool mayHoldSides = !m_said.darkFrames.empty() || !m_said.flatFrames.empty() ||
                              (scan && scan->flatFrames == 0 && scan->quantity == engine::Quantity::counts);
    for (QWidget* each : {static_cast<QWidget*>(m_flatFrames), static_cast<QWidget*>(m_flatFramesName),
                          static_cast<QWidget*>(m_darkFrames), static_cast<QWidget*>(m_darkFramesName)})
        each->setVisible(mayHoldSides);
}

void ReadingPanel::showSlices(const engine::Scan* scan)
{
    const QSignalBlocker quiet(m_pixel);
    const auto* cone = scan ? std::get_if<engine::ConeBeam>(&scan->geometry) : nullptr;
    const auto* beam = scan ? std::get_if<engine::ParallelBeam>(&scan->geometry) : nullptr;
    const int joined = scan && scan->reduced ? scan->reduced->by.bin : 1; // the fields are of pixels as recorded
    double knownMm = 0;
    if (m_said.cone.pixelUMm)
        knownMm = *m_said.cone.pixelUMm;
    else if (cone)
        knownMm = cone->pixelUMm / joined; // 0 where matrices say it
    else if (beam && beam->pixelSizeMm)
        knownMm = *beam->pixelSizeMm / joined;
    m_pixel->setSpecialValueText(tr("not known"));
    m_pixel->setValue(knownMm * umPerMm);
    const bool isCone = cone != nullptr;
    for (QWidget* each : {static_cast<QWidget*>(m_pixel), static_cast<QWidget*>(m_pixelName)})
        each->setVisible(!isCone);      // the geometry has it
    const QSignalBlocker still(m_size); // a cone's volume is in its geometry
    m_size->setValue(m_said.cone.size.value_or(0));
    showOutputPixel(beam && beam->pixelBins != 1 ? std::optional(beam->pixelBins * joined) : m_said.cone.voxelBins,
                    knownMm);
    for (QWidget* each : {static_cast<QWidget*>(m_size), static_cast<QWidget*>(m_sizeName),
                          static_cast<QWidget*>(m_outputPixel), static_cast<QWidget*>(m_outputPixelName),
                          static_cast<QWidget*>(m_shifts), static_cast<QWidget*>(m_shiftsName)})
        each->setVisible(!cone);
    const QSignalBlocker calmToo(m_rotation);
    m_rotation->setValue(m_said.cone.rotateRad.value_or(0) * 180 / std::numbers::pi);
}

// In µm where the size of the bins is known, else in bins.
void ReadingPanel::showOutputPixel(std::optional<double> bins, double binMm)
{
    const QSignalBlocker quiet(m_outputPixel);
    m_isOutputInUm = binMm > 0;
    const double umPerBin = binMm * umPerMm;
    m_outputPixel->setUnit(m_isOutputInUm ? QStringLiteral("µm") : QStringLiteral("bins"),
                           m_isOutputInUm ? std::optional(binMm) : std::nullopt);
    m_outputPixel->setSingleStep(m_isOutputInUm ? umPerBin / 4 : 0.25);
    m_outputPixel->setToolTip(
        tr("Side of a slice's pixel: half of a bin makes four pixels of one; slices stay a row apart.") +
        QLatin1Char('\n') +
        (m_isOutputInUm ? tr("In µm, or with another unit: 650 nm, 0.5 bins")
                        : tr("In bins, as their size isn't known")));
    m_outputPixel->setValue(bins.value_or(0) * (m_isOutputInUm ? umPerBin : 1));
}

// Said beside all that was said since the scan was opened.
void ReadingPanel::want(const std::function<void(engine::OpenOptions&)>& say)
{
    say(m_said);
    if (m_said == m_held && m_scan && m_path.toStdString() == m_scan->path)
        return showProblem({});
    const bool isShapeless = m_said.raw && *m_said.raw == engine::RawLayout(); // it waits for its button
    if (!isShapeless)
        emit wanted(m_path, m_said);
}

void ReadingPanel::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    emit appeared(true);
}

void ReadingPanel::hideEvent(QHideEvent* event)
{
    QWidget::hideEvent(event);
    emit appeared(false);
}

void ReadingPanel::showProblem(const QString& message)
{
    m_problem->setText(withoutFlags(message));
    m_back->setVisible(!message.isEmpty() && m_scan);
    if (!message.isEmpty())
        setVisible(true);
}

} // namespace ui
