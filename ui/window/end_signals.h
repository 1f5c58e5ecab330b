// SPDX-License-Identifier: GPL-3.0-or-later
// What asks a program with a window to end from outside: SIGTERM, Ctrl+C and a closed terminal.
#pragma once

#include <QObject>

class QSocketNotifier;

namespace ui
{

// While it lives, these signals (those that aren't ignored) become a signal of Qt's: the handler only writes to a pipe.
// The same one again ends the program at once. One at a time.
class EndSignals : public QObject
{
    Q_OBJECT
  public:
    EndSignals();
    ~EndSignals() override;

  signals:
    void asked();

  private:
    QSocketNotifier* m_notifier = nullptr;
};

} // namespace ui
