// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/numbers/spectra_curves.h"

#include "ui/numbers/table_text.h"

#include <QCoreApplication>

#include <cmath>
#include <limits>

namespace ui
{

namespace
{

QVector<double> vectorOf(const std::vector<double>& values)
{
    return {values.begin(), values.end()};
}

// Returns nothing for 2 pixels and below, as pixels can't show finer detail.
QString resolutionText(double pixels)
{
    if (pixels <= 2)
        return {};
    if (!std::isfinite(pixels))
        return QCoreApplication::translate("ui::SpectraCurves", "apart everywhere");
    return QCoreApplication::translate("ui::SpectraCurves", "%1 pixels").arg(pixels, 0, 'f', pixels < 10 ? 1 : 0);
}

} // namespace

std::vector<const Compared*> withSpectra(const Comparison& comparison)
{
    std::vector<const Compared*> made;
    for (const Compared& one : comparison.compared)
        if ((one.visible || &one == &comparison.a()) && one.result && one.reference && one.result != one.reference &&
            !one.isPreview())
            made.push_back(&one);
    return made;
}

SpectraCurves spectraCurves(const Comparison& comparison, const SpectraOf& spectraOf)
{
    SpectraCurves made;
    for (const Compared* one : withSpectra(comparison)) {
        const engine::RingSpectra* spectra = spectraOf(*one);
        if (!spectra)
            continue;
        SpectrumCurve curve;
        curve.name = one->label();
        curve.briefName = one->name;
        curve.colour = one->colour;
        curve.resolution = resolutionText(engine::resolutionPixels(*spectra, engine::ResolutionCriterion::halfBit));
        curve.frequency = vectorOf(spectra->frequency);
        curve.correlation = vectorOf(spectra->correlation);
        curve.powerRatio = vectorOf(engine::powerRatio(*spectra));
        for (double& ratio : curve.powerRatio)
            if (!(ratio > 0) || !std::isfinite(ratio)) // can't be drawn on a logarithmic axis
                ratio = std::numeric_limits<double>::quiet_NaN();
        if (made.curves.empty()) {
            made.frequency = curve.frequency;
            made.threshold = vectorOf(engine::thresholdOf(*spectra, engine::ResolutionCriterion::halfBit));
        }
        made.curves.push_back(std::move(curve));
    }
    return made;
}

QString csvText(const SpectraCurves& curves)
{
    if (curves.curves.empty())
        return {};
    QString text = QStringLiteral("setting,frequency (1/pixel),Fourier ring correlation,power ratio\n");
    for (const SpectrumCurve& curve : curves.curves)
        for (qsizetype ring = 0; ring < curve.frequency.size(); ++ring)
            text += QStringList{csvQuoted(curve.name), csvNumber(curve.frequency[ring]),
                                csvNumber(curve.correlation[ring]), csvNumber(curve.powerRatio[ring])}
                        .join(u',') +
                    u'\n';
    return text;
}

} // namespace ui
