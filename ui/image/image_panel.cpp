// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/image/image_panel.h"

#include "ui/image/image_colours.h"
#include "ui/image/image_contents.h"
#include "ui/image/image_grid.h"
#include "ui/image/linked_views.h"
#include "ui/widgets/boxes.h"

#include <QEvent>
#include <QGridLayout>

#include <algorithm>
#include <array>
#include <utility>

namespace ui
{

namespace
{

constexpr std::array columnContents = {Content::a, Content::b, Content::difference, Content::composed};

} // namespace

// The order of creation is the tab order.
ImagePanel::ImagePanel(QWidget* parent)
    : QWidget(parent), m_views(std::make_unique<LinkedViews>(this)), m_contents(std::make_unique<ImageContents>(this)),
      m_grid(new ImageGrid(*m_views, this)), m_colours(std::make_unique<ImageColours>(*m_contents, *m_grid, this)),
      m_images(new QGridLayout), m_bottom(new QBoxLayout(QBoxLayout::LeftToRight)), m_inset(new Inset(this))
{
    m_contents->makeCompositions();
    makeLayout();
    showParts();
    for (const Content content : columnContents)
        m_views->add(&m_contents->column(content).view());
    setFocusProxy(m_views->first());
    connectParts();
    m_colours->strip().setParts(true, false, false);
    m_colours->show();
    clear(tr("No scan is open"));
}

ImagePanel::~ImagePanel() = default;

void ImagePanel::makeLayout()
{
    m_images->setSpacing(0);
    m_images->setHorizontalSpacing(6);
    m_images->setRowStretch(1, 1);
    for (const Content content : columnContents) {
        const ImageColumn& column = m_contents->column(content);
        m_images->addLayout(column.headerRow(), 0, static_cast<int>(content));
        m_images->addWidget(&column.view(), 1, static_cast<int>(content));
    }
    m_images->addWidget(m_grid, 0, static_cast<int>(Content::every), 2, 1);
    filled(new QVBoxLayout(this), {{m_images, 1}, m_bottom}, {QMargins(0, 0, 0, 2), 3});
    m_bottom->setContentsMargins(0, 0, 0, 0);
    m_bottom->setSpacing(0);
    m_bottom->addWidget(&m_colours->strip(), 1);
}

void ImagePanel::connectParts()
{
    connect(m_views.get(), &LinkedViews::marksEdited, this, &ImagePanel::marksEdited);
    connect(m_views.get(), &LinkedViews::marksChanged, this, &ImagePanel::marksChanged);
    connect(m_views.get(), &LinkedViews::marksVisibleChanged, this, &ImagePanel::marksVisibleChanged);
    connect(m_views.get(), &LinkedViews::toolChanged, this, &ImagePanel::toolChanged);
    connect(m_views.get(), &LinkedViews::axisMoved, this, &ImagePanel::axisMoved);
    connect(m_views.get(), &LinkedViews::axisReleased, this, &ImagePanel::axisReleased);
    connect(m_views.get(), &LinkedViews::menuRequested, this, &ImagePanel::menuRequested);
    connect(m_views.get(), &LinkedViews::windowDragged, this, [this](const QPointF& share) {
        m_colours->dragWindow(share, m_view->contents == std::vector{Content::difference});
    });
    connect(m_views.get(), &LinkedViews::pointerChanged, this, [this] {
        showPointer();
        emit pointerAt(m_views->pointer());
    });
    // Queued: the grid is not rearranged while a layout is being applied.
    connect(m_views.get(), &LinkedViews::resized, this, &ImagePanel::rearrangeGrid, Qt::QueuedConnection);
    connect(m_colours.get(), &ImageColours::shown, this, &ImagePanel::showInset);
    connect(m_views.get(), &LinkedViews::resized, this, &ImagePanel::showInset, Qt::QueuedConnection);
    connect(m_inset, &QAbstractButton::clicked, this,
            [this] { setInset(m_insetKind == InsetKind::difference ? InsetKind::reference : InsetKind::difference); });
    connect(m_colours.get(), &ImageColours::sharedChanged, this, &ImagePanel::windowSharedChanged);
    connect(m_colours.get(), &ImageColours::colourMapChanged, this, [this] { emit colourMapChanged(colourMap()); });
    connect(m_colours.get(), &ImageColours::differenceKindChanged, this, &ImagePanel::differenceKindChanged);
}

void ImagePanel::show(const Comparison& comparison)
{
    const bool isAnotherScan = m_contents->isAnotherScan(comparison);
    if (isAnotherScan)
        beginScan(comparison);
    const bool hasNewImage = m_contents->show(comparison);
    placeGrid();
    m_colours->follow(hasNewImage, isAnotherScan);
    m_contents->showHeaders();
    m_contents->measureDifference();
    m_contents->markStale();
    showPointer();
    showInset();
}

void ImagePanel::beginScan(const Comparison& comparison)
{
    m_contents->beginScan(comparison);
    m_grid->beginScan(m_contents->sliceSize());
    m_views->showScale(m_contents->pixelSizeMm());
    m_colours->beginScan(comparison);
    m_views->beginScan(m_contents->sliceSize());
}

void ImagePanel::clear(const QString& message)
{
    m_contents->clear(message);
    placeGrid();
    m_colours->clear();
    showPointer();
    showInset();
}

void ImagePanel::showExpected(const QString& timeLeft)
{
    m_contents->setMessage(Content::b, tr("computing: %1").arg(timeLeft));
    showInset();
}

void ImagePanel::showStopped(const QString& why, bool isOutdated)
{
    m_grid->stop(why, isOutdated);
    m_contents->stop(why, isOutdated);
    m_colours->showAvailable();
    showPointer();
    showInset();
}

void ImagePanel::showComputing()
{
    m_grid->resume();
    m_contents->resume();
}

// Fills the grid if the view shows it.
void ImagePanel::placeGrid()
{
    if (!m_view->shows(Content::every))
        return;
    m_grid->place(m_contents->comparison(), m_images->geometry().size());
    if (m_views->viewpoint().fitted)
        m_views->fit();
}

void ImagePanel::rearrangeGrid()
{
    if (!m_view->shows(Content::every))
        return;
    m_grid->rearrange(m_images->geometry().size());
    if (m_views->viewpoint().fitted)
        m_views->fit();
}

void ImagePanel::showPointer()
{
    const auto& pointer = m_views->pointer();
    const bool isInside = pointer && m_contents->isInside(*pointer);
    m_views->showMarker(isInside);
    emit pointerMoved(isInside ? m_contents->textAt(*pointer) : QString());
}

const View& ImagePanel::view() const
{
    return *m_view;
}

void ImagePanel::setView(const View& view)
{
    if (m_view == &view)
        return;
    m_view = &view;
    showParts();
    placeGrid();
    m_colours->show();
    m_views->showScale(m_contents->pixelSizeMm());
    m_contents->showHeaders();
    m_contents->measureDifference();
    m_colours->strip().setParts(view.contents != std::vector{Content::difference},
                                view.shows(Content::b) || view.shows(Content::composed),
                                view.shows(Content::difference));
    const bool isFocused = isAncestorOf(window()->focusWidget());
    setFocusProxy(m_views->first());
    if (isFocused || m_contents->compositions().active()) // the keys of the view should work immediately
        m_views->first()->setFocus(Qt::OtherFocusReason);
    showInset();
    emit viewChanged(view);
}

void ImagePanel::setInset(InsetKind kind)
{
    if (m_insetKind == kind)
        return;
    m_insetKind = kind;
    showInset();
    emit insetChanged(kind);
}

// The inset accompanies the view of A alone, where neither reference nor difference would be seen otherwise.
void ImagePanel::showInset()
{
    const bool isShown =
        m_insetKind != InsetKind::none && m_view->contents == std::vector{Content::a} && m_contents->sliceSize() > 0;
    m_inset->setVisible(isShown);
    if (!isShown)
        return;
    const ImageColumn& other =
        m_contents->column(m_insetKind == InsetKind::difference ? Content::difference : Content::b);
    const ImageView& large = m_contents->column(Content::a).view();
    const QString& missing = other.message();
    m_inset->showImage(other, missing.isEmpty() ? m_contents->column(Content::b).message() : missing, large.geometry());
}

void ImagePanel::setBesideStrip(QWidget* bar)
{
    m_bottom->insertWidget(0, bar);
}

QSize ImagePanel::minimumSizeHint() const
{
    int width = 0;
    for (int k = 0; k < m_bottom->count(); ++k)
        width = std::max(width, m_bottom->itemAt(k)->minimumSize().width());
    return {width, QWidget::minimumSizeHint().height()};
}

// In a narrow panel the bar gets a line of its own, whatever the view shows.
void ImagePanel::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    constexpr int roomForBoth = 800;
    m_bottom->setDirection(width() < roomForBoth ? QBoxLayout::BottomToTop : QBoxLayout::LeftToRight);
}

void ImagePanel::showParts()
{
    m_contents->setView(*m_view);
    m_grid->setVisible(m_view->shows(Content::every));
    if (m_beside)
        m_beside->setVisible(m_view->shows(Content::recorded));
    for (int k = 0; k <= static_cast<int>(Content::recorded); ++k)
        m_images->setColumnStretch(k, m_view->shows(static_cast<Content>(k)) ? 1 : 0);
}

void ImagePanel::setBeside(QWidget* recorded)
{
    constexpr int place = static_cast<int>(Content::recorded);
    m_beside = recorded;
    m_images->addWidget(recorded, 0, place, 2, 1);
    recorded->setVisible(m_view->shows(Content::recorded));
    m_images->setColumnStretch(place, m_view->shows(Content::recorded) ? 1 : 0);
}

int ImagePanel::titleHeight() const
{
    return m_contents->column(Content::a).header().sizeHint().height();
}

QImage ImagePanel::rendered(Content content) const
{
    const ImageColumn& column = m_contents->column(content);
    return column.isCurrent() ? column.view().rendered() : QImage();
}

const engine::Marks& ImagePanel::marks() const
{
    return m_views->marks();
}

void ImagePanel::setMarks(const engine::Marks& marks)
{
    m_views->setMarks(marks, !m_contents->column(Content::a).pixels());
}

void ImagePanel::editMarks(const engine::Marks& marks)
{
    m_views->editMarks(marks, false);
}

bool ImagePanel::marksVisible() const
{
    return m_views->marksVisible();
}

void ImagePanel::setMarksVisible(bool visible)
{
    m_views->setMarksVisible(visible);
}

void ImagePanel::showCursor(const std::optional<QPointF>& position)
{
    m_views->setCursor(position);
}

void ImagePanel::setGuides(const std::vector<Guide>& guides)
{
    m_views->setGuides(guides);
}

Tool ImagePanel::tool() const
{
    return m_views->tool();
}

void ImagePanel::setTool(Tool tool)
{
    m_views->setTool(tool);
}

void ImagePanel::fit()
{
    m_views->fit();
}

void ImagePanel::zoomIn()
{
    m_views->first()->zoomBy(1.25);
}

void ImagePanel::zoomOut()
{
    m_views->first()->zoomBy(1 / 1.25);
}

void ImagePanel::actualPixels()
{
    Viewpoint next = m_views->viewpoint();
    next.scale = m_views->first()->devicePixel();
    next.fitted = false;
    m_views->setViewpoint(next);
}

} // namespace ui
