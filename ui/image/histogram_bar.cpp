// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/image/histogram_bar.h"

#include "ui/image/value_text.h"
#include "ui/widgets/saved_painter.h"

#include <QMouseEvent>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace ui
{

namespace
{

constexpr double margin = 7;       // left and right, room for a handle at the very end
constexpr double colourHeight = 5; // of the strip of colours below the counts
constexpr double gripReach = 8;
constexpr int barHeight = 24;

QColor faded(QColor colour, float opacity)
{
    colour.setAlphaF(opacity);
    return colour;
}

} // namespace

QImage colourStrip(const ColourTable& colours)
{
    QImage image(256, 1, QImage::Format_RGB32);
    std::copy_n(colours.begin(), 256, reinterpret_cast<QRgb*>(image.scanLine(0)));
    return image;
}

QPainterPath histogramPath(const std::vector<int>& counts, const QRectF& area)
{
    const int largest = counts.empty() ? 0 : *std::ranges::max_element(counts);
    if (largest <= 0)
        return {};
    const auto count = static_cast<double>(counts.size());
    QPainterPath path(area.bottomLeft());
    for (std::size_t i = 0; i < counts.size(); ++i) {
        const double y = area.bottom() - (area.height() - 2) * std::log1p(counts[i]) / std::log1p(largest);
        path.lineTo(area.left() + area.width() * static_cast<double>(i) / count, y);
        path.lineTo(area.left() + area.width() * static_cast<double>(i + 1) / count, y);
    }
    path.lineTo(area.bottomRight());
    return path;
}

HistogramBar::HistogramBar(QWidget* parent) : QWidget(parent)
{
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setMouseTracking(true);
}

void HistogramBar::setHistogram(const std::vector<int>& counts, const GreyWindow& domain)
{
    m_counts = counts;
    m_domain = domain;
    update();
}

void HistogramBar::setWindow(const GreyWindow& window)
{
    m_window = window;
    update();
}

void HistogramBar::setColours(const ColourTable& colours)
{
    m_colours = colours;
    update();
}

double HistogramBar::positionOf(double value) const
{
    const double span = m_domain.high - m_domain.low;
    const double part = span > 0 ? (value - m_domain.low) / span : 0;
    return margin + std::clamp(part, 0.0, 1.0) * (width() - 2 * margin);
}

double HistogramBar::valueAt(double x) const
{
    const double part = std::clamp((x - margin) / std::max(1.0, width() - 2 * margin), 0.0, 1.0);
    return m_domain.low + part * (m_domain.high - m_domain.low);
}

QSize HistogramBar::sizeHint() const
{
    return {300, barHeight};
}

QSize HistogramBar::minimumSizeHint() const
{
    return {80, barHeight};
}

HistogramBar::Grip HistogramBar::gripAt(double x) const
{
    const double low = positionOf(m_window.low), high = positionOf(m_window.high);
    const double toLow = std::abs(x - low), toHigh = std::abs(x - high);
    if (std::min(toLow, toHigh) <= gripReach)
        return toLow < toHigh || (toLow == toHigh && x < low) ? Grip::low : Grip::high;
    return x > low && x < high ? Grip::both : Grip::none;
}

void HistogramBar::mousePressEvent(QMouseEvent* event)
{
    if (event->button() != Qt::LeftButton)
        return;
    m_grip = gripAt(event->position().x());
    m_windowAtPress = m_window;
    m_pressedValue = valueAt(event->position().x());
}

void HistogramBar::mouseMoveEvent(QMouseEvent* event)
{
    const double x = event->position().x();
    if (m_grip == Grip::none) {
        const Grip grip = gripAt(x);
        setCursor(grip == Grip::none ? Qt::ArrowCursor : grip == Grip::both ? Qt::SizeAllCursor : Qt::SizeHorCursor);
        return;
    }
    const double least = (m_domain.high - m_domain.low) * 1e-3; // keeps the handles from passing each other
    GreyWindow window = m_windowAtPress;
    const double move = valueAt(x) - m_pressedValue;
    if (m_grip == Grip::low)
        window.low = std::min(valueAt(x), window.high - least);
    else if (m_grip == Grip::high)
        window.high = std::max(valueAt(x), window.low + least);
    else
        window = {window.low + move, window.high + move};
    if (window != m_window)
        emit windowDragged(window);
}

void HistogramBar::mouseReleaseEvent(QMouseEvent*)
{
    m_grip = Grip::none;
}

void HistogramBar::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    const QRectF area(margin, 1, width() - 2 * margin, height() - colourHeight - 3);
    painter.fillRect(area, palette().color(QPalette::Base));
    drawCounts(painter, area);
    drawColours(painter, QRectF(margin, area.bottom() + 1, area.width(), colourHeight));
    painter.setRenderHint(QPainter::Antialiasing);
    if (isEnabled())
        for (const double value : {m_window.low, m_window.high})
            drawHandle(painter, positionOf(value));
}

void HistogramBar::drawCounts(QPainter& painter, const QRectF& area) const
{
    const QPainterPath path = histogramPath(m_counts, area);
    if (path.isEmpty())
        return;
    const QColor text = palette().color(QPalette::WindowText);
    painter.fillPath(path, faded(text, 0.25f));
    const double low = positionOf(m_window.low), high = positionOf(m_window.high);
    const SavedPainter saved(painter);
    painter.setClipRect(QRectF(QPointF(low, area.top()), QPointF(high, area.bottom())));
    painter.fillPath(path, faded(text, 0.45f));
}

void HistogramBar::drawColours(QPainter& painter, const QRectF& area) const
{
    const double low = positionOf(m_window.low), high = positionOf(m_window.high);
    painter.fillRect(QRectF(area.left(), area.top(), low - area.left(), area.height()), QColor(m_colours[0]));
    painter.drawImage(QRectF(low, area.top(), high - low, area.height()), colourStrip(m_colours));
    painter.fillRect(QRectF(high, area.top(), area.right() - high, area.height()), QColor(m_colours[255]));
}

void HistogramBar::drawHandle(QPainter& painter, double x) const
{
    const QColor accent = palette().color(QPalette::Highlight);
    painter.setPen(QPen(accent, 1.5));
    painter.drawLine(QPointF(x, 1), QPointF(x, height() - 2));
    painter.setPen(QPen(palette().color(QPalette::Base), 1));
    painter.setBrush(accent);
    painter.drawRoundedRect(QRectF(x - 4, height() / 2.0 - 10, 8, 13), 3, 3);
}

DifferenceBar::DifferenceBar(QWidget* parent) : QWidget(parent)
{
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void DifferenceBar::setColours(const ColourTable& colours)
{
    m_colours = colours;
    update();
}

QSize DifferenceBar::sizeHint() const
{
    return {90, barHeight};
}

QSize DifferenceBar::minimumSizeHint() const
{
    return {36, barHeight};
}

void DifferenceBar::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    const QRectF bar = QRectF(rect()).adjusted(1, 5, -1, -5);
    painter.setRenderHint(QPainter::SmoothPixmapTransform);
    painter.setOpacity(isEnabled() ? 1 : 0.35);
    painter.drawImage(bar, colourStrip(m_colours));
}

} // namespace ui
