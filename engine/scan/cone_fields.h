// THE table of what users say of a cone beam: options of the command line and keys of JSON.
#pragma once

#include "engine/base/field.h"
#include "engine/scan/cone_options.h"

#include <span>
#include <type_traits>

namespace engine
{

template <>
struct FieldUse<ConeOptions> {
    bool isOfVolume = false; // of what is made of the scan, not of how it was taken
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
