// Views in constant memory. Each file that includes this has its own.
#pragma once

#include "engine/backproject/cone/cuda/cone_kernels.h"
#include "engine/cuda/check.h"

namespace engine::cuda
{

namespace
{

__constant__ ConeView coneViews[mostConeViews];

void setConeViews(const ConeArguments& a)
{
    SINOSCOPE_CUDA(cudaMemcpyToSymbolAsync(coneViews, a.hostViews, a.projections * sizeof(ConeView), 0,
                                           cudaMemcpyHostToDevice, a.stream));
}

} // namespace

} // namespace engine::cuda
