// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backproject/paper_steps.h"

#include "engine/backproject/method.h"
#include "engine/base/named_rows.h"

#include <algorithm>
#include <array>
#include <utility>

namespace engine
{

namespace
{

constexpr PaperStep oneSlice[] = {
    {"standard", "standard", "", 381},
    {"Z order", "texture", "z-order", 376},
    {"four projections", "texture", "four-projections"},
    {"reduced by shuffles", "texture", "shuffle-reduction"},
    {"shared constants", "texture", "shared-constants"},
    {"texture", "texture", "", 389},
    {"ALU", "alu", "", 606},
    {"hybrid", "hybrid", "", 734},
};

constexpr PaperStep twoSlices[] = {
    {"standard", "standard", "", 534},
    {"Z order", "texture", "z-order", 724},
    {"four projections", "texture", "four-projections"},
    {"reduced by shuffles", "texture", "shuffle-reduction"},
    {"shared constants", "texture", "shared-constants"},
    {"texture", "texture", "", 726},
    {"ALU", "alu", "", 693},
    {"hybrid", "hybrid", "", 995},
    {"ALU, oversampled", "alu", "", 1107, Interpolation::oversampled},
};

// Inputs of 256², 512² and 1024², 512 projections, each to 256³, 512³ and 1024³ (Chen et al., IPSJ report, Table 3).
constexpr auto ladderProblems = [] {
    std::array<ConeProblem, 9> all{};
    std::size_t k = 0;
    for (const int bins : {256, 512, 1024})
        for (const int voxels : {256, 512, 1024})
            all[k++] = {bins, 512, voxels, voxels};
    return all;
}();
using LadderSpeeds = std::array<double, ladderProblems.size()>;
constexpr LadderSpeeds scalarSpeeds = {1.25, 1.30, 1.38, 1.29, 1.30, 1.41, 1.22, 1.31, 1.41},
                       transposeSpeeds = {3.23, 3.40, 3.43, 3.03, 3.30, 3.33, 1.49, 2.61, 2.84},
                       shareSpeeds = {5.34, 5.86, 5.94, 4.92, 5.64, 5.79, 1.88, 3.81, 4.72},
                       symmetrySpeeds = {5.15, 5.64, 5.69, 4.48, 5.17, 5.25, 1.84, 3.19, 4.22},
                       sublineSpeeds = {8.23, 10.0, 10.8, 6.74, 8.83, 9.90, 2.48, 5.36, 7.97},
                       prefetchSpeeds = {8.52, 10.2, 11.3, 6.85, 9.11, 10.3, 2.48, 5.44, 8.48};

constexpr PaperStep ladder[] = {
    {"scalar", "ladder", "scalar", 1.30, Interpolation::linear, scalarSpeeds},
    {"baseline", "ladder", "baseline"},
    {"transpose", "ladder", "transpose", 3.30, Interpolation::linear, transposeSpeeds},
    {"share", "ladder", "share", 5.64, Interpolation::linear, shareSpeeds},
    {"symmetry", "ladder", "symmetry", 5.17, Interpolation::linear, symmetrySpeeds},
    {"scratchpad", "ladder", "scratchpad"},
    {"sub-line", "ladder", "subline", 8.83, Interpolation::linear, sublineSpeeds},
    {"prefetch", "ladder", "prefetch", 9.11, Interpolation::linear, prefetchSpeeds},
    {"cpu", "cpu", ""},
};

// The problems of Chen et al. 2019, Table 4.
constexpr auto shuffleProblems = [] {
    constexpr std::array outputs = {std::pair(128, 128), std::pair(256, 256), std::pair(512, 512),
                                    std::pair(1024, 1024), std::pair(1024, 2048)};
    std::array<ConeProblem, 15> all{};
    std::size_t k = 0;
    for (const int bins : {512, 1024, 2048})
        for (const auto& [voxels, slices] : outputs)
            all[k++] = {bins, 1024, voxels, slices};
    return all;
}();
using ShuffleSpeeds = std::array<double, shuffleProblems.size()>;
constexpr ShuffleSpeeds
    rtkSpeeds = {65.3, 107.4, 115.1, 118.1, 0, 41.9, 77.4, 115.7, 117.9, 0, 16.1, 38.6, 80.2, 116.9, 0},
    texSpeeds = {38.8, 96.2, 105.8, 107.3, 107.4, 13.8, 35.9, 95.5, 105.8, 106.3, 5.8, 12.7, 35.5, 94.4, 102.9},
    texTranSpeeds = {46.5, 98.9, 106.1, 107.3, 107.6, 13.5, 43.2, 98.1, 105.8, 106.5, 8.5, 12.6, 42.5, 97.8, 104.1},
    l1Speeds = {23.7, 28.0, 34.0, 64.9, 112.1, 5.7, 12.8, 25.1, 34.0, 65.0, 2.8, 4.4, 13.9, 23.9, 33.4},
    l1TranSpeeds = {118.0, 188.6, 206.0, 211.4, 212.7, 27.2, 83.7, 190.3, 205.7, 207.9, 7.7, 24.1, 81.6, 186.9, 198.7};

constexpr PaperStep shuffle[] = {
    {"RTK-32", "shuffle", "rtk-32", 117.9, Interpolation::linear, rtkSpeeds},
    {"Bp-Tex", "shuffle", "bp-tex", 105.8, Interpolation::linear, texSpeeds},
    {"Tex-Tran", "shuffle", "tex-tran", 105.8, Interpolation::linear, texTranSpeeds},
    {"Bp-L1", "shuffle", "bp-l1", 34.0, Interpolation::linear, l1Speeds},
    {"L1-Tran", "shuffle", "l1-tran", 205.7, Interpolation::linear, l1TranSpeeds},
};

constexpr std::array sequences = {
    PaperSequence{"steps-1", "Texture to hybrid, 1 slice",
                  "Each optimisation of Chilingaryan et al. 2020 after the previous one, one slice at a time",
                  "Chilingaryan et al. 2020, Tables 11, 13, 20 and 23", "GTX Titan X (Pascal)", "GU/s", false, 1,
                  oneSlice},
    PaperSequence{"steps-2", "Texture to hybrid, 2 slices",
                  "Each optimisation of Chilingaryan et al. 2020 after the previous one, two slices at a time",
                  "Chilingaryan et al. 2020, Tables 11 and 22", "GTX Titan X (Pascal)", "GU/s", false, 2, twoSlices},
    PaperSequence{"ladder", "Ladder of Chen et al.",
                  "Each optimisation of Chen et al. (IPSJ report) after the previous one, on the processor",
                  "Chen et al. (IPSJ report), Table 3: 512² × 512 to 512³; scalar with OpenMP, the others with OpenCL",
                  "two Xeon E5-2650 v3", "GUPS", true, 32, ladder, ladderProblems},
    PaperSequence{"shuffle", "Kernels of iFDK", "The five kernels of Chen et al. 2019, Table 3",
                  "Chen et al. 2019, Table 4: 1024² × 1024 to 1024³", "Tesla V100", "GUPS", true, 1, shuffle,
                  shuffleProblems},
};

} // namespace

std::span<const PaperSequence> paperSequences()
{
    return sequences;
}

const PaperSequence& sequenceOf(const std::string& id)
{
    return rowWithId(sequences, id, "steps");
}

Kernel kernelOf(const PaperStep& step, const PaperSequence& sequence, Precision precision, int slices)
{
    Kernel kernel;
    kernel.method = step.method;
    kernel.variant = step.variant;
    kernel.interpolation = step.interpolation;
    kernel.precision = precision;
    const Method* method = findMethod(step.method, sequence.cone ? Geometry(ConeBeam()) : Geometry(ParallelBeam()));
    const int most = sequence.cone ? std::min(slices, sequence.slicesPerPass) : sequence.slicesPerPass;
    kernel.slicesPerPass = method->slicesPerPass.front();
    for (const int offered : method->slicesPerPass)
        if (offered <= most)
            kernel.slicesPerPass = offered;
    return kernel;
}

double printedSpeed(const PaperSequence& sequence, const PaperStep& step, const std::optional<ConeProblem>& problem)
{
    const auto found = problem ? std::ranges::find(sequence.problems, *problem) : sequence.problems.end();
    if (found == sequence.problems.end())
        return step.printed;
    const auto k = static_cast<std::size_t>(found - sequence.problems.begin());
    return k < step.printedFor.size() ? step.printedFor[k] : 0;
}

std::optional<double> paperFactor(const PaperSequence& sequence, const PaperStep& step,
                                  const std::optional<ConeProblem>& problem)
{
    const double first = printedSpeed(sequence, sequence.steps.front(), problem),
                 speed = printedSpeed(sequence, step, problem);
    if (first == 0 || speed == 0)
        return std::nullopt;
    return speed / first;
}

const PaperStep* stepOf(const PaperSequence& sequence, const Kernel& kernel)
{
    const auto found = std::ranges::find_if(sequence.steps, [&](const PaperStep& step) {
        return kernel.method == step.method && kernel.variant == step.variant &&
               kernel.interpolation == step.interpolation;
    });
    return found == sequence.steps.end() ? nullptr : &*found;
}

} // namespace engine
