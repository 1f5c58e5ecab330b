// SPDX-License-Identifier: GPL-3.0-or-later
// How often which values and which errors are in the chosen area, for all visible settings: what the plot draws.
#pragma once

#include "engine/compare/histogram.h"
#include "ui/background/comparison.h"

#include <QString>
#include <QVector>

#include <functional>

namespace ui
{

// Of one image, and of its difference to its reference where it has one beside itself.
struct AreaRanges {
    std::optional<engine::HistogramRange> values, errors; // nothing where no value is finite
};
struct AreaHistograms {
    std::optional<engine::Histogram> values, errors;
};

struct HistogramCurve {
    QString name; // "half"
    int colour = 0;
    enum class Of { setting, exact, phantom } of = Of::setting; // which colour that is
    QVector<double> value, pixels;                              // middle and count of each bin
};

struct HistogramCurves {
    std::vector<HistogramCurve> values, errors;
    QString unit, reference; // "1/pixel", "exact"
    long long notFinite = 0; // pixels of all these images that are in none of the bins
    long long outside = 0;   // likewise, beyond the ends
};

// The visible ones and the chosen one, and their reference behind them where it isn't one of them.
std::vector<Compared> withHistograms(const Comparison& comparison);

constexpr int histogramBins = 200;

// What all curves have in common: a little wider where all values are one. Nothing without any.
std::optional<engine::HistogramRange> commonRange(const std::vector<const AreaRanges*>& ranges,
                                                  std::optional<engine::HistogramRange> AreaRanges::*which);

// Null while they aren't known.
using HistogramsOf = std::function<const AreaHistograms*(const Compared&)>;
HistogramCurves histogramCurves(const Comparison& comparison, const HistogramsOf& histogramsOf);

} // namespace ui
