// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/background/application.h"

#include "ui/background/background_task.h"

#include <cstdio>

namespace ui
{

bool Application::notify(QObject* receiver, QEvent* event)
try {
    return QApplication::notify(receiver, event);
} catch (...) {
    tellCurrentException();
    return true; // handled: not to be passed to the receiver's parent
}

void tellCurrentException() noexcept
try {
    const QString message = messageOfCurrentException();
    if (auto* application = qobject_cast<Application*>(QCoreApplication::instance()))
        QMetaObject::invokeMethod(
            application, [application, message] { emit application->failed(message); }, Qt::QueuedConnection);
    else
        qWarning("%s", qPrintable(message));
} catch (...) { // not enough memory for the message
    std::fputs("sinoscope: not enough memory\n", stderr);
}

} // namespace ui
