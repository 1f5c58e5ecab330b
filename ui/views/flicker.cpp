// SPDX-License-Identifier: GPL-3.0-or-later
// A and B in turn, in the same place, so that differences seem to move. They alternate automatically, or by hand
// while a key is held.
#include "ui/views/compositions.h"
#include "ui/views/plate.h"

#include <QCoreApplication>
#include <QDoubleSpinBox>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QPainter>
#include <QSettings>
#include <QTimer>
#include <QToolButton>

#include <algorithm>
#include <cmath>

namespace ui
{

namespace
{

const QString frequencyKey = QStringLiteral("views/flicker/hertz");
const QString runningKey = QStringLiteral("views/flicker/running");

class Flicker : public Composition
{
    Q_DECLARE_TR_FUNCTIONS(ui::Flicker)
  public:
    Flicker()
    {
        m_timer.setTimerType(Qt::PreciseTimer);
        connect(&m_timer, &QTimer::timeout, this, [this] { show(!m_second); });
        setFrequency(2);
    }

    void setActive(bool active) override
    {
        m_active = active;
        runTimer();
    }

    QString title() const override { return (m_second ? planeB() : planeA()).title; }

    void paint(QPainter& painter, const Stage& stage) override { (m_second ? stage.b : stage.a).paint(painter); }

    void decorate(QPainter& painter, const Stage& stage) override
    {
        QFont font = painter.font();
        font.setBold(true);
        painter.setFont(font);
        // Each title has its own corner, so that a glance tells which image it is.
        drawPlate(painter, stage.room.adjusted(8, 8, -8, -8), m_second ? Qt::AlignRight : Qt::AlignLeft, title(),
                  stage.palette);
    }

    Shown shownAt(const QPointF&, const Stage&) const override { return m_second ? Shown::b : Shown::a; }

    bool keyPress(const QKeyEvent& event, const Stage&) override
    {
        if (event.key() == Qt::Key_Space) {
            if (!event.isAutoRepeat()) {
                setRunning(false);
                show(!m_second);
            }
        } else if (event.key() == Qt::Key_X) {
            setRunning(!m_running);
        } else if (event.key() == Qt::Key_Comma) {
            setFrequency(m_hertz - step);
        } else if (event.key() == Qt::Key_Period) {
            setFrequency(m_hertz + step);
        } else {
            return false;
        }
        return true;
    }

    bool keyRelease(const QKeyEvent& event) override
    {
        if (event.key() != Qt::Key_Space)
            return false;
        if (!event.isAutoRepeat())
            show(!m_second);
        return true;
    }

    QWidget* makeControls(QWidget* parent) override
    {
        auto* controls = new QWidget(parent);
        auto* row = new QHBoxLayout(controls);
        row->setContentsMargins(0, 0, 0, 0);
        row->setSpacing(4);
        m_button = new QToolButton(controls);
        m_button->setObjectName(QStringLiteral("flickerRunning"));
        m_button->setText(tr("Run"));
        m_button->setAccessibleName(tr("Automatic flicker"));
        m_button->setToolTip(tr("Image and reference in turn (key X). Space shows the other one while it is held."));
        m_button->setCheckable(true);
        m_button->setChecked(m_running);
        m_button->setAutoRaise(true);
        m_box = new QDoubleSpinBox(controls);
        m_box->setObjectName(QStringLiteral("flickerFrequency"));
        m_box->setRange(least, most);
        m_box->setSingleStep(step);
        m_box->setDecimals(1);
        m_box->setSuffix(tr(" Hz"));
        m_box->setValue(m_hertz);
        m_box->setAccessibleName(tr("Frequency of the flicker"));
        m_box->setToolTip(tr("How many times per second A returns (comma: slower, full stop: faster)"));
        connect(m_button, &QToolButton::toggled, this, &Flicker::setRunning);
        connect(m_box, &QDoubleSpinBox::valueChanged, this, &Flicker::setFrequency);
        row->addWidget(m_button);
        row->addWidget(m_box);
        return controls;
    }

    QString keys() const override
    {
        return tr("Space shows the other image while it is held; X runs and stops, comma slows down, full stop speeds "
                  "up.");
    }

    void saveState(QSettings& settings) const override
    {
        settings.setValue(frequencyKey, m_hertz);
        settings.setValue(runningKey, m_running);
    }

    void restoreState(const QSettings& settings) override
    {
        setFrequency(settings.value(frequencyKey, 2).toDouble());
        setRunning(settings.value(runningKey, true).toBool());
    }

  private:
    static constexpr double least = 0.5, most = 5, step = 0.5;

    void show(bool second)
    {
        m_second = second;
        emit changed();
        emit titleChanged();
    }

    void setFrequency(double hertz)
    {
        m_hertz = std::isfinite(hertz) ? std::clamp(hertz, least, most) : 2;
        m_timer.setInterval(int(std::lround(500 / m_hertz))); // half a period per image
        if (m_box)
            m_box->setValue(m_hertz);
    }

    void setRunning(bool running)
    {
        m_running = running;
        if (m_button)
            m_button->setChecked(running);
        runTimer();
    }

    void runTimer()
    {
        if (!m_active || !m_running)
            m_timer.stop();
        else if (!m_timer.isActive())
            m_timer.start();
    }

    QTimer m_timer;
    bool m_active = false, m_running = true;
    bool m_second = false; // B is on screen
    double m_hertz = 2;
    QToolButton* m_button = nullptr;
    QDoubleSpinBox* m_box = nullptr;
};

} // namespace

std::unique_ptr<Composition> makeFlicker()
{
    return std::make_unique<Flicker>();
}

} // namespace ui
