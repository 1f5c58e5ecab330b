// SPDX-License-Identifier: GPL-3.0-or-later
// Instruction sets of the processor, which its kernels are compiled for.
#pragma once

#include "engine/backends/method.h"

#include <string>
#include <vector>

namespace engine
{

// processorTargets returns the instruction sets that this build and this processor have, best first, by Highway's
// names ("AVX3_DL", "AVX2", "SSE4", "NEON", "EMU128"). processorTarget returns the one that the calling thread uses:
// the first unless another is forced.
std::vector<std::string> processorTargets();
std::vector<std::string> knownTargets(); // those that any build for such processors can have
std::string processorTarget();
// Forces an instruction set for the kernels that the calling thread launches; other threads keep theirs. "" restores
// the best. Returns false if the name is unknown.
bool forceProcessorTarget(const std::string& name);

// Guard that forces an instruction set for a launch; the destructor restores the previous one. "" changes nothing.
// Throws Error(badRequest) if the name is unknown.
class ForcedTarget
{
  public:
    explicit ForcedTarget(const std::string& name);
    ~ForcedTarget();
    ForcedTarget(const ForcedTarget&) = delete;
    ForcedTarget& operator=(const ForcedTarget&) = delete;

  private:
    std::string m_before;
};

// Returns the instruction sets as variants of a method.
std::vector<Variant> processorVariants();

} // namespace engine
