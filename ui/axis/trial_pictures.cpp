// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/axis/trial_pictures.h"

#include "ui/widgets/curve_colours.h"
#include "ui/widgets/focus_frame.h"

#include <QKeyEvent>
#include <QLabel>
#include <QMouseEvent>
#include <QPainter>

#include <algorithm>
#include <utility>

namespace ui
{

namespace
{

constexpr int largestSide = 640, gap = 8; // in device-independent pixels

} // namespace

TrialPictures::TrialPictures(QWidget* parent) : QWidget(parent)
{
    setObjectName(QStringLiteral("trialPictures"));
    setAccessibleName(tr("Trial slices"));
    setToolTip(tr("Slices with the axis at the given positions. Point at one to see it large. Click one to use its "
                  "axis; the step becomes finer, or coarser at the ends."));
    setMinimumHeight(96);
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setCursor(Qt::PointingHandCursor);
}

void TrialPictures::setTrials(std::vector<TrialSlice> trials)
{
    m_trials = std::move(trials);
    showLarge(m_large);
    update();
}

void TrialPictures::setTrial(std::size_t k, TrialSlice trial)
{
    m_trials[k] = std::move(trial);
    if (m_large == k)
        showLarge(k);
    update();
}

QRectF TrialPictures::cell(std::size_t k) const
{
    const double wide = width() / static_cast<double>(count);
    return {wide * static_cast<double>(k), 0, wide, static_cast<double>(height())};
}

void TrialPictures::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::SmoothPixmapTransform);
    painter.setRenderHint(QPainter::Antialiasing);
    const CurveColours colours = curveColours(palette());
    const int line = fontMetrics().height();
    const double curveHeight = std::max(16.0, height() * 0.18);
    for (std::size_t k = 0; k < m_trials.size(); ++k) {
        const QRectF all = cell(k).adjusted(2, 0, -2, 0);
        const double side = std::min(all.width(), all.height() - line - curveHeight - 2);
        const QRectF picture(all.center().x() - side / 2, 0, side, side);
        if (m_trials[k].image.isNull())
            painter.fillRect(picture, colours.grid);
        else
            painter.drawImage(picture, m_trials[k].image);
        if (k == count / 2) { // the present axis
            painter.setPen(QPen(colours.a, 2));
            painter.drawRect(picture.adjusted(1, 1, -1, -1));
        }
        if (k == m_focused)
            drawFocusFrame(painter, *this, QRectF(all.left(), 0, all.width(), side + line));
        painter.setPen(colours.text);
        painter.drawText(QRectF(all.left(), side, all.width(), line), Qt::AlignCenter,
                         QString::number(m_trials[k].axisBins, 'f', 2));
    }
    if (m_trials.empty())
        drawFocusFrame(painter, *this, rect());
    // Directly below the pictures, with a limited height.
    const double side = std::min(cell(0).width() - 4, height() - line - curveHeight - 2);
    const QRectF curves(0, side + line + 2, width(), std::min(height() - side - line - 4, 5.0 * line));
    drawCurve(painter, &engine::Sharpness::entropy, colours.a, curves);
    drawCurve(painter, &engine::Sharpness::totalVariation, colours.b, curves);
}

// Shows a slice large, over the images above the strip: moving the pointer from one to the next compares them in place.
void TrialPictures::showLarge(std::optional<std::size_t> k)
{
    m_large = k;
    const QPoint foot = parentWidget()->mapTo(window(), QPoint(width() / 2, 0)); // leaves the strip's controls free
    const int side = std::min({largestSide, foot.y() - 2 * gap, window()->width() - 2 * gap});
    const bool isThere = k && *k < m_trials.size() && !m_trials[*k].image.isNull();
    if (!isThere || side <= cell(*k).width()) {
        delete m_label;
        return;
    }
    if (!m_label) {
        m_label = new QLabel(window());
        m_label->setObjectName(QStringLiteral("largeTrial"));
        m_label->setAttribute(Qt::WA_TransparentForMouseEvents);
        m_label->setFrameStyle(QFrame::Box);
    }
    const double ratio = devicePixelRatioF();
    QPixmap picture = QPixmap::fromImage(
        m_trials[*k].image.scaled(QSize(side, side) * ratio, Qt::KeepAspectRatio, Qt::SmoothTransformation));
    picture.setDevicePixelRatio(ratio);
    QPainter painter(&picture);
    painter.setFont(font());
    const QString text = tr("axis %1").arg(m_trials[*k].axisBins, 0, 'f', 2);
    const QRect plate(6, 6, fontMetrics().horizontalAdvance(text) + 12, fontMetrics().height() + 4);
    painter.fillRect(plate, QColor(0, 0, 0, 160));
    painter.setPen(Qt::white);
    painter.drawText(plate, Qt::AlignCenter, text);
    painter.end();
    m_label->setPixmap(picture);
    m_label->adjustSize();
    m_label->move(foot - QPoint(m_label->width() / 2, m_label->height() + gap));
    m_label->raise();
    m_label->show();
}

std::optional<std::size_t> TrialPictures::at(const QPointF& position) const
{
    for (std::size_t k = 0; k < m_trials.size(); ++k)
        if (cell(k).contains(position))
            return k;
    return {};
}

void TrialPictures::mouseMoveEvent(QMouseEvent* event)
{
    if (const auto k = at(event->position()); k != m_large)
        showLarge(k);
}

void TrialPictures::leaveEvent(QEvent*)
{
    showLarge({});
}

void TrialPictures::focusOutEvent(QFocusEvent* event)
{
    QWidget::focusOutEvent(event);
    showLarge({});
}

void TrialPictures::hideEvent(QHideEvent* event)
{
    QWidget::hideEvent(event);
    showLarge({});
}

void TrialPictures::mousePressEvent(QMouseEvent* event)
{
    if (const auto k = at(event->position()); k && event->button() == Qt::LeftButton)
        emit taken(*k);
}

void TrialPictures::keyPressEvent(QKeyEvent* event)
{
    if (event->key() == Qt::Key_Left)
        m_focused = m_focused == 0 ? 0 : m_focused - 1;
    else if (event->key() == Qt::Key_Right)
        m_focused = std::min<std::size_t>(count - 1, m_focused + 1);
    else if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Space)
        emit taken(m_focused);
    else
        return QWidget::keyPressEvent(event);
    showLarge(event->key() == Qt::Key_Left || event->key() == Qt::Key_Right ? std::optional(m_focused) : std::nullopt);
    update();
}

// Draws a measure of sharpness, scaled to its range. The smallest value, of the sharpest slice, is at the top.
void TrialPictures::drawCurve(QPainter& painter, double engine::Sharpness::*measure, const QColor& colour,
                              const QRectF& place) const
{
    std::vector<double> values;
    for (const TrialSlice& trial : m_trials)
        if (trial.sharpness)
            values.push_back((*trial.sharpness).*measure);
    if (values.size() < 2)
        return;
    const auto [least, most] = std::ranges::minmax(values);
    QPolygonF points;
    for (std::size_t k = 0; k < m_trials.size(); ++k)
        if (const auto& sharpness = m_trials[k].sharpness) {
            const double share = most > least ? ((*sharpness).*measure - least) / (most - least) : 0;
            points << QPointF(cell(k).center().x(), place.top() + 3 + share * (place.height() - 6));
        }
    painter.setPen(QPen(colour, 1.5));
    painter.drawPolyline(points);
    painter.setBrush(colour);
    for (const QPointF& point : points)
        painter.drawEllipse(point, 2, 2);
    painter.setBrush(Qt::NoBrush);
}

} // namespace ui
