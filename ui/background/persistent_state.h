// SPDX-License-Identifier: GPL-3.0-or-later
// What is remembered from one start to the next.
#pragma once

#include <QSettings>
#include <QStringList>

#include <memory>

namespace ui
{

// Without a file nothing is remembered: documentation pictures and tests start afresh.
class PersistentState
{
  public:
    PersistentState() = default;
    explicit PersistentState(const QString& file) : m_settings(std::make_unique<QSettings>(file, QSettings::IniFormat))
    {
    }

    static QString userFile(); // in the user's configuration folder

    QSettings* settings() const { return m_settings.get(); } // null: nothing is remembered

    QStringList recentScans() const { return m_recent; }
    void addRecent(const QString& path);
    void forgetRecent();
    void load();

  private:
    void store();

    std::unique_ptr<QSettings> m_settings;
    QStringList m_recent;
};

} // namespace ui
