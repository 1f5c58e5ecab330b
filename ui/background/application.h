// SPDX-License-Identifier: GPL-3.0-or-later
// The application of the window's program: what the window's own code throws ends here, and is told in the window.
#pragma once

#include <QApplication>

namespace ui
{

class Application : public QApplication
{
    Q_OBJECT
  public:
    using QApplication::QApplication;

    // The last resort: an exception has ended the handling of an event, here of the innermost one.
    bool notify(QObject* receiver, QEvent* event) override;

  signals:
    void failed(const QString& message); // from the event loop, after what failed
};

// Has the application emit failed() with what the exception being handled says. Call it in a catch block.
void tellCurrentException() noexcept;

// Calls `act` and tells what it throws. For slots that Qt's widgets call: most of Qt is compiled without exceptions, so
// that one which passes through its functions leaves them without their clean-up (a menu would stay locked).
template <typename Act>
auto guarded(Act act)
{
    return [act]() noexcept {
        try {
            act();
        } catch (...) {
            tellCurrentException();
        }
    };
}

} // namespace ui
