// SPDX-License-Identifier: GPL-3.0-or-later
// Names of the variants of `alu`. No CUDA types, because the command line lists the tunings in a build
// without CUDA too.
#pragma once

#include "engine/backends/cuda/parallel/alu_tuning.h"

#include <optional>
#include <string>

namespace engine
{

struct Kernel;

}

namespace engine::cuda
{

// Throws Error(badRequest), which lists the names, for an unknown id.
AluVariant aluVariantFromText(const std::string& id);

// Throws Error(badRequest) for a tuning that this build has for no setting at all, although another build has it for
// some settings. The error tells how to build it. Ids that are no tunings of `alu` are ignored, because they may belong
// to other methods.
void requireAluTuning(const std::string& id, bool tuningsBuilt = aluTuningsBuilt);

// Returns why the request's tuning isn't in the build for its settings; nothing if it is.
std::optional<std::string> aluTuningProblem(const Kernel& kernel, bool tuningsBuilt = aluTuningsBuilt);

// Returns how many of eight blocks of `hybrid` use the texture path (tests/bench/results/h200-hybrid.json).
int tunedEighths(Interpolation interpolation, Precision precision, int slices);

} // namespace engine::cuda
