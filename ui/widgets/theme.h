// SPDX-License-Identifier: GPL-3.0-or-later
// Light and dark themes: greys and one accent colour.
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

// Keeps the application in the chosen theme. With Theme::system, follows the desktop: the palette at the start, then
// the colour scheme of the desktop portal, if there is one.
class ThemeFollower : public QObject
{
    Q_OBJECT
  public:
    explicit ThemeFollower(QObject* parent = nullptr); // create it after QApplication
    void setTheme(Theme theme);
    Theme theme() const { return m_theme; }

  private slots:
    void settingChanged(const QString& group, const QString& key, const QDBusVariant& value);

  private:
    void apply();
    void askDesktop();

    Theme m_theme = Theme::system;
    bool m_paletteDark = false;        // according to Qt's platform plug-in
    std::optional<bool> m_desktopDark; // according to the desktop portal
    std::optional<bool> m_applied;
};

} // namespace ui
