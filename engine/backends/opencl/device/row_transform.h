// SPDX-License-Identifier: GPL-3.0-or-later
// Fourier transforms of many rows on an OpenCL device, by the library VkFFT (D. Tolmachev, IEEE Access 11, 2023,
// 12039).
#pragma once

#include "engine/backends/opencl/device/opened_device.h"

#include <memory>

namespace engine::opencl
{

// Transforms of [rows][length] complex floats in place, without a scale. For one thread at a time. Everything throws
// Error(device, noMemory).
class RowTransform
{
  public:
    // Compiles the kernels, which takes a second the first time. length: a power of two. The device must outlive the
    // object. A build without VkFFT throws.
    RowTransform(OpenedDevice& device, int length, int rows);
    ~RowTransform();
    RowTransform(const RowTransform&) = delete;
    RowTransform& operator=(const RowTransform&) = delete;

    int length() const;
    int rows() const;

    // Enqueue the transforms from positions to frequencies 0, 1 ... length − 1, and back.
    void forward(cl_command_queue queue, cl_mem values);
    void backward(cl_command_queue queue, cl_mem values);

  private:
    struct Impl;
    std::unique_ptr<Impl> m_impl;
};

} // namespace engine::opencl
