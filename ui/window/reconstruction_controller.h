// SPDX-License-Identifier: GPL-3.0-or-later
// The controller that requests and shows reconstructions of the open scan: the slices of the compared settings, and
// the stack.
#pragma once

#include "ui/background/comparison.h"
#include "ui/background/reconstruction_job.h"
#include "ui/window/loop_controller.h"
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

// Passes results to the panels, which outlive this object.
class ReconstructionController : public QObject
{
    Q_OBJECT
  public:
    // isIdle: returns whether nothing else is running that would be disturbed by running the settings again.
    ReconstructionController(const InputPanels& inputs, const ResultPanels& results, MessageBar& messages,
                             std::function<bool()> isIdle);

    void findDevices();                                     // in the background, for the settings to choose from
    void setScan(std::shared_ptr<const engine::Scan> scan); // shows nothing yet
    // again: recomputes and times even what is already there. coarse: only a coarse image, during a drag.
    void reconstruct(bool again = false, bool coarse = false);
    void cancel();
    bool busy() const; // with images of the settings; doesn't include the stack
    const Comparison& shown() const { return m_shown; }
    void showMarks(); // if there is a result

    ResultWarnings& warnings() { return m_warnings; }
    SpeedController& speeds() { return m_speeds; }
    void stopLoop() { m_loop.stop(); }

  signals:
    void changed(bool isDragged);      // the request or the marks; isDragged: more changes will follow
    void started();                    // computing an image, which takes precedence over other work
    void stackStarts();                // of slices in 3-D, which needs memory
    void refused(const QString& text); // an image doesn't fit into memory; the text is already shown in the message bar
    // Asks to open the scan with these options, so that an image fits into memory.
    void fitWanted(const engine::Fit& fit);
    void sliceSizeWanted(int pixels); // asks for slices of this size, as the reference has
    void finished();                  // done, failed or cancelled; not emitted for a replaced request

  private:
    void connectJob();
    void findOthers(const engine::Backend* backend);
    void connectLoop();
    void show(const Comparison& comparison);
    void changeMarks();
    bool isTooLarge(const engine::Request& request); // and shows it
    void fail(const QString& message, const QString& remedy = {}, const std::function<void()>& act = {});
    void showMisfit(const QString& message, const QSize& ofFile);
    bool isOutdated() const;  // whether the shown image belongs to another setting or slice than requested
    QString areaName() const; // of the chosen area

    const InputPanels& m_inputs;
    const ResultPanels& m_results;
    MessageBar& m_messages;
    std::shared_ptr<const engine::Scan> m_scan;
    Comparison m_shown;
    engine::Request m_asked;  // last request of the chosen setting
    engine::Mask m_askedMask; // of the last request, which may not be shown yet
    ResultWarnings m_warnings;
    SpeedController m_speeds;
    StackController m_stack;
    LoopController m_loop;
    BackgroundTask m_devices, m_otherDevices; // search for devices
    ReconstructionJob m_job;                  // declared last: destroyed first, which cancels and waits
};

} // namespace ui
