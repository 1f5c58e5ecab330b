// SPDX-License-Identifier: GPL-3.0-or-later
// The layout of the panels in the window, and the direct connections between them.
#pragma once

#include "ui/window/panels.h"

#include <QObject>

class QMainWindow;
class QScrollArea;
class QSettings;
class QSplitter;
class QTabWidget;

namespace ui
{

class Actions;
class FoldOut;
class FoldingRow;
class MessageBar;
class PointerLabel;
class Welcome;

// Creates the panels as children of the window, which outlives this object.
class WindowLayout : public QObject
{
    Q_OBJECT
  public:
    explicit WindowLayout(QMainWindow& window);

    const InputPanels& inputs() const { return m_inputs; }
    const ResultPanels& results() const { return m_results; }
    MessageBar& messages() { return *m_messages; }
    Welcome& welcome() { return *m_welcome; }

    void connectPanels();
    void connectActions(Actions& actions);
    void showRecorded();            // beside the slice, in its current tab
    void showPlanesFor(int slices); // has the tab of the planes only for several slices
    void showSlices();              // shows the tab of the slices instead of the volume

    void restoreState(const QSettings& settings); // position of the splitter between images and profile, and its fold
    void switchFold();                            // of the profile and the numbers
    void saveState(QSettings& settings) const;

  signals:
    void sideWanted(); // asks to show the side panel

  protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    QWidget* makeMiddle();
    QWidget* makeSide();
    QWidget* makeImages();
    QWidget* makeLower();
    QWidget* makeCorner();
    void connectAxis();
    void showTab(int tab);
    void connectRecorded();
    void shareHeight();
    void foldForRoom();
    void showOpen(bool isOpen);
    void placeSpeed();

    InputPanels m_inputs;
    ResultPanels m_results;
    QSplitter* m_splitter;          // images over profile
    QTabWidget* m_tabs;             // slices, volume
    FoldOut* m_reading = nullptr;   // section below the settings
    QWidget* m_lower = nullptr;     // numbers and speed
    FoldingRow* m_row;              // settings beside the tabs
    PointerLabel* m_pointer;        // over the images
    Welcome* m_welcome;             // over the images, while no scan is open
    MessageBar* m_messages;         // over the tabs
    bool m_splitByHand = false;     // the user has moved the splitter between images and profile
    bool m_isLow = false;           // the window is too low for an image above the lower panel
    bool m_isFoldedForRoom = false; // which is therefore folded
};

} // namespace ui
