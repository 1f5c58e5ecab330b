// SPDX-License-Identifier: GPL-3.0-or-later
// The queue of volumes as the windows of all programs share it.
#pragma once

#include <QSettings>
#include <QString>
#include <QStringList>

#include <vector>

namespace ui
{

// Each entry stands under a key of its own in the settings, so that what one window adds or removes leaves the entries
// of the others alone; settings are written under a lock.
class QueueStore
{
  public:
    struct Entry {
        QString id;   // the same in all windows
        QString text; // JSON (engine/documents/queued_volume.h)
    };

    // Takes over what older programs have stored as one list. The settings outlive it.
    explicit QueueStore(QSettings& settings);

    static QString newId();
    std::vector<Entry> entries(); // in their order, as all windows have left them by now
    void change(const std::vector<Entry>& added, const QStringList& removed, const QStringList& order); // at once

  private:
    QSettings& m_settings;
};

} // namespace ui
