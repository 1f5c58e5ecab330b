// SPDX-License-Identifier: GPL-3.0-or-later
// Errors of kernels on a phantom: what an interpolation, or half precision, costs.
#pragma once

#include "engine/compare/mask.h"
#include "engine/measure/benchmark_row.h"
#include "engine/reconstruct/reconstruct.h"

#include <stop_token>
#include <string>
#include <utility>
#include <vector>

namespace engine
{

// Reconstructs a Shepp-Logan phantom with one kernel after another: a slice of 256² from 256 projections, or of a cone
// beam 64³ voxels from 64 projections, whose middle slice is compared.
class PhantomErrors
{
  public:
    // geometry: id of geometryKinds(). Reconstructs the image of the exact method.
    PhantomErrors(const std::string& geometry, const Resources& resources, const std::stop_token& stop);

    // Returns the RMSE of the row's kernel against `exact` with linear interpolation, over the range of its image; 0 if
    // it is unknown: another method had to take over, or the kernel refuses the phantom. A kernel is reconstructed
    // once.
    double of(const BenchmarkRow& row, const std::stop_token& stop);

  private:
    double measured(const std::stop_token& stop);

    Request m_request;
    Reconstructor m_reconstructor;
    Volume m_exact;
    Mask m_disc;
    std::vector<std::pair<Kernel, double>> m_known;
};

} // namespace engine
