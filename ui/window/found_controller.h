// SPDX-License-Identifier: GPL-3.0-or-later
// The controller of the dialog "Scan contents", which leads from each fact to the field that corrects it.
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

// Everything passed to the constructor outlives this object.
class FoundController : public QObject
{
    Q_OBJECT
  public:
    // isBusy: returns whether an image is being reconstructed, which takes precedence over the thumbnails.
    FoundController(QWidget& window, WindowLayout& layout, const ScanController& scan, OpeningRemedies& remedies,
                    std::function<bool()> isBusy);

    void show();
    void hold(); // stops reading thumbnails until release(), because a reconstruction takes precedence
    void release();

  private:
    void make();
    void correct(const QString& option); // shows the field for this command line option

    QWidget& m_window;
    WindowLayout& m_layout;
    const InputPanels& m_inputs;
    const ResultPanels& m_results;
    const ScanController& m_scan;
    OpeningRemedies& m_remedies;
    std::function<bool()> m_isBusy;
    FoundDialog* m_dialog = nullptr; // created when first needed; owned by the window
};

} // namespace ui
