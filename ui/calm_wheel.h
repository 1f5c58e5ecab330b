// The wheel turns a control only where the user has put the focus; else it scrolls the panel that the control is in.
#pragma once

#include <QAbstractSpinBox>
#include <QApplication>
#include <QComboBox>
#include <QEvent>
#include <QSlider>
#include <QTabBar>

namespace ui
{

// For all controls of the application while it lives.
class CalmWheel : public QObject
{
  public:
    explicit CalmWheel(QObject* parent) : QObject(parent) { qApp->installEventFilter(this); }

    bool eventFilter(QObject* watched, QEvent* event) override
    {
        if ((event->type() != QEvent::Wheel && event->type() != QEvent::Show) || !isControl(watched))
            return false;
        auto* const control = static_cast<QWidget*>(watched);
        if (event->type() == QEvent::Show && control->focusPolicy() == Qt::WheelFocus)
            control->setFocusPolicy(Qt::StrongFocus); // the wheel doesn't choose it
        if (event->type() == QEvent::Show || control->hasFocus())
            return false;
        event->ignore(); // for the panel behind it
        return true;
    }

  private:
    static bool isControl(const QObject* object)
    {
        return qobject_cast<const QAbstractSpinBox*>(object) || qobject_cast<const QComboBox*>(object) ||
               qobject_cast<const QSlider*>(object) || qobject_cast<const QTabBar*>(object);
    }
};

} // namespace ui
