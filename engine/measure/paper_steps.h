// SPDX-License-Identifier: GPL-3.0-or-later
// Sequences of optimisations that the papers compare, as methods and variants, with the speeds that the papers print.
#pragma once

#include "engine/request/setting.h"

#include <optional>
#include <string>
#include <vector>

namespace engine
{

struct BenchmarkRow;
struct Method;

struct PaperStep {
    std::string name, method, variant; // method: the id of a family (Method::family), whose row the device chooses
    double printed = 0;                // speed in the paper's unit; 0: the paper prints none for this step
    Interpolation interpolation = Interpolation::linear;
    std::vector<double> printedFor = {};     // the same for each of the sequence's problems
    int slicesPerPass = 0;                   // 0: those of the sequence
    std::optional<Precision> precision = {}; // empty: any
    FilterTransform transform = FilterTransform::own;
    // The same of a second version that the paper measured, with OpenMP instead of OpenCL.
    double printedOpenMp = 0;
    std::vector<double> printedOpenMpFor = {};
};

// A cone's problem: bins² pixels in each projection, to voxels² × slices.
struct ConeProblem {
    int bins, projections, voxels, slices;
    double updates() const { return 1.0 * voxels * voxels * slices * projections; }
    bool operator==(const ConeProblem&) const = default;
};

struct PaperSequence {
    std::string id, label, summary;
    std::string source; // authors, year and table of the speeds
    std::string device; // on which the paper measured
    std::string unit;   // of the printed speeds: "GU/s", "GUPS" of 2³⁰ updates per second, or "times" the first step
    bool cone;          // of cone beams, else of parallel beams
    int slicesPerPass;  // of methods that offer it; others reconstruct one slice at a time
    std::vector<PaperStep> steps;
    std::vector<ConeProblem> problems = {}; // that the paper measured; PaperStep::printed is for one of them
    bool ofFilter = false;                  // compares the filter, which precedes the back-projection
};

const std::vector<PaperSequence>& paperSequences();     // resources/measure/paper_steps.json
const PaperSequence& sequenceOf(const std::string& id); // throws Error(badRequest) for an unknown id

// Returns the step's method for the device's backend; the family's first method if that backend has none.
const Method& methodOf(const PaperStep& step, const PaperSequence& sequence, const DeviceSettings& device);
// Returns the kernel of a step with one of its methods. precision: unless the step has one. slices: of the volume; for
// cone beams the kernel reconstructs as many of them together as the method and the sequence allow.
Kernel kernelOf(const PaperStep& step, const PaperSequence& sequence, const Method& method, Precision precision,
                int slices);
// Returns that the method has no such variant, in words; nothing if it has it.
std::optional<std::string> lackingVariant(const Method& method, const std::string& variant);
enum class PaperVersion { usual, openMp }; // which of a step's printed speeds

// Returns the printed speed of a step; 0 if the paper prints none. For a problem that the paper didn't measure: that of
// PaperStep::printed.
double printedSpeed(const PaperSequence& sequence, const PaperStep& step,
                    const std::optional<ConeProblem>& problem = std::nullopt,
                    PaperVersion version = PaperVersion::usual);
// Returns the same over the usual speed of the first step; nothing if the paper doesn't print both.
std::optional<double> paperFactor(const PaperSequence& sequence, const PaperStep& step,
                                  const std::optional<ConeProblem>& problem = std::nullopt,
                                  PaperVersion version = PaperVersion::usual);
// Returns the step that a kernel is, or nullptr. Precision and slices per pass matter for steps that state them.
const PaperStep* stepOf(const PaperSequence& sequence, const Kernel& kernel);
// Sorts the rows of each problem, which follow each other, by the sequence.
void sortBySteps(std::vector<BenchmarkRow>& rows, const PaperSequence& sequence);

} // namespace engine
