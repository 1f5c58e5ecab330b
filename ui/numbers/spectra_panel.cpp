// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/numbers/spectra_panel.h"

#include "ui/numbers/quiet_line.h"
#include "ui/numbers/spectra_plot.h"
#include "ui/widgets/plot_drawing.h"

#include <QVBoxLayout>

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
    : QWidget(parent), m_spectra(spectraOf, [this] { fill(); }), m_line(quietLine()), m_plot(new SpectraPlot)
{
    m_line->setObjectName(QStringLiteral("spectraAgainst"));
    m_line->setAccessibleName(tr("Reference of the spectra"));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_line);
    layout->addWidget(m_plot, 1);
    fill();
}

FigureOf SpectraPanel::figureOf(const Compared& one) const
{
    return {one.result, one.reference, m_shown.slice, m_shown.mask};
}

void SpectraPanel::show(const Comparison& comparison)
{
    m_shown = comparison;
    if (!isVisible())
        return; // the spectra are computed when the panel is shown
    want();
    fill();
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
    const SpectraCurves curves =
        spectraCurves(m_shown, [this](const Compared& one) { return m_spectra.find(figureOf(one)); });
    QString failure;
    for (const Compared* one : asked)
        if (failure.isEmpty())
            failure = m_spectra.failure(figureOf(*one));
    const bool isWaiting = failure.isEmpty() && curves.curves.size() < asked.size();
    if (isWaiting && curves.curves.empty() && !m_plot->curves().curves.empty())
        return; // the previous curves stay until there is a new one
    m_plot->setCurves(curves, !failure.isEmpty() ? failure
                              : isWaiting        ? tr("computing…")
                                                 : tr("The spectra relative to the reference appear here"));
    sayQuietly(m_line, asked.empty() ? QString() : tr("against %1, in the square around it").arg(againstText(m_shown)));
}

const SpectraCurves& SpectraPanel::curves() const
{
    return m_plot->curves();
}

Drawing SpectraPanel::drawing() const
{
    if (curves().curves.empty())
        return {};
    const auto plot = std::make_shared<SpectraPlot>();
    styleForPaper(*plot);
    return drawingOf(QStringLiteral("spectra"), plot,
                     [plot = plot.get(), curves = curves()] { plot->setCurves(curves, {}); });
}

QString SpectraPanel::values() const
{
    return csvText(curves());
}

void SpectraPanel::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    want();
    fill();
}

} // namespace ui
