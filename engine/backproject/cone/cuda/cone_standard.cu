// `standard` for cone beams: 002, Listing 1, as RTK has it: a thread a voxel, all three products of its position with
// the projection's matrix, the texture unit interpolates. Any matrices.
#include "engine/backproject/cone/cuda/cone_views.cuh"

namespace engine::cuda
{

namespace
{

__global__ void __launch_bounds__(256) coneStandard(const __grid_constant__ ConeArguments a)
{
    const int i = blockIdx.x * 32 + threadIdx.x, j = blockIdx.y * 8 + threadIdx.y, k = a.firstSlice + blockIdx.z;
    if (i >= a.width || j >= a.height)
        return;
    const float x = i - 0.5f * (a.width - 1), y = j - 0.5f * (a.height - 1), z = k - 0.5f * (a.slices - 1);
    float sum = 0;
    for (int p = 0; p < a.projections; ++p) {
        const ConeView& v = coneViews[p];
        const float f = 1 / fmaf(v.wx, x, fmaf(v.wy, y, fmaf(v.wz, z, v.w0)));
        const float bin = fmaf(fmaf(v.hx, x, fmaf(v.hy, y, fmaf(v.hz, z, v.h0))), f, v.hc);
        const float row = fmaf(fmaf(v.rx, x, fmaf(v.ry, y, fmaf(v.rz, z, v.r0))), f, v.rc);
        sum = fmaf(f * f, tex2DLayered<float>(a.texture, bin + 0.5f, row + 0.5f, p), sum);
    }
    a.volume[(static_cast<std::size_t>(k) * a.height + j) * a.width + i] += *a.unscale * sum;
}

} // namespace

void launchConeStandard(const ConeArguments& a)
{
    setConeViews(a);
    coneStandard<<<dim3((a.width + 31) / 32, (a.height + 7) / 8, a.endSlice - a.firstSlice), dim3(32, 8), 0,
                   a.stream>>>(a);
    SINOSCOPE_CUDA_LAUNCHED();
}

} // namespace engine::cuda
