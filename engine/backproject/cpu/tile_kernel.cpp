#include "engine/backproject/cpu/tile_kernel.h"

#define SINOSCOPE_KERNEL baseline
#include "engine/backproject/cpu/tile_kernel_loops.h"

namespace engine
{

namespace
{

enum class InstructionSet { baseline, avx2, avx512 };

InstructionSet newestHere()
{
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw") &&
        __builtin_cpu_supports("avx512vl"))
        return InstructionSet::avx512;
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
        return InstructionSet::avx2;
#endif
    return InstructionSet::baseline;
}

} // namespace

TileKernel tileKernel(Interpolation interpolation, int slices)
{
    switch (newestHere()) {
#if defined(__x86_64__)
    case InstructionSet::avx512:
        return avx512::tileKernel(interpolation, slices);
    case InstructionSet::avx2:
        return avx2::tileKernel(interpolation, slices);
#endif
    default:
        return baseline::tileKernel(interpolation, slices);
    }
}

const char* tileKernelName()
{
    switch (newestHere()) {
    case InstructionSet::avx512:
        return "avx512";
    case InstructionSet::avx2:
        return "avx2";
    case InstructionSet::baseline:
        break;
    }
    return "baseline";
}

} // namespace engine
