// SPDX-License-Identifier: GPL-3.0-or-later
// The settings, slice or session to be used for the next scan that opens.
#pragma once

#include "ui/report/command_line.h"
#include "ui/window/panels.h"

namespace ui
{

class MessageBar;

// The panels outlive this object.
class ScanStart
{
  public:
    ScanStart(const InputPanels& inputs, const ResultPanels& results, MessageBar& messages);

    void set(const StartOptions& options);                    // shows the settings immediately
    void setSession(const engine::Session& session);          // replaces everything that was set
    void setSlice(int slice);                                 // replaces the slice of the session, if a session was set
    void setAxis(std::optional<double> bins, double tiltDeg); // of the chosen setting
    // Discards a session, slice or axis that was meant for a scan that failed to open.
    void forgetPlace();
    bool allowsOutside() const; // whether the program may open files outside a scan's folder

    void apply(const engine::Scan& scan); // to the scan just opened; clears everything that was set

  private:
    void takeRequests(const StartOptions& options);

    const InputPanels& m_inputs;
    const ResultPanels& m_results;
    MessageBar& m_messages;
    StartOptions m_options;
    std::optional<double> m_axisBins;
    double m_axisTiltDeg = 0;
};

} // namespace ui
