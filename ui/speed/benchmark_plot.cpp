// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/speed/benchmark_plot.h"

#include "ui/speed/benchmark_rows.h"
#include "ui/widgets/displayed_number.h"

#include <algorithm>
#include <cmath>

namespace ui
{

namespace
{

constexpr double roomAbove = 1.15; // of an axis over its highest value

double gigaUpdatesOf(const engine::BenchmarkRow& row)
{
    return 1e-9 * row.size * row.size * row.slices * row.projections;
}

double stagesOf(const engine::BenchmarkRow& row) // seconds, one after another
{
    return row.kernelSeconds + row.filterSeconds + row.uploadSeconds + row.downloadSeconds;
}

// The ticks of the measured sizes, in binary logarithms of the size.
QSharedPointer<QCPAxisTickerText> sizeTicks(const std::vector<SizeCurve>& curves)
{
    const QSharedPointer<QCPAxisTickerText> ticks(new QCPAxisTickerText);
    for (const SizeCurve& curve : curves)
        for (const engine::BenchmarkRow& row : curve.rows)
            ticks->addTick(std::log2(row.size), QString::number(row.size));
    return ticks;
}

} // namespace

std::vector<SizeCurve> sizeCurvesOf(const std::vector<engine::BenchmarkRow>& rows)
{
    std::vector<SizeCurve> curves;
    for (const engine::BenchmarkRow& row : rows) {
        const QString name = benchmarkLabel(row, false);
        auto curve = std::ranges::find(curves, name, &SizeCurve::name);
        if (curve == curves.end())
            curve = curves.insert(curve, {name, {}});
        curve->rows.push_back(row);
    }
    for (SizeCurve& curve : curves) {
        std::ranges::stable_sort(curve.rows, {}, &engine::BenchmarkRow::size);
        const auto rest = std::ranges::unique(curve.rows, {}, &engine::BenchmarkRow::size);
        curve.rows.erase(rest.begin(), rest.end());
    }
    std::erase_if(curves, [](const SizeCurve& curve) { return curve.rows.size() < 2; });
    return curves;
}

const SizeCurve* fastestOf(const std::vector<SizeCurve>& curves)
{
    const auto isBetter = [](const SizeCurve& one, const SizeCurve& other) {
        const engine::BenchmarkRow &mine = one.rows.back(), &its = other.rows.back();
        return std::pair(mine.size, mine.totalGups) < std::pair(its.size, its.totalGups);
    };
    const auto fastest = std::ranges::max_element(curves, isBetter);
    return fastest == curves.end() ? nullptr : &*fastest;
}

BenchmarkPlot::BenchmarkPlot(QWidget* parent) : Plot(parent)
{
    setObjectName(QStringLiteral("benchmarkPlot"));
    setAccessibleName(tr("Speed and time by the size of the image"));
    setMinimumSize(480, 260);
    setAutoAddPlottableToLegend(false);
    plotLayout()->clear();
    m_legend = new CurveLegend(this);
    auto* both = new QCPLayoutGrid;
    plotLayout()->addElement(1, 0, both);
    both->setColumnSpacing(18);
    m_speedTitle = new QCPTextElement(this);
    m_timeTitle = new QCPTextElement(this);
    both->addElement(0, 0, m_speedTitle);
    both->addElement(0, 1, m_timeTitle);
    m_speeds = new QCPAxisRect(this);
    m_times = new QCPAxisRect(this);
    for (QCPAxisRect* rect : {m_speeds, m_times}) {
        rect->setupFullAxesBox(true);
        both->addElement(1, rect == m_speeds ? 0 : 1, rect);
        rect->setMinimumMargins(QMargins(8, 2, 10, 4));
    }
    draw();
}

void BenchmarkPlot::show(const std::vector<engine::BenchmarkRow>& rows, const QString& title)
{
    m_title = title;
    m_curves = sizeCurvesOf(rows);
    draw();
}

void BenchmarkPlot::draw()
{
    const CurveColours colours = curveColours(palette());
    const QFont small = plotFont(font());
    clearPlottables();
    m_legend->clear();
    for (QCPItemText* label : m_labels)
        removeItem(label);
    m_labels.clear();
    setBackground(colours.background);
    for (QCPTextElement* title : {m_speedTitle, m_timeTitle}) {
        title->setFont(small);
        title->setTextColor(colours.text);
    }
    for (QCPAxisRect* rect : {m_speeds, m_times}) {
        rect->axis(QCPAxis::atBottom)->setLabel(tr("size of the image (pixels)"));
        rect->axis(QCPAxis::atBottom)->setTicker(sizeTicks(m_curves));
        styleAxes(rect, colours, small);
    }
    m_speeds->axis(QCPAxis::atLeft)->setLabel(tr("kernel (GU/s)"));
    m_times->axis(QCPAxis::atLeft)->setLabel(tr("milliseconds per giga-update"));
    m_speedTitle->setText(m_title.isEmpty() ? tr("Kernels") : tr("Kernels: %1").arg(m_title));
    drawSpeeds();
    if (const SizeCurve* fastest = fastestOf(m_curves))
        drawTimes(*fastest);
    m_legend->fit(size(), colours, small);
    replot(rpQueuedReplot);
}

void BenchmarkPlot::drawSpeeds()
{
    QCPAxis *sizes = m_speeds->axis(QCPAxis::atBottom), *speeds = m_speeds->axis(QCPAxis::atLeft);
    double most = 0, least = HUGE_VAL, largest = 0;
    QStringList words;
    for (std::size_t k = 0; k < m_curves.size(); ++k) {
        QCPGraph* graph = addCurve(sizes, speeds);
        drawAsSetting(graph, palette(), static_cast<int>(k % 8));
        graph->setScatterStyle({QCPScatterStyle::ssCircle, graph->pen().color(), graph->pen().color(), 4});
        for (const engine::BenchmarkRow& row : m_curves[k].rows) {
            graph->addData(std::log2(row.size), row.kernelGups);
            most = std::max(most, row.kernelGups);
            least = std::min(least, std::log2(row.size));
            largest = std::max(largest, std::log2(row.size));
        }
        m_legend->add(graph, m_curves[k].name);
        words << QStringLiteral("%1: %2 GU/s").arg(m_curves[k].name, gupsText(m_curves[k].rows.back().kernelGups));
    }
    setAccessibleDescription(words.join(QStringLiteral("; ")));
    if (m_curves.empty())
        return;
    sizes->setRange(least - 0.2, largest + 0.2);
    speeds->setRange(0, roomAbove * most);
}

// The parts lie one upon the other; the line is the time that passed, which is shorter where the parts overlapped.
void BenchmarkPlot::drawTimes(const SizeCurve& curve)
{
    QCPAxis *sizes = m_times->axis(QCPAxis::atBottom), *times = m_times->axis(QCPAxis::atLeft);
    m_timeTitle->setText(tr("Where the time goes: %1; above: GU/s in total").arg(curve.name));
    const CurveColours colours = curveColours(palette());
    using Row = engine::BenchmarkRow;
    const bool areCopiesKnown =
        std::ranges::any_of(curve.rows, [](const Row& row) { return row.uploadSeconds + row.downloadSeconds > 0; });
    struct Part {
        QString name;
        QColor colour;
        double (*seconds)(const Row&);
    };
    std::vector<Part> parts{{tr("kernel"), colours.a, [](const Row& row) { return row.kernelSeconds; }},
                            {tr("filter"), colours.b, [](const Row& row) { return row.filterSeconds; }}};
    if (areCopiesKnown) {
        parts.push_back({tr("upload"), settingColour(palette(), 2), [](const Row& row) { return row.uploadSeconds; }});
        parts.push_back(
            {tr("download"), settingColour(palette(), 3), [](const Row& row) { return row.downloadSeconds; }});
    }
    parts.push_back({areCopiesKnown ? tr("other") : tr("copies"), colours.grid,
                     [](const Row& row) { return std::max(0.0, row.totalSeconds - stagesOf(row)); }});
    const auto perGigaUpdate = [](double seconds, const engine::BenchmarkRow& row) {
        return 1e3 * seconds / gigaUpdatesOf(row);
    };
    QCPBars* below = nullptr;
    for (const Part& part : parts) {
        auto* bars = new QCPBars(sizes, times); // the plot owns it
        bars->setWidth(0.5);
        bars->setPen(Qt::NoPen);
        bars->setBrush(part.colour);
        for (const engine::BenchmarkRow& row : curve.rows)
            bars->addData(std::log2(row.size), perGigaUpdate(part.seconds(row), row));
        if (below)
            bars->moveAbove(below);
        below = bars;
        m_legend->add(bars, part.name);
    }
    QCPGraph* passed = addCurve(sizes, times);
    passed->setPen(QPen(colours.text, 1.4));
    passed->setScatterStyle({QCPScatterStyle::ssDiamond, colours.text, colours.background, 7});
    double most = 0;
    for (const engine::BenchmarkRow& row : curve.rows) {
        const double sum = std::max(row.totalSeconds, stagesOf(row)), height = perGigaUpdate(sum, row);
        passed->addData(std::log2(row.size), perGigaUpdate(row.totalSeconds, row));
        most = std::max(most, height);
        auto* label = new QCPItemText(this);
        label->position->setAxes(sizes, times);
        label->position->setCoords(std::log2(row.size), height);
        label->setPositionAlignment(Qt::AlignHCenter | Qt::AlignBottom);
        label->setPadding(QMargins(0, 0, 0, 5));
        label->setText(gupsText(row.totalGups));
        label->setFont(plotFont(font()));
        label->setColor(colours.text);
        label->setClipAxisRect(m_times);
        m_labels.push_back(label);
    }
    m_legend->add(passed, tr("time that passed"));
    sizes->setRange(std::log2(curve.rows.front().size) - 0.5, std::log2(curve.rows.back().size) + 0.5);
    times->setRange(0, roomAbove * most);
}

void BenchmarkPlot::changeEvent(QEvent* event)
{
    Plot::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange)
        draw();
}

void BenchmarkPlot::resizeEvent(QResizeEvent* event)
{
    Plot::resizeEvent(event);
    m_legend->fit(event->size(), curveColours(palette()), plotFont(font()));
}

} // namespace ui
