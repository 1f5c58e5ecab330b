// SPDX-License-Identifier: GPL-3.0-or-later
// Kernels of the table's CUDA methods, declared without CUDA's own types.
#pragma once

#include <string>

namespace engine::cuda
{

struct KernelArguments;

// Kernel of one method. `launch` enqueues it, `blocks` returns the number of its blocks without splits, and
// `resident` how many of them a multiprocessor holds simultaneously (null: unknown).
struct Kernels {
    void (*launch)(const KernelArguments&);
    int (*blocks)(const KernelArguments&);
    int (*resident)(const KernelArguments&) = nullptr;
    // Sets the arguments for a variant of the method; null: it has no variants.
    void (*setVariant)(KernelArguments&, const std::string& variant) = nullptr;
    bool tensorLayout = false; // reads sinograms in a TensorLayout
    // Replaces the kernel, four slices at a time, where its result would be wrong: on coarse grids, whose tiles meet
    // more bins, and in passes with values that aren't finite (0·∞ isn't 0). Null: the kernel handles these itself.
    const Kernels* substitute = nullptr;
};

// Each is defined in its own file; a build without CUDA has none.
extern const Kernels standardKernels, textureKernels, aluKernels, hybridKernels, tensorKernels;

} // namespace engine::cuda
