// SPDX-License-Identifier: GPL-3.0-or-later
// The ray through bin h and row r is s + t·d, with the source s and d = e₀·h + e₁·r + e₂, where e are the columns of
// the inverse of the matrix's left part. The affine map that takes an ellipsoid to the unit sphere takes s to p and d
// to q. |p + t·q| = 1 for two values of t that are 2√F/|q|² apart, F = (p·q)² − |q|²(|p|² − 1) = |q|² − |p×q|²; the
// last form doesn't cancel however far away the source is. |d|², |q|² and F are of second degree in h, so the bins
// that see the ellipsoid lie between the roots of F.
#include "engine/simulate/cone_projection.h"

#include "engine/scan/vector3.h"

#include <algorithm>
#include <cmath>

namespace engine
{

namespace
{

// a + b·h + c·h²
struct Quadratic {
    double a, b, c;

    double operator()(double h) const { return a + h * (b + h * c); }
};

// |v + h·w|²
Quadratic squareOf(const Vector3& v, const Vector3& w)
{
    return {dot(v, v), 2 * dot(v, w), dot(w, w)};
}

// Transforms to the axes of the ellipsoid, in units of its half axes.
Vector3 toSphere(const Ellipsoid& solid, double unitMm, const Vector3& mm)
{
    const double cosine = std::cos(solid.widest.angleRad), sine = std::sin(solid.widest.angleRad);
    return {(mm[0] * cosine + mm[1] * sine) / (solid.widest.a * unitMm),
            (mm[1] * cosine - mm[0] * sine) / (solid.widest.b * unitMm), mm[2] / (solid.c * unitMm)};
}

// Rays through the bins of one row.
struct RowOfRays {
    Vector3 source, first, step; // direction of bin h: first + h·step
};

RowOfRays raysOf(const ProjectionMatrix& m, int row)
{
    const Vector3 rows[] = {{m[0], m[1], m[2]}, {m[4], m[5], m[6]}, {m[8], m[9], m[10]}};
    const Vector3 columns[] = {cross(rows[1], rows[2]), cross(rows[2], rows[0]), cross(rows[0], rows[1])};
    const double determinant = dot(rows[0], columns[0]);
    RowOfRays rays{};
    for (int i = 0; i < 3; ++i) {
        rays.source[i] = -(columns[0][i] * m[3] + columns[1][i] * m[7] + columns[2][i] * m[11]) / determinant;
        rays.first[i] = (columns[1][i] * row + columns[2][i]) / determinant;
        rays.step[i] = columns[0][i] / determinant;
    }
    return rays;
}

} // namespace

void addConeRow(const std::vector<Ellipsoid>& solids, double unitMm, double perMm, const ProjectionMatrix& matrix,
                int row, std::span<double> line)
{
    const RowOfRays rays = raysOf(matrix, row);
    const Quadratic lengths = squareOf(rays.first, rays.step);
    const double last = static_cast<double>(line.size()) - 1;
    for (const Ellipsoid& solid : solids) {
        const Ellipse& e = solid.widest;
        const Vector3 fromMiddle{rays.source[0] - e.x * unitMm, rays.source[1] - e.y * unitMm,
                                 rays.source[2] - solid.z * unitMm};
        const Vector3 p = toSphere(solid, unitMm, fromMiddle), q = toSphere(solid, unitMm, rays.first),
                      dq = toSphere(solid, unitMm, rays.step);
        const Quadratic squares = squareOf(q, dq), aside = squareOf(cross(p, q), cross(p, dq));
        const Quadratic inside{squares.a - aside.a, squares.b - aside.b, squares.c - aside.c};
        const double discriminant = inside.b * inside.b - 4 * inside.a * inside.c;
        if (!(inside.c < 0 && discriminant > 0))
            continue;
        const double middle = -inside.b / (2 * inside.c), half = std::sqrt(discriminant) / (-2 * inside.c);
        const double from = middle - half, to = middle + half;
        const int begin = static_cast<int>(std::ceil(std::clamp(from, 0.0, last + 1)));
        const int end = static_cast<int>(std::floor(std::clamp(to, -1.0, last))) + 1;
        const double scale = 2 * e.density * perMm;
        for (int h = begin; h < end; ++h) {
            const double f = std::max(0.0, -inside.c * (h - from) * (to - h)); // like `inside`, but exact at the ends
            line[h] += scale * std::sqrt(f * lengths(h)) / squares(h);
        }
    }
}

} // namespace engine
