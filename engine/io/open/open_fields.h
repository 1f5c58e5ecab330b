// SPDX-License-Identifier: GPL-3.0-or-later
// The table of options for opening a scan, on the command line and as JSON keys. Options of a cone beam are in
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
    // What the window's panel for reading shows if the option isn't given; null: the window asks for it elsewhere.
    const char* unset = nullptr;
    const char* suffix = ""; // after the number in that panel
};
using OpenField = Field<OpenOptions>;
static_assert(std::is_default_constructible_v<OpenField>); // without this, GCC 12 fails at the table

// In the order in which they must be set: an option that another one needs comes before it.
std::span<const OpenField> openFields();

// Returns whether the options have a value for the field, also angles as a list, for which there is no text.
bool isOpenedWith(const OpenField& field, const OpenOptions& options);

// Returns the options without this field and without the fields that need it.
OpenOptions openedWithout(const OpenField& field, const OpenOptions& options);

// Returns the first angle, the step and, if the angles wrap, the angle at which they start again from 0; in degrees.
Json stepsJson(const AngleSteps& steps);

// Returns `said`, completed from `rest`. Fields that need a field which is given in `said` are not completed.
OpenOptions openedOver(const OpenOptions& rest, const OpenOptions& said);

// The options that name files, which are valid for one scan and in one place on the disk only.
inline constexpr std::filesystem::path OpenOptions::*openedPaths[] = {&OpenOptions::anglesFile,
                                                                      &OpenOptions::shiftsFile, &OpenOptions::darks,
                                                                      &OpenOptions::flats, &OpenOptions::geometryFile};

} // namespace engine
