// SPDX-License-Identifier: GPL-3.0-or-later
// THE table of ways to open a scan: options of the command line and keys of JSON. Those of its cone are in
// engine/scan/cone_fields.h.
#pragma once

#include "engine/base/field.h"
#include "engine/io/open/open_scan.h"

#include <span>
#include <string>
#include <type_traits>

namespace engine
{

template <>
struct FieldUse<OpenOptions> {
    // What the window's panel for reading shows while it isn't given; null: the window asks for it elsewhere.
    const char* unset = nullptr;
    const char* suffix = ""; // behind its number there
};
using OpenField = Field<OpenOptions>;
static_assert(std::is_default_constructible_v<OpenField>); // without it GCC 12 gives up at the table

// In the order in which they are to be set: what a field needs comes before it.
std::span<const OpenField> openFields();

// Whether the options have it, also angles as a list, for which there is no text.
bool isOpenedWith(const OpenField& field, const OpenOptions& options);

// The options without it, and without what can't be given without it.
OpenOptions openedWithout(const OpenField& field, const OpenOptions& options);

// In degrees: the first, the step, and where they start again.
Json stepsJson(const AngleSteps& steps);

// What `said` leaves open as `rest` has it; what can't be given without a field of `said` is not taken from `rest`.
OpenOptions openedOver(const OpenOptions& rest, const OpenOptions& said);

// Those that name files: of one scan, and of one place on the disk.
inline constexpr std::filesystem::path OpenOptions::*openedPaths[] = {&OpenOptions::anglesFile,
                                                                      &OpenOptions::shiftsFile, &OpenOptions::darks,
                                                                      &OpenOptions::flats, &OpenOptions::geometryFile};

} // namespace engine
