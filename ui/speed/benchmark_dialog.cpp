// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/speed/benchmark_dialog.h"

#include "engine/backends/devices.h"
#include "engine/backends/support.h"
#include "engine/measure/benchmark_json.h"
#include "engine/measure/paper_steps.h"
#include "engine/measure/tune.h"
#include "ui/settings/device_combo.h"
#include "ui/speed/benchmark_plot.h"
#include "ui/speed/benchmark_rows.h"
#include "ui/widgets/number_box.h"
#include "ui/widgets/plot_drawing.h"
#include "ui/widgets/side_area.h"

#include <QComboBox>
#include <QDialogButtonBox>
#include <QFileDialog>
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
    DeviceCombo* device = nullptr;
    BackgroundTask drivers; // loads those of devices that aren't chosen automatically
    QSpinBox *size = nullptr, *projections = nullptr, *runs = nullptr;
    QPushButton *measure = nullptr, *save = nullptr;
    QLabel* beside = nullptr;
    BenchmarkPlot* plot = nullptr;
    BarRows* bars = nullptr;
    int run = 0;            // number of the measurement that is shown
    engine::Benchmark made; // the rows so far
    std::optional<engine::Benchmark> other;

    const BenchmarkKind& kind() const { return kinds[static_cast<std::size_t>(what->currentIndex())]; }
    engine::BenchmarkOptions options() const;
    QWidget* fields();
    QWidget* results();
    void suggestSize();
    void show();
    QString otherText() const;
    std::vector<engine::BenchmarkRow> comparedRows() const;
    Drawing drawing() const;
};

engine::BenchmarkOptions BenchmarkDialog::Impl::options() const
{
    engine::BenchmarkOptions asked;
    asked.kind = kind().overSizes ? engine::BenchmarkOptions::Kind::sizes : engine::BenchmarkOptions::Kind::methods;
    asked.geometry = kind().geometry;
    asked.mostSeconds = secondsPerSize;
    asked.steps = kind().steps;
    asked.device = engine::deviceFromText(device->text());
    asked.size = size->value();
    asked.projections = projections->value();
    asked.repeat = runs->value();
    return asked;
}

// A GPU needs a larger problem to be busy, a processor seconds for it, and a cone is a volume.
void BenchmarkDialog::Impl::suggestSize()
{
    const bool onGpu = !engine::isProcessor(engine::tunedDevice(engine::deviceFromText(device->text()))),
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
    device = new DeviceCombo;
    device->setObjectName(QStringLiteral("benchmarkDevice"));
    for (const engine::Backend* backend : engine::backends())
        if (backend->isAutomatic)
            device->offer(*backend, backend->devices());
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
    layout->addWidget(labelFor(device, tr("&Device:")));
    layout->addWidget(device);
    layout->addWidget(labelFor(size, tr("Si&ze:")));
    layout->addWidget(size);
    layout->addWidget(labelFor(projections, tr("&Projections:")));
    layout->addWidget(projections);
    layout->addWidget(labelFor(runs, tr("&Runs:")));
    layout->addWidget(runs);
    layout->addWidget(measure);
    connect(what, &QComboBox::currentIndexChanged, what, [this] { suggestSize(); });
    connect(device, &DeviceCombo::chosen, what, [this] { suggestSize(); });
    connect(device, &DeviceCombo::devicesWanted, what, [this](const engine::Backend* backend) {
        drivers.start([backend](std::stop_token, const BackgroundTask::Progress&) { backend->devices(); },
                      [this, backend] { device->offer(*backend, backend->devices()); });
    });
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
    const bool isOtherAlone = made.rows.empty() && other;
    const std::vector<engine::BenchmarkRow> shown = inOrder(isOtherAlone ? other->rows : made.rows);
    bars->setRows(benchmarkBars(shown, comparedRows()));
    plot->show(shown);
    plot->setVisible(!plot->curves().empty());
    const QString legend = legendOfSteps(shown, made.options.steps);
    beside->setVisible(other || !legend.isEmpty());
    beside->setText(legend);
    if (other)
        beside->setText((isOtherAlone ? tr("The report of %1.")
                                      : tr("◇ and grey bars: the report of %1. ×: this measurement over it."))
                            .arg(otherText()));
    save->setEnabled(!made.rows.empty() && measure->isEnabled());
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
    return other && !made.rows.empty() ? other->rows : std::vector<engine::BenchmarkRow>();
}

Drawing BenchmarkDialog::Impl::drawing() const
{
    if (!plot->curves().empty()) {
        const auto copy = std::make_shared<BenchmarkPlot>();
        styleForPaper(*copy);
        return drawingOf(QStringLiteral("benchmark"), copy,
                         [copy, shown = made.rows] { copy->show(shown, benchmarkTitle(shown)); });
    }
    const auto page = std::make_shared<QWidget>();
    auto* bars = new BarRows(QString());
    auto* layout = new QVBoxLayout(page.get());
    layout->addWidget(new QLabel(benchmarkTitle(made.rows)));
    layout->addWidget(bars);
    styleForPaper(*page);
    bars->setRows(benchmarkBars(inOrder(made.rows), comparedRows()));
    return drawingOf(QStringLiteral("benchmark"), page);
}

BenchmarkDialog::BenchmarkDialog(QWidget* parent)
    : MeasuringDialog("benchmark", tr("Benchmark"), tr("Stops measuring; what was measured stays"), parent),
      m_impl(std::make_unique<Impl>())
{
    resize(880, 640);
    Impl& impl = *m_impl;
    m_above->addWidget(impl.fields());
    say(tr("Speed of every method on random data, with medians. Close other programs first. Point at a bar for its "
           "runs, its limit and the clock."));
    impl.beside = new QLabel;
    impl.beside->setObjectName(QStringLiteral("benchmarkBeside"));
    impl.beside->setWordWrap(true);
    m_below->addWidget(impl.beside);
    m_below->addWidget(impl.results(), 1);
    QPushButton* compare = m_buttons->addButton(tr("&Compare with…"), QDialogButtonBox::ActionRole);
    compare->setToolTip(tr("A report that this window, or sinoscope-cli benchmark --json, has saved: of another "
                           "day, version or machine"));
    compare->setAutoDefault(false);
    impl.save = addSave(
        "saveBenchmark", tr("Save the benchmark"), QStringLiteral("sinoscope_benchmark.png"),
        [this] { return m_impl->drawing(); }, [this] { return engine::benchmarkJson(m_impl->made); });
    impl.show();
    connect(impl.measure, &QPushButton::clicked, this, &BenchmarkDialog::begin);
    connect(compare, &QPushButton::clicked, this, [this] {
        const QString path = QFileDialog::getOpenFileName(this, tr("Compare with a report"), QString(),
                                                          tr("Reports of a benchmark (*.json)"));
        if (!path.isEmpty())
            compareWith(path);
    });
    const auto end = [this] {
        m_impl->measure->setEnabled(true);
        m_impl->show();
    };
    connect(&m_task, &BackgroundTask::succeeded, this, end);
    connect(&m_task, &BackgroundTask::cancelled, this, end);
    connect(&m_task, &BackgroundTask::failed, this, end);
}

BenchmarkDialog::~BenchmarkDialog() = default;

void BenchmarkDialog::begin()
{
    Impl& impl = *m_impl;
    const int run = ++impl.run;
    impl.made = {};
    impl.made.options = impl.options();
    say({});
    impl.measure->setEnabled(false);
    impl.show();
    auto made = std::make_shared<engine::Benchmark>();
    const auto onRow = [this, run](const engine::BenchmarkRow& row) {
        deliver(this, [this, run, row] { add(run, row); });
    };
    measure(
        [options = impl.options(), made, onRow](const std::stop_token& stop, const BackgroundTask::Progress& progress) {
            *made = engine::runBenchmark(
                options,
                {.onRow = onRow, .onProgress = [&](double fraction, const std::string&) { progress(fraction); }}, stop);
        },
        [this, made] {
            m_impl->made = *made; // with limits
            QString text =
                tr("Kernel speeds, medians of the runs. Point at a bar for its runs, its limit and the clock.");
            QStringList leftOut;
            for (const std::string& what : made->leftOut)
                leftOut << QString::fromStdString(what);
            for (const std::string& id : made->yardsticks)
                leftOut << tr("%1, made for accuracy, not for speed").arg(QString::fromStdString(id));
            if (!leftOut.isEmpty())
                text += u' ' + tr("Left out: %1").arg(leftOut.join(QStringLiteral("; ")));
            say(text);
            m_impl->show();
            emit measured();
        });
}

void BenchmarkDialog::add(int run, const engine::BenchmarkRow& row)
{
    if (run != m_impl->run || !m_task.busy())
        return;
    m_impl->made.rows.push_back(row);
    if (const std::string& steps = m_impl->made.options.steps; !steps.empty())
        sortBySteps(m_impl->made.rows, engine::sequenceOf(steps));
    m_impl->show();
}

void BenchmarkDialog::compareWith(const QString& path)
{
    try {
        m_impl->other = engine::readBenchmark(QFile::encodeName(path).toStdString());
        say({});
    } catch (...) {
        say(messageOfCurrentException());
    }
    m_impl->show();
}

} // namespace ui
