// SPDX-License-Identifier: GPL-3.0-or-later
// The files of resources/measure, which the build puts into the program.
#pragma once

namespace engine
{

extern const char* const limitRemarksText;    // limit_remarks.json
extern const char* const othersScript;        // others.py
extern const char* const paperStepsText;      // paper_steps.json
extern const char* const publishedSpeedsText; // published_speeds.json

} // namespace engine
