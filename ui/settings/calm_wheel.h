// Number boxes that the wheel turns only when they were chosen, not when a panel is scrolled past them.
#pragma once

#include <QAbstractSpinBox>
#include <QEvent>

namespace ui
{

class CalmWheel : public QObject
{
  public:
    // For the life of the box.
    static void on(QAbstractSpinBox* box)
    {
        box->setFocusPolicy(Qt::StrongFocus); // the wheel doesn't choose it
        box->installEventFilter(new CalmWheel(box));
    }

    bool eventFilter(QObject* watched, QEvent* event) override
    {
        if (event->type() != QEvent::Wheel || static_cast<QWidget*>(watched)->hasFocus())
            return false;
        event->ignore(); // for the panel behind it
        return true;
    }

  private:
    using QObject::QObject;
};

} // namespace ui
