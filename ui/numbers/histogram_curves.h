// SPDX-License-Identifier: GPL-3.0-or-later
// Histograms of values and errors in the chosen area, for all visible settings, as the plot draws them.
#pragma once

#include "engine/compare/histogram.h"
#include "ui/background/comparison.h"

#include <QString>
#include <QVector>

#include <functional>

namespace ui
{

// Ranges of the values of an image, and of its difference to its reference if that is another image.
struct AreaRanges {
    std::optional<engine::HistogramRange> values, errors; // nothing if no value is finite
};
struct AreaHistograms {
    std::optional<engine::Histogram> values, errors;
};

struct HistogramCurve {
    QString name, briefName; // "A · half", "A"
    int colour = 0;
    enum class Of { setting, exact, phantom } of = Of::setting; // determines the colour
    QVector<double> value, pixels;                              // centre and count of each bin
};

struct HistogramCurves {
    std::vector<HistogramCurve> values, errors;
    QString unit, reference; // "1/pixel", "exact"
    long long notFinite = 0; // NaN or infinite pixels of all images, counted in no bin
    long long outside = 0;   // pixels of all images beyond the ends of the bins

    bool empty() const { return values.empty(); }
};

// Returns the visible settings and the chosen one, then the reference of the chosen one unless it is one of them.
std::vector<Compared> withHistograms(const Comparison& comparison);

constexpr int histogramBins = 200;

// Returns the range that all curves share, a little wider if all values are equal; nothing without ranges.
std::optional<engine::HistogramRange> commonRange(const std::vector<const AreaRanges*>& ranges,
                                                  std::optional<engine::HistogramRange> AreaRanges::*which);

// Returns the histograms of a setting, or null while they are unknown.
using HistogramsOf = std::function<const AreaHistograms*(const Compared&)>;
HistogramCurves histogramCurves(const Comparison& comparison, const HistogramsOf& histogramsOf);

QString csvText(const HistogramCurves& curves); // a line per bin; empty without curves

} // namespace ui
