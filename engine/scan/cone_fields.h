// SPDX-License-Identifier: GPL-3.0-or-later
// THE table of what users say of a cone beam: options of the command line and keys of JSON.
#pragma once

#include "engine/base/field.h"
#include "engine/scan/cone_options.h"

#include <span>
#include <type_traits>
#include <vector>

namespace engine
{

// A number of a field, which has one or two: as the window shows it, in a box of its own.
struct ConeNumber {
    std::optional<double> ConeOptions::*real = nullptr; // in mm or radians; or
    std::optional<int> ConeOptions::*count = nullptr;
    const char* name = "";    // of its box
    const char* label = "";   // beside it
    const char* summary = ""; // one or two sentences, without a stop in the first
    const char* unit = "";    // in which it is shown: mm, µm, ° or what is counted
    const char* unset = "none";
    bool mayBeNegative = false;
    bool isOfRows = false; // a detector of one row has none
};

template <>
struct FieldUse<ConeOptions> {
    bool isOfVolume = false;              // of what is made of the scan, not of how it was taken
    const char* needed = "";              // what a cone beam can't do without, as a part of a sentence
    std::vector<ConeNumber> numbers = {}; // in the window's panel of the geometry
};
using ConeField = Field<ConeOptions>;
static_assert(std::is_default_constructible_v<ConeField>); // without it GCC 12 gives up at the table

std::span<const ConeField> coneFields();

// {"sourceAxisMm": …, "tiltDeg": …, "direction": "clockwise", …}; what isn't given has no key.
Json coneOptionsJson(const ConeOptions& options);

// Takes those keys out of an object and leaves the others in it. Throws Error(badRequest) that names the key and its
// value.
ConeOptions takeConeOptions(Json& json);

} // namespace engine
