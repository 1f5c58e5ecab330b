// SPDX-License-Identifier: GPL-3.0-or-later
// Menus and shortcuts. They say what the user wants; the window does it.
#pragma once

#include "ui/saving/export.h"
#include <QObject>

class QAction;
class QKeySequence;
class QMainWindow;
class QMenu;
class QSettings;

namespace ui
{

class ImagePanel;
class PersistentState;
class ThemeFollower;
enum class Theme;
struct View;

class Actions : public QObject
{
    Q_OBJECT
  public:
    Actions(QMainWindow& window, ImagePanel& images, PersistentState& state, ThemeFollower* theme);

    // Whether the keys are a menu's even in a field that has a use for them: all with Ctrl but those that edit. Undo
    // and Redo are the field's only while it is edited.
    bool goBeforeFields(const QKeySequence& keys, bool isEdited) const;
    void showRecent();          // after a scan was opened
    void setTheme(Theme theme); // that the window was started with
    void askForScan();          // or a session
    void askForSession();
    void askForRecipe();
    void restoreState(const QSettings& settings); // the side panels and the theme
    void saveState(QSettings& settings) const;

  signals:
    void openRequested(const QString& path);
    void recipeRequested(const QString& path);
    void queueRequested();
    void arcRequested(double degrees);
    void sampleRequested(const QString& id);
    void saveRequested(ui::Save what);
    void stepRequested(int slices);
    void projectionRequested(int by);
    void playRequested(); // the projections, or no longer
    void againRequested();
    void cancelRequested();
    void resetRequested();
    void addRequested(); // of the list of settings
    void removeRequested();
    void stepBackRequested();
    void stepForwardRequested();
    void viewRequested(int tab);
    void sidePanelsSwitched(bool visible);
    void commandLineRequested();

  private:
    void makeFileMenu();
    void makeViewMenu();
    void makeCompareMenu();
    void makeDrawMenu();
    void makeViewActions(QMenu* menu);
    void makeDifferenceActions(QMenu* menu);
    void makeToolsMenu();
    void makeHelpMenu();
    void askForFolder();
    QString lastFolder() const; // that something was opened from
    void askForFile(const QString& title, const QString& filter);
    void showTheme();
    template <typename Act>
    QAction* add(QMenu* menu, const QString& text, const QKeySequence& keys, Act act);

    QMainWindow& m_window;
    ImagePanel& m_images;
    PersistentState& m_state;
    ThemeFollower* m_theme;
    QMenu* m_recent = nullptr;
    QMenu* m_themes = nullptr;
    QAction* m_sidePanels = nullptr;
    const View* m_otherView = nullptr; // that was shown before the scan's
};

} // namespace ui
