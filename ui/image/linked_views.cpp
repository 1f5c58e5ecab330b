// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/image/linked_views.h"

#include <algorithm>
#include <utility>

namespace ui
{

namespace
{

// Returns the given marks if there is an area and all lie on the slice, else the standard ones; adds a line if there
// is none.
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

LinkedViews::LinkedViews(QWidget* panel) : m_panel(panel) {}

void LinkedViews::add(ImageView* view)
{
    m_views.push_back(view);
    view->setViewpoint(m_viewpoint);
    view->setOverlay(m_overlay);
    connect(view, &ImageView::viewpointRequested, this, &LinkedViews::setViewpoint);
    connect(view, &ImageView::fitRequested, this, &LinkedViews::fit);
    connect(view, &ImageView::resized, this, [this] {
        emit resized();
        if (m_viewpoint.fitted)
            fit();
    });
    connectMarks(view);
    connect(view, &ImageView::axisMoved, this, &LinkedViews::axisMoved);
    connect(view, &ImageView::axisReleased, this, &LinkedViews::axisReleased);
    connect(view, &ImageView::windowDragged, this, &LinkedViews::windowDragged);
    connect(view, &ImageView::menuRequested, this, &LinkedViews::menuRequested);
    connect(view, &ImageView::pointerAt, this, [this](const QPointF& position) {
        m_pointer = position;
        emit pointerChanged();
    });
    connect(view, &ImageView::pointerLeft, this, [this] {
        m_pointer.reset();
        emit pointerChanged();
    });
}

void LinkedViews::addMarksOnly(ImageView* view)
{
    m_views.push_back(view);
    view->setOverlay(m_overlay);
    connectMarks(view);
}

void LinkedViews::connectMarks(ImageView* view)
{
    connect(view, &ImageView::shapeDrawn, this, &LinkedViews::draw);
    connect(view, &ImageView::shapeChanged, this, &LinkedViews::reshape);
    connect(view, &ImageView::markChosen, this, [this](int id) {
        engine::Marks next = m_overlay.marks;
        next.choose(id);
        m_actUnderWay = next != m_overlay.marks; // a drag that follows belongs to the same user action
        editMarks(next, false);
    });
    connect(view, &ImageView::drawingEnded, this, [this] { setTool(Tool::none); });
    connect(view, &ImageView::areaReset, this, [this] {
        engine::Marks next = m_overlay.marks;
        if (!next.areas().empty())
            next.choose(next.areas().front()->id);
        editMarks(next, false);
    });
}

void LinkedViews::forEach(const std::function<void(ImageView&)>& act) const
{
    for (ImageView* each : m_views)
        act(*each);
}

std::vector<ImageView*> LinkedViews::shown() const
{
    std::vector<ImageView*> shown;
    for (ImageView* each : m_views)
        if (each->isVisibleTo(m_panel))
            shown.push_back(each);
    if (shown.empty())
        shown.push_back(m_views.front());
    return shown;
}

ImageView* LinkedViews::first() const
{
    return shown().front();
}

void LinkedViews::beginScan(int size)
{
    const int before = std::exchange(m_size, size);
    const bool areGiven = std::exchange(m_marksGiven, false);
    if (before != size)
        fit();
    engine::Marks fitting = marksFor(size, before == size || areGiven ? m_overlay.marks : engine::Marks());
    if (fitting == m_overlay.marks)
        return;
    m_overlay.marks = std::move(fitting);
    showOverlay();
    emit marksChanged();
}

void LinkedViews::showScale(const std::optional<double>& pixelSizeMm)
{
    const ImageView* withScale = first();
    forEach([&](ImageView& each) { each.setScale(&each == withScale, pixelSizeMm); });
}

void LinkedViews::setViewpoint(const Viewpoint& viewpoint)
{
    m_viewpoint = viewpoint;
    forEach([this](ImageView& each) { each.setViewpoint(m_viewpoint); });
}

void LinkedViews::fit()
{
    const std::vector<ImageView*> shown = this->shown();
    double scale = shown.front()->fittingScale();
    for (const ImageView* each : shown)
        scale = std::min(scale, each->fittingScale());
    const double middle = (m_size - 1) / 2.0;
    setViewpoint({QPointF(middle, middle), scale, true});
}

void LinkedViews::showOverlay()
{
    forEach([this](ImageView& each) { each.setOverlay(m_overlay); });
}

void LinkedViews::setMarks(const engine::Marks& marks, bool areForNextScan)
{
    m_marksGiven = areForNextScan;
    m_overlay.marks = marks;
    showOverlay();
}

void LinkedViews::editMarks(const engine::Marks& marks, bool continues)
{
    if (m_overlay.marks == marks)
        return;
    const engine::Marks before = std::exchange(m_overlay.marks, marks);
    showOverlay();
    emit marksEdited(before, continues);
    emit marksChanged();
}

void LinkedViews::setMarksVisible(bool visible)
{
    const bool changed = std::exchange(m_overlay.visible, visible) != visible;
    showOverlay();
    if (changed)
        emit marksVisibleChanged(visible);
}

void LinkedViews::setGuides(const std::vector<Guide>& guides)
{
    m_overlay.guides = guides;
    forEach([&guides](ImageView& each) { each.setGuides(guides); });
}

void LinkedViews::setTool(Tool tool)
{
    if (std::exchange(m_tool, tool) == tool)
        return;
    forEach([tool](ImageView& each) { each.setTool(tool); });
    if (tool != Tool::none)
        first()->setFocus(Qt::OtherFocusReason); // to receive Esc
    emit toolChanged(tool);
}

void LinkedViews::setCursor(const std::optional<QPointF>& position)
{
    m_cursor = position;
    if (!m_pointer)
        setMarker(position);
}

void LinkedViews::showMarker(bool isPointerInside)
{
    setMarker(isPointerInside ? m_pointer : m_cursor);
}

// Called at every movement of the mouse, so it leaves lines and areas alone.
void LinkedViews::setMarker(const std::optional<QPointF>& position)
{
    m_overlay.marker = position;
    forEach([this](ImageView& each) { each.setMarker(m_overlay.marker); });
}

void LinkedViews::draw(const engine::Shape& shape)
{
    engine::Marks next = m_overlay.marks;
    next.add(shape);
    setMarksVisible(true);
    m_actUnderWay = true; // further changes of the shape belong to the same user action
    editMarks(next, false);
}

void LinkedViews::reshape(int id, const engine::Shape& shape)
{
    engine::Marks next = m_overlay.marks;
    if (engine::Mark* mark = next.find(id))
        mark->shape = shape;
    editMarks(next, std::exchange(m_actUnderWay, true));
}

} // namespace ui
