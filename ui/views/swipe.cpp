// SPDX-License-Identifier: GPL-3.0-or-later
// A on one side of a divider, B on the other. The divider stands still while the images move under it.
#include "ui/views/compositions.h"
#include "ui/views/plate.h"

#include <QCoreApplication>
#include <QKeyEvent>
#include <QPainter>
#include <QSettings>
#include <QToolButton>

#include <algorithm>
#include <cmath>

namespace ui
{

namespace
{

const QString turnedKey = QStringLiteral("views/swipe/turned");
const QString placeKey = QStringLiteral("views/swipe/place");

class Swipe : public Composition
{
    Q_DECLARE_TR_FUNCTIONS(ui::Swipe)
  public:
    void paint(QPainter& painter, const Canvas& stage) override
    {
        const auto [ofA, ofB] = parts(stage);
        stage.a.paint(painter, ofA);
        stage.b.paint(painter, ofB);
    }

    void decorate(QPainter& painter, const Canvas& stage) override
    {
        const auto [ofA, ofB] = parts(stage);
        const QLineF divider =
            m_turned ? QLineF(ofB.topLeft(), ofB.topRight()) : QLineF(ofB.topLeft(), ofB.bottomLeft());
        for (const auto& pen : {QPen(QColor(0, 0, 0, 150), 3.5), QPen(Qt::white, 1.5)}) {
            painter.setPen(pen);
            painter.drawLine(divider);
        }
        painter.setPen(QPen(QColor(0, 0, 0, 150), 1));
        painter.setBrush(Qt::white);
        painter.drawEllipse(divider.center(), gripRadius, gripRadius);
        const QPointF along = m_turned ? QPointF(0, 1) : QPointF(1, 0), across(along.y(), along.x());
        painter.setPen(QPen(QColor(60, 60, 60), 1.6, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
        painter.setBrush(Qt::NoBrush);
        for (const double way : {-1.0, 1.0}) { // two arrow heads
            const QPointF tip = divider.center() + way * 5.5 * along, back = divider.center() + way * 2.5 * along;
            painter.drawPolyline(QPolygonF({back - 3 * across, tip, back + 3 * across}));
        }
        constexpr double edge = 8;
        drawPlate(painter, ofA.adjusted(edge, edge, -edge, -edge), m_turned ? Qt::AlignBottom : Qt::AlignRight,
                  planeA().title, stage.palette);
        drawPlate(painter, ofB.adjusted(edge, edge, -edge, -edge), Qt::AlignTop, planeB().title, stage.palette);
    }

    Shown shownAt(const QPointF& position, const Canvas& stage) const override
    {
        return (m_turned ? position.y() : position.x()) < place(stage) ? Shown::a : Shown::b;
    }

    bool press(const QPointF& position, const Canvas& stage) override
    {
        const double from = m_turned ? position.y() : position.x();
        if (std::abs(from - place(stage)) > reach)
            return false;
        m_grabbed = from - place(stage);
        return true;
    }

    void drag(const QPointF& position, const Canvas& stage) override
    {
        const double length = m_turned ? stage.room.height() : stage.room.width();
        moveTo(((m_turned ? position.y() : position.x()) - m_grabbed) / std::max(length, 1.0));
    }

    bool keyPress(const QKeyEvent& event, const Canvas&) override
    {
        const bool shifted = event.modifiers().testFlag(Qt::ShiftModifier);
        const int key = event.key();
        if (key == Qt::Key_X)
            turn(!m_turned);
        else if (key == Qt::Key_Comma || (shifted && (key == Qt::Key_Left || key == Qt::Key_Up)))
            moveTo(m_share - step);
        else if (key == Qt::Key_Period || (shifted && (key == Qt::Key_Right || key == Qt::Key_Down)))
            moveTo(m_share + step);
        else
            return false;
        return true;
    }

    std::optional<Qt::CursorShape> cursorAt(const QPointF& position, const Canvas& stage) const override
    {
        if (std::abs((m_turned ? position.y() : position.x()) - place(stage)) > reach)
            return std::nullopt;
        return m_turned ? Qt::SplitVCursor : Qt::SplitHCursor;
    }

    QWidget* makeControls(QWidget* parent) override
    {
        m_button = new QToolButton(parent);
        m_button->setObjectName(QStringLiteral("swipeTurned"));
        m_button->setText(tr("Above and below"));
        m_button->setAccessibleName(tr("Divider between above and below"));
        m_button->setToolTip(
            tr("The image above the divider and the reference below it, instead of left and right (key X)"));
        m_button->setCheckable(true);
        m_button->setChecked(m_turned);
        m_button->setAutoRaise(true);
        connect(m_button, &QToolButton::toggled, this, &Swipe::turn);
        return m_button;
    }

    void moveAside() override { moveTo(0.42); }

    QString keys() const override
    {
        return tr("Drag the divider, or move it with Shift and the arrow keys, comma and full stop; X turns it.");
    }

    void saveState(QSettings& settings) const override
    {
        settings.setValue(turnedKey, m_turned);
        settings.setValue(placeKey, m_share);
    }

    void restoreState(const QSettings& settings) override
    {
        turn(settings.value(turnedKey, false).toBool());
        moveTo(settings.value(placeKey, 0.5).toDouble());
    }

  private:
    static constexpr double reach = 7, gripRadius = 9, step = 0.02;

    double place(const Canvas& stage) const
    {
        return stage.toDevicePixel(m_share * (m_turned ? stage.room.height() : stage.room.width()));
    }

    std::pair<QRectF, QRectF> parts(const Canvas& stage) const
    {
        QRectF ofA = stage.room, ofB = stage.room;
        if (m_turned) {
            ofA.setBottom(place(stage));
            ofB.setTop(place(stage));
        } else {
            ofA.setRight(place(stage));
            ofB.setLeft(place(stage));
        }
        return {ofA, ofB};
    }

    void moveTo(double share)
    {
        m_share = std::isfinite(share) ? std::clamp(share, 0.0, 1.0) : 0.5;
        emit changed();
    }

    void turn(bool turned)
    {
        m_turned = turned;
        if (m_button)
            m_button->setChecked(turned);
        emit changed();
    }

    bool m_turned = false; // the divider is horizontal
    double m_share = 0.5;  // share of the view for A
    double m_grabbed = 0;  // from the divider's middle to the press
    QToolButton* m_button = nullptr;
};

} // namespace

std::unique_ptr<Composition> makeSwipe()
{
    return std::make_unique<Swipe>();
}

} // namespace ui
