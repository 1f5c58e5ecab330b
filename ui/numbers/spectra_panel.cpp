// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/numbers/spectra_panel.h"

namespace ui
{

namespace
{

engine::RingSpectra spectraOf(const FigureOf& of, const std::stop_token&)
{
    const GridSlice image = planeOf(of.image, of.slice, {}), reference = planeOf(of.reference, of.slice, {});
    return engine::compareSpectra(image.values(), reference.values(), image.grid.width, image.grid.height, of.mask);
}

} // namespace

SpectraPanel::SpectraPanel(QWidget* parent)
    : PlotPage(parent), m_spectra(spectraOf, [this] { fill(); }),
      m_line(quietLine(QStringLiteral("spectraAgainst"), tr("Reference of the spectra")))
{
    filled(new QVBoxLayout(this), {m_line, {m_plot, 1}}, flush);
    fill();
}

FigureOf SpectraPanel::figureOf(const Compared& one) const
{
    return {one.result, one.reference, m_shown.slice, m_shown.mask};
}

void SpectraPanel::clear()
{
    m_shown = {};
    m_spectra.want({});
    fill();
}

void SpectraPanel::want()
{
    std::vector<FigureOf> wanted;
    for (const Compared* one : withSpectra(m_shown))
        wanted.push_back(figureOf(*one));
    m_spectra.want(std::move(wanted));
}

void SpectraPanel::fill()
{
    const std::vector<const Compared*> asked = withSpectra(m_shown);
    const SpectraCurves made =
        spectraCurves(m_shown, [this](const Compared& one) { return m_spectra.find(figureOf(one)); });
    QString failure;
    for (const Compared* one : asked)
        if (failure.isEmpty())
            failure = m_spectra.failure(figureOf(*one));
    const bool isWaiting = failure.isEmpty() && made.curves.size() < asked.size();
    if (isWaiting && made.empty() && !curves().empty())
        return; // the previous curves stay until there is a new one
    m_plot->setCurves(made, !failure.isEmpty() ? failure
                            : isWaiting        ? tr("computing…")
                                               : tr("The spectra relative to the reference appear here"));
    sayQuietly(m_line, asked.empty() ? QString() : tr("against %1, in the square around it").arg(againstText(m_shown)));
}

} // namespace ui
