// SPDX-License-Identifier: GPL-3.0-or-later
// Fourier transforms of a build without VkFFT: the constructor throws.
#include "engine/base/error.h"
#include "engine/opencl/row_transform.h"

namespace engine::opencl
{

struct RowTransform::Impl {
};

RowTransform::RowTransform(OpenedDevice&, int, int)
{
    throw Error(ErrorKind::device, "this program was built without VkFFT, which filters on OpenCL devices");
}
RowTransform::~RowTransform() = default;
int RowTransform::length() const
{
    return 0;
}
int RowTransform::rows() const
{
    return 0;
}
void RowTransform::forward(cl_command_queue, cl_mem) {}
void RowTransform::backward(cl_command_queue, cl_mem) {}

} // namespace engine::opencl

bool engine::hasOpenClTransforms()
{
    return false;
}
