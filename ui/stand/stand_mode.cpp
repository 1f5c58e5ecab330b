// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/stand/stand_mode.h"

#include "engine/measure/speed_spread.h"
#include "ui/image/colour_map.h"
#include "ui/image/image_statistics.h"
#include "ui/speed/speed_rows.h"
#include "ui/widgets/displayed_number.h"

#include <QKeyEvent>
#include <QPainter>

#include <algorithm>

namespace ui
{

namespace
{

const QColor standPaper(0x12, 0x14, 0x18), standInk(0xf2, 0xf2, 0xf2), standQuiet(0x9a, 0xa4, 0xb0),
    standBar(0x4f, 0xa3, 0xe3), standOther(0x46, 0x50, 0x5c);

void setSize(QPainter& painter, double pixels, bool isBold = false)
{
    QFont font = painter.font();
    font.setPixelSize(std::max(1, static_cast<int>(pixels)));
    font.setBold(isBold);
    painter.setFont(font);
}

} // namespace

StandMode::StandMode(const engine::Request& request, double secondsPerStep, QWidget* parent)
    : QWidget(parent, Qt::Window), m_run(request, secondsPerStep)
{
    setObjectName(QStringLiteral("standMode"));
    setAttribute(Qt::WA_DeleteOnClose);
    setAttribute(Qt::WA_OpaquePaintEvent);
    setWindowTitle(tr("Sinoscope"));
    setAccessibleName(tr("Stand mode: any key ends it"));
    setCursor(Qt::BlankCursor);
    setFocusPolicy(Qt::StrongFocus);
    m_redraw.setInterval(66);
    connect(&m_redraw, &QTimer::timeout, this, [this] { update(); });
    m_redraw.start();
}

bool StandMode::event(QEvent* event)
{
    if (event->type() == QEvent::ShortcutOverride) // keys of the menus end it, too
        event->accept();
    return QWidget::event(event);
}

void StandMode::keyPressEvent(QKeyEvent*)
{
    close();
}

void StandMode::mousePressEvent(QMouseEvent*)
{
    close();
}

void StandMode::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.fillRect(rect(), standPaper);
    const StandState state = m_run.state();
    const double margin = 0.03 * height();
    const double side = std::min<double>(height() - 2 * margin, 0.58 * width());
    paintImage(painter, QRectF(margin, (height() - side) / 2, side, side), state);
    const QRectF right(2 * margin + side, margin, width() - 3 * margin - side, height() - 2 * margin);
    painter.setPen(standInk);
    if (!state.problem.isEmpty()) {
        setSize(painter, 0.028 * height());
        painter.drawText(right, Qt::AlignLeft | Qt::AlignTop | Qt::TextWordWrap, state.problem);
        return;
    }
    paintSpeed(painter, QRectF(right.left(), right.top(), right.width(), 0.46 * right.height()), state);
    paintBars(painter, QRectF(right.left(), right.top() + 0.48 * right.height(), right.width(), 0.46 * right.height()),
              state);
    setSize(painter, 0.018 * height());
    painter.setPen(standQuiet);
    painter.drawText(right, Qt::AlignRight | Qt::AlignBottom, tr("Sinoscope · any key ends this"));
}

void StandMode::paintImage(QPainter& painter, const QRectF& place, const StandState& state)
{
    if (!state.image) {
        painter.fillRect(place, Qt::black);
        return;
    }
    const Pixels pixels(planeOf(state.image, state.image->request.place.slices().first, {}));
    if (!m_hasWindow) {
        m_window = automaticWindow(sampleDisc(pixels));
        m_hasWindow = true;
    }
    const double ratio = devicePixelRatioF();
    const double scale = ratio * std::min(place.width() / pixels.width(), place.height() / pixels.height());
    const QSize size(static_cast<int>(scale * pixels.width()), static_cast<int>(scale * pixels.height()));
    QImage image =
        shade(resample(pixels, scale, QPointF(scale / 2, scale / 2), size), m_window, colourMaps().front().colours);
    image.setDevicePixelRatio(ratio);
    painter.drawImage(place.center() - QPointF(size.width(), size.height()) / (2 * ratio), image);
}

void StandMode::paintSpeed(QPainter& painter, const QRectF& place, const StandState& state)
{
    const StandStep& step = m_run.steps()[state.step];
    const StandState::Speed& speed = state.speeds[state.step];
    double top = place.top();
    const auto line = [&](const QString& text, double size, const QColor& colour, bool isBold = false) {
        setSize(painter, size * height(), isBold);
        painter.setPen(colour);
        const QRectF box(place.left(), top, place.width(), place.bottom() - top);
        QRectF used;
        painter.drawText(box, Qt::AlignLeft | Qt::AlignTop | Qt::TextWordWrap, text, &used);
        top += used.height() + 0.006 * height();
    };
    line(step.name, 0.042, standInk, true);
    line(step.text, 0.022, standQuiet);
    const double gups = engine::spreadOf(speed.kernelGups).median;
    line(tr("%1 GU/s").arg(gups > 0 ? gupsText(gups) : QStringLiteral("–")), 0.085, standBar, true);
    if (state.image && gups > 0) {
        const engine::Reconstruction& made = *state.image;
        line(speedInWords({made.grid.width, made.grid.height, engine::projectionsOf(made.request)}, gups,
                          engine::spreadOf(speed.totalGups).median),
             0.02, standQuiet);
    }
    if (speed.error >= 0)
        line(tr("Error against double precision: %1 of the image's range").arg(errorText(speed.error)), 0.022,
             standInk);
    // The latest runs, the newest on the right.
    const QRectF chart(place.left(), top + 0.01 * height(), place.width(), place.bottom() - top - 0.02 * height());
    if (speed.kernelGups.empty() || chart.height() < 10)
        return;
    const double fastest = *std::ranges::max_element(speed.kernelGups);
    const double pitch = chart.width() / 60;
    double left = chart.right() - pitch * static_cast<double>(speed.kernelGups.size());
    for (const double run : speed.kernelGups) {
        const double bar = chart.height() * run / fastest;
        painter.fillRect(QRectF(left, chart.bottom() - bar, 0.7 * pitch, bar), standOther);
        left += pitch;
    }
}

// A row for each setting: its speed, and its error beside it; then other programs.
void StandMode::paintBars(QPainter& painter, const QRectF& place, const StandState& state)
{
    const engine::PublishedGroup* elsewhere = state.image ? &standGroup(*state.image) : nullptr;
    const std::vector<engine::PublishedSpeed> others =
        elsewhere ? standOthers(*elsewhere) : std::vector<engine::PublishedSpeed>();
    double fastest = others.empty() ? 0 : others.front().gups;
    for (const StandState::Speed& speed : state.speeds)
        fastest = std::max(fastest, engine::spreadOf(speed.kernelGups).median);
    const double rows = static_cast<double>(state.speeds.size() + others.size()) + 3.5;
    const double pitch = std::min(place.height() / rows, 0.04 * height());
    setSize(painter, 0.6 * pitch);
    const double name = 0.36 * place.width(), value = 0.15 * place.width(), error = 0.2 * place.width();
    const double length = place.width() - name - value - error;
    double top = place.top();
    const auto cell = [&](double left, double width, int alignment, const QString& text) {
        painter.drawText(QRectF(left, top, width, pitch), alignment | Qt::AlignVCenter,
                         painter.fontMetrics().elidedText(text, Qt::ElideRight, static_cast<int>(width)));
    };
    const auto bar = [&](const QString& label, double gups, const QColor& colour) {
        cell(place.left(), name, Qt::AlignLeft, label);
        if (!(gups > 0))
            return;
        painter.fillRect(
            QRectF(place.left() + name, top + 0.25 * pitch, std::max(1.0, length * gups / fastest), 0.5 * pitch),
            colour);
        cell(place.left() + name + length, value, Qt::AlignRight, gupsText(gups));
    };
    painter.setPen(standQuiet);
    cell(place.left() + name + length, value, Qt::AlignRight, tr("GU/s"));
    cell(place.right() - error, error, Qt::AlignRight, tr("error"));
    for (std::size_t k = 0; k < state.speeds.size(); ++k) {
        top += pitch;
        painter.setPen(k == state.step ? standInk : standQuiet);
        bar(m_run.steps()[k].name, engine::spreadOf(state.speeds[k].kernelGups).median,
            k == state.step ? standBar : standOther);
        if (state.speeds[k].error >= 0)
            cell(place.right() - error, error, Qt::AlignRight, errorText(state.speeds[k].error));
    }
    if (others.empty())
        return;
    top += 1.5 * pitch;
    painter.setPen(standQuiet);
    cell(place.left(), place.width(), Qt::AlignLeft, tr("Others, measured elsewhere:"));
    top += 0.85 * pitch;
    cell(place.left(), place.width(), Qt::AlignLeft, QString::fromStdString(elsewhere->device));
    for (const engine::PublishedSpeed& one : others) {
        top += pitch;
        bar(QString::fromStdString(one.program), one.gups, standOther);
    }
}

} // namespace ui
