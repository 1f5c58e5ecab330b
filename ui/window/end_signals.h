// SPDX-License-Identifier: GPL-3.0-or-later
// A converter of the signals that ask the program to end (SIGTERM, Ctrl+C, closed terminal) into a Qt signal.
#pragma once

#include <QObject>

class QSocketNotifier;

namespace ui
{

// While an object of this class exists, these signals emit asked(), except signals that were ignored before; the
// handler only writes to a pipe. The second signal of the same kind ends the program immediately. Only one object may
// exist at a time.
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
