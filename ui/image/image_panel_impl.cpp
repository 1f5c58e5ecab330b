#include "ui/image/image_panel_impl.h"

#include "ui/image/seen_text.h"

#include "ui/image/value_text.h"

#include <QGridLayout>
#include <QHBoxLayout>
#include <QStringBuilder>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>
#include <functional>

namespace ui
{

namespace
{

// An image that is replaced sooner than this isn't dimmed in between: nothing flickers during a drag.
constexpr int staleAfterMs = 300;
constexpr double headerHeight = 24;

QString handling()
{
    return ImagePanel::tr("Wheel, plus and minus zoom; drag or arrow keys pan; double click fits the slice. Drag "
                          "lines and areas or their handles; Shift keeps them straight. Ctrl and drag draws an area "
                          "that the figures count.");
}

// At which square images are largest.
int gridColumns(int count, QSize room)
{
    int best = 1;
    double largest = 0;
    for (int columns = 1; columns <= count; ++columns) {
        const int rows = (count + columns - 1) / columns;
        const double side = std::min(double(room.width()) / columns, double(room.height()) / rows - headerHeight);
        if (side > largest) {
            best = columns;
            largest = side;
        }
    }
    return best;
}

} // namespace

ImagePanel::Impl::Impl(ImagePanel* panel_) : panel(panel_)
{
    build();
    buildCompositions();
    for (Column& column : columns)
        connectView(column.view);
    connectStrip();
    staleTimer.setSingleShot(true);
    staleTimer.setInterval(staleAfterMs);
    QObject::connect(&staleTimer, &QTimer::timeout, panel, [this] {
        for (Column& column : columns) {
            column.view->setDimmed(column.kept);
            column.view->setMessage(column.current ? QString() : column.message);
        }
    });
    showColours();
}

void ImagePanel::Impl::build()
{
    images = new QGridLayout;
    images->setSpacing(0);
    images->setHorizontalSpacing(6);
    images->setRowStretch(1, 1);
    for (const Content content : {Content::a, Content::b, Content::difference, Content::composed})
        buildColumn(content);
    grid = new QWidget(panel);
    grid->setObjectName(QStringLiteral("imageGrid"));
    auto* gridLayout = new QGridLayout(grid);
    gridLayout->setContentsMargins(0, 0, 0, 0);
    gridLayout->setSpacing(4);
    images->addWidget(grid, 0, static_cast<int>(Content::every), 2, 1);
    grid->hide();
    strip = new WindowStrip(panel);
    auto* layout = new QVBoxLayout(panel);
    layout->setContentsMargins(0, 0, 0, 2);
    layout->setSpacing(3);
    layout->addLayout(images, 1);
    layout->addWidget(strip);
    panel->setFocusProxy(firstView());
}

void ImagePanel::Impl::buildColumn(Content content)
{
    static constexpr std::array names = {"imageA", "imageB", "imageDifference", "imageComposed"};
    const std::array accessible = {ImagePanel::tr("Image"), ImagePanel::tr("Reference"),
                                   ImagePanel::tr("Difference of image and reference"),
                                   ImagePanel::tr("Image and reference in one")};
    const int place = static_cast<int>(content);
    Column& made = column(content);
    fillColumn(made, QLatin1String(names[place]), accessible[place], panel);
    images->addLayout(made.headerRow, 0, place);
    images->addWidget(made.view, 1, place);
    const bool shown = view->shows(content);
    made.header->setVisible(shown);
    made.view->setVisible(shown);
    images->setColumnStretch(place, shown ? 1 : 0);
}

void ImagePanel::Impl::fillColumn(Column& made, const QString& objectName, const QString& accessible, QWidget* parent)
{
    made.header = new ImageHeader(parent);
    made.header->setObjectName(objectName + QStringLiteral("Header"));
    made.headerRow = new QHBoxLayout;
    made.headerRow->addWidget(made.header, 1);
    made.view = new ImageView(parent);
    made.view->setObjectName(objectName);
    made.view->setAccessibleName(accessible);
    made.view->setAccessibleDescription(handling());
    // Files dropped on an image are for the window.
    made.view->setAcceptDrops(false);
    made.view->viewport()->setAcceptDrops(false);
}

// Cells are made as they are wanted, and kept.
void ImagePanel::Impl::arrangeGrid(std::size_t count)
{
    auto* layout = static_cast<QGridLayout*>(grid->layout());
    const int across = gridColumns(static_cast<int>(count), images->geometry().size());
    gridAcross = across;
    while (cells.size() < count) {
        const int number = static_cast<int>(cells.size()) + 1;
        Column& made = cells.emplace_back();
        fillColumn(made, QStringLiteral("imageCell%1").arg(number), ImagePanel::tr("Image %1").arg(number), grid);
        connectView(made.view);
        made.view->setSliceSize(size);
        made.view->setViewpoint(viewpoint);
        made.view->setOverlay(overlay);
    }
    for (std::size_t k = 0; k < cells.size(); ++k) {
        const int row = static_cast<int>(k) / across, place = static_cast<int>(k) % across;
        layout->removeItem(cells[k].headerRow);
        layout->removeWidget(cells[k].view);
        layout->addLayout(cells[k].headerRow, 2 * row, place);
        layout->addWidget(cells[k].view, 2 * row + 1, place);
        cells[k].header->setVisible(k < count);
        cells[k].view->setVisible(k < count);
    }
    const int down = (static_cast<int>(count) + across - 1) / across;
    for (int k = 0; k < layout->columnCount(); ++k)
        layout->setColumnStretch(k, k < across ? 1 : 0);
    for (int k = 0; k < layout->rowCount(); ++k)
        layout->setRowStretch(k, k % 2 == 1 && k / 2 < down ? 1 : 0);
}

// Where another number of columns suits the room better by now.
void ImagePanel::Impl::regrid()
{
    const int count = static_cast<int>(
        std::count_if(cells.begin(), cells.end(), [](const Column& each) { return !each.view->isHidden(); }));
    if (view->shows(Content::every) && count > 0 && gridColumns(count, images->geometry().size()) != gridAcross)
        arrangeGrid(static_cast<std::size_t>(count));
    if (view->shows(Content::every) && viewpoint.fitted)
        fit();
}

void ImagePanel::Impl::forEachView(const std::function<void(ImageView&)>& act) const
{
    for (const Column& each : columns)
        act(*each.view);
    for (const Column& each : cells)
        act(*each.view);
}

// From left to right. The grid is never empty: nothing to show is shown by A.
std::vector<ImageView*> ImagePanel::Impl::shownViews() const
{
    std::vector<ImageView*> shown;
    for (const Content content : view->contents)
        if (content != Content::every && content != Content::recorded)
            shown.push_back(column(content).view);
    if (view->shows(Content::every))
        for (const Column& each : cells)
            if (!each.view->isHidden())
                shown.push_back(each.view);
    if (shown.empty())
        shown.push_back(column(Content::a).view);
    return shown;
}

void ImagePanel::Impl::showScale()
{
    const auto scanned = scan.lock();
    const std::optional<double> pixelSizeMm = scanned ? scanned->pixelSizeMm() : std::nullopt;
    forEachView([&](ImageView& each) { each.setScale(&each == firstView(), pixelSizeMm); });
}

void ImagePanel::Impl::buildCompositions()
{
    for (const View& each : views()) {
        Composed made;
        if (each.compose) {
            made.composition = each.compose();
            made.controls = made.composition->makeControls(panel);
            QObject::connect(made.composition.get(), &Composition::titleChanged, panel, [this] { showHeaders(); });
        }
        if (made.controls) {
            column(Content::composed).headerRow->addWidget(made.controls);
            made.controls->hide();
        }
        compositions.push_back(std::move(made));
    }
}

void ImagePanel::Impl::connectView(ImageView* view)
{
    QObject::connect(view, &ImageView::viewpointRequested, panel,
                     [this](const Viewpoint& next) { setViewpoint(next); });
    QObject::connect(view, &ImageView::fitRequested, panel, [this] { fit(); });
    QObject::connect(view, &ImageView::resized, panel, [this] {
        // Not while the layout is at work.
        QMetaObject::invokeMethod(
            panel, [this] { regrid(); }, Qt::QueuedConnection);
        if (viewpoint.fitted)
            fit();
    });
    QObject::connect(view, &ImageView::shapeDrawn, panel, [this](const engine::Shape& shape) { draw(shape); });
    QObject::connect(view, &ImageView::shapeChanged, panel,
                     [this](int id, const engine::Shape& shape) { reshape(id, shape); });
    QObject::connect(view, &ImageView::markChosen, panel, [this](int id) {
        engine::Marks next = overlay.marks;
        next.choose(id);
        actUnderWay = next != overlay.marks; // dragging it goes on with choosing it
        edit(next, false);
    });
    QObject::connect(view, &ImageView::drawingEnded, panel, [this] { panel->setTool(Tool::none); });
    QObject::connect(view, &ImageView::axisMoved, panel, &ImagePanel::axisMoved);
    QObject::connect(view, &ImageView::axisReleased, panel, &ImagePanel::axisReleased);
    QObject::connect(view, &ImageView::areaReset, panel, [this] {
        engine::Marks next = overlay.marks;
        if (!next.areas().empty())
            next.choose(next.areas().front()->id);
        edit(next, false);
    });
    QObject::connect(view, &ImageView::pointerAt, panel, [this](const QPointF& position) {
        pointer = position;
        reportPointer();
        emit panel->pointerAt(pointer);
    });
    QObject::connect(view, &ImageView::pointerLeft, panel, [this] {
        pointer.reset();
        reportPointer();
        emit panel->pointerAt(pointer);
    });
}

void ImagePanel::Impl::setViewpoint(const Viewpoint& next)
{
    viewpoint = next;
    forEachView([&next](ImageView& each) { each.setViewpoint(next); });
}

void ImagePanel::Impl::fit()
{
    double scale = firstView()->fittingScale();
    for (const ImageView* each : shownViews())
        scale = std::min(scale, each->fittingScale());
    const double middle = (size - 1) / 2.0;
    setViewpoint({QPointF(middle, middle), scale, true});
}

ImageView* ImagePanel::Impl::firstView() const
{
    return shownViews().front();
}

Composition* ImagePanel::Impl::composition() const
{
    return compositions[static_cast<std::size_t>(view - views().data())].composition.get();
}

void ImagePanel::Impl::setView(const View& next)
{
    if (view == &next)
        return;
    if (composition())
        composition()->setActive(false);
    view = &next;
    for (std::size_t k = 0; k < columns.size(); ++k) {
        const bool shown = next.shows(static_cast<Content>(k));
        columns[k].header->setVisible(shown);
        columns[k].view->setVisible(shown);
        images->setColumnStretch(static_cast<int>(k), shown ? 1 : 0);
    }
    grid->setVisible(next.shows(Content::every));
    images->setColumnStretch(static_cast<int>(Content::every), next.shows(Content::every) ? 1 : 0);
    if (beside)
        beside->setVisible(next.shows(Content::recorded));
    images->setColumnStretch(static_cast<int>(Content::recorded), next.shows(Content::recorded) ? 1 : 0);
    for (std::size_t k = 0; k < compositions.size(); ++k)
        if (compositions[k].controls)
            compositions[k].controls->setVisible(&views()[k] == &next);
    column(Content::composed).view->setComposition(composition());
    if (composition()) {
        column(Content::composed).view->setAccessibleName(next.description());
        column(Content::composed).view->setAccessibleDescription(composition()->keys() + QLatin1Char(' ') + handling());
        composition()->setActive(true);
    }
    placeGrid();
    showColours();
    showScale();
    showHeaders();
    measureDifference();
    strip->setParts(next.contents != std::vector{Content::difference}, next.shows(Content::difference));
    const bool focused = panel->isAncestorOf(panel->window()->focusWidget());
    panel->setFocusProxy(firstView());
    if (focused || composition()) // whose keys are wanted now
        firstView()->setFocus(Qt::OtherFocusReason);
    emit panel->viewChanged(next);
}

// With every movement of the mouse: lines and areas stay where they are.
void ImagePanel::Impl::setMarker(const std::optional<QPointF>& position)
{
    overlay.marker = position;
    forEachView([&position](ImageView& each) { each.setMarker(position); });
}

void ImagePanel::Impl::setOverlay()
{
    forEachView([this](ImageView& each) { each.setOverlay(overlay); });
}

void ImagePanel::Impl::edit(const engine::Marks& next, bool continues)
{
    if (overlay.marks == next)
        return;
    const engine::Marks before = std::exchange(overlay.marks, next);
    setOverlay();
    emit panel->marksEdited(before, continues);
    emit panel->marksChanged();
}

void ImagePanel::Impl::draw(const engine::Shape& shape)
{
    engine::Marks next = overlay.marks;
    next.add(shape);
    panel->setMarksVisible(true);
    actUnderWay = true; // goes on with every change of it
    edit(next, false);
}

void ImagePanel::Impl::reshape(int id, const engine::Shape& shape)
{
    engine::Marks next = overlay.marks;
    if (engine::Mark* mark = next.find(id))
        mark->shape = shape;
    edit(next, std::exchange(actUnderWay, true));
}

void ImagePanel::Impl::reportPointer()
{
    const Column &a = column(Content::a), &b = column(Content::b);
    const bool inside = pointer && a.pixels && std::min(pointer->x(), pointer->y()) >= -0.5 &&
                        std::max(pointer->x(), pointer->y()) < size - 0.5;
    setMarker(inside ? pointer : cursor);
    if (!inside) {
        emit panel->pointerMoved({});
        return;
    }
    const auto value = [this](const Pixels& pixels, int digits) {
        const std::optional<float> found = pixels.at(*pointer);
        return found ? valueText(*found, digits) : QStringLiteral("–");
    };
    const Pixels none, &ofA = a.current ? a.pixels : none, &ofB = b.current ? b.pixels : none;
    const QString position = ImagePanel::tr("x %1 · y %2").arg(qRound(pointer->x())).arg(qRound(pointer->y()));
    const QString nameA = nameOf(Content::a), nameB = nameOf(Content::b);
    const QString values = nameA % QLatin1Char(' ') % value(ofA, 4) % QStringLiteral(" · ") % nameB % QLatin1Char(' ') %
                           value(ofB, 4) % QStringLiteral(" · ") % rowOf(DifferenceKind::plain).text(nameA, nameB) %
                           QLatin1Char(' ') % value(Pixels::difference(ofA, ofB), 2);
    const auto& made = comparison.a().result;
    const QString seen = made ? seenText(*made, comparison.slice, *pointer) : QString();
    // A narrow window shows its beginning: a warning comes first.
    const QString text = (position + QStringLiteral(" · ") + values + QLatin1Char(' ') + unit).trimmed();
    emit panel->pointerMoved(seen.isEmpty() ? text : seen + QStringLiteral(" · ") + text);
}

} // namespace ui
