// SPDX-License-Identifier: GPL-3.0-or-later
// The state stored from one start of the program to the next.
#pragma once

#include <QSettings>
#include <QStringList>

#include <memory>

namespace ui
{

// Without a file, nothing is stored: screenshots for the documentation and tests start from the defaults.
class PersistentState
{
  public:
    PersistentState() = default;
    explicit PersistentState(const QString& file) : m_settings(std::make_unique<QSettings>(file, QSettings::IniFormat))
    {
    }

    static QString userFile(); // in the user's configuration folder

    QSettings* settings() const { return m_settings.get(); } // null: nothing is stored

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
