// SPDX-License-Identifier: GPL-3.0-or-later
// What the panels show, as a session and back.
#pragma once

#include "engine/documents/session.h"
#include "ui/window/panels.h"

namespace ui
{

class MessageBar;
struct OpenedScan;

// opened: a scan is open.
engine::Session sessionOf(const OpenedScan& opened, const InputPanels& inputs, const ResultPanels& results);

// scan: that of the session, which is open. Reports a slice that it doesn't have.
void showSession(const engine::Session& session, const engine::Scan& scan, const InputPanels& inputs,
                 const ResultPanels& results, MessageBar& messages);

} // namespace ui
