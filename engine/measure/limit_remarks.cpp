// SPDX-License-Identifier: GPL-3.0-or-later
// Why kernels stay below the limits of a device's units: what counters have shown.
#include "engine/measure/limits.h"

#include <algorithm>
#include <string_view>

namespace engine
{

namespace
{

struct Remark {
    std::string_view method;
    bool isCone;
    int leastSlices, mostSlices; // per pass
    const char* text;
};

constexpr int anyNumber = 1 << 20;

constexpr const char *ofYardstick = "It is the yardstick: double precision, voxel by voxel, not made for speed.",
                     *ofPaper = "It is a kernel of a paper, kept as published to compare with; it isn't tuned for this "
                                "device.";

// Sources: tests/bench/results/h200-limits.md, papers.md, tensor.md, h200-cones.md, cpu-limits.md, cpu-double.json,
// cpu-cones.md.
constexpr Remark remarks[] = {
    {"standard", false, 1, anyNumber,
     "Neighbouring threads are a row of 16 pixels, whose samples lie far apart: the cache of the texture units serves "
     "fewer fetches at once than for the squares of `texture`."},
    {"hybrid", false, 1, anyNumber,
     "Texture fetches and shared memory take turns in the first-level cache, of which both are a part, so neither "
     "reaches its own limit."},
    {"tensor", false, 1, anyNumber,
     "The instructions that make the weights take longer than the products, and both need the register file, so the "
     "tensor cores wait."},
    {"cpu", false, 1, 7,
     "With AVX-512, 16 updates take 2 shuffles of 16 numbers each, and 7 more instructions for the same units: "
     "rounding, "
     "additions, copies. So 35 to 45 % were measured on three quiet processors."},
    {"cpu", false, 8, anyNumber,
     "Beside the bins, each vector of updates reads weights and sums: 3 to 4 reads with AVX-512, 2 of them counted. So "
     "28 to 59 % were measured on two quiet processors."},
    {"double", false, 1, anyNumber,
     "Its numbers take twice the bits: a vector has half as many of them, and takes 7 instructions with AVX-512 (8 "
     "updates), 14 with AVX2 (4 updates)."},
    {"exact", false, 1, anyNumber, ofYardstick},
    {"exact-cuda", false, 1, anyNumber, ofYardstick},
    {"exact", true, 1, anyNumber, ofYardstick},
    {"exact-cuda", true, 1, anyNumber, ofYardstick},
    {"texture", true, 2, anyNumber,
     "A fetch of four halves takes 1.1 turns of the texture units on average, and volumes below 512³ don't fill a "
     "large "
     "GPU."},
    {"columns", true, 1, anyNumber,
     "It interpolates between bins once for each column, and between rows from registers; its operations haven't been "
     "counted."},
    {"cpu", true, 1, anyNumber,
     "A third of the time copies short columns of the projections from the second-level cache; loads across lines of "
     "the cache and shuffles bound the rest."},
    {"standard", true, 1, anyNumber, ofPaper},
    {"shuffle", true, 1, anyNumber, ofPaper},
    {"ladder", true, 1, anyNumber, ofPaper},
    {"standard-opencl", false, 1, anyNumber,
     "Neighbouring threads are a row of 16 pixels, whose samples lie far apart: the cache of the texture units serves "
     "fewer fetches at once than for the squares of `texture-opencl`."},
    {"hybrid-opencl", false, 1, anyNumber,
     "Some of its groups need the texture units, the others local memory, and on many devices both are fed by the same "
     "cache, so neither reaches its own limit."},
    {"alu-opencl", false, 1, anyNumber,
     "Counted are the arithmetic of an update and its reads from local memory; the compiler of the device adds other "
     "instructions, which take turns with them."},
    {"texture-opencl", true, 1, anyNumber,
     "The limit is that of symmetric geometries, whose fetches serve two voxels, or four of halves; a single slice, or "
     "a geometry without the symmetries, needs a fetch for each voxel."},
};

} // namespace

std::string limitsRemark(const KernelWork& work)
{
    const Kernel& kernel = work.kernel;
    if (!work.isOnGpu) // the remarks are about the units of GPUs
        return {};
    const auto found = std::ranges::find_if(remarks, [&](const Remark& one) {
        return one.method == kernel.method && one.isCone == work.isCone && one.leastSlices <= kernel.slicesPerPass &&
               kernel.slicesPerPass <= one.mostSlices;
    });
    return found == std::end(remarks) ? std::string() : found->text;
}

} // namespace engine
