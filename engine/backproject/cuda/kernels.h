// The kernels of the table's CUDA rows, named without CUDA's own types.
#pragma once

namespace engine::cuda
{

struct KernelArguments;

// One method's kernel: `launch` enqueues it, `blocks` says how many blocks that is without splits, and
// `resident` how many of them a multiprocessor holds at a time (null: not known).
struct Kernels {
    void (*launch)(const KernelArguments&);
    int (*blocks)(const KernelArguments&);
    int (*resident)(const KernelArguments&) = nullptr;
    bool tensorLayout = false; // of the sinograms that it reads
};

// Null functions in a build without CUDA.
extern const Kernels standardKernels, textureKernels, aluKernels, hybridKernels, tensorKernels;

} // namespace engine::cuda
