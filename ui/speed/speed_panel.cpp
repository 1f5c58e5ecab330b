// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/speed/speed_panel.h"

#include "engine/backends/devices.h"
#include "ui/speed/benchmark_dialog.h"
#include "ui/speed/card_dialog.h"
#include "ui/speed/history_chart.h"
#include "ui/speed/metrics_table.h"
#include "ui/speed/other_programs.h"
#include "ui/speed/speed_heading.h"
#include "ui/speed/speed_rows.h"
#include "ui/speed/tune_dialog.h"
#include "ui/widgets/busy_row.h"
#include "ui/widgets/displayed_number.h"
#include "ui/widgets/engine_text.h"
#include "ui/widgets/side_area.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

namespace ui
{

namespace
{

QString settingsText(const engine::Reconstruction& result)
{
    const engine::Request& request = result.request;
    QStringList words{QString::fromStdString(result.method)};
    QString interpolation = QString::fromStdString(toText(request.setting.kernel.interpolation));
    if (request.setting.kernel.interpolation == engine::Interpolation::oversampled)
        interpolation += QStringLiteral(" ×%1").arg(request.setting.kernel.oversampling);
    words << interpolation << QString::fromStdString(toText(request.setting.kernel.precision));
    if (request.setting.kernel.slicesPerPass > 1)
        words << SpeedPanel::tr("%1 slices per pass").arg(request.setting.kernel.slicesPerPass);
    return words.join(QStringLiteral(" · "));
}

QString sizeText(const engine::Reconstruction& result)
{
    QString text = QStringLiteral("%1 × %2").arg(result.grid.width).arg(result.grid.height);
    if (result.image.slices > 1)
        text += QStringLiteral(" × %1").arg(result.image.slices);
    if (result.request.scan)
        text += SpeedPanel::tr(" from %1 projections").arg(result.request.scan->projections());
    return text;
}

QLabel* quietLabel(const char* name)
{
    auto* label = new QLabel;
    label->setObjectName(QLatin1String(name));
    label->setWordWrap(true);
    label->setForegroundRole(QPalette::PlaceholderText);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    QFont font = label->font();
    font.setPointSizeF(std::max(7.0, font.pointSizeF() * 0.9));
    label->setFont(font);
    return label;
}

} // namespace

struct SpeedPanel::Impl {
    QLabel* kernel = nullptr;
    QLabel* unit = nullptr;
    QLabel* total = nullptr;
    HistoryChart* history = nullptr;
    HistoryChart* loop = nullptr; // runs of the loop, instead of the history until there is a new result
    QLabel* chartHeading = nullptr;
    QWidget* loopRow = nullptr;
    QPushButton *loopSlices = nullptr, *loopAxis = nullptr;
    QLabel* words = nullptr;                // what the speed means
    OtherSpeed other;                       // the slowest program that was measured here
    double shownKernel = 0, shownTotal = 0; // GU/s
    OtherPrograms* dialog = nullptr;        // made when it is asked for
    BenchmarkDialog* benchmark = nullptr;   // the same
    BarRows* stages = nullptr;
    BarRows* limits = nullptr;
    QLabel* limiter = nullptr;
    MetricsTable* metrics = nullptr;
    QLabel* settings = nullptr;
    QLabel* device = nullptr;
    QLabel* notes = nullptr;
    BusyRow* busyRow = nullptr;
    QLabel* state = nullptr;                          // of the GPU
    std::weak_ptr<const engine::Reconstruction> last; // newest entry of the history
    SliceProblem problem;                             // of that result
    std::string geometry = "parallel";                // of its scan: id of geometryKinds()
    engine::KernelWork work;                          // of its kernel
    QWidget* details = nullptr;

    void showSpeed(double kernelGups, double totalGups);
    void showLoopChart(bool isLoop);
    void showLimits(const Speeds& speeds);
    void showState(const engine::DeviceState& gpu, double gupsPerWatt); // gupsPerWatt 0: not known
    void layOutSummary(QWidget* panel);
    QWidget* layOutDetails();
    QWidget* makeLoopRow(SpeedPanel& panel);
};

// A button for each loop; the one that runs is pressed.
QWidget* SpeedPanel::Impl::makeLoopRow(SpeedPanel& panel)
{
    auto* row = new QWidget;
    auto* layout = new QHBoxLayout(row);
    layout->setContentsMargins(0, 0, 0, 0);
    const auto button = [&](const QString& text, const char* name, LoopOver over, const QString& tip) {
        auto* made = new QPushButton(text);
        made->setObjectName(QLatin1String(name));
        made->setCheckable(true);
        made->setToolTip(tip);
        made->setEnabled(false);
        layout->addWidget(made);
        connect(made, &QPushButton::clicked, &panel,
                [&panel, over](bool checked) { emit panel.loopRequested(checked ? over : LoopOver::none); });
        return made;
    };
    loopSlices = button(tr("Run over s&lices"), "loopSlices", LoopOver::slices,
                        tr("Reconstructs one slice after another with the chosen setting, as fast as it can, until it "
                           "is pressed again or another image is wanted"));
    loopAxis = button(tr("Run over a&xes"), "loopAxis", LoopOver::axis,
                      tr("The same with this slice and one axis after another, within 3 bins of the present one"));
    layout->addStretch(1);
    return row;
}

void SpeedPanel::Impl::layOutSummary(QWidget* panel)
{
    auto* layout = new QVBoxLayout(panel);
    layout->setContentsMargins(12, 2, 8, 4);
    layout->setSpacing(1);
    layout->addWidget(kernel);
    layout->addWidget(unit);
    layout->addWidget(total);
    layout->addStretch(1);
    layout->addWidget(busyRow);
}

// Three columns: times, and what was computed; limits and history; errors.
QWidget* SpeedPanel::Impl::layOutDetails()
{
    auto* content = new QWidget;
    auto* columns = new QHBoxLayout(content);
    columns->setContentsMargins(12, 8, std::max(12, besideScrollBar(content)), 8);
    columns->setSpacing(24);
    const auto column = [columns](std::initializer_list<QWidget*> widgets) {
        auto* layout = new QVBoxLayout;
        layout->setSpacing(4);
        for (QWidget* widget : widgets)
            layout->addWidget(widget);
        layout->addStretch(1);
        columns->addLayout(layout, 1);
    };
    column({words, speedHeading(tr("Time per stage of this run")), stages, device, state, settings, notes});
    column({speedHeading(tr("Share of the device's limits")), limits, limiter, loopRow, chartHeading, history, loop});
    column({metrics});
    QScrollArea* scroll = sideArea(content);
    // Uses the background colour of the window instead of that of lists.
    scroll->viewport()->setAutoFillBackground(false);
    content->setAutoFillBackground(false);
    return scroll;
}

void SpeedPanel::Impl::showSpeed(double kernelGups, double totalGups)
{
    shownKernel = kernelGups;
    shownTotal = totalGups;
    kernel->setText(gupsText(kernelGups));
    total->setText(tr("%1 GU/s · total").arg(gupsText(totalGups)));
    words->setText(speedInWords(problem, kernelGups, totalGups, other));
}

void SpeedPanel::Impl::showLoopChart(bool isLoop)
{
    chartHeading->setText(isLoop ? tr("Runs in a loop") : tr("First run of each result"));
    history->setVisible(!isLoop);
    loop->setVisible(isLoop);
}

void SpeedPanel::Impl::showLimits(const Speeds& speeds)
{
    const double gups = speeds.kernelGups.median;
    const bool areKnown = speeds.limits && !speeds.limits->empty() && gups > 0;
    limits->setRows(areKnown ? limitRows(gups, *speeds.limits) : std::vector<BarRow>());
    const std::string sentence = speeds.limits ? engine::explainedLimit(gups, *speeds.limits, work) : std::string();
    limiter->setText(!speeds.limits     ? tr("Measured when the program is idle.")
                     : sentence.empty() ? tr("Not known: the operations of this kernel have not been counted.")
                                        : QString::fromStdString(sentence));
    showState(speeds.gpu, 0);
}

void SpeedPanel::Impl::showState(const engine::DeviceState& gpu, double gupsPerWatt)
{
    QString text = stateText(gpu);
    if (gupsPerWatt > 0)
        text += QStringLiteral(" · ") + tr("%1 GU/s per watt").arg(significantText(gupsPerWatt, 2));
    state->setText(text);
    state->setVisible(!text.isEmpty());
}

SpeedPanel::SpeedPanel(QWidget* parent) : QWidget(parent), m_impl(std::make_unique<Impl>())
{
    setObjectName(QStringLiteral("speedPanel"));
    Impl& impl = *m_impl;
    const QString explanation = tr("GU/s: billion updates per second, voxels × projections / seconds / 10⁹.");
    impl.kernel = new QLabel;
    impl.kernel->setObjectName(QStringLiteral("kernelGups"));
    impl.kernel->setAccessibleName(tr("Kernel speed in GU/s"));
    impl.kernel->setToolTip(explanation + u'\n' +
                            tr("Kernel: back-projection alone, without filter, conversions and transfers."));
    QFont large = impl.kernel->font();
    large.setPointSizeF(large.pointSizeF() * 2.4);
    large.setWeight(QFont::Light);
    impl.kernel->setFont(large);
    impl.unit = new QLabel;
    impl.unit->setObjectName(QStringLiteral("kernelUnit"));
    impl.unit->setWordWrap(true); // wide numbers wrap instead of being truncated
    impl.total = new QLabel;
    impl.total->setObjectName(QStringLiteral("totalGups"));
    impl.total->setAccessibleName(tr("Total speed"));
    impl.total->setWordWrap(true);
    impl.total->setForegroundRole(QPalette::PlaceholderText);
    impl.total->setToolTip(explanation + u'\n' +
                           tr("Total: from projections in memory to the image in memory, with filter, conversions and "
                              "transfers."));
    impl.busyRow = new BusyRow(quietLabel("busyStage"), tr("Stops the reconstruction; the current image stays"));
    impl.busyRow->setObjectName(QStringLiteral("busyRow"));
    QSizePolicy policy = impl.busyRow->sizePolicy();
    policy.setRetainSizeWhenHidden(true); // so that nothing moves
    impl.busyRow->setSizePolicy(policy);
    impl.history = new HistoryChart(tr("Speed history of the session"),
                                    tr("Kernel speed of the first run of each result of this session, the newest on "
                                       "the right"),
                                    HistoryChart::Runs::ofAnySetting);
    impl.loop =
        new HistoryChart(tr("Speeds of the loop"), tr("Kernel speed of each run of the loop, the newest on the right"),
                         HistoryChart::Runs::ofOneSetting);
    impl.loop->setObjectName(QStringLiteral("loopChart"));
    impl.chartHeading = speedHeading({});
    impl.loopRow = impl.makeLoopRow(*this);
    impl.words = new QLabel;
    impl.words->setObjectName(QStringLiteral("speedInWords"));
    impl.words->setWordWrap(true);
    impl.stages = new BarRows(tr("Seconds of each stage"));
    impl.limits = new BarRows(tr("Share of each limit that the kernel uses"));
    impl.limits->setObjectName(QStringLiteral("limits"));
    impl.limiter = quietLabel("limiter");
    impl.limiter->setToolTip(tr("A limit is the measured rate of a unit of the device over the operations that an "
                                "update takes there."));
    impl.metrics = new MetricsTable;
    impl.settings = quietLabel("settingsLine");
    impl.settings->setToolTip(tr("What was reconstructed, and how"));
    impl.device = quietLabel("deviceLine");
    impl.device->setToolTip(tr("The device used, and the method"));
    impl.state = quietLabel("deviceState");
    impl.state->setToolTip(tr("Clock, power, temperature and used memory of the GPU after the last repeated run"));
    impl.notes = quietLabel("notes");
    impl.notes->setAccessibleName(tr("Notes of the reconstruction"));

    impl.layOutSummary(this);
    impl.details = impl.layOutDetails();
    impl.details->setParent(this);
    impl.details->hide();

    connect(impl.busyRow, &BusyRow::cancelRequested, this, &SpeedPanel::cancelRequested);
    clear();
}

SpeedPanel::~SpeedPanel() = default;

QWidget* SpeedPanel::details() const
{
    return m_impl->details;
}

void SpeedPanel::openOtherPrograms()
{
    if (!m_impl->dialog) {
        m_impl->dialog = new OtherPrograms(window());
        connect(m_impl->dialog, &OtherPrograms::measured, this, [this](const auto& programs) {
            m_impl->other = slowestOther(programs);
            if (m_impl->shownKernel > 0)
                m_impl->showSpeed(m_impl->shownKernel, m_impl->shownTotal);
        });
    }
    m_impl->dialog->show();
    m_impl->dialog->raise();
    m_impl->dialog->activateWindow();
}

void SpeedPanel::openCard()
{
    auto* dialog = new CardDialog(window());
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->open();
}

void SpeedPanel::openBenchmark()
{
    if (!m_impl->benchmark)
        m_impl->benchmark = new BenchmarkDialog(window());
    m_impl->benchmark->show();
    m_impl->benchmark->raise();
    m_impl->benchmark->activateWindow();
}

void SpeedPanel::openTuning()
{
    engine::BenchmarkOptions options;
    options.geometry = m_impl->geometry;
    if (engine::isProcessor(engine::tunedDevice({}))) { // a larger one takes many minutes
        options.size = 512;
        options.projections = 256;
    }
    auto* dialog = new TuneDialog(options, window());
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->open();
}

QString SpeedPanel::shortText() const
{
    return tr("%1 GU/s").arg(m_impl->kernel->text());
}

void SpeedPanel::show(const Comparison& comparison)
{
    if (!comparison.hasResult() || comparison.a().isPreview())
        return;
    Impl& impl = *m_impl;
    const engine::Reconstruction& result = *comparison.a().result;
    if (impl.last.lock() != comparison.a().result) {
        impl.last = comparison.a().result;
        impl.history->add({result.kernelGups, settingsText(result) + u'\n' + sizeText(result)});
        impl.showLoopChart(false);
    }
    impl.problem = {result.grid.width, result.grid.height, engine::projectionsOf(result.request)};
    if (result.request.scan)
        impl.geometry = std::holds_alternative<engine::ConeBeam>(result.request.scan->geometry) ? "cone" : "parallel";
    impl.work = engine::workOf(result);
    impl.showSpeed(result.kernelGups, result.totalGups);
    impl.stages->setRows(stageRows(&result.timings));
    impl.metrics->show(comparison);
    QString facts = settingsText(result) + u'\n' + sizeText(result);
    if (comparison.compared.size() > 1)
        facts += u'\n' + tr("%n settings hold %1 MB", nullptr, static_cast<int>(comparison.compared.size()))
                             .arg(std::ceil(comparison.heldBytes() / 1e6));
    impl.settings->setText(facts);
    impl.device->setText(QString::fromStdString(result.device) + QStringLiteral(" · ") +
                         QString::fromStdString(result.method));
    impl.notes->setText(inWindow(result.notes).join(u'\n'));
    emit speedChanged();
}

void SpeedPanel::setRuns(const Speeds& speeds, bool isAlone)
{
    const engine::Spread& kernelGups = speeds.kernelGups;
    QLabel* unit = m_impl->unit;
    const int runs = kernelGups.count;
    if (runs > 0)
        m_impl->showSpeed(kernelGups.median, speeds.totalGups.median);
    m_impl->showLimits(speeds);
    unit->setText(runs == 1  ? (isAlone ? tr("GU/s · kernel, a single run")
                                        : tr("GU/s · kernel, a single run, slowed by other work"))
                  : runs > 1 ? tr("GU/s · kernel, median of\n%n runs, quartiles %1–%2", nullptr, runs)
                                   .arg(gupsText(kernelGups.lower), gupsText(kernelGups.upper))
                             : tr("GU/s · kernel"));
    QString tip = m_impl->kernel->toolTip();
    if (runs == 1)
        tip += u'\n' + tr("The first run of a kernel is often slower than the others. It is repeated when the program "
                          "is idle; F5 adds a run.");
    else if (runs > 1)
        tip += u'\n' + tr("From %1 to %2 GU/s.").arg(gupsText(kernelGups.least), gupsText(kernelGups.most));
    unit->setToolTip(tip);
    emit speedChanged();
}

void SpeedPanel::setLoop(LoopOver over)
{
    m_impl->loopSlices->setChecked(over == LoopOver::slices);
    m_impl->loopAxis->setChecked(over == LoopOver::axis);
    if (over == LoopOver::none) {
        m_impl->chartHeading->setText(tr("Runs of the last loop"));
        return;
    }
    m_impl->loop->clear();
    m_impl->showLoopChart(true);
}

void SpeedPanel::setLoopPossible(bool overSlices, bool overAxis)
{
    m_impl->loopSlices->setEnabled(overSlices);
    m_impl->loopAxis->setEnabled(overAxis);
}

// The figures are medians of the runs since the last call: a part of a second, or one longer run.
void SpeedPanel::addLoopRuns(const LoopTurns& turns)
{
    std::vector<double> kernel, total;
    for (const SpeedEntry& run : turns.runs) {
        m_impl->loop->add(run);
        kernel.push_back(run.kernelGups);
        total.push_back(run.totalGups);
    }
    m_impl->showSpeed(engine::spreadOf(kernel).median, engine::spreadOf(total).median);
    m_impl->unit->setText(tr("GU/s · kernel, in a loop"));
    m_impl->unit->setToolTip(turns.runs.back().settings);
    m_impl->showState(turns.gpu, turns.gupsPerWatt);
    m_impl->chartHeading->setText(tr("Runs in a loop: %1").arg(turns.runs.back().settings));
    m_impl->stages->setRows(stageRows(&turns.newest->timings));
    m_impl->metrics->clear(); // those of another slice or axis
    emit speedChanged();
}

void SpeedPanel::clear()
{
    Impl& impl = *m_impl;
    setLoopPossible(false, false);
    impl.loop->clear();
    impl.showLoopChart(false);
    setRuns({});
    impl.last.reset();
    impl.problem = {};
    impl.shownKernel = impl.shownTotal = 0;
    impl.kernel->setText(QStringLiteral("–"));
    impl.total->setText(tr("%1 GU/s · total").arg(QStringLiteral("–")));
    impl.history->clear();
    impl.stages->setRows(stageRows(nullptr));
    impl.metrics->clear();
    for (QLabel* label : {impl.words, impl.settings, impl.device, impl.state, impl.notes})
        label->clear();
}

void SpeedPanel::setBusy(bool busy, const QString& stage, double fraction)
{
    m_impl->busyRow->setBusy(busy, stage, fraction);
}

} // namespace ui
