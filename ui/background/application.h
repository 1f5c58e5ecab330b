// SPDX-License-Identifier: GPL-3.0-or-later
// The application object. It catches exceptions of the window's code, which the window then reports.
#pragma once

#include <QApplication>

namespace ui
{

class Application : public QApplication
{
    Q_OBJECT
  public:
    using QApplication::QApplication;

    // Catches exceptions that no other code has caught. The event is then not handled further. If its handler was
    // called while another event was handled, that other event is still handled to its end.
    bool notify(QObject* receiver, QEvent* event) override;

  signals:
    void failed(const QString& message); // emitted from the event loop, after the failed code has returned
};

// Makes the application emit failed() with the message of the exception being handled. Call it in a catch block.
void tellCurrentException() noexcept;

// Returns a function that calls `act` and reports its exceptions. For slots that Qt's widgets call: most of Qt is
// compiled without exception support, so an exception that passes through its functions skips their clean-up (a menu
// would stay locked).
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
