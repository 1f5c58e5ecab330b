// SPDX-License-Identifier: GPL-3.0-or-later
// Scans by a rolled detector, on which the rotation axis appears tilted, of ellipsoids with analytic projections and
// slices. For the tests of the engine and of the programs.
#pragma once

#include "engine/scan/scan.h"

#include <cmath>
#include <memory>
#include <numbers>
#include <vector>

namespace fixtures
{

// Lengths are in bins, from the point where the axis meets the middle row; z increases downwards, like rows.
struct Ellipsoid {
    double x, y, z, a, b, c, rad, density;
};

struct RolledScan {
    int bins = 96, rows = 80, projections = 120;
    double axisBins = 49.25; // at the middle row
    double tiltDeg = 0;      // positive: the top of the axis leans towards higher bins
    double emptyAbove = 0;   // share of the rows without an object, as above a sample that was sawn off

    std::vector<Ellipsoid> ellipsoids() const
    {
        const double r = bins / 2.0, h = rows / 2.0;
        std::vector<Ellipsoid> all = {{0, 0, 0, 0.7 * r, 0.8 * r, 3 * h, 0, 0.01},
                                      {0.2 * r, 0.3 * r, -0.5 * h, 0.2 * r, 0.15 * r, 0.5 * h, 0.4, 0.02},
                                      {-0.3 * r, 0.1 * r, 0.4 * h, 0.12 * r, 0.3 * r, 0.6 * h, -0.2, 0.015},
                                      {0.1 * r, -0.4 * r, 0.1 * h, 0.25 * r, 0.12 * r, 0.9 * h, 1.1, -0.01},
                                      {-0.1 * r, -0.2 * r, 0.8 * h, 0.1 * r, 0.1 * r, 0.3 * h, 0, 0.03},
                                      {0.35 * r, -0.1 * r, -0.9 * h, 0.1 * r, 0.2 * r, 0.4 * h, 0.7, 0.02}};
        return all;
    }

    // Returns the line integral at u bins from the axis and v rows from the middle row, for an upright detector.
    double integral(const std::vector<Ellipsoid>& all, double angleRad, double u, double v) const
    {
        if (v < (emptyAbove - 0.5) * rows)
            return 0;
        double sum = 0;
        for (const Ellipsoid& e : all) {
            const double part = 1 - (v - e.z) * (v - e.z) / (e.c * e.c); // relative area of the slice at v
            if (part <= 0)
                continue;
            const double cosine = std::cos(angleRad - e.rad), sine = std::sin(angleRad - e.rad);
            const double r2 = part * (e.a * e.a * cosine * cosine + e.b * e.b * sine * sine);
            const double s = u - e.x * std::cos(angleRad) - e.y * std::sin(angleRad);
            if (s * s < r2)
                sum += 2 * e.density * part * e.a * e.b * std::sqrt(r2 - s * s) / r2;
        }
        return sum;
    }

    // Returns the slice of a row, with the axis in the middle: per pixel, the mean of 4 × 4 points.
    std::vector<float> slice(int row) const
    {
        std::vector<float> image;
        const std::vector<Ellipsoid> all = ellipsoids();
        const double middle = (bins - 1) / 2.0, z = row - (rows - 1) / 2.0;
        for (int i = 0; i < bins; ++i)
            for (int j = 0; j < bins; ++j) {
                double sum = 0;
                for (int k = 0; k < 16; ++k)
                    sum += densityAt(all, j - middle + (k % 4 - 1.5) / 4, middle - i + (k / 4 - 1.5) / 4, z);
                image.push_back(static_cast<float>(sum / 16));
            }
        return image;
    }

    double angleRad(int projection) const { return std::numbers::pi * projection / projections; }

    // Returns the line integrals as [projection][row][bin]. A pixel (x, y) from the detector's middle, rotated by t,
    // measures what an upright detector measures at u = x·cos t + y·sin t, v = −x·sin t + y·cos t.
    std::vector<float> values() const
    {
        const double rad = tiltDeg * std::numbers::pi / 180, cosine = std::cos(rad), sine = std::sin(rad);
        const double middleBin = (bins - 1) / 2.0, middleRow = (rows - 1) / 2.0;
        const double axisFromMiddle = (axisBins - middleBin) * cosine; // on the upright detector
        const std::vector<Ellipsoid> objects = ellipsoids();
        std::vector<float> all;
        all.reserve(static_cast<std::size_t>(projections) * rows * bins);
        for (int p = 0; p < projections; ++p)
            for (int row = 0; row < rows; ++row)
                for (int bin = 0; bin < bins; ++bin) {
                    const double x = bin - middleBin, y = row - middleRow;
                    all.push_back(static_cast<float>(integral(
                        objects, angleRad(p), x * cosine + y * sine - axisFromMiddle, -x * sine + y * cosine)));
                }
        return all;
    }

    // Returns the scan without its axis.
    std::shared_ptr<const engine::Scan> scan() const
    {
        auto made = std::make_shared<engine::Scan>();
        engine::ParallelBeam beam;
        beam.bins = bins;
        for (int p = 0; p < projections; ++p)
            beam.anglesRad.push_back(angleRad(p));
        made->name = "rolled";
        made->geometry = beam;
        made->rows = rows;
        made->quantity = engine::Quantity::attenuation;
        const auto data = std::make_shared<const std::vector<float>>(values());
        made->read = [data, size = *this](engine::RowRange range, std::stop_token) {
            engine::RawRows raw;
            raw.rows = range;
            raw.bins = size.bins;
            raw.projections = size.projections;
            engine::Values some;
            for (int p = 0; p < size.projections; ++p) {
                const auto from =
                    data->begin() + (static_cast<std::ptrdiff_t>(p) * size.rows + range.first) * size.bins;
                some.insert(some.end(), from, from + static_cast<std::ptrdiff_t>(range.count) * size.bins);
            }
            raw.data = engine::Samples(std::move(some));
            return raw;
        };
        return made;
    }

    static double densityAt(const std::vector<Ellipsoid>& all, double x, double y, double z)
    {
        double sum = 0;
        for (const Ellipsoid& e : all) {
            const double dx = x - e.x, dy = y - e.y, dz = (z - e.z) / e.c;
            const double along = (dx * std::cos(e.rad) + dy * std::sin(e.rad)) / e.a;
            const double across = (dy * std::cos(e.rad) - dx * std::sin(e.rad)) / e.b;
            sum += along * along + across * across + dz * dz < 1 ? e.density : 0;
        }
        return sum;
    }
};

} // namespace fixtures
