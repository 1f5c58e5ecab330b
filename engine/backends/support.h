// SPDX-License-Identifier: GPL-3.0-or-later
// What a method supports on this machine, determined by trying requests.
#pragma once

#include "engine/backends/method.h"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace engine
{

// Kind of scan geometry, for choosing a method before a scan is open.
struct GeometryKind {
    std::string id;   // "parallel", "cone"
    Geometry example; // small and ordinary
};

// Returns the kinds of geometry that can be reconstructed.
std::span<const GeometryKind> geometryKinds();
const GeometryKind& geometryKind(const std::string& id);     // throws Error(badRequest), which lists the ids
std::vector<std::string> geometriesOf(const Method& method); // labels of those that it accepts: "parallel beam"

// Returns a request for the kernel, on a scan of the geometry with at least that many slices: to ask what can be done.
Request exampleRequest(const Geometry& geometry, const Kernel& kernel, const DeviceSettings& device, int slices = 1);

struct MethodSupport {
    std::vector<Interpolation> interpolations;
    std::vector<Precision> precisions;
    std::optional<std::string> unusable; // why the method can't be used here at all
};

MethodSupport supportOf(const Method& method);

} // namespace engine
