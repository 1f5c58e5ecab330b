// The loops of tile_kernel.h, included once by each file that compiles them for an instruction set.
// No #pragma once. SINOSCOPE_KERNEL names the namespace; it includes nothing, because a standard
// header compiled for a newer instruction set could replace the portable one when linking.

namespace engine::SINOSCOPE_KERNEL
{

namespace
{

// Largest integer ≤ value, where it fits an int; vectorises on every instruction set.
inline int floorToInt(double value)
{
    const int whole = static_cast<int>(value);
    return whole - (value < static_cast<double>(whole) ? 1 : 0);
}

// What the pixels of a segment read: window index of the left bin, and how far right of it they are.
struct Positions {
    alignas(64) int index[segmentColumns];
    alignas(64) float fraction[segmentColumns];
};

// h = whole + fraction for one segment, from the distance of its columns to its leftmost position,
// in floats: |distance| < 16 pixels, so h is right to 10⁻⁶ bin whatever the size of the image.
struct SegmentOffsets {
    double leftmost;
    alignas(64) float distance[segmentColumns];

    void set(const double* offsets)
    {
        leftmost = offsets[0] < offsets[segmentColumns - 1] ? offsets[0] : offsets[segmentColumns - 1];
        for (int j = 0; j < segmentColumns; ++j)
            distance[j] = static_cast<float>(offsets[j] - leftmost);
    }

    void positions(double rowPosition, long long base, Positions& out) const
    {
        const double local = rowPosition + leftmost - static_cast<double>(base); // ≥ 0
        const int whole = static_cast<int>(local);
        const float rest = static_cast<float>(local - whole);
        for (int j = 0; j < segmentColumns; ++j) {
            const float position = rest + distance[j];
            const int left = static_cast<int>(position);
            out.index[j] = whole + left;
            out.fraction[j] = position - static_cast<float>(left);
        }
    }
};

// The nearest of k positions a bin, as floor(h·k + 0.5) in double precision: the very bin, or
// position between two bins, that `exact` takes.
inline void steppedPositions(double rowPosition, const double* offsets, int steps, long long base, Positions& out)
{
    const double perBin = steps;
    const int first = static_cast<int>(base) * steps;
    const float inverse = 1.0f / static_cast<float>(steps);
    for (int j = 0; j < segmentColumns; ++j) {
        const int step = floorToInt((rowPosition + offsets[j]) * perBin + 0.5) - first;
        // (step + ½)/k is at least 1/2k away from an integer, far more than its rounding.
        const int left = static_cast<int>((static_cast<float>(step) + 0.5f) * inverse);
        out.index[j] = left;
        out.fraction[j] = static_cast<float>(step - left * steps) * inverse;
    }
}

inline void nearestPositions(double rowPosition, const double* offsets, long long base, Positions& out)
{
    const int first = static_cast<int>(base);
    for (int j = 0; j < segmentColumns; ++j)
        out.index[j] = floorToInt((rowPosition + offsets[j]) + 0.5) - first;
}

template <int slices>
inline void addNearest(const float* window, const Positions& at, float* __restrict sums)
{
    for (int j = 0; j < segmentColumns; ++j) {
        const float* bin = window + at.index[j] * slices;
        for (int s = 0; s < slices; ++s)
            sums[j * slices + s] += bin[s];
    }
}

template <int slices>
inline void addLinear(const float* window, const Positions& at, float* __restrict sums)
{
    for (int j = 0; j < segmentColumns; ++j) {
        const float* bin = window + at.index[j] * slices;
        const float f = at.fraction[j];
        for (int s = 0; s < slices; ++s)
            sums[j * slices + s] += bin[s] + f * (bin[slices + s] - bin[s]);
    }
}

// Catmull-Rom: Keys' cubic with a = −1/2, on bins −1…2 about the left one.
template <int slices>
inline void addCubic(const float* window, const Positions& at, float* __restrict sums)
{
    for (int j = 0; j < segmentColumns; ++j) {
        const float* bin = window + (at.index[j] - 1) * slices;
        const float f = at.fraction[j];
        const float w0 = f * (-0.5f + f * (1.0f - 0.5f * f));
        const float w1 = 1.0f + f * f * (-2.5f + 1.5f * f);
        const float w2 = f * (0.5f + f * (2.0f - 1.5f * f));
        const float w3 = f * f * (-0.5f + 0.5f * f);
        for (int s = 0; s < slices; ++s)
            sums[j * slices + s] +=
                w0 * bin[s] + w1 * bin[slices + s] + w2 * bin[2 * slices + s] + w3 * bin[3 * slices + s];
    }
}

template <Interpolation interpolation, int slices>
void addProjection(const TileProjection& tile)
{
    constexpr bool continuous = interpolation == Interpolation::linear || interpolation == Interpolation::cubic;
    const int segments = tile.columns / segmentColumns;
    SegmentOffsets offsets[maxTileColumns / segmentColumns];
    if constexpr (continuous)
        for (int s = 0; s < segments; ++s)
            offsets[s].set(tile.columnOffsets + s * segmentColumns);
    float* sums = tile.sums;
    Positions at;
    for (int row = 0; row < tile.rows; ++row) {
        for (int s = 0; s < segments; ++s, sums += segmentColumns * slices) {
            const double* columns = tile.columnOffsets + s * segmentColumns;
            if constexpr (continuous)
                offsets[s].positions(tile.rowPositions[row], tile.base, at);
            else if constexpr (interpolation == Interpolation::nearest)
                nearestPositions(tile.rowPositions[row], columns, tile.base, at);
            else
                steppedPositions(tile.rowPositions[row], columns, tile.oversampling, tile.base, at);
            if constexpr (interpolation == Interpolation::nearest)
                addNearest<slices>(tile.window, at, sums);
            else if constexpr (interpolation == Interpolation::cubic)
                addCubic<slices>(tile.window, at, sums);
            else
                addLinear<slices>(tile.window, at, sums);
        }
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

} // namespace engine::SINOSCOPE_KERNEL
