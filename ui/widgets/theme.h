// SPDX-License-Identifier: GPL-3.0-or-later
// Light and dark: quiet greys and one accent.
#pragma once

#include <QObject>
#include <QString>

#include <optional>

class QApplication;
class QDBusVariant;
class QPalette;

namespace ui
{

enum class Theme { system, light, dark };

Theme themeFromText(const QString& text); // "light", "dark", anything else: system
QString toText(Theme theme);

QPalette paletteOf(bool dark);

// Keeps the application in the chosen theme; with Theme::system it follows the desktop's setting
// (its palette at the start, and the desktop portal's colour scheme where there is one).
class ThemeFollower : public QObject
{
    Q_OBJECT
  public:
    explicit ThemeFollower(QObject* parent = nullptr); // after QApplication
    void setTheme(Theme theme);
    Theme theme() const { return m_theme; }

  private slots:
    void settingChanged(const QString& group, const QString& key, const QDBusVariant& value);

  private:
    void apply();
    void askDesktop();

    Theme m_theme = Theme::system;
    bool m_paletteDark = false;        // what Qt's platform plug-in says
    std::optional<bool> m_desktopDark; // what the desktop portal says
    std::optional<bool> m_applied;
};

} // namespace ui
