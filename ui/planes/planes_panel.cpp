// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/planes/planes_panel.h"

#include "ui/image/value_text.h"
#include "ui/planes/plane_cell.h"
#include "ui/planes/plane_side.h"
#include "ui/widgets/engine_text.h"

#include <QEvent>
#include <QGridLayout>
#include <QGuiApplication>

#include <algorithm>
#include <utility>

namespace ui
{

namespace
{

constexpr int restMs = 150;  // after the last movement, full planes follow
constexpr int quickMs = 700; // maximum pause between two numbers of one action, such as by a wheel
constexpr double snapDeg = 15;

QString differenceNameOf(const PlaneCell& cell)
{
    return rowOf(DifferenceKind::plain).text(cell.comparison().a().name, cell.comparison().briefReferenceName());
}

} // namespace

QColor planeColour(int plane)
{
    constexpr std::array colours{qRgb(230, 97, 0), qRgb(0, 170, 120), qRgb(56, 150, 235)};
    return QColor(colours[static_cast<std::size_t>(plane)]);
}

PlanesPanel::PlanesPanel(QWidget* parent) : QWidget(parent), m_view(planeViews().front()), m_side(new PlaneSide(this))
{
    auto* grid = new QGridLayout(this);
    grid->setContentsMargins(4, 4, 4, 4);
    grid->setSpacing(4);
    for (int plane = 0; plane < LinkedPlanes::count; ++plane)
        addCell(plane);
    grid->addWidget(m_cells[2], 0, 0);
    grid->addWidget(m_cells[0], 0, 1);
    grid->addWidget(m_cells[1], 1, 0);
    grid->addWidget(m_side, 1, 1);
    for (const int k : {0, 1}) {
        grid->setColumnStretch(k, 1);
        grid->setRowStretch(k, 1);
    }
    const View& blink = *findView(QStringLiteral("flicker"));
    const std::shared_ptr<Composition> together = blink.compose(); // the images of all planes change at the same time
    for (PlaneCell* cell : m_cells)
        cell->share(blink, together);
    connectSide();
    choose(m_chosen);
    m_rest.setSingleShot(true);
    m_rest.setInterval(restMs);
    connect(&m_rest, &QTimer::timeout, this, &PlanesPanel::rest);
    m_clock.start();
    setScan(nullptr);
}

void PlanesPanel::addCell(int plane)
{
    auto* cell = m_cells[static_cast<std::size_t>(plane)] =
        new PlaneCell(QStringLiteral("plane") + planeName(plane), tr("Plane %1").arg(planeName(plane)), this);
    CrossHairs& cross = cell->crossHairs();
    cross.setColour(planeColour(plane));
    const auto move = [this, plane](const auto& act, bool isMoving) {
        choose(plane);
        LinkedPlanes next = m_planes;
        act(next);
        change(next, isMoving);
    };
    connect(&cross, &CrossHairs::moved, this, [plane, move](const QPointF& pixel) {
        move([&](LinkedPlanes& next) { next.moveTo(plane, pixel); }, true);
    });
    connect(&cross, &CrossHairs::turning, this, [this, plane](int) {
        choose(plane);
        m_atPress = m_planes;
    });
    connect(&cross, &CrossHairs::framePressed, this, [this, plane] { choose(plane); });
    connect(cell, &PlaneCell::titlePressed, this, [this, plane] {
        choose(plane);
        this->cell(plane).view().setFocus(Qt::MouseFocusReason);
    });
    connect(&cross, &CrossHairs::turned, this, [this, plane](int other, double degrees) {
        const bool isFree = QGuiApplication::keyboardModifiers().testFlag(Qt::ShiftModifier);
        LinkedPlanes next = m_atPress;
        next.turnLine(other, plane, degrees, isFree ? 0 : snapDeg);
        change(next, true);
    });
    connect(&cross, &CrossHairs::released, this, &PlanesPanel::release);
    connect(&cross, &CrossHairs::stepped, this,
            [plane, move](int by) { move([&](LinkedPlanes& next) { next.step(plane, by); }, true); });
    connect(&cross, &CrossHairs::nudged, this, [plane, move](int right, int down) {
        move([&](LinkedPlanes& next) { next.nudge(plane, right, down); }, true);
    });
    connect(&cross, &CrossHairs::painted, this, [this, plane] { countFrame(plane); });
    connectMarks(plane);
    connect(&cell->view(), &ImageView::windowDragged, this, [this, cell](const QPointF& share) {
        m_colours.drag(share, static_cast<bool>(cell->difference()));
        showColours();
        showTitles();
    });
}

void PlanesPanel::connectSide()
{
    connect(m_side, &PlaneSide::viewChosen, this, &PlanesPanel::setView);
    connect(m_side, &PlaneSide::edited, this, [this](const LinkedPlanes& next) { change(next, false); });
    connect(m_side, &PlaneSide::middleWanted, this, &PlanesPanel::moveToMiddle);
    connect(m_side, &PlaneSide::windowWanted, this, [this] {
        m_colours.setAutomatic(m_cells);
        showColours();
        showTitles();
    });
    connect(m_side, &PlaneSide::measuringChanged, this, &PlanesPanel::followMeasuring);
    connect(m_side, &PlaneSide::toolChosen, this, &PlanesPanel::setTool);
    connect(m_side, &PlaneSide::marksEdited, this,
            [this](const engine::Marks& marks) { cell(m_chosen).marks().editMarks(marks, false); });
    connect(m_side, &PlaneSide::pointedAt, this,
            [this](const std::optional<QPointF>& pixel) { cell(m_chosen).marks().setCursor(pixel); });
    connect(m_side, &PlaneSide::copyRequested, this, &PlanesPanel::copyRequested);
    connect(m_side, &PlaneSide::saveRequested, this, &PlanesPanel::saveRequested);
}

void PlanesPanel::connectMarks(int plane)
{
    const ImageView* view = &cell(plane).view();
    const LinkedViews* marks = &cell(plane).marks();
    connect(view, &ImageView::shapeDrawn, this, [this, plane](const engine::Shape& shape) {
        choose(plane);
        m_side->showMarks(shape);
        showMarked();
    });
    connect(view, &ImageView::markChosen, this, [this, plane] { choose(plane); });
    connect(&cell(plane), &PlaneCell::marksEdited, this,
            [this, plane](const engine::Marks& before, bool continues) { emit marksEdited(plane, before, continues); });
    connect(marks, &LinkedViews::marksChanged, this, [this, plane] {
        choose(plane);
        showMarked();
    });
    connect(marks, &LinkedViews::toolChanged, this, &PlanesPanel::setTool);
    connect(view, &ImageView::pointerAt, this, [this, plane](const QPointF& pixel) {
        if (plane == m_chosen)
            m_side->pointFrom(pixel);
    });
    connect(view, &ImageView::pointerLeft, this, [this] { m_side->pointFrom(std::nullopt); });
}

Tool PlanesPanel::tool() const
{
    return cell(0).marks().tool();
}

void PlanesPanel::setTool(Tool tool)
{
    const Tool drawn = tool == Tool::axis ? Tool::none : tool; // the axis is moved in slices
    for (PlaneCell* cell : m_cells)
        cell->marks().setTool(drawn);
    m_side->setTool(drawn);
}

void PlanesPanel::followMeasuring()
{
    for (PlaneCell* cell : m_cells)
        cell->marks().setMarksVisible(m_side->isMeasuring());
    emit viewChanged();
    showMarked();
}

// The pair of the chosen plane always has its image: it is renewed with each.
void PlanesPanel::showMarked()
{
    if (m_side->isMeasuring())
        m_side->showMarked(cell(m_chosen).comparison(), cell(m_chosen).marks().marks());
}

void PlanesPanel::setView(const View& view)
{
    if (std::exchange(m_view, &view) == &view)
        return;
    m_side->setView(view);
    for (PlaneCell* cell : m_cells)
        cell->setShownView(view);
    m_side->showAgainst({});
    emit viewChanged();
    m_colours.followDifferences(m_cells);
    showColours();
    showTitles();
}

bool PlanesPanel::isComparing() const
{
    return m_view->contents != std::vector{Content::a} || m_side->isMeasuring();
}

std::array<Image, LinkedPlanes::count> PlanesPanel::images() const
{
    return {m_cells[0]->image(), m_cells[1]->image(), m_cells[2]->image()};
}

void PlanesPanel::showPair(int plane, const PairedPlane& pair)
{
    if (!isComparing())
        return;
    cell(plane).showPair(pair);
    m_side->showAgainst(pair.comparison.referenceName());
    if (plane == m_chosen)
        showMarked();
    m_colours.followDifferences(m_cells);
    showColours();
    showTitles();
}

void PlanesPanel::setScan(const std::shared_ptr<const engine::Scan>& scan, bool isSameObject)
{
    m_scan = scan;
    m_rest.stop();
    m_isMoving = false;
    const engine::VolumeSize volume =
        scan ? engine::VolumeSize{scan->sliceSize(), scan->slices()} : engine::VolumeSize();
    const bool isSameVolume = volume.size == m_planes.volume.size && volume.slices == m_planes.volume.slices;
    if (!isSameVolume) {
        m_planes = LinkedPlanes::inMiddleOf(volume);
        for (PlaneCell* cell : m_cells)
            cell->setMarks({});
    }
    const bool isSame = isSameVolume && isSameObject;
    if (!isSame)
        m_colours.beginScan();
    if (isSame && isVisible()) // images keep their scan in memory
        return showPlanes();   // the size of a pixel may be another
    m_isRefused = {};
    for (PlaneCell* cell : m_cells)
        cell->clear(scan ? tr("reconstructing…") : QString());
    setEnabled(scan != nullptr);
    m_frames.restart();
    m_side->showRate(0);
    m_side->showFigures({}, nullptr);
    m_side->showMemory({});
    showDone();
    showPlanes();
}

AxisDrags& PlanesPanel::axis() const
{
    return m_side->axis();
}

const ProfilePanel* PlanesPanel::profile() const
{
    return m_side->profile();
}

void PlanesPanel::setColourMap(const QString& name)
{
    m_colours.setColourMap(name);
    showColours();
}

void PlanesPanel::setPlanes(const LinkedPlanes& planes, bool isMoving)
{
    change(planes, isMoving);
    m_sinceTurn.invalidate();
}

void PlanesPanel::step(int voxels)
{
    LinkedPlanes next = m_planes;
    next.step(m_chosen, voxels);
    change(next, true);
}

void PlanesPanel::choose(int plane)
{
    const bool isAnother = std::exchange(m_chosen, plane) != plane;
    for (int k = 0; k < LinkedPlanes::count; ++k)
        cell(k).crossHairs().setChosen(k == plane);
    m_side->showChosen(plane);
    if (isAnother)
        showMarked();
}

void PlanesPanel::setMarks(int plane, const engine::Marks& marks)
{
    cell(plane).setMarks(marks);
    if (plane == m_chosen)
        showMarked();
}

// A drag is one action, and so are numbers that follow each other quickly.
bool PlanesPanel::continuesTurn(bool isMoving)
{
    if (isMoving) {
        m_sinceTurn.invalidate();
        return std::exchange(m_isTurning, true);
    }
    const bool isQuick = m_sinceTurn.isValid() && m_sinceTurn.elapsed() < quickMs;
    m_sinceTurn.start();
    return isQuick;
}

void PlanesPanel::moveToMiddle()
{
    const LinkedPlanes before = m_planes, middle = LinkedPlanes::inMiddleOf(before.volume);
    m_sinceTurn.invalidate();
    change(middle, false);
    if (middle != before && middle.angles == before.angles)
        emit turned(before, false); // a step of its own, though only the point has moved
}

// isMoving: full planes follow when nothing has moved for a while.
void PlanesPanel::change(const LinkedPlanes& next, bool isMoving)
{
    if (next == m_planes || !m_scan)
        return;
    const LinkedPlanes before = std::exchange(m_planes, next);
    if (next.angles != before.angles)
        emit turned(before, continuesTurn(isMoving));
    showPlanes();
    if (isMoving && !std::exchange(m_isMoving, true))
        m_frames.restart();
    if (isMoving)
        m_rest.start();
    else
        m_isMoving = false;
    emit moved(isMoving);
}

void PlanesPanel::release()
{
    m_isTurning = false;
    rest();
}

void PlanesPanel::rest()
{
    m_rest.stop();
    if (std::exchange(m_isMoving, false))
        emit moved(false);
}

// Draws the lines and shows the numbers. The lines are ahead of the images that are still being computed.
void PlanesPanel::showPlanes()
{
    if (!m_scan)
        return m_side->showPlanes(m_planes, {});
    for (int plane = 0; plane < LinkedPlanes::count; ++plane) {
        std::vector<CrossHairs::Line> lines;
        for (int other = 0; other < LinkedPlanes::count; ++other)
            if (const auto direction = other == plane ? std::nullopt : m_planes.directionOf(other, plane))
                lines.push_back({other, *direction, planeColour(other)});
        cell(plane).crossHairs().setLines(m_planes.pixelOf(plane, m_planes.shownPoint()), lines);
    }
    m_side->showPlanes(m_planes, engine::voxelSidesOf(*m_scan));
    showTitles();
}

void PlanesPanel::showTitles()
{
    for (int plane = 0; plane < LinkedPlanes::count; ++plane) {
        PlaneCell& cell = this->cell(plane);
        const QString title = planeTitle(m_planes, plane);
        const QString unit = cell.image() ? QString::fromStdString(cell.image()->unit) : QString();
        QString of, note;
        if (cell.difference())
            of = QStringLiteral(" · ") + differenceNameOf(cell);
        cell.header().setTitle(title + of);
        if (const std::optional<float> value = cell.shownPixels().at(m_planes.pixelOf(plane, m_planes.point)))
            note = QStringLiteral("%1 %2").arg(valueText(*value, 4), unit);
        if (cell.difference())
            note += QStringLiteral(" · ") + m_colours.rangeText(unit);
        if (isDoubtful(cell.image()))
            note = note.isEmpty() ? tr("doubtful") : tr("doubtful · %1").arg(note);
        cell.header().setNote(note, planeColour(plane), cell.crossHairs().keys());
    }
}

FigureImage PlanesPanel::figureImage(int plane, bool isDifference) const
{
    const PlaneCell& one = cell(plane);
    FigureImage image = one.figureImage(isDifference);
    image.title = planeTitle(m_planes, plane);
    if (isLine(image.part.size())) {
        image.stretch = std::round(image.part.width() / lineShape / image.part.height());
        image.title += tr(" · height × %1").arg(image.stretch);
    }
    if (isDifference) {
        image.title += QStringLiteral(" · ") + differenceNameOf(one);
        image.colouring = m_colours.ofDifferences(false); // on paper white where there is none, in a dark theme too
    }
    if (isDoubtful(one.image()))
        image.title = tr("%1, doubtful").arg(image.title);
    return image;
}

void PlanesPanel::showImages(const PlaneImages& images)
{
    bool isAny = false;
    for (int plane = 0; plane < LinkedPlanes::count; ++plane) {
        const auto k = static_cast<std::size_t>(plane);
        if (const Image& image = images.planes[k]) {
            cell(plane).showImage(image);
            m_isRefused[k] = false;
            isAny = true;
        } else if (!images.refusals[k].isEmpty()) {
            cell(plane).clear(sentenceOf(images.refusals[k]));
            m_isRefused[k] = true;
        }
    }
    m_side->showFigures(this->images(), m_scan.get());
    if (!isAny)
        return showTitles();
    m_isFrameDue = true;
    // Also while another plane still is one.
    const bool isPreview = std::ranges::any_of(this->images(), [this](const Image& image) {
        return image && (image->request.place.previewStep > 1 || image->request.scan != m_scan);
    });
    m_colours.follow(m_cells, isPreview);
    showColours();
    showTitles();
}

void PlanesPanel::showBusy(const QString& stage, double fraction)
{
    if (m_isMoving)
        return;
    m_side->showProgress(stage, fraction);
}

void PlanesPanel::showDone()
{
    m_side->hideProgress();
}

void PlanesPanel::showMemory(const QString& note)
{
    m_side->showMemory(note);
}

void PlanesPanel::showMessage(const QString& message)
{
    for (std::size_t k = 0; k < m_cells.size(); ++k)
        if (!m_cells[k]->image() && !m_isRefused[k])
            m_cells[k]->clear(message);
}

void PlanesPanel::showFailed(const QString& message)
{
    m_isRefused = {};
    showMessage(message);
    for (const PlaneCell* cell : m_cells)
        if (cell->image())
            cell->view().setDimmed(true);
}

void PlanesPanel::showColours()
{
    m_colours.show(m_cells, palette());
    emit coloured();
}

// The first of the views that paints new images counts for all.
void PlanesPanel::countFrame(int)
{
    if (!std::exchange(m_isFrameDue, false) || !m_isMoving)
        return;
    m_frames.add(static_cast<double>(m_clock.nsecsElapsed()) * 1e-9);
    if (const double rate = m_frames.perSecond(); rate > 0)
        m_side->showRate(rate);
}

void PlanesPanel::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    emit seen(true);
}

void PlanesPanel::hideEvent(QHideEvent* event)
{
    QWidget::hideEvent(event);
    emit seen(false);
}

void PlanesPanel::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        showColours();
}

} // namespace ui
