// The panel's grey windows, colours, the range of the difference, and the strip that shows them.
#include "ui/image/image_panel_impl.h"
#include "ui/widgets/curve_colours.h"

#include <algorithm>

namespace ui
{

namespace
{

// A little wider than the grey window, so that its handles can be dragged both ways.
GreyWindow domainAround(std::vector<float>& values, const GreyWindow& window)
{
    if (values.empty())
        return {window.low, window.high};
    const double low = std::min(percentile(values, 0.0005), window.low);
    const double high = std::max(percentile(values, 0.9995), window.high);
    const double room = 0.05 * (high - low);
    return {low - room, high + room};
}

} // namespace

void ImagePanel::Impl::connectStrip()
{
    QObject::connect(strip, &WindowStrip::windowEdited, panel, [this](const GreyWindow& next) { editWindow(next); });
    QObject::connect(strip, &WindowStrip::automaticRequested, panel, [this] { automatic(); });
    QObject::connect(strip, &WindowStrip::sharedChosen, panel, [this](bool share) { setShared(share); });
    QObject::connect(strip, &WindowStrip::targetChosen, panel, [this](WindowStrip::Target chosen) {
        target = chosen;
        showColours();
        showHistogram(true);
    });
    QObject::connect(strip, &WindowStrip::colourMapChosen, panel, [this](int index) {
        colourMap = index;
        showColours();
        emit panel->colourMapChanged(panel->colourMap());
    });
    QObject::connect(strip, &WindowStrip::differenceKindChosen, panel,
                     [this](DifferenceKind next) { setDifferenceKind(next); });
    QObject::connect(strip, &WindowStrip::differenceRangeEdited, panel, [this](double next) {
        range() = {std::max(next, 1e-12), false};
        showColours();
    });
    QObject::connect(strip, &WindowStrip::differenceAutomaticChosen, panel, [this](bool follow) {
        range().automatic = follow;
        if (follow)
            automaticDifference();
        showColours();
    });
}

const GreyWindow& ImagePanel::Impl::windowOf(Content content) const
{
    return content == Content::b && !shared ? windowB : windowA;
}

void ImagePanel::Impl::automatic()
{
    windowOfPreview = false;
    if (column(Content::a).pixels)
        windowA = automaticWindow(sampleDisc(column(Content::a).pixels));
    if (column(Content::b).pixels)
        windowB = automaticWindow(sampleDisc(column(Content::b).pixels));
    showColours();
    showHistogram(true);
}

void ImagePanel::Impl::windowOfVisible()
{
    const QRectF part = firstView()->visiblePart();
    const auto windowIn = [&part](const Pixels& pixels, GreyWindow& window) {
        if (std::vector<float> values = sampleOf(pixels, part); !values.empty())
            window = automaticWindow(std::move(values));
    };
    windowOfPreview = false;
    windowIn(column(Content::a).pixels, windowA);
    windowIn(column(Content::b).pixels, windowB);
    showColours();
    showHistogram(true);
}

void ImagePanel::Impl::automaticDifference()
{
    if (column(Content::difference).current)
        range().value = automaticRange(sampleDisc(column(Content::difference).pixels), rowOf(kind).fraction);
}

void ImagePanel::Impl::editWindow(const GreyWindow& window)
{
    const bool ofB = target == WindowStrip::Target::b && !shared;
    (ofB ? windowB : windowA) = window;
    if (!ofB)
        windowOfPreview = false;
    showColours();
    if (window.low < domain.low || window.high > domain.high)
        showHistogram(true);
}

void ImagePanel::Impl::setShared(bool share)
{
    const bool changed = std::exchange(shared, share) != share;
    if (shared)
        target = WindowStrip::Target::a;
    showColours();
    showHistogram(false);
    if (changed)
        emit panel->windowSharedChanged(share);
}

void ImagePanel::Impl::setDifferenceKind(DifferenceKind next)
{
    const bool changed = std::exchange(kind, next) != next;
    placeDifference();
    markStale();
    if (column(Content::difference).current && (range().value <= 0 || range().automatic))
        automaticDifference();
    showColours();
    if (changed)
        emit panel->differenceKindChanged(next);
}

Colouring ImagePanel::Impl::differenceColouring() const
{
    const bool dark = isDark(panel->palette());
    if (rowOf(kind).isSigned)
        return {{-range().value, range().value}, differenceColours(dark)};
    return {{0, range().value}, absoluteColours(dark)};
}

QString ImagePanel::Impl::differenceUnit() const
{
    return rowOf(kind).isRelative ? QStringLiteral("%") : unit;
}

void ImagePanel::Impl::showColours()
{
    const ColourTable& colours = ui::colourMaps()[colourMap].colours;
    const Colouring a{windowOf(Content::a), colours}, b{windowOf(Content::b), colours};
    column(Content::a).view->setColouring(a);
    column(Content::b).view->setColouring(b);
    column(Content::composed).view->setColouring(a, b);
    column(Content::difference).view->setColouring(differenceColouring());
    for (Column& cell : cells) // to be compared with each other
        cell.view->setColouring(a);
    showDifferenceHeader();
    strip->setTarget(target, shared);
    strip->setWindow(target == WindowStrip::Target::b ? windowOf(Content::b) : windowA);
    strip->setColourMap(colourMap);
    strip->setDifference(kind, differenceColouring(), differenceUnit(), range().automatic);
}

// The domain is chosen anew where it is asked for, or where most of the values left it.
void ImagePanel::Impl::showHistogram(bool chooseDomain)
{
    const Content content = target == WindowStrip::Target::b ? Content::b : Content::a;
    std::vector<float> values = sampleDisc(column(content).pixels);
    const auto outside =
        std::count_if(values.begin(), values.end(), [this](float v) { return v < domain.low || v > domain.high; });
    if (chooseDomain || outside * 2 > static_cast<std::ptrdiff_t>(values.size()))
        domain = domainAround(values, windowOf(content));
    if (domain.high > domain.low)
        strip->setHistogram(histogram(values, domain, HistogramBar::bins), domain);
}

} // namespace ui
