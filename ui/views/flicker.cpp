// SPDX-License-Identifier: GPL-3.0-or-later
// A and B in turn, in the same place, so that differences seem to move. They alternate automatically, or by hand
// while a key is held.
#include "ui/views/compositions.h"
#include "ui/views/plate.h"
#include "ui/widgets/number_box.h"

#include <QCoreApplication>
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

const QString rateKey = QStringLiteral("views/flicker/changesPerSecond");
const QString hertzKey = QStringLiteral("views/flicker/hertz"); // of earlier versions: periods of two changes
const QString runningKey = QStringLiteral("views/flicker/running");

class Flicker : public Composition
{
    Q_DECLARE_TR_FUNCTIONS(ui::Flicker)
  public:
    Flicker()
    {
        m_timer.setTimerType(Qt::PreciseTimer);
        connect(&m_timer, &QTimer::timeout, this, [this] { show(!m_second); });
        setRate(usual);
    }

    void setActive(bool active) override
    {
        m_active += active ? 1 : -1;
        runTimer();
    }

    QString title() const override { return (m_second ? planeB() : planeA()).title; }

    void paint(QPainter& painter, const Canvas& stage) override { (m_second ? stage.b : stage.a).paint(painter); }

    void decorate(QPainter& painter, const Canvas& stage) override
    {
        QFont font = painter.font();
        font.setBold(true);
        painter.setFont(font);
        // Each title has its own corner, so that a glance tells which image it is.
        drawPlate(painter, stage.room.adjusted(8, 8, -8, -8), m_second ? Qt::AlignRight : Qt::AlignLeft, title(),
                  stage.palette);
    }

    Shown shownAt(const QPointF&, const Canvas&) const override { return m_second ? Shown::b : Shown::a; }

    bool keyPress(const QKeyEvent& event, const Canvas&) override
    {
        if (event.key() == Qt::Key_Space) {
            if (!event.isAutoRepeat()) {
                setRunning(false);
                show(!m_second);
            }
        } else if (event.key() == Qt::Key_X) {
            setRunning(!m_running);
        } else if (event.key() == Qt::Key_Comma) {
            setRate(m_rate - step);
        } else if (event.key() == Qt::Key_Period) {
            setRate(m_rate + step);
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
        m_button->setToolTip(tr("Image and reference in turn (key X). Space shows the other one while it is held."));
        m_button->setAutoRaise(true);
        for (const QString& text : {stopText(), startText()}) { // wide enough for both
            m_button->setText(text);
            m_button->setMinimumWidth(std::max(m_button->minimumWidth(), m_button->sizeHint().width()));
        }
        nameButton();
        m_box = new NumberBox(controls);
        m_box->setObjectName(QStringLiteral("flickerRate"));
        m_box->setRange(least, most);
        m_box->setSingleStep(step);
        m_box->setDecimals(1);
        m_box->setSuffix(tr(" changes/s"));
        m_box->setValue(m_rate);
        m_box->setAccessibleName(tr("Rate of the blinking"));
        m_box->setToolTip(tr("How many times per second the image changes (comma: slower, full stop: faster)"));
        connect(m_button, &QToolButton::clicked, this, [this] { setRunning(!m_running); });
        connect(m_box, &QDoubleSpinBox::valueChanged, this, &Flicker::setRate);
        row->addWidget(m_button);
        row->addWidget(m_box);
        return controls;
    }

    QString keys() const override
    {
        return tr("Space shows the other image while it is held; X starts and stops the blinking, comma slows it down, "
                  "full stop "
                  "speeds it up.");
    }

    void saveState(QSettings& settings) const override
    {
        settings.setValue(rateKey, m_rate);
        settings.setValue(runningKey, m_running);
    }

    void restoreState(const QSettings& settings) override
    {
        setRate(settings.value(rateKey, 2 * settings.value(hertzKey, usual / 2).toDouble()).toDouble());
        setRunning(settings.value(runningKey, true).toBool());
    }

  private:
    static constexpr double least = 0.5, most = 10, step = 0.5, usual = 4; // changes per second

    static QString startText() { return tr("Start blinking"); }
    static QString stopText() { return tr("Stop blinking"); }

    void nameButton()
    {
        m_button->setText(m_running ? stopText() : startText());
        m_button->setAccessibleName(m_button->text());
    }

    void show(bool second)
    {
        m_second = second;
        emit changed();
        emit titleChanged();
    }

    void setRate(double changesPerSecond)
    {
        m_rate = std::isfinite(changesPerSecond) ? std::clamp(changesPerSecond, least, most) : usual;
        m_timer.setInterval(int(std::lround(1000 / m_rate)));
        if (m_box)
            m_box->setValue(m_rate);
    }

    void setRunning(bool running)
    {
        m_running = running;
        if (m_button)
            nameButton();
        runTimer();
    }

    void runTimer()
    {
        if (m_active == 0 || !m_running)
            m_timer.stop();
        else if (!m_timer.isActive())
            m_timer.start();
    }

    QTimer m_timer;
    int m_active = 0; // views that show it
    bool m_running = true;
    bool m_second = false; // B is on screen
    double m_rate = usual;
    QToolButton* m_button = nullptr;
    QDoubleSpinBox* m_box = nullptr;
};

} // namespace

std::unique_ptr<Composition> makeFlicker()
{
    return std::make_unique<Flicker>();
}

} // namespace ui
