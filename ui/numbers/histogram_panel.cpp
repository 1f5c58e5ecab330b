// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/numbers/histogram_panel.h"

#include "engine/compare/profile.h"
#include "ui/widgets/displayed_number.h"

#include <QCheckBox>

namespace ui
{

namespace
{

// Share left out at each end: otherwise single hot pixels would squeeze all others into a few bins.
constexpr double leftOut = 1e-4;

// Returns the difference to the reference; empty if the image has no other image as its reference.
engine::Values errorsOf(const FigureOf& of)
{
    if (!of.reference || of.reference == of.image)
        return {};
    return engine::difference(planeOf(of.image, of.slice, {}).values(), planeOf(of.reference, of.slice, {}).values());
}

AreaRanges rangesOf(const FigureOf& of, const std::stop_token&)
{
    const GridSlice plane = planeOf(of.image, of.slice, {});
    const int width = plane.grid.width, height = plane.grid.height;
    AreaRanges made{engine::rangeOf(plane.values(), width, height, of.mask, leftOut), {}};
    if (const engine::Values errors = errorsOf(of); !errors.empty())
        made.errors = engine::rangeOf(errors, width, height, of.mask, leftOut);
    return made;
}

AreaHistograms histogramsOf(const FigureOf& of, const std::stop_token&)
{
    const GridSlice plane = planeOf(of.image, of.slice, {});
    const int width = plane.grid.width, height = plane.grid.height;
    AreaHistograms made;
    if (of.values.lowest < of.values.highest)
        made.values = engine::histogramOf(plane.values(), width, height, of.mask, of.values, histogramBins);
    if (const engine::Values errors = errorsOf(of); !errors.empty() && of.errors.lowest < of.errors.highest)
        made.errors = engine::histogramOf(errors, width, height, of.mask, of.errors, histogramBins);
    return made;
}

} // namespace

HistogramPanel::HistogramPanel(QWidget* parent)
    : PlotPage(parent), m_ranges(rangesOf,
                                 [this] {
                                     want();
                                     fill();
                                 }),
      m_counts(histogramsOf, [this] { fill(); }),
      m_line(quietLine(QStringLiteral("histogramsOf"), tr("Area and reference of the histograms")))
{
    auto* logarithmic = new QCheckBox(tr("Log counts"));
    logarithmic->setObjectName(QStringLiteral("logCounts"));
    logarithmic->setToolTip(tr("Logarithmic axis for the pixel counts, which also shows rare values"));
    logarithmic->setChecked(true);
    connect(logarithmic, &QCheckBox::toggled, m_plot, &HistogramPlot::setLogarithmic);
    auto* header = filled(new QHBoxLayout, {{m_line, 1}, logarithmic}, {QMargins(0, 0, 8, 0)});
    filled(new QVBoxLayout(this), {header, {m_plot, 1}}, flush);
    fill();
}

FigureOf HistogramPanel::rangeOf(const Compared& one) const
{
    return {one.result, one.reference, m_shown.slice, m_shown.mask};
}

FigureOf HistogramPanel::countsOf(const Compared& one) const
{
    FigureOf of = rangeOf(one);
    of.values = m_values;
    of.errors = m_errors;
    return of;
}

void HistogramPanel::clear()
{
    m_shown = {};
    m_ranges.clear();
    m_counts.clear();
    m_plot->setCurves({}, {});
    fill();
}

// Requests all ranges before the counts, because all curves share their bins.
void HistogramPanel::want()
{
    const std::vector<Compared> asked = withHistograms(m_shown);
    std::vector<FigureOf> ranges, counts;
    std::vector<const AreaRanges*> known;
    for (const Compared& one : asked) {
        ranges.push_back(rangeOf(one));
        if (const AreaRanges* found = m_ranges.find(ranges.back()))
            known.push_back(found);
    }
    const bool isKnown = known.size() == asked.size();
    if (isKnown) {
        m_values = commonRange(known, &AreaRanges::values).value_or(engine::HistogramRange());
        m_errors = commonRange(known, &AreaRanges::errors).value_or(engine::HistogramRange());
        for (const Compared& one : asked)
            counts.push_back(countsOf(one));
    } else {
        m_ranges.want(std::move(ranges));
    }
    m_counts.want(std::move(counts));
}

void HistogramPanel::fill()
{
    const std::vector<Compared> asked = withHistograms(m_shown);
    QString failure;
    std::size_t there = 0;
    for (const Compared& one : asked) {
        failure = failure.isEmpty() ? m_ranges.failure(rangeOf(one)) : failure;
        if (m_ranges.find(rangeOf(one)) && m_counts.find(countsOf(one)))
            ++there;
    }
    const bool isWaiting = failure.isEmpty() && there < asked.size();
    if (isWaiting && !curves().empty())
        return; // the previous curves stay until all new ones are there
    const HistogramCurves made =
        isWaiting || !failure.isEmpty()
            ? HistogramCurves()
            : histogramCurves(m_shown, [this](const Compared& one) { return m_counts.find(countsOf(one)); });
    m_plot->setCurves(made, !failure.isEmpty() ? failure
                            : isWaiting        ? tr("computing…")
                                               : tr("The histograms of all visible settings appear here"));
    sayQuietly(m_line, made.empty() ? QString() : said(made));
}

QString HistogramPanel::said(const HistogramCurves& curves) const
{
    QString text = tr("against %1").arg(againstText(m_shown));
    if (curves.outside > 0)
        text += tr(" · %1 pixels of all curves beyond the ends").arg(groupedText(curves.outside));
    if (curves.notFinite > 0)
        text += tr(" · %1 pixels of all curves NaN or infinite, left out").arg(groupedText(curves.notFinite));
    return text;
}

} // namespace ui
