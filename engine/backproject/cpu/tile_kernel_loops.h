// The loops of tile_kernel.h, included once by each file that compiles them for an instruction set.
// No #pragma once. SINOSCOPE_KERNEL names the namespace; it includes nothing, because a standard
// header compiled for a newer instruction set could replace the portable one when linking. With
// SINOSCOPE_KERNEL_LANES there is a struct Lanes in that namespace: vectors with a shuffle.

namespace engine
{
namespace SINOSCOPE_KERNEL
{

namespace
{

// Largest integer ≤ value, where it fits an int; vectorises on every instruction set.
inline int floorToInt(double value)
{
    const int whole = static_cast<int>(value);
    return whole - (value < static_cast<double>(whole) ? 1 : 0);
}

// What the pixels of one row of the tile read: window index of the left bin, and how far right of
// it they are, 0…1.
struct Positions {
    alignas(64) int index[maxTileColumns];
    alignas(64) float fraction[maxTileColumns]; // not set by `nearest`
};

// x·cosθ of each column as whole bins and a rest in 0…1: floats near 1 whatever the size of the
// image, so that h is right to 10⁻⁷ bin everywhere.
struct SplitOffsets {
    alignas(64) int whole[maxTileColumns];
    alignas(64) float rest[maxTileColumns];

    void set(const double* __restrict offsets, int columns)
    {
        for (int j = 0; j < columns; ++j) {
            whole[j] = floorToInt(offsets[j]);
            rest[j] = static_cast<float>(offsets[j] - whole[j]);
        }
    }

    void positions(double rowPosition, long long base, int columns, Positions& __restrict out) const
    {
        const int rowWhole = floorToInt(rowPosition);
        const float rowRest = static_cast<float>(rowPosition - rowWhole);
        const int first = rowWhole - static_cast<int>(base);
        for (int j = 0; j < columns; ++j) {
            const float position = rowRest + rest[j]; // 0…2
            const int carry = static_cast<int>(position);
            out.index[j] = first + whole[j] + carry;
            out.fraction[j] = position - static_cast<float>(carry);
        }
    }
};

// The nearest of k positions a bin, as floor(h·k + 0.5) in double precision: the very bin, or
// position between two bins, that `exact` takes.
inline void steppedPositions(double rowPosition, const double* __restrict offsets, int steps, long long base,
                             int columns, Positions& __restrict out)
{
    const double perBin = steps;
    const int first = static_cast<int>(base) * steps;
    const float inverse = 1.0f / static_cast<float>(steps);
    for (int j = 0; j < columns; ++j) {
        const int step = floorToInt((rowPosition + offsets[j]) * perBin + 0.5) - first;
        // (step + ½)/k is at least 1/2k away from an integer, far more than its rounding.
        const int left = static_cast<int>((static_cast<float>(step) + 0.5f) * inverse);
        out.index[j] = left;
        out.fraction[j] = static_cast<float>(step - left * steps) * inverse;
    }
}

inline void nearestPositions(double rowPosition, const double* __restrict offsets, long long base, int columns,
                             Positions& __restrict out)
{
    const int first = static_cast<int>(base);
    for (int j = 0; j < columns; ++j)
        out.index[j] = floorToInt((rowPosition + offsets[j]) + 0.5) - first;
}

// The slices of one bin, side by side in one vector.
template <int slices>
struct BinOf;
template <>
struct BinOf<1> {
    using Type = float;
};
template <>
struct BinOf<2> {
    typedef float Type __attribute__((vector_size(8)));
};
template <>
struct BinOf<4> {
    typedef float Type __attribute__((vector_size(16)));
};
template <>
struct BinOf<8> {
    typedef float Type __attribute__((vector_size(32)));
};

// Adds what one pixel, or one vector of pixels, receives. read(k, out) reads bin k, 0 being the left
// one; not as a result, because results of a size that the instruction set doesn't have are a warning.
template <Interpolation interpolation, typename Sum, typename Fraction, typename Read>
inline void addSample(Sum& sum, const Read& read, const Fraction& f)
{
    Sum left;
    read(0, left);
    if constexpr (interpolation == Interpolation::nearest) {
        sum += left;
        return;
    }
    Sum right;
    read(1, right);
    if constexpr (interpolation == Interpolation::cubic) {
        // Catmull-Rom: Keys' cubic with a = −1/2, on bins −1…2 about the left one.
        Sum before, after;
        read(-1, before);
        read(2, after);
        const Fraction w0 = f * (-0.5f + f * (1.0f - 0.5f * f));
        const Fraction w1 = 1.0f + f * f * (-2.5f + 1.5f * f);
        const Fraction w2 = f * (0.5f + f * (2.0f - 1.5f * f));
        const Fraction w3 = f * f * (-0.5f + 0.5f * f);
        sum += w0 * before + w1 * left + w2 * right + w3 * after;
    } else {
        sum += left + f * (right - left);
    }
}

template <Interpolation interpolation, int slices>
inline void addPixels(const float* window, const Positions& at, int first, int end, float* sums)
{
    using Bin = typename BinOf<slices>::Type;
    for (int j = first; j < end; ++j) {
        const float* left = window + at.index[j] * slices;
        const auto read = [left](int k, Bin& out) { __builtin_memcpy(&out, left + k * slices, sizeof out); };
        Bin sum;
        __builtin_memcpy(&sum, sums + j * slices, sizeof sum);
        addSample<interpolation>(sum, read, at.fraction[j]);
        __builtin_memcpy(sums + j * slices, &sum, sizeof sum);
    }
}

#if defined(SINOSCOPE_KERNEL_LANES)
// One slice: neighbouring pixels lie at most one bin apart, so that as many pixels as a vector has
// lanes read from as many consecutive bins: loaded at once and shuffled, not gathered. Where they
// reach further (coarse previews, ties) pixel by pixel. Reads up to a vector past the last bin used.
template <Interpolation interpolation>
inline void addVectors(const float* window, const Positions& at, int columns, float* sums)
{
    constexpr int lanes = Lanes::count;
    for (int j = 0; j < columns; j += lanes) {
        const int a = at.index[j], b = at.index[j + lanes - 1];
        const int first = a < b ? a : b;
        Lanes::Index distance;
        if (!Lanes::distances(at.index + j, first, distance)) {
            addPixels<interpolation, 1>(window, at, j, j + lanes, sums);
            continue;
        }
        const float* left = window + first;
        const auto read = [left, distance](int k, Lanes::Floats& out) { out = Lanes::lookUp(left + k, distance); };

        Lanes::Floats sum = Lanes::load(sums + j);
        addSample<interpolation>(sum, read, Lanes::load(at.fraction + j));
        Lanes::store(sums + j, sum);
    }
}
#endif

template <Interpolation interpolation, int slices>
void addProjection(const TileProjection& tile)
{
    constexpr bool continuous = interpolation == Interpolation::linear || interpolation == Interpolation::cubic;
    const int columns = tile.columns / columnMultiple * columnMultiple; // no left-over columns for the compiler
    SplitOffsets offsets;
    if constexpr (continuous)
        offsets.set(tile.columnOffsets, columns);
    Positions at;
    for (int row = 0; row < tile.rows; ++row) {
        float* sums = tile.sums + row * columns * slices;
        if constexpr (continuous)
            offsets.positions(tile.rowPositions[row], tile.base, columns, at);
        else if constexpr (interpolation == Interpolation::nearest)
            nearestPositions(tile.rowPositions[row], tile.columnOffsets, tile.base, columns, at);
        else
            steppedPositions(tile.rowPositions[row], tile.columnOffsets, tile.oversampling, tile.base, columns, at);
#if defined(SINOSCOPE_KERNEL_LANES)
        if constexpr (slices == 1) {
            addVectors<interpolation>(tile.window, at, columns, sums);
            continue;
        }
#endif
        addPixels<interpolation, slices>(tile.window, at, 0, columns, sums);
    }
}

template <Interpolation interpolation>
TileKernel kernelForSlices(int slices)
{
    switch (slices) {
    case 1:
        return addProjection<interpolation, 1>;
    case 2:
        return addProjection<interpolation, 2>;
    case 4:
        return addProjection<interpolation, 4>;
    default:
        return addProjection<interpolation, 8>;
    }
}

} // namespace

TileKernel tileKernel(Interpolation interpolation, int slices)
{
    switch (interpolation) {
    case Interpolation::nearest:
        return kernelForSlices<Interpolation::nearest>(slices);
    case Interpolation::oversampled:
        return kernelForSlices<Interpolation::oversampled>(slices);
    case Interpolation::cubic:
        return kernelForSlices<Interpolation::cubic>(slices);
    case Interpolation::linear:
        break;
    }
    return kernelForSlices<Interpolation::linear>(slices);
}

} // namespace SINOSCOPE_KERNEL
} // namespace engine
