// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/planes/planes_panel.h"

#include "ui/image/colour_map.h"
#include "ui/image/image_statistics.h"
#include "ui/image/value_text.h"
#include "ui/planes/axis_drags.h"
#include "ui/planes/plane_cell.h"
#include "ui/planes/plane_fields.h"
#include "ui/widgets/displayed_number.h"

#include <QEvent>
#include <QGridLayout>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace ui
{

namespace
{

constexpr int restMs = 150; // after the last movement, full planes follow
constexpr double snapDeg = 15;

// Returns the engine's reason, which has no capital and no full stop, as a sentence.
QString sentenceOf(QString reason)
{
    if (!reason.isEmpty())
        reason[0] = reason[0].toUpper();
    return reason.endsWith(u'.') ? reason : reason + u'.';
}

QString titleOf(const LinkedPlanes& planes, int plane)
{
    if (planes.isTurned(plane)) {
        const PlaneAngles& by = planes.angles[static_cast<std::size_t>(plane)];
        return PlanesPanel::tr("%1 · turned %2°, tilted %3°")
            .arg(planeName(plane))
            .arg(by.turnDeg, 0, 'g', 4)
            .arg(by.tiltDeg, 0, 'g', 4);
    }
    const std::array titles{PlanesPanel::tr("x · column %1"), PlanesPanel::tr("y · row %1"),
                            PlanesPanel::tr("z · slice %1")};
    return titles[static_cast<std::size_t>(plane)].arg(planes.voxel(plane));
}

} // namespace

QColor planeColour(int plane)
{
    constexpr std::array colours{qRgb(230, 97, 0), qRgb(0, 170, 120), qRgb(56, 150, 235)};
    return QColor(colours[static_cast<std::size_t>(plane)]);
}

QString planeName(int plane)
{
    return QString(QLatin1Char("xyz"[plane]));
}

PlanesPanel::PlanesPanel(QWidget* parent) : QWidget(parent)
{
    auto* grid = new QGridLayout(this);
    grid->setContentsMargins(4, 4, 4, 4);
    grid->setSpacing(4);
    for (int plane = 0; plane < LinkedPlanes::count; ++plane)
        addCell(plane);
    grid->addWidget(m_cells[2], 0, 0);
    grid->addWidget(m_cells[0], 0, 1);
    grid->addWidget(m_cells[1], 1, 0);
    grid->addWidget(makeSide(), 1, 1);
    for (const int k : {0, 1}) {
        grid->setColumnStretch(k, 1);
        grid->setRowStretch(k, 1);
    }
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
    connect(&cross, &CrossHairs::turned, this, [this, plane](int other, double degrees) {
        const bool isFree = QGuiApplication::keyboardModifiers().testFlag(Qt::ShiftModifier);
        LinkedPlanes next = m_atPress;
        next.turnLine(other, plane, degrees, isFree ? 0 : snapDeg);
        change(next, true);
    });
    connect(&cross, &CrossHairs::released, this, &PlanesPanel::rest);
    connect(&cross, &CrossHairs::stepped, this,
            [plane, move](int by) { move([&](LinkedPlanes& next) { next.step(plane, by); }, true); });
    connect(&cross, &CrossHairs::nudged, this, [plane, move](int right, int down) {
        move([&](LinkedPlanes& next) { next.nudge(plane, right, down); }, true);
    });
    connect(&cross, &CrossHairs::painted, this, [this, plane] { countFrame(plane); });
    connect(&cell->view(), &ImageView::windowDragged, this, &PlanesPanel::dragWindow);
}

QWidget* PlanesPanel::makeSide()
{
    auto* side = new QWidget;
    auto* column = new QVBoxLayout(side);
    column->setContentsMargins(12, 8, 12, 8);
    column->setSpacing(10);
    m_fields = new PlaneFields;
    connect(m_fields, &PlaneFields::edited, this, [this](const LinkedPlanes& next) { change(next, false); });
    column->addWidget(m_fields);
    column->addWidget(m_axis = new AxisDrags);

    auto* buttons = new QHBoxLayout;
    const auto button = [&](const QString& name, const QString& text, const QString& tip, auto act) {
        auto* made = new QPushButton(text);
        made->setObjectName(name);
        made->setToolTip(tip);
        made->setAccessibleDescription(tip);
        connect(made, &QPushButton::clicked, this, act);
        return made;
    };
    buttons->addWidget(button(QStringLiteral("planesReset"), tr("Middle"),
                              tr("Moves the point to the middle of the volume, and turns all planes back"),
                              [this] { change(LinkedPlanes::inMiddleOf(m_planes.volume), false); }));
    buttons->addWidget(button(QStringLiteral("planesWindow"), tr("Grey window"),
                              tr("Chooses the grey window from the three images; a drag with the right button changes "
                                 "it"),
                              [this] { setAutomaticWindow(); }));
    buttons->addStretch(1);
    column->addLayout(buttons);

    auto* more = new QHBoxLayout;
    m_copy = button(QStringLiteral("planesCopy"), {}, tr("Copies the command that reconstructs this plane"),
                    [this] { emit copyRequested(); });
    m_save = button(QStringLiteral("planesSave"), {}, tr("Saves the image of this plane as TIFF or PNG"),
                    [this] { emit saveRequested(); });
    more->addWidget(m_copy);
    more->addWidget(m_save);
    more->addStretch(1);
    column->addLayout(more);

    m_figures = new QLabel;
    m_figures->setObjectName(QStringLiteral("planesFigures"));
    m_figures->setWordWrap(true);
    m_figures->setToolTip(tr("Updates of pixels by projections per second (GU/s) and time of the last image of each "
                             "plane, without reading and preparing the scan"));
    m_rate = new QLabel;
    m_rate->setObjectName(QStringLiteral("planesRate"));
    m_rate->setToolTip(tr("Images of moved planes that were painted, during the last second of the movement"));
    m_progress = new QProgressBar;
    m_progress->setObjectName(QStringLiteral("planesProgress"));
    m_progress->setAccessibleName(tr("Progress of the planes"));
    m_progress->setRange(0, 1000);
    m_progress->setTextVisible(true);
    QSizePolicy stays = m_progress->sizePolicy();
    stays.setRetainSizeWhenHidden(true);
    m_progress->setSizePolicy(stays);
    m_progress->hide();
    column->addWidget(m_figures);
    column->addWidget(m_rate);
    column->addWidget(m_progress);
    column->addStretch(1);
    choose(m_chosen);
    return side;
}

void PlanesPanel::setScan(const std::shared_ptr<const engine::Scan>& scan, bool isSameObject)
{
    m_scan = scan;
    m_rest.stop();
    m_isMoving = false;
    const engine::VolumeSize volume =
        scan ? engine::VolumeSize{scan->sliceSize(), scan->slices()} : engine::VolumeSize();
    const bool isSameVolume = volume.size == m_planes.volume.size && volume.slices == m_planes.volume.slices;
    if (!isSameVolume)
        m_planes = LinkedPlanes::inMiddleOf(volume);
    const bool isSame = isSameVolume && isSameObject;
    m_hasWindow = m_hasWindow && isSame;
    if (isSame && isVisible()) // images keep their scan in memory
        return showPlanes();   // the size of a pixel may be another
    m_isRefused = {};
    for (PlaneCell* cell : m_cells)
        cell->clear(scan ? tr("reconstructing…") : QString());
    setEnabled(scan != nullptr);
    m_frames.restart();
    m_rate->clear();
    m_figures->clear();
    showDone();
    showPlanes();
}

void PlanesPanel::setColourMap(const QString& name)
{
    const auto& maps = colourMaps();
    for (std::size_t k = 0; k < maps.size(); ++k)
        if (maps[k].name == name)
            m_colourMap = static_cast<int>(k);
    showColours();
}

void PlanesPanel::setPlanes(const LinkedPlanes& planes, bool isMoving)
{
    change(planes, isMoving);
}

void PlanesPanel::step(int voxels)
{
    LinkedPlanes next = m_planes;
    next.step(m_chosen, voxels);
    change(next, true);
}

void PlanesPanel::choose(int plane)
{
    m_chosen = plane;
    m_copy->setText(tr("Copy command of %1").arg(planeName(plane)));
    m_save->setText(tr("Save image of %1…").arg(planeName(plane)));
}

// isMoving: full planes follow when nothing has moved for a while.
void PlanesPanel::change(const LinkedPlanes& next, bool isMoving)
{
    if (next == m_planes || !m_scan)
        return;
    m_planes = next;
    showPlanes();
    if (isMoving && !std::exchange(m_isMoving, true))
        m_frames.restart();
    if (isMoving)
        m_rest.start();
    else
        m_isMoving = false;
    emit moved(isMoving);
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
        return m_fields->showPlanes(m_planes, std::nullopt);
    for (int plane = 0; plane < LinkedPlanes::count; ++plane) {
        std::vector<CrossHairs::Line> lines;
        for (int other = 0; other < LinkedPlanes::count; ++other)
            if (const auto direction = other == plane ? std::nullopt : m_planes.directionOf(other, plane))
                lines.push_back({other, *direction, planeColour(other)});
        cell(plane).crossHairs().setLines(m_planes.pixelOf(plane, m_planes.point), lines);
    }
    m_fields->showPlanes(m_planes, m_scan->pixelSizeMm());
    showTitles();
}

void PlanesPanel::showTitles()
{
    for (int plane = 0; plane < LinkedPlanes::count; ++plane) {
        PlaneCell& cell = this->cell(plane);
        cell.header().setTitle(titleOf(m_planes, plane));
        QString note;
        if (const std::optional<float> value = cell.pixels().at(m_planes.pixelOf(plane, m_planes.point)))
            note = QStringLiteral("%1 %2").arg(valueText(*value, 4), QString::fromStdString(cell.image()->unit));
        cell.header().setNote(note, planeColour(plane), cell.crossHairs().keys());
    }
}

void PlanesPanel::showImages(const PlaneImages& images)
{
    bool isPreview = false, isAny = false;
    for (int plane = 0; plane < LinkedPlanes::count; ++plane) {
        const auto k = static_cast<std::size_t>(plane);
        if (const Image& image = images.planes[k]) {
            cell(plane).showImage(image);
            m_isRefused[k] = false;
            isAny = true;
            isPreview = isPreview || image->request.place.previewStep > 1;
        } else if (!images.refusals[k].isEmpty()) {
            cell(plane).clear(sentenceOf(images.refusals[k]));
            m_isRefused[k] = true;
        }
    }
    showFigures();
    if (!isAny)
        return showTitles();
    m_isFrameDue = true;
    if (!m_hasWindow || (m_isPreviewWindow && !isPreview)) {
        setAutomaticWindow();
        m_isPreviewWindow = isPreview;
    }
    showColours();
    showTitles();
}

void PlanesPanel::showBusy(const QString& stage, double fraction)
{
    if (m_isMoving)
        return;
    m_progress->setFormat(stage);
    m_progress->setValue(static_cast<int>(1000 * fraction));
    m_progress->show();
}

void PlanesPanel::showDone()
{
    m_progress->hide();
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

void PlanesPanel::setAutomaticWindow()
{
    std::vector<float> values;
    for (const PlaneCell* cell : m_cells)
        if (cell->image()) {
            const std::vector<float> some = sampleOf(cell->pixels(), cell->pixels().area(), 1 << 15);
            values.insert(values.end(), some.begin(), some.end());
        }
    if (values.empty())
        return;
    m_window = automaticWindow(std::move(values));
    m_hasWindow = true;
    m_isPreviewWindow = false;
    showColours();
}

void PlanesPanel::dragWindow(const QPointF& share)
{
    const double width = m_window.high - m_window.low;
    const double middle = (m_window.low + m_window.high) / 2 + share.y() * width;
    const double next = std::max(width * std::exp(2 * share.x()), 1e-12);
    m_window = {middle - next / 2, middle + next / 2};
    m_isPreviewWindow = false;
    showColours();
}

void PlanesPanel::showColours()
{
    const ColourTable& colours = colourMaps()[static_cast<std::size_t>(m_colourMap)].colours;
    for (const PlaneCell* cell : m_cells)
        cell->view().setColouring({m_window, colours});
    emit coloured();
}

// The first of the views that paints new images counts for all.
void PlanesPanel::countFrame(int)
{
    if (!std::exchange(m_isFrameDue, false) || !m_isMoving)
        return;
    m_frames.add(static_cast<double>(m_clock.nsecsElapsed()) * 1e-9);
    if (const double rate = m_frames.perSecond(); rate > 0)
        m_rate->setText(tr("planes: %1 per second").arg(rate, 0, 'f', rate < 10 ? 1 : 0));
}

void PlanesPanel::showFigures()
{
    QStringList parts;
    for (const int plane : {2, 0, 1})
        if (const Image& image = cell(plane).image()) {
            const engine::Timings& times = image->timings;
            const int step = image->request.place.previewStep;
            parts << tr("%1: %2 GU/s, %3%4")
                         .arg(planeName(plane), gupsText(image->kernelGups), secondsText(times.backprojectSeconds),
                              step > 1 ? tr(", in steps of %1 pixels").arg(step) : QString());
        }
    m_figures->setText(parts.join(QLatin1Char('\n')));
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
