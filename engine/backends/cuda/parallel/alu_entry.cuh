// SPDX-License-Identifier: GPL-3.0-or-later
// What the ALU kernel stores in shared memory per bin: how it is written, and how it is added to a pixel's sum.
#pragma once

#include "engine/backends/cuda/device/vector.cuh"
#include "engine/backends/cuda/parallel/alu_tuning.h"
#include "engine/backends/cuda/parallel/launch.h"
#include "engine/backends/cuda/parallel/rounding.cuh"

#include <type_traits>

namespace engine::cuda
{

// Returns a bin of one projection as floats; 0 beyond the detector.
template <int slices, bool half>
__device__ inline Sum<slices> binAt(const DeviceSinograms& sinograms, int projection, int bin)
{
    // One comparison checks both ends: a negative bin is a large unsigned number.
    if (static_cast<unsigned>(bin) >= static_cast<unsigned>(sinograms.bins))
        return {};
    const char* row = static_cast<const char*>(sinograms.data) + projection * sinograms.pitchBytes;
    if constexpr (half && slices == 4) {
        const uint2 raw = __ldg(reinterpret_cast<const uint2*>(row) + bin);
        return unpack(reinterpret_cast<const Half4&>(raw));
    } else {
        using Stored = std::conditional_t<half, HalfVector<slices>, FloatVector<slices>>;
        return unpack(__ldg(reinterpret_cast<const Stored*>(row) + bin));
    }
}

// Returns the Catmull-Rom coefficients of ((w·f + z)·f + y)·f + x through b (at f = 0) and c (at f = 1).
__device__ inline float4 catmullRom(float a, float b, float c, float d)
{
    return {b, 0.5f * (c - a), a - 2.5f * b + 2.0f * c - 0.5f * d, 0.5f * (d - a) + 1.5f * (b - c)};
}

// Returns the same interpolation as weights of the four bins.
__device__ inline float4 catmullRomWeights(float f)
{
    return {((-0.5f * f + 1.0f) * f - 0.5f) * f, (1.5f * f - 2.5f) * f * f + 1.0f, ((-1.5f * f + 2.0f) * f + 0.5f) * f,
            (0.5f * f - 0.5f) * f * f};
}

// Address in shared memory: 32 bits with wrapping arithmetic, so that negative indices need no special care.
using SharedAddress = unsigned;

__device__ inline SharedAddress sharedAddress(const void* pointer)
{
    return static_cast<SharedAddress>(__cvta_generic_to_shared(pointer));
}

// Loads `count` floats or pairs of halves as 32-bit words, with as few instructions as alignment allows. The assembly
// is volatile, because the loads must stay between the barriers, and their operands don't tell the compiler so.
template <int count>
__device__ inline void loadWords(SharedAddress address, unsigned (&words)[count])
{
    if constexpr (count == 1)
        asm volatile("ld.shared.u32 %0, [%1];" : "=r"(words[0]) : "r"(address));
    else if constexpr (count == 2)
        asm volatile("ld.shared.v2.u32 {%0, %1}, [%2];" : "=r"(words[0]), "=r"(words[1]) : "r"(address));
    else
#pragma unroll
        for (int k = 0; k < count; k += 4)
            asm volatile("ld.shared.v4.u32 {%0, %1, %2, %3}, [%4];"
                         : "=r"(words[k]), "=r"(words[k + 1]), "=r"(words[k + 2]), "=r"(words[k + 3])
                         : "r"(address + 4 * k));
}

template <int count>
__device__ inline void storeWords(char* to, const unsigned (&words)[count])
{
    if constexpr (count == 1)
        *reinterpret_cast<unsigned*>(to) = words[0];
    else if constexpr (count == 2)
        *reinterpret_cast<uint2*>(to) = {words[0], words[1]};
    else
#pragma unroll
        for (int k = 0; k < count; k += 4)
            *reinterpret_cast<uint4*>(to + 4 * k) = {words[k], words[k + 1], words[k + 2], words[k + 3]};
}

__device__ inline unsigned bitsOf(__half2 pair)
{
    return reinterpret_cast<const unsigned&>(pair);
}
__device__ inline __half2 halvesOf(unsigned bits)
{
    return reinterpret_cast<const __half2&>(bits);
}

// The words of a bin in the order [part][slice] (cubic: [slice][part]), distributed over buffers that hold `together`
// words per bin and lie bufferBytes apart.
template <AluTuning tuning, AluMode mode, int slices>
struct BinWords {
    static constexpr bool floats = tuning.words == AluWords::floats;
    static constexpr int parts = mode == AluMode::cubic                                        ? 4
                                 : mode == AluMode::linear && tuning.cache != AluCache::values ? 2
                                                                                               : 1;
    static constexpr int count = parts * slices;
    static constexpr int together = tuning.together;
    static constexpr int buffers = count / together;
    static constexpr int entryBytes = together * (floats ? 4 : 2); // bytes of a bin in one buffer
    static_assert(count % together == 0 && (entryBytes & (entryBytes - 1)) == 0);

    float value[count];

    __device__ void store(char* entry, int bufferBytes) const
    {
#pragma unroll
        for (int b = 0; b < buffers; ++b, entry += bufferBytes) {
            if constexpr (floats) {
                unsigned words[together];
#pragma unroll
                for (int k = 0; k < together; ++k)
                    words[k] = __float_as_uint(value[b * together + k]);
                storeWords(entry, words);
            } else if constexpr (together == 1) {
                *reinterpret_cast<__half*>(entry) = __float2half_rn(value[b]);
            } else {
                unsigned words[together / 2];
#pragma unroll
                for (int k = 0; k < together / 2; ++k)
                    words[k] = bitsOf(__floats2half2_rn(value[b * together + 2 * k], value[b * together + 2 * k + 1]));
                storeWords(entry, words);
            }
        }
    }

    __device__ void load(SharedAddress entry, int bufferBytes)
    {
#pragma unroll
        for (int b = 0; b < buffers; ++b, entry += bufferBytes) {
            if constexpr (floats) {
                unsigned words[together];
                loadWords(entry, words);
#pragma unroll
                for (int k = 0; k < together; ++k)
                    value[b * together + k] = __uint_as_float(words[k]);
            } else if constexpr (together == 1) {
                unsigned short bits;
                asm volatile("ld.shared.u16 %0, [%1];" : "=h"(bits) : "r"(entry));
                value[b] = __half2float(__ushort_as_half(bits));
            } else {
                unsigned words[together / 2];
                loadWords(entry, words);
#pragma unroll
                for (int k = 0; k < together / 2; ++k) {
                    value[b * together + 2 * k] = __low2float(halvesOf(words[k]));
                    value[b * together + 2 * k + 1] = __high2float(halvesOf(words[k]));
                }
            }
        }
    }
};

// A bin as it is stored in global memory, in `words` words of 32 bits; a single half fills only half of its word.
template <int slices, bool half>
struct RawBin {
    static constexpr int words = slices * (half ? 2 : 4) >= 4 ? slices * (half ? 2 : 4) / 4 : 1;
    unsigned word[words];

    __device__ Sum<slices> unpacked() const
    {
        Sum<slices> sum;
#pragma unroll
        for (int s = 0; s < slices; ++s) {
            if constexpr (!half)
                sum.value[s] = __uint_as_float(word[s]);
            else
                sum.value[s] = s % 2 ? __high2float(halvesOf(word[s / 2])) : __low2float(halvesOf(word[s / 2]));
        }
        return sum;
    }
};

// Fetches a bin; 0 beyond the detector. Volatile, so that it is fetched here and not where it is used.
template <int slices, bool half>
__device__ inline RawBin<slices, half> fetchBin(const DeviceSinograms& sinograms, const char* row, int bin)
{
    const char* at = row + bin * (slices * (half ? 2 : 4));
    RawBin<slices, half> raw;
    constexpr int words = RawBin<slices, half>::words;
    // One comparison checks both ends: a negative bin is a large unsigned number.
    if constexpr (half && slices == 1) {
        unsigned short bits;
        asm volatile("{.reg .pred p; setp.lt.u32 p, %2, %3; mov.b16 %0, 0; @p ld.global.nc.b16 %0, [%1];}"
                     : "=&h"(bits)
                     : "l"(at), "r"(bin), "r"(sinograms.bins));
        raw.word[0] = bits;
    } else if constexpr (words == 1) {
        asm volatile("{.reg .pred p; setp.lt.u32 p, %2, %3; mov.b32 %0, 0; @p ld.global.nc.b32 %0, [%1];}"
                     : "=&r"(raw.word[0])
                     : "l"(at), "r"(bin), "r"(sinograms.bins));
    } else if constexpr (words == 2) {
        asm volatile("{.reg .pred p; setp.lt.u32 p, %3, %4; mov.b32 %0, 0; mov.b32 %1, 0;"
                     "@p ld.global.nc.v2.b32 {%0, %1}, [%2];}"
                     : "=&r"(raw.word[0]), "=&r"(raw.word[1])
                     : "l"(at), "r"(bin), "r"(sinograms.bins));
    } else {
        asm volatile("{.reg .pred p; setp.lt.u32 p, %5, %6;"
                     "mov.b32 %0, 0; mov.b32 %1, 0; mov.b32 %2, 0; mov.b32 %3, 0;"
                     "@p ld.global.nc.v4.b32 {%0, %1, %2, %3}, [%4];}"
                     : "=&r"(raw.word[0]), "=&r"(raw.word[1]), "=&r"(raw.word[2]), "=&r"(raw.word[3])
                     : "l"(at), "r"(bin), "r"(sinograms.bins));
    }
    return raw;
}

// Returns a bin as floats, fetched by the texture unit; 0 beyond the detector.
template <int slices>
__device__ inline RawBin<slices, false> textureBin(cudaTextureObject_t texture, int bin, int projection)
{
    const Sum<slices> value = unpack(tex2D<FloatVector<slices>>(texture, bin + 0.5f, projection + 0.5f));
    RawBin<slices, false> raw;
#pragma unroll
    for (int s = 0; s < slices; ++s)
        raw.word[s] = __float_as_uint(value.value[s]);
    return raw;
}

// Returns the bin that lies `distance` (−1…2) bins beyond this lane's bin 32·r + lane. Each lane holds bin 32·k + lane
// of the row in bins[k]. The result is undefined beyond the row.
template <int distance, int rounds, class Raw>
__device__ inline Raw neighbour(const Raw (&bins)[rounds], int r)
{
    constexpr int other = distance < 0 ? -1 : 1;
    const int lane = threadIdx.x & 31;
    // This lane hands over its bin of the next (or previous) round if the receiving lane is at the other end of the
    // warp.
    const bool wraps = distance < 0 ? lane >= 32 + distance : lane < distance;
    const int far = r + other >= 0 && r + other < rounds ? r + other : r;
    Raw result;
#pragma unroll
    for (int w = 0; w < Raw::words; ++w)
        result.word[w] = __shfl_sync(~0u, wraps ? bins[far].word[w] : bins[r].word[w], (lane + distance) & 31);
    return result;
}

// Writes the entry of bin i = 32·r + lane. position: the middle between this bin and the next, relative to the middle
// of the segment. All lanes of a warp must call it; `present`: whether this lane writes.
template <AluTuning tuning, AluMode mode, int slices, int fixedOversampling, int rounds, class Raw>
__device__ inline void putBin(char* segment, int bufferBytes, const Raw (&bins)[rounds], int r, int i, bool present,
                              float position, int oversampling)
{
    using Words = BinWords<tuning, mode, slices>;
    Words words;
    const Sum<slices> here = bins[r].unpacked();
    if constexpr (mode == AluMode::nearest || (mode == AluMode::linear && tuning.cache == AluCache::values)) {
#pragma unroll
        for (int s = 0; s < slices; ++s)
            words.value[s] = here.value[s];
        if (present)
            words.store(segment + i * Words::entryBytes, bufferBytes);
    } else if constexpr (mode == AluMode::linear) {
        const Sum<slices> next = neighbour<1>(bins, r).unpacked();
        const float back = tuning.cache == AluCache::slopes ? -position : tuning.cache == AluCache::pairs ? 0.0f : 0.5f;
#pragma unroll
        for (int s = 0; s < slices; ++s) {
            const float difference = next.value[s] - here.value[s];
            words.value[s] = fmaf(back, difference, here.value[s]);
            words.value[slices + s] = difference;
        }
        if (present)
            words.store(segment + i * Words::entryBytes, bufferBytes);
    } else if constexpr (mode == AluMode::oversampled) {
        const Sum<slices> next = neighbour<1>(bins, r).unpacked();
        Sum<slices> slope;
#pragma unroll
        for (int s = 0; s < slices; ++s)
            slope.value[s] = next.value[s] - here.value[s];
        if constexpr (fixedOversampling == 4) { // the usual case, 16 bytes at a time
            constexpr int samples = 4 / Words::together;
            // Every second group of four lanes begins at the other end: eight lanes then write to all banks.
            const bool turned = samples < 4 && (threadIdx.x & 4);
            char* entry = segment + 4 * i * Words::entryBytes;
#pragma unroll
            for (int k = 0; k < 4; k += samples) {
                const int first = turned ? samples - k : k;
                const float start = turned ? 0.25f * (samples - k) : 0.25f * k;
#pragma unroll
                for (int b = 0; b < Words::buffers; ++b) {
                    unsigned four[4];
#pragma unroll
                    for (int j = 0; j < 4; ++j) {
                        const int s = b * Words::together + j % Words::together;
                        const float f = start + 0.25f * (j / Words::together);
                        four[j] = __float_as_uint(fmaf(f, slope.value[s], here.value[s]));
                    }
                    if (present)
                        storeWords(entry + b * bufferBytes + first * Words::entryBytes, four);
                }
            }
        } else if (present) {
            const float step = 1.0f / oversampling;
            for (int k = 0; k < oversampling; ++k) {
#pragma unroll
                for (int s = 0; s < slices; ++s)
                    words.value[s] = fmaf(k * step, slope.value[s], here.value[s]);
                words.store(segment + (oversampling * i + k) * Words::entryBytes, bufferBytes);
            }
        }
    } else {
        const Sum<slices> before = neighbour<-1>(bins, r).unpacked();
        const Sum<slices> next = neighbour<1>(bins, r).unpacked();
        const Sum<slices> last = neighbour<2>(bins, r).unpacked();
#pragma unroll
        for (int s = 0; s < slices; ++s) {
            const float4 c = catmullRom(before.value[s], here.value[s], next.value[s], last.value[s]);
            words.value[4 * s] = c.x;
            words.value[4 * s + 1] = c.y;
            words.value[4 * s + 2] = c.z;
            words.value[4 * s + 3] = c.w;
        }
        if (present)
            words.store(segment + i * Words::entryBytes, bufferBytes);
    }
}

// Returns the address to which index · entryBytes is added. With rounding by addition the index is the bits of
// h + roundingMagic; with an address in floats the whole product is.
template <AluTuning tuning>
__device__ constexpr SharedAddress entryBase(SharedAddress entry0, int entryBytes)
{
    return tuning.rounding == AluRounding::addition       ? entry0 - roundingBits * entryBytes
           : tuning.rounding == AluRounding::floatAddress ? entry0 - roundingBits
                                                          : entry0;
}

// Adds one projection's contribution to a pixel's sums. h is the pixel's position. For linear and cubic it is counted
// from the segment's middle bin, and half a bin is subtracted. For nearest (in bins) and oversampled (in samples) it is
// counted from the segment's beginning. base: entryBase of the entry from which h is counted.
template <AluTuning tuning, AluMode mode, int slices>
__device__ inline void addEntry(Sum<slices>& sum, SharedAddress base, float h, int bufferBytes)
{
    using Words = BinWords<tuning, mode, slices>;
    SharedAddress entry;
    float whole; // costs nothing where it is unused
    if constexpr (tuning.rounding == AluRounding::conversion) {
        whole = floorf(h + 0.5f);
        entry = base + static_cast<unsigned>(static_cast<int>(whole)) * Words::entryBytes;
    } else {
        const float rounded = h + roundingMagic;
        whole = rounded - roundingMagic;
        entry = base + (tuning.rounding == AluRounding::addition
                            ? __float_as_uint(rounded) * Words::entryBytes
                            : __float_as_uint(fmaf(whole, static_cast<float>(Words::entryBytes), roundingMagic)));
    }
    if constexpr (mode == AluMode::linear && tuning.words == AluWords::halfArithmetic) {
        constexpr int together = Words::together / 2; // pairs
        unsigned words[slices];
#pragma unroll
        for (int b = 0; b < Words::buffers; ++b)
            loadWords(entry + b * bufferBytes, reinterpret_cast<unsigned(&)[together]>(words[b * together]));
        const __half2 fraction = __float2half2_rn(h - whole);
#pragma unroll
        for (int k = 0; k < slices / 2; ++k) {
            const __half2 value = __hfma2(fraction, halvesOf(words[slices / 2 + k]), halvesOf(words[k]));
            sum.value[2 * k] += __low2float(value);
            sum.value[2 * k + 1] += __high2float(value);
        }
        return;
    }
    Words words;
    words.load(entry, bufferBytes);
    if constexpr (mode == AluMode::nearest || mode == AluMode::oversampled) {
#pragma unroll
        for (int s = 0; s < slices; ++s)
            sum.value[s] += words.value[s];
    } else if constexpr (mode == AluMode::linear && tuning.cache == AluCache::values) {
        const float f = h - whole + 0.5f;
        Words next;
        next.load(entry + Words::entryBytes, bufferBytes);
#pragma unroll
        for (int s = 0; s < slices; ++s)
            sum.value[s] += fmaf(f, next.value[s] - words.value[s], words.value[s]);
    } else if constexpr (mode == AluMode::linear) {
        const float f = tuning.cache == AluCache::slopes  ? h
                        : tuning.cache == AluCache::pairs ? h - whole + 0.5f
                                                          : h - whole;
#pragma unroll
        for (int s = 0; s < slices; ++s)
            sum.value[s] = fmaf(f, words.value[slices + s], sum.value[s] + words.value[s]);
    } else {
        const float f = h - whole + 0.5f;
#pragma unroll
        for (int s = 0; s < slices; ++s) {
            const float* c = words.value + 4 * s;
            sum.value[s] += fmaf(fmaf(fmaf(c[3], f, c[2]), f, c[1]), f, c[0]);
        }
    }
}

} // namespace engine::cuda
