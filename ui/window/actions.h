// SPDX-License-Identifier: GPL-3.0-or-later
// The menus and shortcuts of the window. They emit signals; the window carries out the actions.
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

    void showRecent();                                           // after a scan was opened
    void showSteps(const QString& back, const QString& forward); // the actions to undo and to redo; empty: none
    QAction* savePlot() const { return m_savePlot; }
    void setTheme(Theme theme); // for this start of the program only, as given on its command line
    void askForScan();          // or for a session
    void askForSession();
    void askForRecipe();
    void restoreState(const QSettings& settings); // the theme
    void saveState(QSettings& settings) const;
    void restoreSidePanels(const QSettings& settings); // whether they are shown
    void saveSidePanels(QSettings& settings) const;
    void showSidePanel();

  signals:
    void openRequested(const QString& path);
    void recentRequested(const QString& path);
    void recipeRequested(const QString& path);
    void queueRequested();
    void arcRequested(double degrees);
    void sampleRequested(const QString& id);
    void startPageRequested();
    void saveRequested(ui::Save what);
    void stepRequested(int slices);
    void projectionRequested(int by);
    void playRequested(); // starts or stops playing the projections
    void againRequested();
    void cancelRequested();
    void resetRequested();
    void addRequested(); // adds to the list of settings
    void removeRequested();
    void stepBackRequested();
    void stepForwardRequested();
    void viewRequested(int tab);
    void sidePanelsSwitched(bool visible);
    void foldRequested(); // folds the profile and the numbers, or shows them again
    void commandLineRequested();
    void tourRequested();
    void standRequested();
    void otherProgramsRequested();
    void cardRequested();
    void benchmarkRequested();
    void tuningRequested();

  private:
    void makeFileMenu();
    void makeViewMenu();
    void makeCompareMenu();
    void makeDrawMenu();
    void makeViewActions(QMenu* menu);
    void makeInsetActions(QMenu* menu);
    void makeDifferenceActions(QMenu* menu);
    void makeToolsMenu();
    void makeHelpMenu();
    void askForFolder();
    QString lastFolder() const; // of the scan that was opened last
    void askForFile(const QString& title, const QString& filter);
    void showTheme();
    template <typename Rows, typename Kind>
    void addChoices(QMenu* menu, QMenu* choices, const Rows& rows, const QString& next, Qt::Key key,
                    Kind (ImagePanel::*chosen)() const, void (ImagePanel::*choose)(Kind),
                    void (ImagePanel::*changed)(Kind));
    template <typename Act>
    QAction* add(QMenu* menu, const QString& text, const QKeySequence& keys, Act act);

    QMainWindow& m_window;
    ImagePanel& m_images;
    PersistentState& m_state;
    ThemeFollower* m_theme;
    Theme m_chosenTheme{}; // in the menu; remembered
    QMenu* m_recent = nullptr;
    QAction *m_undo = nullptr, *m_redo = nullptr, *m_savePlot = nullptr;
    QMenu* m_themes = nullptr;
    QAction* m_sidePanels = nullptr;
    const View* m_otherView = nullptr; // last view without the recorded data, to return to
};

} // namespace ui
