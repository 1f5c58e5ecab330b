#include "ui/image/image_panel.h"

#include "ui/image/image_panel_impl.h"

#include <QEvent>
#include <QGridLayout>
#include <QSettings>

#include <algorithm>

namespace ui
{

namespace
{

const QString colourMapKey = QStringLiteral("images/colourMap");
const QString sharedKey = QStringLiteral("images/windowShared");
const QString lineKey = QStringLiteral("images/lineVisible");
const QString layoutKey = QStringLiteral("images/layout");
const QString kindKey = QStringLiteral("images/differenceKind");
const QString rangeKey = QStringLiteral("images/differenceAutomatic");

QString missingText(const Plane& plane)
{
    return plane.title.isEmpty() ? ImagePanel::tr("computing the exact result…")
                                 : ImagePanel::tr("computing %1…").arg(plane.title);
}

} // namespace

ImagePanel::ImagePanel(QWidget* parent) : QWidget(parent), m_impl(std::make_unique<Impl>(this))
{
    clear(tr("No scan is open"));
}

ImagePanel::~ImagePanel() = default;

void ImagePanel::show(const Comparison& comparison)
{
    Impl& d = *m_impl;
    const Plane planeA = comparison.planeA(), planeB = comparison.planeB();
    const bool preview = comparison.a().isPreview();
    const Pixels a(planeA);
    const bool anotherScan = a && d.isAnotherScan(comparison);
    if (anotherScan)
        d.beginScan(comparison);
    d.comparison = comparison;
    d.isOutdated = false;
    Pixels b(planeB);
    if (b.grid().size != d.size)
        b = {};
    const bool newA = a && !a.sameValues(d.column(Content::a).pixels);
    d.place(Content::a, a, planeA.title, tr("reconstructing…"));
    d.place(Content::b, b, planeB.title, missingText(planeB));
    d.placeDifference();
    d.placeComposed();
    d.placeGrid();
    if (b)
        d.column(Content::b).explanation = planeB.explanation;
    const bool firstFull = a && !preview && std::exchange(d.windowOfPreview, false);
    if (firstFull)
        d.windowA = automaticWindow(sampleDisc(a));
    if (b && !d.windowBKnown) {
        d.windowB = automaticWindow(sampleDisc(b));
        d.windowBKnown = true;
    }
    if (d.range().value <= 0 || (d.range().automatic && !preview))
        d.automaticDifference();
    d.showColours();
    d.showHeaders();
    d.measureDifference();
    if (newA || d.target == WindowStrip::Target::b)
        d.showHistogram(anotherScan || firstFull);
    d.strip->setAvailable(static_cast<bool>(d.column(Content::a).pixels), d.column(Content::difference).current);
    d.markStale();
    d.reportPointer();
}

void ImagePanel::clear(const QString& message)
{
    Impl& d = *m_impl;
    d.staleTimer.stop();
    d.comparison = {};
    d.isOutdated = false;
    for (Impl::Column& column : d.columns) {
        column.pixels = {};
        column.current = column.kept = false;
        column.notFinite = 0;
        column.view->setPixels({});
        column.view->setMessage({});
        column.view->setDimmed(false);
        column.message.clear();
        column.beforeStop.reset();
        column.explanation.clear();
        column.title.clear();
    }
    d.placeComposed();
    d.placeGrid();
    d.showHeaders();
    d.measureDifference();
    d.say(Content::a, message);
    d.strip->setHistogram({}, d.domain);
    d.strip->setAvailable(false, false);
    d.reportPointer();
}

void ImagePanel::showExpected(const QString& timeLeft)
{
    m_impl->say(Content::b, tr("computing: %1").arg(timeLeft));
}

void ImagePanel::showStopped(const QString& why, bool isOutdated)
{
    Impl& d = *m_impl;
    if (isOutdated)
        d.markOutdated();
    else
        d.dropReference();
    for (const Content content : {Content::a, Content::b}) {
        Impl::Column& column = d.column(content);
        if (!column.beforeStop)
            column.beforeStop = column.message;
        d.say(content, why);
    }
    d.showHeaders();
    d.measureDifference();
    d.strip->setAvailable(static_cast<bool>(d.column(Content::a).pixels), d.column(Content::difference).current);
    d.reportPointer();
}

void ImagePanel::showComputing()
{
    for (const Content content : {Content::a, Content::b}) {
        if (const auto before = std::exchange(m_impl->column(content).beforeStop, {}))
            m_impl->say(content, *before);
    }
}

const engine::Marks& ImagePanel::marks() const
{
    return m_impl->overlay.marks;
}

void ImagePanel::setMarks(const engine::Marks& marks)
{
    m_impl->marksGiven = !m_impl->column(Content::a).pixels;
    m_impl->overlay.marks = marks;
    m_impl->setOverlay();
}

void ImagePanel::showCursor(const std::optional<QPointF>& position)
{
    m_impl->cursor = position;
    if (!m_impl->pointer)
        m_impl->setMarker(position);
}

void ImagePanel::setBeside(QWidget* recorded)
{
    constexpr int place = static_cast<int>(Content::recorded);
    m_impl->beside = recorded;
    m_impl->images->addWidget(recorded, 0, place, 2, 1);
    recorded->setVisible(m_impl->view->shows(Content::recorded));
    m_impl->images->setColumnStretch(place, m_impl->view->shows(Content::recorded) ? 1 : 0);
}

void ImagePanel::setGuides(const std::vector<Guide>& guides)
{
    m_impl->overlay.guides = guides;
    m_impl->forEachView([&guides](ImageView& each) { each.setGuides(guides); });
}

void ImagePanel::editMarks(const engine::Marks& marks)
{
    m_impl->edit(marks, false);
}

void ImagePanel::setTool(Tool tool)
{
    if (std::exchange(m_impl->tool, tool) == tool)
        return;
    m_impl->forEachView([tool](ImageView& each) { each.setTool(tool); });
    if (tool != Tool::none)
        m_impl->firstView()->setFocus(Qt::OtherFocusReason); // which hears Esc
    emit toolChanged(tool);
}

Tool ImagePanel::tool() const
{
    return m_impl->tool;
}

QImage ImagePanel::rendered(Content content) const
{
    const Impl::Column& column = m_impl->column(content);
    return column.current ? column.view->rendered() : QImage();
}

void ImagePanel::saveState(QSettings& settings) const
{
    settings.setValue(colourMapKey, colourMap());
    settings.setValue(sharedKey, m_impl->shared);
    settings.setValue(lineKey, m_impl->overlay.visible);
    settings.setValue(rangeKey, m_impl->ranges.front().automatic);
    settings.setValue(kindKey, QString::fromLatin1(rowOf(m_impl->kind).id));
    for (const Impl::Composed& each : m_impl->compositions)
        if (each.composition)
            each.composition->saveState(settings);
    settings.setValue(layoutKey, QString::fromLatin1(m_impl->view->id));
}

void ImagePanel::restoreState(const QSettings& settings)
{
    setColourMap(settings.value(colourMapKey).toString());
    setWindowShared(settings.value(sharedKey, true).toBool());
    setMarksVisible(settings.value(lineKey, true).toBool());
    const View* stored = findView(settings.value(layoutKey).toString());
    setView(stored ? *stored : views().front());
    m_impl->ranges.front().automatic = settings.value(rangeKey, true).toBool();
    const QString kind = settings.value(kindKey).toString();
    for (const DifferenceRow& row : differenceKinds())
        if (kind == QLatin1String(row.id))
            setDifferenceKind(row.kind);
    for (const Impl::Composed& each : m_impl->compositions)
        if (each.composition)
            each.composition->restoreState(settings);
    m_impl->showColours();
}

void ImagePanel::fit()
{
    m_impl->fit();
}

void ImagePanel::zoomIn()
{
    m_impl->firstView()->zoomBy(1.25);
}

void ImagePanel::zoomOut()
{
    m_impl->firstView()->zoomBy(1 / 1.25);
}

void ImagePanel::actualPixels()
{
    Viewpoint next = m_impl->viewpoint;
    next.scale = m_impl->firstView()->devicePixel();
    next.fitted = false;
    m_impl->setViewpoint(next);
}

void ImagePanel::autoWindow()
{
    m_impl->automatic();
}

void ImagePanel::windowOfVisible()
{
    m_impl->windowOfVisible();
}

void ImagePanel::setColourMap(const QString& name)
{
    const QStringList names = colourMaps();
    for (int i = 0; i < names.size(); ++i)
        if (names[i].compare(name, Qt::CaseInsensitive) == 0)
            m_impl->colourMap = i;
    m_impl->showColours();
    emit colourMapChanged(colourMap());
}

QString ImagePanel::colourMap() const
{
    return colourMaps().value(m_impl->colourMap);
}

void ImagePanel::setDifferenceKind(DifferenceKind kind)
{
    m_impl->setDifferenceKind(kind);
}

DifferenceKind ImagePanel::differenceKind() const
{
    return m_impl->kind;
}

void ImagePanel::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        m_impl->showColours(); // those of the difference are dark in the dark
}

void ImagePanel::setWindowShared(bool shared)
{
    m_impl->setShared(shared);
}

void ImagePanel::setMarksVisible(bool visible)
{
    const bool changed = std::exchange(m_impl->overlay.visible, visible) != visible;
    m_impl->setOverlay();
    if (changed)
        emit marksVisibleChanged(visible);
}

void ImagePanel::setView(const View& view)
{
    m_impl->setView(view);
}

const View& ImagePanel::view() const
{
    return *m_impl->view;
}

bool ImagePanel::windowShared() const
{
    return m_impl->shared;
}

bool ImagePanel::marksVisible() const
{
    return m_impl->overlay.visible;
}

int ImagePanel::titleHeight() const
{
    return m_impl->columns[0].header->sizeHint().height();
}

int ImagePanel::heightFor(int width) const
{
    const Impl& d = *m_impl;
    if (d.view->shows(Content::every))
        return width; // it makes use of all that there is
    const int columns = static_cast<int>(d.view->contents.size());
    const QMargins margins = QWidget::layout()->contentsMargins();
    const int room = width - margins.left() - margins.right() - (columns - 1) * d.images->horizontalSpacing();
    return room / columns + margins.top() + margins.bottom() + QWidget::layout()->spacing() +
           d.columns[0].header->sizeHint().height() + d.strip->sizeHint().height();
}

QStringList ImagePanel::colourMaps() const
{
    QStringList names;
    for (const ColourMap& map : ui::colourMaps())
        names << map.name;
    return names;
}

} // namespace ui
