#include "ui/image/image_panel_impl.h"

#include "ui/image/value_text.h"

#include <QGridLayout>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

namespace ui
{

namespace
{

// An image that is replaced sooner than this isn't dimmed in between: nothing flickers during a drag.
constexpr int staleAfterMs = 300;

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

bool contains(const engine::Line& line, int size)
{
    const double last = size - 0.5;
    return std::min({line.x0, line.y0, line.x1, line.y1}) >= -0.5 &&
           std::max({line.x0, line.y0, line.x1, line.y1}) <= last;
}

} // namespace

ImagePanel::Impl::Impl(ImagePanel* panel_) : panel(panel_)
{
    build();
    for (Column& column : columns)
        connectView(column.view);
    connectStrip();
    staleTimer.setSingleShot(true);
    staleTimer.setInterval(staleAfterMs);
    QObject::connect(&staleTimer, &QTimer::timeout, panel, [this] {
        for (Column& column : columns) {
            column.view->setDimmed(!column.current);
            column.view->setMessage(column.current ? QString() : column.message);
        }
    });
    showColours();
}

void ImagePanel::Impl::build()
{
    static constexpr std::array names = {"imageA", "imageB", "imageDifference"};
    const std::array accessible = {ImagePanel::tr("Image A"), ImagePanel::tr("Image B"),
                                   ImagePanel::tr("Difference of A and B")};
    images = new QGridLayout;
    images->setSpacing(0);
    images->setHorizontalSpacing(6);
    images->setRowStretch(1, 1);
    for (int i = 0; i < 3; ++i) {
        columns[i].header = new ImageHeader(panel);
        columns[i].header->setObjectName(QString::fromLatin1(names[i]) + QStringLiteral("Header"));
        columns[i].view = new ImageView(panel);
        columns[i].view->setObjectName(QLatin1String(names[i]));
        columns[i].view->setAccessibleName(accessible[i]);
        columns[i].view->setAccessibleDescription(
            ImagePanel::tr("Wheel, plus and minus zoom; drag or arrow keys pan; double click fits the slice. Drag the "
                           "line or its ends; Shift keeps it straight. Ctrl and drag draws a region for the metrics."));
        images->addWidget(columns[i].header, 0, i);
        images->addWidget(columns[i].view, 1, i);
        images->setColumnStretch(i, 1);
    }
    strip = new WindowStrip(panel);
    auto* layout = new QVBoxLayout(panel);
    layout->setContentsMargins(4, 2, 4, 4);
    layout->setSpacing(5);
    layout->addLayout(images, 1);
    layout->addWidget(strip);
    panel->setFocusProxy(columns[0].view);
}

void ImagePanel::Impl::connectView(ImageView* view)
{
    QObject::connect(view, &ImageView::viewpointRequested, panel,
                     [this](const Viewpoint& next) { setViewpoint(next); });
    QObject::connect(view, &ImageView::fitRequested, panel, [this] { fit(); });
    QObject::connect(view, &ImageView::resized, panel, [this] {
        if (viewpoint.fitted)
            fit();
    });
    QObject::connect(view, &ImageView::lineDragged, panel, [this](const engine::Line& line) { changeLine(line); });
    QObject::connect(view, &ImageView::regionDrawn, panel,
                     [this](const std::optional<engine::Region>& region) { changeRegion(region); });
    QObject::connect(view, &ImageView::pointerAt, panel, [this](const QPointF& position) {
        pointer = position;
        reportPointer();
    });
    QObject::connect(view, &ImageView::pointerLeft, panel, [this] {
        pointer.reset();
        reportPointer();
    });
}

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
    });
    QObject::connect(strip, &WindowStrip::differenceRangeEdited, panel, [this](double next) {
        range = std::max(next, 1e-12);
        rangeAutomatic = false;
        showColours();
    });
    QObject::connect(strip, &WindowStrip::differenceAutomaticChosen, panel, [this](bool follow) {
        rangeAutomatic = follow;
        if (follow)
            automaticDifference();
        showColours();
    });
}

bool ImagePanel::Impl::isAnotherScan(const Comparison& comparison) const
{
    const Plane a = comparison.planeA();
    if (a.grid.size != size || a.unit != unit)
        return true;
    const auto& of = comparison.a().result;
    return of && of->request.scan && of->request.scan != scan.lock();
}

void ImagePanel::Impl::beginScan(const Comparison& comparison)
{
    const Plane a = comparison.planeA();
    const int before = std::exchange(size, a.grid.size);
    unit = a.unit;
    scan = comparison.a().result ? comparison.a().result->request.scan : nullptr;
    for (Column& column : columns) { // nothing of another scan is kept
        column.pixels = {};
        column.title.clear();
        column.explanation.clear();
        column.notFinite = 0;
        column.view->setPixels({});
        column.view->setSliceSize(size);
    }
    windowA = automaticWindow(sampleDisc(Pixels(a)));
    windowOfPreview = comparison.a().isPreview();
    windowBKnown = false;
    range = 0;
    strip->setUnit(unit);
    if (before == size)
        return;
    fit();
    const bool keepLine = before == 0 && lineGiven && contains(overlay.line, size);
    if (!keepLine)
        changeLine(defaultLine(size));
    changeRegion(std::nullopt);
}

void ImagePanel::Impl::place(Content content, const Pixels& pixels, const QString& title, const QString& missing)
{
    Column& target = column(content);
    target.current = static_cast<bool>(pixels);
    target.message = missing;
    target.beforeStop.reset();
    if (!pixels)
        return; // the image before stays until the next one is there
    if (!pixels.sameValues(target.pixels) && content != Content::difference)
        target.notFinite = countNotFinite(pixels);
    target.pixels = pixels;
    target.title = title;
    target.view->setPixels(pixels);
    target.view->setDimmed(false);
    target.view->setMessage({});
}

void ImagePanel::Impl::markStale()
{
    bool waiting = false;
    for (Column& column : columns) {
        if (column.current)
            continue;
        if (column.pixels)
            waiting = true;
        else
            column.view->setMessage(column.message);
    }
    if (!waiting)
        staleTimer.stop();
    else if (!staleTimer.isActive())
        staleTimer.start();
}

// What lies over an image that was there before comes when that is dimmed, so that nothing flickers.
void ImagePanel::Impl::say(Content content, const QString& message)
{
    Column& target = column(content);
    if (target.current)
        return;
    target.message = message;
    if (!staleTimer.isActive() || !target.pixels)
        target.view->setMessage(message);
}

void ImagePanel::Impl::showHeaders(bool preview)
{
    for (const Content content : {Content::a, Content::b}) {
        Column& shown = column(content);
        const QString letter = content == Content::a ? ImagePanel::tr("A") : ImagePanel::tr("B");
        shown.header->setTitle(shown.title.isEmpty() ? letter : shown.title);
        if (shown.notFinite > 0)
            shown.header->setNote(ImagePanel::tr("%n not finite", nullptr, static_cast<int>(shown.notFinite)),
                                  notFiniteColour(), ImagePanel::tr("Magenta pixels are NaN or infinite."));
        else
            shown.header->setNote(content == Content::a && preview ? ImagePanel::tr("preview") : QString(), {},
                                  shown.explanation);
    }
}

void ImagePanel::Impl::setViewpoint(const Viewpoint& next)
{
    viewpoint = next;
    for (Column& column : columns)
        column.view->setViewpoint(next);
}

void ImagePanel::Impl::fit()
{
    double scale = firstView()->fittingScale();
    for (const Content content : {Content::a, Content::b, Content::difference})
        if (view->shows(content))
            scale = std::min(scale, column(content).view->fittingScale());
    const double middle = (size - 1) / 2.0;
    setViewpoint({QPointF(middle, middle), scale, true});
}

ImageView* ImagePanel::Impl::firstView() const
{
    return column(view->contents.front()).view;
}

void ImagePanel::Impl::setView(const View& next)
{
    if (std::exchange(view, &next) == &next)
        return;
    for (int i = 0; i < 3; ++i) {
        const bool shown = next.shows(static_cast<Content>(i));
        columns[i].header->setVisible(shown);
        columns[i].view->setVisible(shown);
        images->setColumnStretch(i, shown ? 1 : 0);
    }
    strip->setParts(next.shows(Content::a) || next.shows(Content::b), next.shows(Content::difference));
    panel->setFocusProxy(firstView());
    emit panel->viewChanged(next);
}

void ImagePanel::Impl::setOverlay()
{
    for (Column& column : columns)
        column.view->setOverlay(overlay);
}

void ImagePanel::Impl::changeLine(const engine::Line& line)
{
    overlay.line = line;
    setOverlay();
    emit panel->lineChanged(line);
}

void ImagePanel::Impl::changeRegion(const std::optional<engine::Region>& region)
{
    if (overlay.region == region)
        return;
    overlay.region = region;
    setOverlay();
    emit panel->regionChanged();
}

void ImagePanel::Impl::reportPointer()
{
    const Column& a = column(Content::a);
    const bool inside = pointer && a.pixels && std::min(pointer->x(), pointer->y()) >= -0.5 &&
                        std::max(pointer->x(), pointer->y()) < size - 0.5;
    overlay.marker = inside ? pointer : std::nullopt;
    setOverlay();
    if (!inside) {
        emit panel->pointerMoved({});
        return;
    }
    const auto value = [this](Content content, int digits) {
        const Column& shown = column(content);
        const std::optional<float> found = shown.current ? shown.pixels.at(*pointer) : std::nullopt;
        return found ? valueText(*found, digits) : QStringLiteral("–");
    };
    const QString position = ImagePanel::tr("x %1 · y %2").arg(qRound(pointer->x())).arg(qRound(pointer->y()));
    const QString values = ImagePanel::tr("A %1 · B %2 · A − B %3")
                               .arg(value(Content::a, 4), value(Content::b, 4), value(Content::difference, 2));
    emit panel->pointerMoved((position + QStringLiteral(" · ") + values + QLatin1Char(' ') + unit).trimmed());
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

void ImagePanel::Impl::automaticDifference()
{
    if (column(Content::difference).current)
        range = automaticRange(sampleDisc(column(Content::difference).pixels));
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

void ImagePanel::Impl::showColours()
{
    const ColourTable& colours = ui::colourMaps()[colourMap].colours;
    column(Content::a).view->setColouring(windowOf(Content::a), colours);
    column(Content::b).view->setColouring(windowOf(Content::b), colours);
    column(Content::difference).view->setColouring({-range, range}, differenceColours());
    column(Content::difference)
        .header->setNote(range > 0 ? QStringLiteral("± %1 %2").arg(valueText(range, 2), unit).trimmed() : QString());
    strip->setTarget(target, shared);
    strip->setWindow(target == WindowStrip::Target::b ? windowOf(Content::b) : windowA);
    strip->setColourMap(colourMap);
    strip->setDifference(range, rangeAutomatic);
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
