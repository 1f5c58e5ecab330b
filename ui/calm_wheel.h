// Boxes that the wheel turns only where the user has put the focus; else it scrolls the panel that they are in.
#pragma once

#include <QEvent>
#include <QWidget>

namespace ui
{

class CalmWheel : public QObject
{
  public:
    // For the life of the box.
    static void on(QWidget* box)
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
