// SPDX-License-Identifier: GPL-3.0-or-later
// The controller of the stack for the 3-D view: all slices, reconstructed in the background.
#pragma once

#include "ui/background/background_task.h"

#include <QObject>

namespace ui
{

class MessageBar;
class SettingsPanel;
class VolumePanel;

// The panels outlive this object.
class StackController : public QObject
{
    Q_OBJECT
  public:
    StackController(const SettingsPanel& settings, VolumePanel& volume, MessageBar& messages);

    void cancel();
    bool busy() const;

  signals:
    void started();
    void ended(); // done, failed or cancelled

  private:
    void reconstruct(int step); // every step-th pixel and slice

    const SettingsPanel& m_settings;
    VolumePanel& m_volume;
    MessageBar& m_messages;
    BackgroundTask m_task; // declared last: destroyed first, which cancels and waits
};

} // namespace ui
