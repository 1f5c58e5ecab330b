// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/reconstruct/thumbnails.h"

#include "engine/base/error.h"
#include "engine/scan/geometry_facts.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace engine
{

namespace
{

constexpr int mostProjections = 10;
constexpr double mostBytes = 512 << 20; // largest amount to read for one projection

// Shrinks an image: each pixel is the mean of the finite values of a block.
class Shrinking
{
  public:
    Shrinking(int height, int width, int most)
        : m_height(height), m_width(width), m_by((std::max(height, width) + most - 1) / most),
          m_image(1, (height + m_by - 1) / m_by, (width + m_by - 1) / m_by), m_counts(m_image.values.size())
    {
    }

    int by() const { return m_by; }
    void add(int row, int column, float value)
    {
        if (!std::isfinite(value))
            return;
        const std::size_t at = static_cast<std::size_t>(row / m_by) * m_image.width + column / m_by;
        m_image.values[at] += value;
        ++m_counts[at];
    }
    Volume made()
    {
        for (std::size_t k = 0; k < m_counts.size(); ++k)
            m_image.values[k] = m_counts[k] > 0 ? m_image.values[k] / static_cast<float>(m_counts[k])
                                                : std::numeric_limits<float>::quiet_NaN();
        return std::move(m_image);
    }

  private:
    int m_height, m_width, m_by;
    Volume m_image;
    std::vector<int> m_counts;
};

Volume frameOf(const Scan& scan, int projection, int most, const std::stop_token& stop)
{
    const RawRows raw = scan.readFrames({{projection, 1}, {0, scan.rows}, false}, stop);
    throwIfStopped(stop);
    Shrinking small(scan.rows, scan.bins(), most);
    raw.data.visit([&](const auto& numbers) {
        const auto* value = numbers.data();
        for (int row = 0; row < scan.rows; ++row)
            for (int bin = 0; bin < raw.bins; ++bin)
                small.add(row, bin, static_cast<float>(*value++));
    });
    return small.made();
}

Volume sinogramSmall(const Scan& scan, int row, int most, const std::stop_token& stop)
{
    const RawRows raw = scan.read({row, 1}, stop);
    Shrinking small(raw.projections, raw.bins, most);
    raw.data.visit([&](const auto& numbers) {
        const auto* value = numbers.data();
        for (int projection = 0; projection < raw.projections; ++projection)
            for (int bin = 0; bin < raw.bins; ++bin)
                small.add(projection, bin, static_cast<float>(*value++));
    });
    return small.made();
}

// Returns the mean dark or flat. For each pixel row of the picture, it reads one row of the detector, with the rows
// that are stored together with it.
Volume sideOf(const Scan& scan, bool isFlat, int most, const std::stop_token& stop)
{
    Shrinking small(scan.rows, scan.bins(), most);
    const int together = std::clamp(scan.rowsTogether, 1, scan.rows);
    const int step = std::max(small.by(), together);
    for (int row = 0; row < scan.rows; row += step) {
        throwIfStopped(stop);
        const RowRange rows{row, std::min(together, scan.rows - row)};
        const RawRows raw = scan.readFrames ? scan.readFrames({{0, 1}, rows, true}, stop) : scan.read(rows, stop);
        const Values& values = isFlat ? raw.flats : raw.darks;
        const float* value = values.data();
        for (int frame = 0; frame < (isFlat ? raw.flatFrames : raw.darkFrames); ++frame)
            for (int k = 0; k < rows.count; ++k)
                for (int bin = 0; bin < raw.bins; ++bin)
                    small.add(row + k, bin, *value++);
    }
    return small.made();
}

double bytesForProjection(const Scan& scan)
{
    return double(scan.framesTogether) * scan.rows * scan.bins() * scan.bytesPerSample;
}

} // namespace

std::string insteadOfProjections(const Scan& scan)
{
    if (scan.rows == 1)
        return "The scan is a single sinogram; each row is one projection.";
    if (!scan.readFrames)
        return "Projections of this scan can't be read one by one: the sinogram of the middle row is shown instead.";
    if (scan.framesTogether > 1 && bytesForProjection(scan) > mostBytes)
        return "The file keeps " + std::to_string(scan.framesTogether) +
               " projections together, so single ones can't be read: the sinogram of the middle row is shown instead.";
    return {};
}

std::vector<Thumbnail> thumbnailsOf(const Scan& scan)
{
    std::vector<Thumbnail> thumbnails;
    const std::vector<double> angles = recordedAnglesRad(scan.geometry);
    const int projections = scan.projections(), count = std::min(mostProjections, projections);
    if (!insteadOfProjections(scan).empty())
        thumbnails.push_back({.kind = Thumbnail::Kind::sinogram, .row = scan.rows / 2});
    else
        for (int k = 0; k < count; ++k) {
            const int projection = count == 1 ? 0 : static_cast<int>(k * (projections - 1LL) / (count - 1));
            thumbnails.push_back({.projection = projection, .angleRad = angles[static_cast<std::size_t>(projection)]});
        }
    if (scan.quantity == Quantity::counts && scan.rows > 1) {
        if (scan.flatFrames > 0)
            thumbnails.push_back({.kind = Thumbnail::Kind::flat});
        if (scan.darkFrames > 0)
            thumbnails.push_back({.kind = Thumbnail::Kind::dark});
    }
    return thumbnails;
}

Volume pictureOf(const Scan& scan, const Thumbnail& thumbnail, int most, const std::stop_token& stop)
{
    switch (thumbnail.kind) {
    case Thumbnail::Kind::projection:
        return frameOf(scan, thumbnail.projection, most, stop);
    case Thumbnail::Kind::sinogram:
        return sinogramSmall(scan, thumbnail.row, most, stop);
    case Thumbnail::Kind::flat:
        return sideOf(scan, true, most, stop);
    case Thumbnail::Kind::dark:
        break;
    }
    return sideOf(scan, false, most, stop);
}

} // namespace engine
