// What the panel shows: the images as they come, those kept from before, their headers.
#include "ui/image/image_panel_impl.h"
#include "ui/image/value_text.h"

#include <algorithm>

namespace ui
{

namespace
{

// The given ones where they lie on the slice, with a line if there is none.
engine::Marks marksFor(int size, const engine::Marks& given)
{
    engine::Marks made = given;
    const bool fits = !given.areas().empty() && std::ranges::all_of(given.marks, [size](const engine::Mark& one) {
        return isOnSlice(one.shape, size);
    });
    if (!fits)
        made = engine::Marks::standard();
    if (!made.line())
        made.add(defaultLine(size));
    return made;
}

} // namespace

bool ImagePanel::Impl::isAnotherScan(const Comparison& next) const
{
    const Plane a = next.planeA();
    if (a.grid.size != size || a.unit != unit)
        return true;
    const auto& of = next.a().result;
    return of && of->request.scan && of->request.scan != scan.lock();
}

void ImagePanel::Impl::beginScan(const Comparison& next)
{
    const Plane a = next.planeA();
    const int before = std::exchange(size, a.grid.size);
    unit = a.unit;
    scan = next.a().result ? next.a().result->request.scan : nullptr;
    for (Column& column : columns) { // nothing of another scan is kept
        column.pixels = {};
        column.title.clear();
        column.explanation.clear();
        column.notFinite = 0;
        column.view->setPixels({});
        column.view->setSliceSize(size);
    }
    for (Column& cell : cells) {
        cell.pixels = {};
        cell.view->setPixels({});
        cell.view->setSliceSize(size);
    }
    showScale();
    const auto givenWindow = std::exchange(givenA, {}), givenWindowOfB = std::exchange(givenB, {});
    windowA = givenWindow.value_or(automaticWindow(sampleDisc(Pixels(a))));
    windowOfPreview = !givenWindow && next.a().isPreview();
    windowB = givenWindowOfB.value_or(windowB);
    windowBKnown = givenWindowOfB.has_value();
    for (Range& each : ranges)
        if (!each.given)
            each.value = 0;
        else
            each.given = false;
    strip->setUnit(unit);
    const bool areGiven = std::exchange(marksGiven, false);
    if (before != size)
        fit();
    engine::Marks fitting = marksFor(size, before == size || areGiven ? overlay.marks : engine::Marks());
    if (fitting == overlay.marks)
        return;
    overlay.marks = std::move(fitting);
    setOverlay();
    emit panel->marksChanged();
}

void ImagePanel::Impl::place(Content content, const Pixels& pixels, const QString& title, const QString& missing)
{
    Column& target = column(content);
    target.current = static_cast<bool>(pixels);
    target.kept = !target.current && target.pixels;
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

void ImagePanel::Impl::placeDifference()
{
    const Column &a = column(Content::a), &b = column(Content::b);
    Pixels difference;
    if (a.current && b.current)
        difference =
            Pixels::difference(a.pixels, b.pixels, kind, kind == DifferenceKind::ofRange ? rangeInDisc(b.pixels) : 1);
    place(Content::difference, difference, rowOf(kind).text(), {});
}

// Both images, the one that is kept from before too.
void ImagePanel::Impl::placeComposed()
{
    const Column &a = column(Content::a), &b = column(Content::b);
    Column& target = column(Content::composed);
    target.current = a.current && b.current;
    target.kept = a.kept || b.kept;
    target.message = a.current ? b.message : a.message;
    target.pixels = a.pixels;
    target.view->setPixels(a.pixels, b.pixels);
    if (target.current) {
        target.view->setDimmed(false);
        target.view->setMessage({});
    }
    for (const Composed& each : compositions)
        if (each.composition)
            each.composition->setPlanes(comparison.planeA(), comparison.planeB());
}

// While it is on screen: every visible setting, and what the chosen one is measured against, with how far each is off.
void ImagePanel::Impl::placeGrid()
{
    if (!view->shows(Content::every))
        return;
    std::vector<const Compared*> shown;
    for (const Compared& one : comparison.compared)
        if (one.visible || &one == &comparison.a())
            shown.push_back(&one);
    const bool hasReference = !shown.empty() && comparison.against.kind != ReferenceChoice::Kind::setting;
    const std::size_t count = shown.size() + (hasReference ? 1 : 0);
    arrangeGrid(count);
    for (std::size_t k = 0; k < count; ++k) {
        const bool isReference = k == shown.size();
        const Compared& one = isReference ? comparison.a() : *shown[k];
        const Plane plane = isReference ? comparison.planeB() : comparison.planeOf(one);
        Pixels pixels(plane);
        if (pixels.grid().size != size)
            pixels = {};
        Column& cell = cells[k];
        cell.current = static_cast<bool>(pixels);
        cell.kept = !cell.current && cell.pixels;
        cell.message = ImagePanel::tr("computing %1…").arg(plane.title);
        if (pixels)
            cell.pixels = pixels;
        cell.view->setPixels(cell.pixels);
        cell.view->setDimmed(cell.kept);
        cell.view->setMessage(cell.current ? QString() : cell.message);
        cell.header->setTitle(plane.title);
        QString note;
        if (!isReference && one.isPreview())
            note = ImagePanel::tr("preview");
        else if (!isReference && one.metrics)
            note = ImagePanel::tr("RMSE %1").arg(valueText(one.metrics->rmse, 3));
        cell.header->setNote(note);
    }
    if (viewpoint.fitted)
        fit();
}

// Of what figures count: A and B are the chosen setting and what it is measured against.
void ImagePanel::Impl::measureDifference()
{
    const bool there = column(Content::difference).current && !comparison.a().isPreview();
    differenceMetrics = there ? comparison.a().metrics : std::nullopt;
    showDifferenceHeader();
}

void ImagePanel::Impl::markStale()
{
    bool waiting = false;
    for (Column& column : columns) {
        if (column.current)
            continue;
        if (column.kept)
            waiting = true;
        else
            column.view->setMessage(column.message);
    }
    if (!waiting)
        staleTimer.stop();
    else if (!staleTimer.isActive())
        staleTimer.start();
}

void ImagePanel::Impl::markOutdated()
{
    staleTimer.stop();
    isOutdated = static_cast<bool>(column(Content::a).pixels);
    const auto mark = [](Column& one) {
        one.current = false;
        one.kept = static_cast<bool>(one.pixels);
        one.view->setDimmed(one.kept);
        one.view->setMessage(one.message);
    };
    for (Column& one : columns)
        mark(one);
    for (Column& cell : cells)
        mark(cell);
}

void ImagePanel::Impl::dropReference()
{
    Column& b = column(Content::b);
    if (b.current)
        return;
    b.title = comparison.planeB().title;
    for (const Content content : {Content::b, Content::difference}) {
        Column& one = column(content);
        one.pixels = {};
        one.kept = false;
        one.notFinite = 0;
        one.view->setPixels({});
        one.view->setDimmed(false);
        one.view->setMessage(one.message);
    }
    placeComposed();
    column(Content::composed).view->setMessage(column(Content::composed).message);
}

// What lies over an image that was there before comes when that is dimmed, so that nothing flickers.
void ImagePanel::Impl::say(Content content, const QString& message)
{
    Column& target = column(content);
    if (target.current)
        return;
    target.message = message;
    Column& composed = column(Content::composed);
    composed.message = column(Content::a).current ? column(Content::b).message : column(Content::a).message;
    for (Column* each : {&target, &composed})
        if (!staleTimer.isActive() || !each->kept)
            each->view->setMessage(each->message);
}

void ImagePanel::Impl::showHeaders()
{
    for (const Content content : {Content::a, Content::b}) {
        Column& shown = column(content);
        const QString untitled = content == Content::a ? ImagePanel::tr("Image") : ImagePanel::tr("Reference");
        shown.header->setTitle(shown.title.isEmpty() ? untitled : shown.title);
        if (shown.notFinite > 0)
            shown.header->setNote(ImagePanel::tr("%n not finite", nullptr, static_cast<int>(shown.notFinite)),
                                  notFiniteColour(), ImagePanel::tr("Magenta pixels are NaN or infinite."));
        else
            shown.header->setNote(
                content != Content::a        ? QString()
                : isOutdated                 ? ImagePanel::tr("outdated")
                : comparison.a().isPreview() ? ImagePanel::tr("preview")
                                             : QString(),
                {},
                isOutdated && content == Content::a
                    ? ImagePanel::tr("This is the image of the settings before; the one that was asked "
                                     "for could not be computed.")
                    : shown.explanation);
    }
    if (composition())
        column(Content::composed).header->setTitle(composition()->title());
}

QString ImagePanel::Impl::nameOf(Content content) const
{
    if (comparison.a().name.isEmpty())
        return content == Content::a ? ImagePanel::tr("image") : ImagePanel::tr("reference");
    return content == Content::a ? comparison.a().name : comparison.referenceName();
}

void ImagePanel::Impl::showDifferenceHeader()
{
    Column& shown = column(Content::difference);
    shown.header->setTitle(rowOf(kind).text(nameOf(Content::a), nameOf(Content::b)));
    const QString form = rowOf(kind).isSigned ? QStringLiteral("± %1 %2") : QStringLiteral("0…%1 %2");
    shown.header->setNote(range().value > 0 ? form.arg(valueText(range().value, 2), differenceUnit()).trimmed()
                                            : QString(),
                          {}, rowOf(kind).description());
    shown.view->setCaption(differenceMetrics ? ImagePanel::tr("RMSE %1 %3\nmax %2 %3")
                                                   .arg(valueText(differenceMetrics->rmse, 3),
                                                        valueText(differenceMetrics->maximum, 3), unit)
                                             : QString());
    shown.view->setToolTip(
        shown.view->caption().isEmpty()
            ? QString()
            : ImagePanel::tr("RMSE and the largest difference of the pixels that the figures count"));
}

} // namespace ui
