// SPDX-License-Identifier: GPL-3.0-or-later
// What the next scan that opens is shown with: settings, a slice, or a session.
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

    void set(const StartOptions& options);           // its settings are shown already now
    void setSession(const engine::Session& session); // in place of all that was set
    void setSlice(int slice);                        // of the session, where there is one
    // A session or slice that waited for a scan that didn't come; the next scan has nothing to do with it.
    void forgetPlace();
    bool allowsOutside() const; // whether the program was told to open what lies outside a scan's folder

    void apply(const engine::Scan& scan); // that has opened; nothing is left for the next one

  private:
    void takeRequests(const StartOptions& options);

    const InputPanels& m_inputs;
    const ResultPanels& m_results;
    MessageBar& m_messages;
    StartOptions m_options;
};

} // namespace ui
