// SPDX-License-Identifier: GPL-3.0-or-later
// What a method offers on this machine, found by asking it.
#pragma once

#include "engine/backproject/method.h"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace engine
{

// How a scan may have been taken, for those who choose between methods before there is a scan.
struct GeometryKind {
    std::string id;   // "parallel", "cone"
    Geometry example; // small, and out of the ordinary in nothing
};

// The kinds that something is reconstructed from.
std::span<const GeometryKind> geometryKinds();
const GeometryKind& geometryKind(const std::string& id);     // throws Error(badRequest) that lists them
std::vector<std::string> geometriesOf(const Method& method); // that it takes: "parallel beam"

struct MethodSupport {
    std::vector<Interpolation> interpolations;
    std::vector<Precision> precisions;
    std::optional<std::string> unusable; // why the method can't be used here at all
};

MethodSupport supportOf(const Method& method);

} // namespace engine
