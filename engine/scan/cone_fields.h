// SPDX-License-Identifier: GPL-3.0-or-later
// Table of the user's inputs for a cone beam: options of the command line and keys of JSON.
#pragma once

#include "engine/base/field.h"
#include "engine/scan/cone_options.h"

#include <span>
#include <type_traits>
#include <vector>

namespace engine
{

// A number of a field. A field has one or two numbers; the window shows each in its own box.
struct ConeNumber {
    std::optional<double> ConeOptions::*real = nullptr; // in mm or radians; or
    std::optional<int> ConeOptions::*count = nullptr;
    const char* name = "";    // of the box
    const char* label = "";   // next to the box
    const char* summary = ""; // one or two sentences, the first without a full stop
    const char* unit = "";    // unit of display: mm, µm, ° or what is counted
    const char* unset = "none";
    bool mayBeNegative = false;
    bool isOfRows = false; // not applicable to a detector of one row
};

template <>
struct FieldUse<ConeOptions> {
    bool isOfVolume = false; // belongs to the reconstructed volume, not to the scan geometry
    const char* needed = ""; // required for a cone beam: its name as part of a sentence; empty: not required
    std::vector<ConeNumber> numbers = {}; // shown in the window's geometry panel
};
using ConeField = Field<ConeOptions>;
static_assert(std::is_default_constructible_v<ConeField>); // GCC 12 fails to compile the table without this line

std::span<const ConeField> coneFields();

// Returns {"sourceAxisMm": …, "tiltDeg": …, "direction": "clockwise", …}; values that are not given have no key.
Json coneOptionsJson(const ConeOptions& options);

// Removes these keys from an object and leaves others in it. Throws Error(badRequest), which names the key and its
// value.
ConeOptions takeConeOptions(Json& json);

} // namespace engine
