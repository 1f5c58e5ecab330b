// SPDX-License-Identifier: GPL-3.0-or-later
// The table of what was found of the scan, with its pictures, and the way to each field that corrects it.
#pragma once

#include "ui/window/panels.h"

#include <QObject>

#include <functional>

class QWidget;

namespace ui
{

class FoundDialog;
class OpeningRemedies;
class ScanController;
class WindowLayout;

// Everything that is handed over outlives this object.
class FoundController : public QObject
{
    Q_OBJECT
  public:
    // isBusy: whether an image comes first.
    FoundController(QWidget& window, WindowLayout& layout, const ScanController& scan, OpeningRemedies& remedies,
                    std::function<bool()> isBusy);

    void show();
    void hold(); // no pictures are read until release(): an image comes first
    void release();

  private:
    void make();
    void correct(const QString& option); // of the command line, in the window

    QWidget& m_window;
    WindowLayout& m_layout;
    const InputPanels& m_inputs;
    const ResultPanels& m_results;
    const ScanController& m_scan;
    OpeningRemedies& m_remedies;
    std::function<bool()> m_isBusy;
    FoundDialog* m_dialog = nullptr; // created when it is first wanted; the window deletes it
};

} // namespace ui
