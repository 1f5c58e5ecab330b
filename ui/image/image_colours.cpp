// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/image/image_colours.h"

#include "ui/image/image_grid.h"
#include "ui/image/image_statistics.h"
#include "ui/widgets/curve_colours.h"

#include <algorithm>
#include <cmath>

namespace ui
{

namespace
{

// Returns the values at both ends of the histogram. They enclose nearly all values and the grey window, with some room
// on both sides, so that the handles of the window can be dragged both ways.
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

ImageColours::ImageColours(ImageContents& contents, ImageGrid& grid, QWidget* panel)
    : m_contents(contents), m_grid(grid), m_panel(panel), m_strip(new WindowStrip(panel))
{
    connectStrip();
}

void ImageColours::connectStrip()
{
    connect(m_strip, &WindowStrip::windowEdited, this, &ImageColours::editWindow);
    connect(m_strip, &WindowStrip::automaticRequested, this, [this] { setAutomatic(); });
    connect(m_strip, &WindowStrip::sharedChosen, this, &ImageColours::setShared);
    connect(m_strip, &WindowStrip::targetChosen, this, [this](WindowStrip::Target chosen) {
        m_target = chosen;
        show();
        showHistogram(true);
    });
    connect(m_strip, &WindowStrip::colourMapChosen, this, &ImageColours::setColourMap);
    connect(m_strip, &WindowStrip::differenceKindChosen, this, &ImageColours::setDifferenceKind);
    connect(m_strip, &WindowStrip::differenceRangeEdited, this, [this](double range) {
        m_contents.difference().set(range);
        show();
    });
    connect(m_strip, &WindowStrip::differenceAutomaticChosen, this, [this](bool automatic) {
        m_contents.difference().setAutomatic(automatic);
        if (automatic)
            m_contents.measureRange();
        show();
    });
}

GreyWindows::Image ImageColours::target() const
{
    return m_target == WindowStrip::Target::b ? GreyWindows::Image::b : GreyWindows::Image::a;
}

void ImageColours::beginScan(const Comparison& comparison)
{
    const GridSlice a = comparison.planeA();
    m_windows.beginScan(Pixels(a), comparison.a().isPreview());
    m_strip->setUnit(a.unit);
}

void ImageColours::follow(bool areNew, bool isAnotherScan)
{
    const auto currentPixels = [this](Content content) {
        return m_contents.column(content).isCurrent() ? pixels(content) : Pixels();
    };
    const bool isPreview = m_contents.comparison().a().isPreview();
    const bool isFirstFull = m_windows.follow(currentPixels(Content::a), isPreview, currentPixels(Content::b));
    if (m_contents.difference().isWanted(isPreview))
        m_contents.measureRange();
    show();
    if (areNew || m_target == WindowStrip::Target::b)
        showHistogram(isAnotherScan || isFirstFull);
    showAvailable();
}

void ImageColours::clear()
{
    m_strip->setHistogram({}, m_domain);
    m_strip->setAvailable(false, false);
}

void ImageColours::showAvailable()
{
    m_strip->setAvailable(static_cast<bool>(pixels(Content::a)), m_contents.column(Content::difference).isCurrent());
}

void ImageColours::show()
{
    const ColourTable& colours = colourMaps()[m_colourMap].colours;
    const Colouring a{m_windows.a(), colours}, b{m_windows.b(), colours};
    const DifferenceRange& difference = m_contents.difference();
    const Colouring ofDifference = difference.colouring(isDark(m_panel->palette()));
    m_contents.column(Content::a).view().setColouring(a);
    m_contents.column(Content::b).view().setColouring(b);
    m_contents.column(Content::composed).view().setColouring(a, b);
    m_contents.column(Content::difference).view().setColouring(ofDifference);
    m_grid.setColouring(a);
    m_contents.showDifferenceHeader();
    m_strip->setTarget(m_target, m_windows.isShared());
    m_strip->setWindow(m_windows.of(target()));
    m_strip->setColourMap(m_colourMap);
    m_strip->setDifference(difference.kind(), ofDifference, difference.unit(m_contents.unit()),
                           difference.isAutomatic());
    emit shown();
}

void ImageColours::setAutomatic()
{
    m_windows.setAutomatic(pixels(Content::a), pixels(Content::b));
    show();
    showHistogram(true);
}

void ImageColours::setAutomatic(const QRectF& part)
{
    m_windows.setAutomatic(pixels(Content::a), pixels(Content::b), part);
    show();
    showHistogram(true);
}

void ImageColours::dragWindow(const QPointF& share, bool ofDifference)
{
    constexpr double perView = 3; // e³ times as wide after a drag across the view
    const double factor = std::exp(perView * share.x());
    if (ofDifference) {
        m_contents.difference().set(m_contents.difference().colouring(false).window.high * factor);
        return show();
    }
    if (!pixels(Content::a))
        return;
    const GreyWindow now = m_windows.of(target());
    const double width = now.high - now.low, middle = (now.low + now.high) / 2 + share.y() * width;
    editWindow({middle - width * factor / 2, middle + width * factor / 2});
}

void ImageColours::editWindow(const GreyWindow& window)
{
    m_windows.set(target(), window);
    show();
    if (window.low < m_domain.low || window.high > m_domain.high)
        showHistogram(true);
}

void ImageColours::setShared(bool shared)
{
    const bool isChanged = m_windows.setShared(shared);
    if (shared)
        m_target = WindowStrip::Target::a;
    show();
    showHistogram(false);
    if (isChanged)
        emit sharedChanged(shared);
}

void ImageColours::setColourMap(int index)
{
    m_colourMap = index;
    show();
    emit colourMapChanged();
}

void ImageColours::setDifferenceKind(DifferenceKind kind)
{
    const bool isChanged = m_contents.setDifferenceKind(kind);
    show();
    if (isChanged)
        emit differenceKindChanged(kind);
}

// Shows the histogram. Chooses its domain anew if requested, or if more than half of the values lie outside.
void ImageColours::showHistogram(bool choosesDomain)
{
    std::vector<float> values = sampleDisc(pixels(m_target == WindowStrip::Target::b ? Content::b : Content::a));
    const auto outside =
        std::ranges::count_if(values, [this](float v) { return v < m_domain.low || v > m_domain.high; });
    if (choosesDomain || outside * 2 > static_cast<std::ptrdiff_t>(values.size()))
        m_domain = domainAround(values, m_windows.of(target()));
    if (m_domain.high > m_domain.low)
        m_strip->setHistogram(histogram(values, m_domain, HistogramBar::bins), m_domain);
}

} // namespace ui
