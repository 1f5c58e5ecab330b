// SPDX-License-Identifier: GPL-3.0-or-later
// The spectra of all settings against their references as values: what the plot draws and its legend says.
#pragma once

#include "engine/compare/spectra.h"
#include "ui/background/comparison.h"

#include <QString>
#include <QVector>

#include <functional>

namespace ui
{

struct SpectrumCurve {
    QString name;              // "half"
    QString resolution;        // "2.3 pixels"; empty where they part nowhere that pixels can show
    int colour = 0;            // as in the list
    QVector<double> frequency; // cycles per pixel, up to 0.5
    QVector<double> correlation, powerRatio;
};

struct SpectraCurves {
    std::vector<SpectrumCurve> curves;
    QVector<double> frequency, threshold; // half a bit: that of the first curve
};

// Null while they aren't known.
using SpectraOf = std::function<const engine::RingSpectra*(const Compared&)>;

// The visible ones and the chosen one that have a reference beside themselves.
std::vector<const Compared*> withSpectra(const Comparison& comparison);
SpectraCurves spectraCurves(const Comparison& comparison, const SpectraOf& spectraOf);

} // namespace ui
