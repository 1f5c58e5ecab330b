// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/speed/benchmark_dialog.h"

#include "engine/backproject/paper_steps.h"
#include "engine/backproject/support.h"
#include "engine/documents/benchmark_file.h"
#include "engine/documents/measured_report.h"
#include "engine/measure/tune.h"
#include "ui/background/background_task.h"
#include "ui/background/task_row.h"
#include "ui/speed/benchmark_plot.h"
#include "ui/speed/benchmark_rows.h"
#include "ui/speed/save_measured.h"
#include "ui/widgets/number_box.h"
#include "ui/widgets/plot_drawing.h"
#include "ui/widgets/side_area.h"

#include <QComboBox>
#include <QDialogButtonBox>
#include <QFileDialog>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QVBoxLayout>

#include <optional>

namespace ui
{

namespace
{

constexpr double secondsPerSize = 20; // a method that would take longer for a size is left out

QSpinBox* countBox(const char* name, int least, int most, const QString& tip)
{
    auto* box = new CountBox;
    box->setObjectName(QLatin1String(name));
    box->setRange(least, most);
    box->setToolTip(tip);
    return box;
}

QLabel* labelFor(QWidget* field, const QString& text)
{
    auto* label = new QLabel(text);
    label->setBuddy(field);
    return label;
}

} // namespace

std::vector<BenchmarkKind> benchmarkKinds()
{
    std::vector<BenchmarkKind> kinds;
    for (const engine::GeometryKind& geometry : engine::geometryKinds()) {
        const QString beam = QString::fromStdString(engine::labelOf(geometry.example));
        kinds.push_back({BenchmarkDialog::tr("Every method, %1").arg(beam), geometry.id});
        kinds.push_back({BenchmarkDialog::tr("One size after another, %1").arg(beam), geometry.id, true});
    }
    for (const engine::PaperSequence& sequence : engine::paperSequences())
        kinds.push_back({BenchmarkDialog::tr("Steps: %1").arg(QString::fromUtf8(sequence.label)),
                         sequence.cone ? "cone" : "parallel", false, sequence.id});
    return kinds;
}

struct BenchmarkDialog::Impl {
    const std::vector<BenchmarkKind> kinds = benchmarkKinds();
    QComboBox* what = nullptr;
    QSpinBox *size = nullptr, *projections = nullptr, *runs = nullptr;
    QPushButton *measure = nullptr, *compare = nullptr, *save = nullptr;
    QLabel *message = nullptr, *beside = nullptr;
    BenchmarkPlot* plot = nullptr;
    BarRows* bars = nullptr;
    TaskRow* running = nullptr;
    int run = 0; // number of the measurement that is shown
    std::vector<engine::BenchmarkRow> rows;
    engine::MachinePeaks peaks;
    std::optional<engine::BenchmarkFile> other;
    BackgroundTask task{BackgroundTask::Priority::normal}; // destroyed first, which cancels and waits

    const BenchmarkKind& kind() const { return kinds[static_cast<std::size_t>(what->currentIndex())]; }
    engine::BenchmarkOptions options() const;
    QWidget* fields();
    QWidget* results();
    void suggestSize();
    void show();
    QString otherText() const;
    std::vector<engine::BenchmarkRow> comparedRows() const;
    void say(const QString& text);
    Drawing drawing() const;
};

engine::BenchmarkOptions BenchmarkDialog::Impl::options() const
{
    engine::BenchmarkOptions asked;
    asked.geometry = kind().geometry;
    asked.steps = kind().steps;
    asked.size = size->value();
    asked.projections = projections->value();
    asked.repeat = runs->value();
    return asked;
}

// A GPU needs a larger problem to be busy, a processor seconds for it, and a cone is a volume.
void BenchmarkDialog::Impl::suggestSize()
{
    const bool onGpu = engine::tunedDevice({}).kind == engine::DeviceSettings::Kind::cuda,
               isCone = kind().geometry == "cone";
    const int suggested = isCone ? (onGpu ? 512 : 64) : onGpu ? 2048 : 256;
    size->setValue(suggested);
    projections->setValue(suggested);
    for (QSpinBox* box : {size, projections})
        box->setEnabled(!kind().overSizes);
}

QWidget* BenchmarkDialog::Impl::fields()
{
    auto* row = new QWidget;
    auto* layout = new QHBoxLayout(row);
    layout->setContentsMargins(0, 0, 0, 0);
    what = new QComboBox;
    what->setObjectName(QStringLiteral("benchmarkKind"));
    for (const BenchmarkKind& one : kinds)
        what->addItem(one.label);
    size =
        countBox("benchmarkSize", 16, 8192,
                 tr("Bins of the detector, and pixels along each side of a slice; of a cone: voxels along each side"));
    projections = countBox("benchmarkProjections", 1, 100000, tr("Number of projections"));
    runs = countBox("benchmarkRuns", 1, 1000, tr("Counted runs of each setting, after a first one to warm up"));
    runs->setValue(engine::BenchmarkOptions().repeat);
    measure = new QPushButton(tr("&Measure"));
    measure->setObjectName(QStringLiteral("measureBenchmark"));
    measure->setDefault(true);
    layout->addWidget(labelFor(what, tr("&What:")));
    layout->addWidget(what, 1);
    layout->addWidget(labelFor(size, tr("Si&ze:")));
    layout->addWidget(size);
    layout->addWidget(labelFor(projections, tr("&Projections:")));
    layout->addWidget(projections);
    layout->addWidget(labelFor(runs, tr("&Runs:")));
    layout->addWidget(runs);
    layout->addWidget(measure);
    connect(what, &QComboBox::currentIndexChanged, what, [this] { suggestSize(); });
    suggestSize();
    return row;
}

QWidget* BenchmarkDialog::Impl::results()
{
    auto* content = new QWidget;
    auto* layout = new QVBoxLayout(content);
    layout->setContentsMargins(0, 0, besideScrollBar(content), 0);
    plot = new BenchmarkPlot;
    plot->hide();
    bars = new BarRows(tr("Speed of each setting"));
    bars->setObjectName(QStringLiteral("benchmarkBars"));
    layout->addWidget(plot, 1);
    layout->addWidget(bars);
    layout->addStretch(0);
    QScrollArea* scroll = sideArea(content);
    scroll->viewport()->setAutoFillBackground(false);
    content->setAutoFillBackground(false);
    return scroll;
}

void BenchmarkDialog::Impl::show()
{
    const bool isOtherAlone = rows.empty() && other;
    const std::vector<engine::BenchmarkRow> shown = inOrder(isOtherAlone ? other->rows : rows);
    bars->setRows(benchmarkBars(shown, comparedRows()));
    plot->show(shown);
    plot->setVisible(!plot->curves().empty());
    beside->setVisible(other.has_value());
    if (other)
        beside->setText((isOtherAlone ? tr("The report of %1.")
                                      : tr("◇ and grey bars: the report of %1. ×: this measurement over it."))
                            .arg(otherText()));
    save->setEnabled(!rows.empty() && !task.busy());
}

// Returns "NVIDIA H200, 2026-11-20, Sinoscope 0.9".
QString BenchmarkDialog::Impl::otherText() const
{
    QStringList parts;
    for (const std::string* part : {&other->device, &other->date})
        if (!part->empty())
            parts << QString::fromStdString(*part);
    if (!other->version.empty())
        parts << tr("Sinoscope %1").arg(QString::fromStdString(other->version));
    return parts.join(QStringLiteral(", "));
}

std::vector<engine::BenchmarkRow> BenchmarkDialog::Impl::comparedRows() const
{
    return other && !rows.empty() ? other->rows : std::vector<engine::BenchmarkRow>();
}

void BenchmarkDialog::Impl::say(const QString& text)
{
    message->setText(text);
    message->setVisible(!text.isEmpty());
}

Drawing BenchmarkDialog::Impl::drawing() const
{
    if (!plot->curves().empty()) {
        const auto copy = std::make_shared<BenchmarkPlot>();
        styleForPaper(*copy);
        return drawingOf(QStringLiteral("benchmark"), copy,
                         [copy, shown = rows] { copy->show(shown, benchmarkTitle(shown)); });
    }
    const auto page = std::make_shared<QWidget>();
    auto* bars = new BarRows(QString());
    auto* layout = new QVBoxLayout(page.get());
    layout->addWidget(new QLabel(benchmarkTitle(rows)));
    layout->addWidget(bars);
    styleForPaper(*page);
    bars->setRows(benchmarkBars(inOrder(rows), comparedRows()));
    return drawingOf(QStringLiteral("benchmark"), page);
}

BenchmarkDialog::BenchmarkDialog(QWidget* parent) : QDialog(parent), m_impl(std::make_unique<Impl>())
{
    setObjectName(QStringLiteral("benchmarkDialog"));
    setWindowTitle(tr("Benchmark"));
    resize(880, 640);
    Impl& impl = *m_impl;
    auto* layout = new QVBoxLayout(this);
    layout->addWidget(impl.fields());
    impl.running = new TaskRow(impl.task, tr("Stops measuring; what was measured stays"), new QLabel);
    layout->addWidget(impl.running);
    impl.message = new QLabel(tr("Speed of every method on random data, with medians. Close other programs first. "
                                 "Point at a bar for its runs, its limit and the clock."));
    impl.message->setObjectName(QStringLiteral("benchmarkMessage"));
    impl.message->setWordWrap(true);
    layout->addWidget(impl.message);
    impl.beside = new QLabel;
    impl.beside->setObjectName(QStringLiteral("benchmarkBeside"));
    impl.beside->setWordWrap(true);
    layout->addWidget(impl.beside);
    layout->addWidget(impl.results(), 1);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    impl.compare = buttons->addButton(tr("&Compare with…"), QDialogButtonBox::ActionRole);
    impl.compare->setToolTip(tr("A report that this window, or sinoscope-cli benchmark --json, has saved: of another "
                                "day, version or machine"));
    impl.save = buttons->addButton(tr("&Save…"), QDialogButtonBox::ActionRole);
    impl.save->setObjectName(QStringLiteral("saveBenchmark"));
    impl.save->setToolTip(tr("PNG, SVG, PDF, or the figures as JSON"));
    for (QPushButton* button : {impl.compare, impl.save})
        button->setAutoDefault(false);
    layout->addWidget(buttons);
    impl.show();
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(this, &QDialog::finished, this, [this] { m_impl->task.cancel(); });
    connect(impl.measure, &QPushButton::clicked, this, &BenchmarkDialog::measure);
    connect(impl.save, &QPushButton::clicked, this, [this] {
        if (const QString said = saveMeasured(this, tr("Save the benchmark"), QStringLiteral("sinoscope_benchmark.png"),
                                              m_impl->drawing(), engine::benchmarkJson(m_impl->rows, m_impl->peaks));
            !said.isEmpty())
            m_impl->say(said);
    });
    connect(impl.compare, &QPushButton::clicked, this, [this] {
        const QString path = QFileDialog::getOpenFileName(this, tr("Compare with a report"), QString(),
                                                          tr("Reports of a benchmark (*.json)"));
        if (!path.isEmpty())
            compareWith(path);
    });
    const auto end = [this] {
        m_impl->measure->setEnabled(true);
        m_impl->show();
    };
    connect(&impl.task, &BackgroundTask::succeeded, this, end);
    connect(&impl.task, &BackgroundTask::cancelled, this, end);
    connect(&impl.task, &BackgroundTask::failed, this, [this, end](const QString& text) {
        end();
        m_impl->say(text);
    });
}

BenchmarkDialog::~BenchmarkDialog() = default;

void BenchmarkDialog::measure()
{
    Impl& impl = *m_impl;
    const int run = ++impl.run;
    impl.rows.clear();
    impl.say({});
    impl.measure->setEnabled(false);
    impl.running->begin(tr("Measuring"));
    impl.show();
    struct Made {
        std::vector<engine::BenchmarkRow> rows;
        engine::MachinePeaks peaks;
        QStringList leftOut;
    };
    auto made = std::make_shared<Made>();
    const auto onRow = [this, run](const engine::BenchmarkRow& row) {
        deliver(this, [this, run, row] { add(run, row); });
    };
    impl.task.start(
        [options = impl.options(), overSizes = impl.kind().overSizes, made,
         onRow](const std::stop_token& stop, const BackgroundTask::Progress& progress) {
            const auto leftOut = [&made](const std::string& what) { made->leftOut << QString::fromStdString(what); };
            made->rows = overSizes ? engine::sweepProblems(options, secondsPerSize, onRow, leftOut, stop, progress)
                                   : engine::benchmarkMethods(options, onRow, stop, progress);
            if (!overSizes)
                for (const std::string& id : engine::planBenchmark(options).leftOut)
                    made->leftOut << tr("%1, made for accuracy, not for speed").arg(QString::fromStdString(id));
            made->peaks = engine::addLimits(made->rows);
        },
        [this, made] {
            m_impl->rows = made->rows; // with limits
            m_impl->peaks = made->peaks;
            QString text =
                tr("Kernel speeds, medians of the runs. Point at a bar for its runs, its limit and the clock.");
            if (!made->leftOut.isEmpty())
                text += u' ' + tr("Left out: %1").arg(made->leftOut.join(QStringLiteral("; ")));
            m_impl->say(text);
            m_impl->show();
            emit measured();
        });
}

void BenchmarkDialog::add(int run, const engine::BenchmarkRow& row)
{
    if (run != m_impl->run || !m_impl->task.busy())
        return;
    m_impl->rows.push_back(row);
    m_impl->show();
}

void BenchmarkDialog::compareWith(const QString& path)
{
    try {
        m_impl->other = engine::readBenchmark(QFile::encodeName(path).toStdString());
        m_impl->say({});
    } catch (...) {
        m_impl->say(messageOfCurrentException());
    }
    m_impl->show();
}

} // namespace ui
