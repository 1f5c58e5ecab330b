// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/axis/opposite_view.h"

#include "ui/widgets/curve_colours.h"
#include "ui/widgets/focus_frame.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>

#include <algorithm>

namespace ui
{

namespace
{

constexpr double fineShareOfDrag = 0.1; // with Shift, relative to a normal drag
constexpr double fineKeyStep = 0.01, keyStep = 0.25;

} // namespace

OppositeView::OppositeView(QWidget* parent) : QWidget(parent)
{
    setObjectName(QStringLiteral("oppositeViews"));
    setAccessibleName(tr("Opposite views, one of them mirrored about the axis"));
    setToolTip(tr("A view (0°) and the one from behind (180°), mirrored about the axis: they coincide if the axis is "
                  "right. Drag sideways to move it (Shift: finely); arrow keys: 0.25 bin, 0.01 with Ctrl"));
    setCursor(Qt::SizeHorCursor);
    setFocusPolicy(Qt::StrongFocus);
}

void OppositeView::setLines(std::optional<engine::OppositeLines> lines)
{
    m_lines = std::move(lines);
    if (m_lines && !m_lines->here.empty()) {
        const auto [leastHere, mostHere] = std::ranges::minmax(m_lines->here);
        const auto [leastThere, mostThere] = std::ranges::minmax(m_lines->opposite);
        m_least = std::min(leastHere, leastThere);
        m_most = std::max({mostHere, mostThere, m_least + 1e-12});
    }
    update();
}

void OppositeView::setAxis(double bins)
{
    m_axis = bins;
    update();
}

double OppositeView::axisPerPixel() const
{
    return m_lines ? static_cast<double>(m_lines->here.size()) / (2.0 * std::max(1, width())) : 0;
}

QSize OppositeView::sizeHint() const
{
    return {100, 5 * fontMetrics().height()};
}

QPolygonF OppositeView::curve(const std::vector<double>& values, bool isMirrored) const
{
    QPolygonF points;
    const auto bins = static_cast<double>(values.size());
    for (std::size_t k = 0; k < values.size(); ++k) {
        const auto bin = static_cast<double>(k);
        const double position = isMirrored ? 2 * m_axis - bin : bin;
        points << QPointF((position + 0.5) / bins * width(),
                          2 + (height() - 4) * (1 - (values[k] - m_least) / (m_most - m_least)));
    }
    return points;
}

void OppositeView::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    const CurveColours colours = curveColours(palette());
    painter.fillRect(rect(), colours.background);
    if (!m_lines || m_lines->here.empty()) {
        painter.setPen(colours.quietText);
        painter.drawText(rect(), Qt::AlignCenter | Qt::TextWordWrap, tr("The scan has no opposite views"));
        drawFocusFrame(painter, *this, rect());
        return;
    }
    painter.setRenderHint(QPainter::Antialiasing);
    const double middle = (m_axis + 0.5) / static_cast<double>(m_lines->here.size()) * width();
    painter.setPen(QPen(colours.quietText, 1, Qt::DashLine));
    painter.drawLine(QPointF(middle, 0), QPointF(middle, height()));
    painter.setPen(QPen(colours.a, 1.2));
    painter.drawPolyline(curve(m_lines->here, false));
    painter.setPen(QPen(colours.b, 1.2));
    painter.drawPolyline(curve(m_lines->opposite, true));
    painter.setPen(colours.a);
    painter.drawText(rect().adjusted(3, 1, -3, -1), Qt::AlignLeft | Qt::AlignTop, tr("0°"));
    painter.setPen(colours.b);
    painter.drawText(rect().adjusted(3, 1, -3, -1), Qt::AlignRight | Qt::AlignTop, tr("180° mirrored"));
    drawFocusFrame(painter, *this, rect());
}

void OppositeView::mousePressEvent(QMouseEvent* event)
{
    if (event->button() == Qt::LeftButton && m_lines)
        m_previous = event->position().x();
}

void OppositeView::mouseMoveEvent(QMouseEvent* event)
{
    if (!m_previous)
        return;
    const double share = event->modifiers().testFlag(Qt::ShiftModifier) ? fineShareOfDrag : 1;
    emit moved((event->position().x() - *m_previous) * axisPerPixel() * share);
    m_previous = event->position().x();
}

void OppositeView::mouseReleaseEvent(QMouseEvent* event)
{
    if (event->button() != Qt::LeftButton || !m_previous)
        return;
    m_previous.reset();
    emit released();
}

void OppositeView::keyPressEvent(QKeyEvent* event)
{
    const int way = event->key() == Qt::Key_Right ? 1 : event->key() == Qt::Key_Left ? -1 : 0;
    if (way == 0 || !m_lines)
        return QWidget::keyPressEvent(event);
    emit moved(way * (event->modifiers().testFlag(Qt::ControlModifier) ? fineKeyStep : keyStep));
    emit released();
}

} // namespace ui
