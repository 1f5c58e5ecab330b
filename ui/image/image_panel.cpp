#include "ui/image/image_panel.h"

#include "ui/image/image_panel_impl.h"

#include <QSettings>

#include <algorithm>

namespace ui
{

namespace
{

const QString colourMapKey = QStringLiteral("images/colourMap");
const QString sharedKey = QStringLiteral("images/windowShared");
const QString lineKey = QStringLiteral("images/lineVisible");
const QString rangeKey = QStringLiteral("images/differenceAutomatic");

} // namespace

ImagePanel::ImagePanel(QWidget* parent) : QWidget(parent), m_impl(std::make_unique<Impl>(this))
{
    clear(tr("No scan is open"));
}

ImagePanel::~ImagePanel() = default;

void ImagePanel::show(const Comparison& comparison)
{
    Impl& d = *m_impl;
    const Pixels a(comparison.planeA);
    const bool anotherScan = a && d.isAnotherScan(comparison);
    if (anotherScan)
        d.beginScan(comparison);
    Pixels b(comparison.planeB);
    if (b.grid().size != d.size)
        b = {};
    const bool newA = a && !a.sameValues(d.column(Content::a).pixels);
    d.place(Content::a, a, comparison.planeA.title, tr("reconstructing…"));
    d.place(Content::b, b, comparison.planeB.title, tr("computing the exact result…"));
    d.place(Content::difference, Pixels::difference(a, b), tr("A − B"), {});
    if (b && !d.windowBKnown) {
        d.windowB = automaticWindow(sampleDisc(b));
        d.windowBKnown = true;
    }
    if (d.column(Content::difference).current && (d.range <= 0 || (d.rangeAutomatic && !comparison.preview)))
        d.automaticDifference();
    d.showColours();
    d.showHeaders(comparison.preview);
    if (newA || d.target == WindowStrip::Target::b)
        d.showHistogram(anotherScan);
    d.strip->setAvailable(static_cast<bool>(d.column(Content::a).pixels), d.column(Content::difference).current);
    d.markStale();
    d.reportPointer();
}

void ImagePanel::clear(const QString& message)
{
    Impl& d = *m_impl;
    d.staleTimer.stop();
    for (Impl::Column& column : d.columns) {
        column.pixels = {};
        column.current = false;
        column.notFinite = 0;
        column.view->setPixels({});
        column.view->setMessage({});
        column.view->setDimmed(false);
        column.header->setNote({});
    }
    d.column(Content::a).header->setTitle(tr("A"));
    d.column(Content::b).header->setTitle(tr("B"));
    d.column(Content::difference).header->setTitle(tr("A − B"));
    d.column(Content::a).view->setMessage(message);
    d.strip->setHistogram({}, d.domain);
    d.strip->setAvailable(false, false);
    d.reportPointer();
}

engine::Line ImagePanel::line() const
{
    return m_impl->overlay.line;
}

void ImagePanel::setLine(const engine::Line& line)
{
    m_impl->lineGiven = true;
    m_impl->overlay.line = line;
    m_impl->setOverlay();
}

std::optional<engine::Region> ImagePanel::region() const
{
    return m_impl->overlay.region;
}

QImage ImagePanel::rendered(Content content) const
{
    const Impl::Column& column = m_impl->column(content);
    return column.current ? column.view->rendered() : QImage();
}

void ImagePanel::saveState(QSettings& settings) const
{
    settings.setValue(colourMapKey, colourMaps().value(m_impl->colourMap));
    settings.setValue(sharedKey, m_impl->shared);
    settings.setValue(lineKey, m_impl->overlay.lineVisible);
    settings.setValue(rangeKey, m_impl->rangeAutomatic);
}

void ImagePanel::restoreState(const QSettings& settings)
{
    setColourMap(settings.value(colourMapKey).toString());
    setWindowShared(settings.value(sharedKey, true).toBool());
    setLineVisible(settings.value(lineKey, true).toBool());
    m_impl->rangeAutomatic = settings.value(rangeKey, true).toBool();
    m_impl->showColours();
}

void ImagePanel::fit()
{
    m_impl->fit();
}

void ImagePanel::zoomIn()
{
    m_impl->column(Content::a).view->zoomBy(1.25);
}

void ImagePanel::zoomOut()
{
    m_impl->column(Content::a).view->zoomBy(1 / 1.25);
}

void ImagePanel::actualPixels()
{
    Viewpoint next = m_impl->viewpoint;
    next.scale = m_impl->column(Content::a).view->devicePixel();
    next.fitted = false;
    m_impl->setViewpoint(next);
}

void ImagePanel::autoWindow()
{
    m_impl->automatic();
}

void ImagePanel::setColourMap(const QString& name)
{
    const QStringList names = colourMaps();
    for (int i = 0; i < names.size(); ++i)
        if (names[i].compare(name, Qt::CaseInsensitive) == 0)
            m_impl->colourMap = i;
    m_impl->showColours();
}

void ImagePanel::setWindowShared(bool shared)
{
    m_impl->setShared(shared);
}

void ImagePanel::setLineVisible(bool visible)
{
    m_impl->overlay.lineVisible = visible;
    m_impl->setOverlay();
}

QStringList ImagePanel::colourMaps() const
{
    QStringList names;
    for (const ColourMap& map : ui::colourMaps())
        names << map.name;
    return names;
}

} // namespace ui
