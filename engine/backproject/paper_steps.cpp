// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backproject/paper_steps.h"

#include "engine/backproject/method.h"
#include "engine/base/named_rows.h"

#include <algorithm>
#include <array>

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

constexpr PaperStep ladder[] = {
    {"scalar", "ladder", "scalar", 1.30},
    {"baseline", "ladder", "baseline"},
    {"transpose", "ladder", "transpose", 3.30},
    {"share", "ladder", "share", 5.64},
    {"symmetry", "ladder", "symmetry", 5.17},
    {"scratchpad", "ladder", "scratchpad"},
    {"sub-line", "ladder", "subline", 8.83},
    {"prefetch", "ladder", "prefetch", 9.11},
    {"cpu", "cpu", ""},
};

constexpr PaperStep shuffle[] = {
    {"RTK-32", "shuffle", "rtk-32", 117.9},     {"Bp-Tex", "shuffle", "bp-tex", 105.8},
    {"Tex-Tran", "shuffle", "tex-tran", 105.8}, {"Bp-L1", "shuffle", "bp-l1", 34.0},
    {"L1-Tran", "shuffle", "l1-tran", 205.7},
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
                  "two Xeon E5-2650 v3", "GUPS", true, 32, ladder},
    PaperSequence{"shuffle", "Kernels of iFDK", "The five kernels of Chen et al. 2019, Table 3",
                  "Chen et al. 2019, Table 4: 1024² × 1024 to 1024³", "Tesla V100", "GUPS", true, 1, shuffle},
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

std::optional<double> paperFactor(const PaperSequence& sequence, const PaperStep& step)
{
    if (step.printed == 0)
        return std::nullopt;
    return step.printed / sequence.steps.front().printed;
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
