// SPDX-License-Identifier: GPL-3.0-or-later
// What is asked of the open scan and what is shown of it: the slices of the settings that are compared, and the stack.
#pragma once

#include "ui/background/comparison.h"
#include "ui/background/reconstruction_job.h"
#include "ui/window/panels.h"
#include "ui/window/result_warnings.h"
#include "ui/window/speed_controller.h"
#include "ui/window/stack_controller.h"

#include <QObject>

#include <functional>
#include <memory>

namespace engine
{
struct Fit;
}

namespace ui
{

class MessageBar;

// Hands results to the panels, which outlive this object.
class ReconstructionController : public QObject
{
    Q_OBJECT
  public:
    // isIdle: whether nothing else is done, which another run of the settings would disturb.
    ReconstructionController(const InputPanels& inputs, const ResultPanels& results, MessageBar& messages,
                             std::function<bool()> isIdle);

    void findDevices();                                     // that the settings may choose, in the background
    void setScan(std::shared_ptr<const engine::Scan> scan); // nothing of it is shown yet
    // again: computes and times even what is there already. coarse: a coarse image alone, while something is dragged.
    void reconstruct(bool again = false, bool coarse = false);
    void cancel();
    bool busy() const; // with what the settings ask for; the stack is none of it
    const Comparison& shown() const { return m_shown; }
    void showMarks(); // where there is a result that they lie on

    ResultWarnings& warnings() { return m_warnings; }
    SpeedController& speeds() { return m_speeds; }

  signals:
    void changed();                         // what is asked for, or the marks
    void started();                         // to compute an image, which comes before anything else
    void refused(const QString& text);      // an image that doesn't fit into memory; the message bar shows the text
    void fitWanted(const engine::Fit& fit); // the scan read in another way, so that an image fits into memory
    void finished();                        // done, failed or cancelled; not for a request that was replaced

  private:
    void connectJob();
    void show(const Comparison& comparison);
    void changeMarks();
    bool isTooLarge(const engine::Request& request); // and reports it
    bool isOutdated() const;  // whether what is shown is of another setting or slice than what was asked for last
    QString areaName() const; // of the chosen area

    const InputPanels& m_inputs;
    const ResultPanels& m_results;
    MessageBar& m_messages;
    std::shared_ptr<const engine::Scan> m_scan;
    Comparison m_shown;
    engine::Request m_asked;  // of the chosen setting, last
    engine::Mask m_askedMask; // of what was asked for last, and may be shown later
    ResultWarnings m_warnings;
    SpeedController m_speeds;
    StackController m_stack;
    BackgroundTask m_devices;
    ReconstructionJob m_job; // last, so that it goes first: it cancels and waits
};

} // namespace ui
