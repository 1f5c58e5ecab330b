// SPDX-License-Identifier: GPL-3.0-or-later
// The stored queue of volumes, shared by the windows of all running programs.
#pragma once

#include <QLockFile>
#include <QSettings>
#include <QString>
#include <QStringList>

#include <memory>
#include <vector>

namespace ui
{

// Each entry has its own key in the settings, so that a window can add or remove entries without affecting those of
// other windows. Settings are written under a lock.
class QueueStore
{
  public:
    struct Entry {
        QString id;   // the same in all windows
        QString text; // JSON (engine/documents/queued_volume.h)
    };

    // Converts the single list that older versions stored. The settings outlive this object.
    explicit QueueStore(QSettings& settings);

    static QString newId();
    // Reserves an entry for this window while the object lives; null if another running program has it.
    std::unique_ptr<QLockFile> claim(const QString& id) const;
    std::vector<Entry> entries(); // in order, including changes by other windows
    // Writes immediately.
    void change(const std::vector<Entry>& added, const QStringList& removed, const QStringList& order);

  private:
    QSettings& m_settings;
};

} // namespace ui
