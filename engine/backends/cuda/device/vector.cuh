// SPDX-License-Identifier: GPL-3.0-or-later
// float, float2 and float4 as vectors of slices.
#pragma once

#include <cuda_fp16.h>

namespace engine::cuda
{

template <int slices>
struct SliceVector;
template <>
struct SliceVector<1> {
    using Float = float;
    using Half = __half;
};
template <>
struct SliceVector<2> {
    using Float = float2;
    using Half = __half2;
};
struct alignas(8) Half4 {
    __half2 xy, zw;
};
template <>
struct SliceVector<4> {
    using Float = float4;
    using Half = Half4;
};

template <int slices>
using FloatVector = typename SliceVector<slices>::Float;
template <int slices>
using HalfVector = typename SliceVector<slices>::Half;

// A whole vector as an array of floats; it stays in registers if the compiler knows the indices.
template <int slices>
struct alignas(4 * slices) Sum {
    float value[slices];
};

__device__ inline void add(Sum<1>& sum, float v)
{
    sum.value[0] += v;
}
__device__ inline void add(Sum<2>& sum, float2 v)
{
    sum.value[0] += v.x;
    sum.value[1] += v.y;
}
__device__ inline void add(Sum<4>& sum, float4 v)
{
    sum.value[0] += v.x;
    sum.value[1] += v.y;
    sum.value[2] += v.z;
    sum.value[3] += v.w;
}

template <int slices>
__device__ inline void addScaled(Sum<slices>& sum, const Sum<slices>& value, float weight)
{
#pragma unroll
    for (int s = 0; s < slices; ++s)
        sum.value[s] = fmaf(weight, value.value[s], sum.value[s]);
}

__device__ inline Sum<1> unpack(float v)
{
    return {v};
}
__device__ inline Sum<2> unpack(float2 v)
{
    return {v.x, v.y};
}
__device__ inline Sum<4> unpack(float4 v)
{
    return {v.x, v.y, v.z, v.w};
}
__device__ inline Sum<1> unpack(__half v)
{
    return {__half2float(v)};
}
__device__ inline Sum<2> unpack(__half2 v)
{
    return {__low2float(v), __high2float(v)};
}
__device__ inline Sum<4> unpack(Half4 v)
{
    return {__low2float(v.xy), __high2float(v.xy), __low2float(v.zw), __high2float(v.zw)};
}

} // namespace engine::cuda
