// SPDX-License-Identifier: GPL-3.0-or-later
// Sequences of optimisations that the papers compare, as methods and variants, with the speeds that the papers print.
#pragma once

#include "engine/request/setting.h"

#include <optional>
#include <span>
#include <string>

namespace engine
{

struct PaperStep {
    const char *name, *method, *variant;
    double printed = 0; // speed in the paper's unit; 0: the paper prints none for this step
    Interpolation interpolation = Interpolation::linear;
};

struct PaperSequence {
    const char *id, *label, *summary;
    const char* source; // authors, year and table of the speeds
    const char* device; // on which the paper measured
    const char* unit;   // of the printed speeds: "GU/s", or "GUPS" of 2³⁰ updates per second
    bool cone;          // of cone beams, else of parallel beams
    int slicesPerPass;  // of methods that offer it; others reconstruct one slice at a time
    std::span<const PaperStep> steps;
};

std::span<const PaperSequence> paperSequences();
const PaperSequence& sequenceOf(const std::string& id); // throws Error(badRequest) for an unknown id

// Returns the kernel of a step. slices: of the volume; for cone beams the kernel reconstructs as many of them together
// as the method and the sequence allow.
Kernel kernelOf(const PaperStep& step, const PaperSequence& sequence, Precision precision, int slices);
// Returns the printed speed of a step over that of the first one; nothing if the paper doesn't print it.
std::optional<double> paperFactor(const PaperSequence& sequence, const PaperStep& step);
// Returns the step that a kernel is, or nullptr. Precision and slices per pass don't matter.
const PaperStep* stepOf(const PaperSequence& sequence, const Kernel& kernel);

} // namespace engine
