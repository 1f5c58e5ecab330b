// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/planes/cross_hairs.h"

#include <QGuiApplication>
#include <QKeyEvent>
#include <QPainter>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

namespace ui
{

namespace
{

constexpr double gap = 9;           // between the point and its lines, so that the voxel can be seen
constexpr double handleShare = 0.4; // distance of a handle, of the view's shorter side
constexpr double handleSize = 5, handleReach = 10;
constexpr double frameWidth = 2, chosenFrameWidth = 4, frameReach = 5;
constexpr double notchesPerDoubling = 3; // a notch of the wheel is a voxel
constexpr int farVoxels = 10;            // by keys with Shift

QPointF onScreen(const QPointF& direction, const Canvas& stage)
{
    const QPointF mapped = stage.toScreen.map(direction) - stage.toScreen.map(QPointF());
    return mapped / std::max(1e-9, std::hypot(mapped.x(), mapped.y()));
}

bool isOnFrame(const QPointF& position, const Canvas& stage)
{
    return !stage.room.adjusted(frameReach, frameReach, -frameReach, -frameReach).contains(position);
}

double clockwiseDegrees(const QPointF& from)
{
    return std::atan2(from.y(), from.x()) * 180 / std::numbers::pi;
}

} // namespace

void CrossHairs::setColour(const QColor& colour)
{
    if (std::exchange(m_colour, colour) != colour)
        emit changed();
}

void CrossHairs::setChosen(bool chosen)
{
    if (std::exchange(m_isChosen, chosen) != chosen)
        emit changed();
}

void CrossHairs::setLines(const QPointF& point, const std::vector<Line>& lines)
{
    m_point = point;
    m_lines = lines;
    emit changed();
}

void CrossHairs::setImageSize(const QSize& size)
{
    m_size = size;
}

void CrossHairs::setUnder(Composition* composition)
{
    if (m_under == composition)
        return;
    if (m_under)
        disconnect(m_under, &Composition::changed, this, &CrossHairs::changed);
    if (composition)
        connect(composition, &Composition::changed, this, &CrossHairs::changed);
    m_under = composition;
    m_isUnderDragged = false;
    emit changed();
}

QPointF CrossHairs::handleOf(const Line& line, int end, const Canvas& stage) const
{
    const double far = handleShare * std::min(stage.room.width(), stage.room.height());
    return stage.toScreen.map(m_point) + (end == 0 ? -far : far) * onScreen(line.direction, stage);
}

void CrossHairs::paint(QPainter& painter, const Canvas& stage)
{
    if (!stage.a.isThere())
        return;
    if (m_under)
        m_under->paint(painter, stage);
    else
        stage.a.paint(painter);
    emit painted();
}

void CrossHairs::decorate(QPainter& painter, const Canvas& stage)
{
    painter.setBrush(Qt::NoBrush);
    const double width = m_isChosen ? chosenFrameWidth : frameWidth, half = width / 2;
    painter.setPen(QPen(m_colour, width));
    painter.drawRect(stage.room.adjusted(half, half, -half, -half));
    if (m_size.isEmpty())
        return;
    if (m_under)
        m_under->decorate(painter, stage);
    const QPointF at = stage.toScreen.map(m_point);
    const double far = stage.room.width() + stage.room.height() + std::hypot(at.x(), at.y());
    const QColor halo(0, 0, 0, 90);
    for (const Line& line : m_lines) {
        const QPointF along = onScreen(line.direction, stage);
        for (const auto& pen : {QPen(halo, 2.4), QPen(line.colour, 1.2)}) {
            painter.setPen(pen);
            painter.drawLine(at - far * along, at - gap * along);
            painter.drawLine(at + gap * along, at + far * along);
        }
        painter.setPen(QPen(halo, 1));
        painter.setBrush(line.colour);
        for (const int end : {0, 1})
            painter.drawEllipse(handleOf(line, end, stage), handleSize, handleSize);
        painter.setBrush(Qt::NoBrush);
    }
}

const CrossHairs::Line* CrossHairs::lineAt(const QPointF& position, const Canvas& stage) const
{
    for (const Line& line : m_lines)
        for (const int end : {0, 1})
            if (const QPointF off = handleOf(line, end, stage) - position; std::hypot(off.x(), off.y()) <= handleReach)
                return &line;
    return nullptr;
}

QPointF CrossHairs::onImage(const QPointF& position, const Canvas& stage) const
{
    const QPointF pixel = stage.toScreen.inverted().map(position);
    return {std::clamp(pixel.x(), 0.0, std::max(0.0, m_size.width() - 1.0)),
            std::clamp(pixel.y(), 0.0, std::max(0.0, m_size.height() - 1.0))};
}

bool CrossHairs::press(const QPointF& position, const Canvas& stage)
{
    if (m_size.isEmpty())
        return false;
    if (const Line* line = lineAt(position, stage)) {
        m_turned = Turn{line->plane, clockwiseDegrees(position - stage.toScreen.map(m_point)), 0};
        emit turning(line->plane);
        return true;
    }
    if (m_under && m_under->press(position, stage)) {
        m_isUnderDragged = true;
        return true;
    }
    if (isOnFrame(position, stage)) {
        emit framePressed();
        return true;
    }
    m_isMoved = true;
    emit moved(onImage(position, stage));
    return true;
}

void CrossHairs::drag(const QPointF& position, const Canvas& stage)
{
    if (m_isUnderDragged) {
        m_under->drag(position, stage);
    } else if (m_turned) {
        const double now = clockwiseDegrees(position - stage.toScreen.map(m_point));
        m_turned->sumDeg += std::remainder(now - m_turned->lastDeg, 360);
        m_turned->lastDeg = now;
        emit turned(m_turned->plane, m_turned->sumDeg);
    } else if (m_isMoved) {
        emit moved(onImage(position, stage));
    }
}

void CrossHairs::release()
{
    if (std::exchange(m_isUnderDragged, false))
        return m_under->release();
    m_isMoved = false;
    m_turned.reset();
    emit released();
}

bool CrossHairs::wheel(const QPointF& position, double doublings, const Canvas& stage)
{
    if (!m_size.isEmpty() && m_under && m_under->wheel(position, doublings, stage))
        return true;
    if (m_size.isEmpty() || QGuiApplication::keyboardModifiers().testFlag(Qt::ControlModifier))
        return false;
    m_wheel += doublings * notchesPerDoubling;
    const int whole = static_cast<int>(std::trunc(m_wheel + (m_wheel < 0 ? -1e-6 : 1e-6)));
    m_wheel -= whole;
    if (whole != 0)
        emit stepped(-whole); // down: to the next one
    return true;
}

bool CrossHairs::keyPress(const QKeyEvent& event, const Canvas& stage)
{
    const int by = event.modifiers().testFlag(Qt::ShiftModifier) ? farVoxels : 1;
    switch (event.key()) {
    case Qt::Key_Left:
        emit nudged(-by, 0);
        return true;
    case Qt::Key_Right:
        emit nudged(by, 0);
        return true;
    case Qt::Key_Up:
        emit nudged(0, -by);
        return true;
    case Qt::Key_Down:
        emit nudged(0, by);
        return true;
    case Qt::Key_PageUp:
        emit stepped(-by);
        return true;
    case Qt::Key_PageDown:
        emit stepped(by);
        return true;
    default:
        return m_under && m_under->keyPress(event, stage);
    }
}

std::optional<Qt::CursorShape> CrossHairs::cursorAt(const QPointF& position, const Canvas& stage) const
{
    if (m_size.isEmpty())
        return std::nullopt;
    if (lineAt(position, stage) || isOnFrame(position, stage))
        return Qt::PointingHandCursor;
    return m_under ? m_under->cursorAt(position, stage) : std::nullopt;
}

QString CrossHairs::keys() const
{
    return tr("A click or a drag moves the point; a click on the title or the frame only chooses the plane. Drag a "
              "dot on a line to turn that plane in steps of 15°, with Shift freely. The wheel moves the plane, with "
              "Ctrl it zooms. Arrow keys move the point by one voxel, Page Up and Page Down the plane; with Shift by "
              "ten. The middle button moves the image, the right button changes the grey window.");
}

} // namespace ui
