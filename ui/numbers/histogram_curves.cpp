// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/numbers/histogram_curves.h"

#include "ui/numbers/numbers_table.h"
#include "ui/numbers/table_text.h"

#include <algorithm>
#include <cmath>

namespace ui
{

namespace
{

HistogramCurve curveOf(const Compared& one, const Comparison& comparison, const engine::Histogram& histogram)
{
    HistogramCurve curve;
    curve.name = one.label();
    curve.briefName = one.name;
    curve.colour = one.colour;
    if (one.id == 0)
        curve.of = comparison.against.kind == ReferenceChoice::Kind::phantom ? HistogramCurve::Of::phantom
                                                                             : HistogramCurve::Of::exact;
    for (std::size_t bin = 0; bin < histogram.counts.size(); ++bin) {
        curve.value.push_back(histogram.middleOf(bin));
        curve.pixels.push_back(static_cast<double>(histogram.counts[bin]));
    }
    return curve;
}

} // namespace

std::vector<Compared> withHistograms(const Comparison& comparison)
{
    std::vector<Compared> made;
    for (const Compared& one : comparison.compared)
        if ((one.visible || &one == &comparison.a()) && one.result && !one.isPreview())
            made.push_back(one);
    const Compared& chosen = comparison.a();
    const bool isOne = std::ranges::any_of(made, [&](const Compared& one) { return one.result == chosen.reference; });
    if (chosen.reference && !isOne) {
        Compared reference;
        reference.name = comparison.briefReferenceName();
        reference.different = comparison.referenceName();
        reference.result = chosen.reference;
        made.push_back(std::move(reference));
    }
    return made;
}

std::optional<engine::HistogramRange> commonRange(const std::vector<const AreaRanges*>& ranges,
                                                  std::optional<engine::HistogramRange> AreaRanges::*which)
{
    std::optional<engine::HistogramRange> all;
    for (const AreaRanges* one : ranges)
        if (one && one->*which)
            all = all ? engine::spanning(*all, *(one->*which)) : *(one->*which);
    if (all && all->lowest == all->highest) {
        const double beside = all->lowest == 0 ? 1 : std::abs(all->lowest) / 100;
        all = {all->lowest - beside, all->highest + beside};
    }
    return all;
}

HistogramCurves histogramCurves(const Comparison& comparison, const HistogramsOf& histogramsOf)
{
    HistogramCurves made;
    made.unit = unitOf(comparison);
    made.reference = comparison.referenceName();
    for (const Compared& one : withHistograms(comparison)) {
        const AreaHistograms* histograms = histogramsOf(one);
        if (!histograms)
            continue;
        if (histograms->values) {
            made.values.push_back(curveOf(one, comparison, *histograms->values));
            made.notFinite += histograms->values->notFinite;
            made.outside += histograms->values->below + histograms->values->above;
        }
        if (histograms->errors)
            made.errors.push_back(curveOf(one, comparison, *histograms->errors));
    }
    return made;
}

QString csvText(const HistogramCurves& curves)
{
    if (curves.values.empty())
        return {};
    QString text = QStringLiteral("of,setting,value (%1),pixels\n").arg(curves.unit);
    const auto add = [&text](const QString& of, const std::vector<HistogramCurve>& each) {
        for (const HistogramCurve& curve : each)
            for (qsizetype bin = 0; bin < curve.value.size(); ++bin)
                text +=
                    QStringList{of, csvQuoted(curve.name), csvNumber(curve.value[bin]), csvNumber(curve.pixels[bin])}
                        .join(u',') +
                    u'\n';
    };
    add(QStringLiteral("values"), curves.values);
    add(csvQuoted(QStringLiteral("differences to ") + curves.reference), curves.errors);
    return text;
}

} // namespace ui
