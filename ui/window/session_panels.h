// SPDX-License-Identifier: GPL-3.0-or-later
// Conversion of the panels' state to a session and back.
#pragma once

#include "engine/documents/session.h"
#include "ui/window/panels.h"

namespace ui
{

class MessageBar;
struct OpenedScan;

// opened: must have a scan.
engine::Session sessionOf(const OpenedScan& opened, const InputPanels& inputs, const ResultPanels& results);

// scan: the open scan of the session. Shows an error if the scan doesn't have the session's slice.
void showSession(const engine::Session& session, const engine::Scan& scan, const InputPanels& inputs,
                 const ResultPanels& results, MessageBar& messages);

} // namespace ui
