// What all controls have in common. The wheel turns one only where the user has put the focus; else it scrolls the
// panel that the control is in. In fields for numbers a comma that is typed is a decimal point: dropped, "0,65" would
// be 65.
#pragma once

#include <QAbstractSpinBox>
#include <QApplication>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QEvent>
#include <QKeyEvent>
#include <QLineEdit>
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
        if (event->type() == QEvent::KeyPress)
            return typesPoint(watched, *static_cast<QKeyEvent*>(event));
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
    static bool typesPoint(QObject* watched, const QKeyEvent& key)
    {
        auto* const line = qobject_cast<QLineEdit*>(watched);
        auto* const box =
            line ? qobject_cast<QDoubleSpinBox*>(line->parentWidget()) : qobject_cast<QDoubleSpinBox*>(watched);
        if (!box || key.text() != QLatin1String(",") || box->locale().decimalPoint() != QLatin1String("."))
            return false;
        QKeyEvent point(QEvent::KeyPress, Qt::Key_Period, key.modifiers(), QStringLiteral("."));
        QCoreApplication::sendEvent(watched, &point);
        return true;
    }
    static bool isControl(const QObject* object)
    {
        return qobject_cast<const QAbstractSpinBox*>(object) || qobject_cast<const QComboBox*>(object) ||
               qobject_cast<const QSlider*>(object) || qobject_cast<const QTabBar*>(object);
    }
};

} // namespace ui
