// SPDX-License-Identifier: GPL-3.0-or-later
// The spectra of all settings against their references, as values for the plot and its legend.
#pragma once

#include "engine/compare/spectra.h"
#include "ui/background/comparison.h"

#include <QString>
#include <QVector>

#include <functional>

namespace ui
{

struct SpectrumCurve {
    QString name, briefName;   // "A · half", "A"
    QString resolution;        // "2.3 pixels"; empty if finer than pixels can show
    int colour = 0;            // as in the list
    QVector<double> frequency; // cycles per pixel, up to 0.5
    QVector<double> correlation, powerRatio;
};

struct SpectraCurves {
    std::vector<SpectrumCurve> curves;
    QVector<double> frequency, threshold; // half-bit threshold, of the first curve

    bool empty() const { return curves.empty(); }
};

// Returns the spectra of a setting, or null while they are unknown.
using SpectraOf = std::function<const engine::RingSpectra*(const Compared&)>;

// Returns the visible settings and the chosen one, if their reference is another image.
std::vector<const Compared*> withSpectra(const Comparison& comparison);
SpectraCurves spectraCurves(const Comparison& comparison, const SpectraOf& spectraOf);

QString csvText(const SpectraCurves& curves); // a line per frequency; empty without curves

} // namespace ui
