// SPDX-License-Identifier: GPL-3.0-or-later
// The kernels of the table's CUDA rows, named without CUDA's own types.
#pragma once

#include <string>

namespace engine::cuda
{

struct KernelArguments;

// One method's kernel: `launch` enqueues it, `blocks` says how many blocks that is without splits, and
// `resident` how many of them a multiprocessor holds at a time (null: not known).
struct Kernels {
    void (*launch)(const KernelArguments&);
    int (*blocks)(const KernelArguments&);
    int (*resident)(const KernelArguments&) = nullptr;
    // Makes the arguments those of a variant of the method; null: it has none.
    void (*setVariant)(KernelArguments&, const std::string& variant) = nullptr;
    bool tensorLayout = false; // of the sinograms that it reads
    // Takes its place, four slices at a time, where it would be wrong: coarse grids, whose tiles meet more bins, and
    // passes with values that aren't finite (0·∞ isn't 0). Null: it does these itself.
    const Kernels* substitute = nullptr;
};

// One file each; there are none in a build without CUDA.
extern const Kernels standardKernels, textureKernels, aluKernels, hybridKernels, tensorKernels;

} // namespace engine::cuda
