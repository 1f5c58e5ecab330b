// SPDX-License-Identifier: GPL-3.0-or-later
// The state stored from one start of the program to the next.
#pragma once

#include "engine/base/text.h"
#include "engine/documents/opening_way.h"

#include <QList>
#include <QSettings>
#include <QStringList>

#include <memory>
#include <optional>

namespace ui
{

// Without a file, or with one that can't be used, nothing is stored: screenshots for the documentation and tests start
// from the defaults.
class PersistentState
{
  public:
    PersistentState() = default;
    explicit PersistentState(const QString& file);

    static QString userFile(); // in the user's configuration folder

    QSettings* settings() const { return m_settings.get(); }  // null: nothing is stored
    const engine::Text& problem() const { return m_problem; } // why the file can't be used; empty: it can

    QStringList recentScans() const;
    void addRecent(const QString& path); // keeps how it was opened
    // How a recent scan was opened, as engine::OpeningWay; nothing if that is unknown.
    std::optional<engine::OpeningWay> wayOf(const QString& path) const;
    void setWay(const QString& path, const engine::OpeningWay& way); // does nothing if it isn't in the list
    void forgetRecent();
    void load();

  private:
    struct Recent {
        QString path, way; // way: JSON; empty: unknown
    };
    void store();

    std::unique_ptr<QSettings> m_settings;
    engine::Text m_problem;
    QList<Recent> m_recent; // newest first
};

} // namespace ui
