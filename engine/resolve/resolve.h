// SPDX-License-Identifier: GPL-3.0-or-later
// From a request to its plan.
#pragma once

#include "engine/backends/method.h"
#include "engine/base/error.h"
#include "engine/plan/plan.h"

#include <optional>
#include <vector>

namespace engine
{

// Why a request can't be carried out.
struct Refusal {
    enum class About { scan, place, setting, preparation, method };
    About about; // method: the kernel and its choices, or its device
    ErrorKind kind;
    Text text;
};

// Returns what is wrong with a request (slice out of range, axis outside the detector, region outside the slice, value
// out of its limits, steps in an order that makes no sense, no such method, missing GPU); nothing if it can be carried
// out.
std::vector<Refusal> refusalsOf(const Request& request, const Machine& machine = thisMachine());

// Returns the one about the method alone, quickly: a form asks for each choice that it offers.
std::optional<Refusal> refusalOfMethod(const Request& request, const Machine& machine = thisMachine());

void validate(const Request& request, const Machine& machine = thisMachine()); // throws the first refusal as an Error

// Returns the plan of a request that is ready to be launched. Throws its first refusal as an Error. Looks up nothing
// but the machine's devices and measured speeds.
Plan resolve(const Request& request, const Machine& machine = thisMachine());

// As above, with another method than the one that the request names or that is chosen for it, which must be able to do
// the request: of a reference, or of the processor that takes over.
Plan resolve(const Request& request, const Method& method, const Machine& machine = thisMachine());

} // namespace engine
