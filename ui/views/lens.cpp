// SPDX-License-Identifier: GPL-3.0-or-later
// The precision lens: B in a round hole of A. Beside it stands the difference of both inside the lens, in figures and
// in words. The words compare it with the noise of B in the same place: a difference below the noise is no larger than
// that between two scans of the same object.
#include "engine/compare/statistics.h"
#include "ui/views/compositions.h"
#include "ui/views/newest_wins.h"
#include "ui/views/plate.h"
#include "ui/widgets/displayed_number.h"
#include "ui/widgets/saved_painter.h"

#include <QCoreApplication>
#include <QKeyEvent>
#include <QPainter>
#include <QPainterPath>
#include <QSettings>

#include <algorithm>
#include <cmath>

namespace ui
{

namespace
{

const QString radiusKey = QStringLiteral("views/lens/radius");

class Lens : public Composition
{
    Q_DECLARE_TR_FUNCTIONS(ui::Lens)
  public:
    QString title() const override
    {
        return planeB().title.isEmpty() ? planeA().title
                                        : tr("%1   in the lens: %2").arg(planeA().title, planeB().title);
    }

    void paint(QPainter& painter, const Canvas& stage) override
    {
        stage.a.paint(painter);
        if (!stage.b.isThere())
            return;
        QPainterPath round;
        round.addEllipse(middle(stage), m_radius, m_radius);
        const SavedPainter saved(painter);
        painter.setClipPath(round);
        const QRectF around = round.boundingRect(); // where B is missing, A must not show in the lens
        painter.fillRect(around, stage.palette.color(QPalette::Window));
        stage.b.paint(painter);
    }

    void decorate(QPainter& painter, const Canvas& stage) override
    {
        measure(stage);
        const QPointF centre = middle(stage);
        painter.setBrush(Qt::NoBrush);
        for (const auto& pen : {QPen(QColor(0, 0, 0, 170), 4.5), QPen(Qt::white, 2)}) {
            painter.setPen(pen);
            painter.drawEllipse(centre, m_radius, m_radius);
        }
        if (!m_figures || !comparable())
            return;
        constexpr double gap = 10, width = 250, height = 90;
        const bool right = centre.x() + m_radius + gap + width <= stage.room.right();
        const bool left = centre.x() - m_radius - gap - width >= stage.room.left();
        const double top =
            std::clamp(centre.y() - height / 2, stage.room.top() + 8, std::max(stage.room.bottom() - height, 8.0));
        if (right)
            drawPlate(painter, QRectF(centre.x() + m_radius + gap, top, width, height), Qt::AlignLeft, text(),
                      stage.palette);
        else if (left)
            drawPlate(painter, QRectF(centre.x() - m_radius - gap - width, top, width, height), Qt::AlignRight, text(),
                      stage.palette);
        else // the lens is nearly as wide as the view
            drawPlate(painter, stage.room.adjusted(8, 8, -8, -8), Qt::AlignLeft | Qt::AlignBottom, text(),
                      stage.palette);
    }

    Shown shownAt(const QPointF& position, const Canvas& stage) const override
    {
        return isInside(position, stage) ? Shown::b : Shown::a;
    }

    bool press(const QPointF& position, const Canvas& stage) override
    {
        m_grabbed = position - middle(stage);
        return isInside(position, stage);
    }

    void drag(const QPointF& position, const Canvas& stage) override
    {
        moveTo(stage.toScreen.inverted().map(position - m_grabbed));
    }

    bool wheel(const QPointF& position, double doublings, const Canvas& stage) override
    {
        if (!isInside(position, stage))
            return false;
        resize(m_radius * std::exp2(doublings));
        return true;
    }

    bool keyPress(const QKeyEvent& event, const Canvas& stage) override
    {
        const bool shifted = event.modifiers().testFlag(Qt::ShiftModifier);
        const double step = 10 / stage.toScreen.m11();
        if (event.key() == Qt::Key_Comma)
            resize(m_radius / growth);
        else if (event.key() == Qt::Key_Period)
            resize(m_radius * growth);
        else if (shifted && (event.key() == Qt::Key_Left || event.key() == Qt::Key_Right))
            moveTo(centre() + QPointF(event.key() == Qt::Key_Left ? -step : step, 0));
        else if (shifted && (event.key() == Qt::Key_Up || event.key() == Qt::Key_Down))
            moveTo(centre() + QPointF(0, event.key() == Qt::Key_Up ? -step : step));
        else
            return false;
        return true;
    }

    std::optional<Qt::CursorShape> cursorAt(const QPointF& position, const Canvas& stage) const override
    {
        return isInside(position, stage) ? std::optional(Qt::SizeAllCursor) : std::nullopt;
    }

    void moveAside() override
    {
        resize(60);
        moveTo(extent().topLeft() + QPointF(0.3 * extent().width(), 0.3 * extent().height()));
    }

    QString keys() const override
    {
        return tr("Drag the lens, or move it with Shift and the arrow keys; the wheel over it, comma and full stop "
                  "change its size.");
    }

    QString said() const override { return m_figures && comparable() ? text() : QString(); }

    void saveState(QSettings& settings) const override { settings.setValue(radiusKey, m_radius); }
    void restoreState(const QSettings& settings) override { resize(settings.value(radiusKey, 90).toDouble()); }

  private:
    static constexpr double growth = 1.15, least = 24, most = 600; // factor per key; limits of the radius

    struct Place { // what the figures were computed for
        QPointF centre;
        double radius = 0; // in pixels of the slice
        const engine::Volume *a = nullptr, *b = nullptr;
        bool operator==(const Place&) const = default;
    };
    struct Figures {
        engine::Metrics metrics;
        double noise = 0;
    };

    void planesChanged() override
    {
        if (m_centre && planeA() && !extent().contains(*m_centre))
            m_centre.reset(); // it belonged to another scan
        if (!comparable()) {
            m_measuring.forget();
            m_measured.reset();
            m_figures.reset();
        }
    }

    bool comparable() const
    {
        return planeA() && planeB() && planeA().grid == planeB().grid && planeA().grid.step == 1;
    }

    QPointF centre() const { return m_centre.value_or(extent().center()); }
    // Returns the rectangle between the centres of the outermost pixels: of the whole slice, or of an image that
    // isn't square.
    QRectF extent() const
    {
        const engine::SliceGrid& grid = planeA().grid;
        const double last = std::max(grid.size - 1, 0);
        if (grid.x0 == 0 && grid.y0 == 0 && grid.step == 1 && grid.width > 0 && grid.height > 0 &&
            std::max(grid.width, grid.height) == grid.size)
            return {QPointF(0, 0), QPointF(grid.width - 1, grid.height - 1)};
        return {QPointF(0, 0), QPointF(last, last)};
    }
    QPointF middle(const Canvas& stage) const { return stage.toScreen.map(centre()); }
    bool isInside(const QPointF& position, const Canvas& stage) const
    {
        const QPointF offset = position - middle(stage);
        return std::hypot(offset.x(), offset.y()) <= m_radius;
    }

    void moveTo(const QPointF& position)
    {
        const QRectF extent = this->extent();
        m_centre =
            QPointF(std::clamp(position.x(), 0.0, extent.right()), std::clamp(position.y(), 0.0, extent.bottom()));
        emit changed();
    }

    void resize(double radius)
    {
        m_radius = std::isfinite(radius) ? std::clamp(radius, least, most) : 90;
        emit changed();
    }

    // Computes the figures in the background: painting doesn't wait for them.
    void measure(const Canvas& stage)
    {
        if (!comparable())
            return;
        const GridSlice &a = planeA(), &b = planeB();
        // At a radius of 1 pixel or more, the pixel under the middle always counts.
        const Place place{centre(), std::max(m_radius / stage.toScreen.m11(), 1.0), a.volume.get(), b.volume.get()};
        const engine::EllipseArea round{place.centre.x(), place.centre.y(), place.radius, place.radius};
        if (m_measured == place || !reaches(round, a.grid))
            return;
        m_measured = place;
        engine::Mask mask;
        mask.area = engine::areaOn(round, a.grid);
        m_measuring.ask([this, a, b, mask]() -> std::function<void()> {
            const int width = a.grid.width, height = a.grid.height;
            const Figures found{engine::compareImages(a.values(), b.values(), width, height, mask),
                                engine::statisticsOf(b.values(), width, height, mask).noise};
            return [this, found] {
                m_figures = found;
                emit changed();
            };
        });
    }

    // Returns whether the middle lies on the grid, which may be a region of the slice.
    static bool reaches(const engine::EllipseArea& round, const engine::SliceGrid& grid)
    {
        return round.x >= grid.x0 && round.y >= grid.y0 && round.x <= grid.x0 + (grid.width - 1) * grid.step &&
               round.y <= grid.y0 + (grid.height - 1) * grid.step;
    }

    QString text() const
    {
        const engine::Metrics& metrics = m_figures->metrics;
        return tr("RMSE %1 · max %2 %3").arg(errorText(metrics.rmse), errorText(metrics.maximum), planeA().unit) +
               QLatin1Char('\n') + tr("PSNR %1 dB · SSIM %2").arg(decibelText(metrics.psnrDb), ssimText(metrics.ssim)) +
               QLatin1Char('\n') + verdict();
    }

    QString verdict() const
    {
        if (m_figures->metrics.notFinite > 0)
            return tr("%n not finite", nullptr, int(m_figures->metrics.notFinite));
        if (m_figures->metrics.maximum == 0)
            return tr("identical");
        if (!(m_figures->noise > 0))
            return tr("no noise here to compare with");
        const double sigmas = m_figures->metrics.rmse / m_figures->noise;
        const QString number = sigmas < 0.01  ? tr("under 0.01 σ")
                               : sigmas < 100 ? tr("%1 σ").arg(sigmas, 0, 'g', 2)
                                              : tr("over 100 σ");
        return number + QStringLiteral(": ") +
               (sigmas < 1   ? tr("below the noise")
                : sigmas < 2 ? tr("as large as the noise")
                             : tr("above the noise"));
    }

    std::optional<QPointF> m_centre; // pixel of the slice; none: its middle
    double m_radius = 90;            // device-independent pixels
    QPointF m_grabbed;
    std::optional<Place> m_measured; // latest request
    std::optional<Figures> m_figures;
    NewestWins m_measuring; // last member: destroyed first, so that no result comes too late
};

} // namespace

std::unique_ptr<Composition> makeLens()
{
    return std::make_unique<Lens>();
}

} // namespace ui
