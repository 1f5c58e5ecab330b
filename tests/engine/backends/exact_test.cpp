// SPDX-License-Identifier: GPL-3.0-or-later
// `exact` against an independent implementation of the sum.
#include "tests/engine/backends/noise.h"

using namespace fixtures;
using namespace noise;

namespace
{

// Evaluates the linear, Catmull-Rom and nearest kernels as functions of the distance, not by bins and fractions.
double kernel(Interpolation interpolation, double distance)
{
    const double d = std::abs(distance);
    if (interpolation == Interpolation::cubic) {
        if (d < 1)
            return 1.5 * d * d * d - 2.5 * d * d + 1;
        return d < 2 ? -0.5 * d * d * d + 2.5 * d * d - 4 * d + 2 : 0;
    }
    if (interpolation == Interpolation::nearest)
        return distance >= -0.5 && distance < 0.5 ? 1 : 0; // distance = bin − h; a tie is rounded up
    return std::max(0.0, 1 - d);
}

// Sums value × kernel(distance) over all projections and all bins: slow, and unlike any method.
double naivePixel(const Case& c, int slice, double x, double y, Interpolation interpolation, int oversampling)
{
    const auto& values = std::get<engine::Buffer<double>>(c.twice.values);
    double sum = 0;
    for (int p = 0; p < c.twice.projections; ++p) {
        const double axis = c.beam.axisBins.size() == 1 ? c.beam.axisBins[0] : c.beam.axisBins[p];
        double h = axis + x * std::cos(c.beam.anglesRad[p]) + y * std::sin(c.beam.anglesRad[p]);
        if (interpolation == Interpolation::oversampled)
            h = std::floor(h * oversampling + 0.5) / oversampling;
        const double* row = values.data() + (static_cast<std::size_t>(slice) * c.twice.projections + p) * c.twice.bins;
        for (int bin = 0; bin < c.twice.bins; ++bin)
            sum += row[bin] * kernel(interpolation, interpolation == Interpolation::nearest ? h - bin : bin - h);
    }
    return sum;
}

} // namespace

class ExactTest : public QObject
{
    Q_OBJECT

  private slots:
    void exactIsTheSum_data()
    {
        QTest::addColumn<int>("interpolation");
        for (const Interpolation interpolation : allInterpolations)
            QTest::newRow(toText(interpolation).c_str()) << static_cast<int>(interpolation);
    }

    // One axis per projection, a region, a preview step, and a slice much wider than the detector.
    void exactIsTheSum()
    {
        QFETCH(int, interpolation);
        const auto kind = static_cast<Interpolation>(interpolation);
        const SliceGrid grids[] = {whole(9), {40, 3, 5, 11, 7, 1}, {40, 0, 0, 10, 10, 4}, {41, 0.5, 0.25, 5, 6, 7}};
        for (const SliceGrid& grid : grids) {
            Case c(13, evenAngles(7), 2, grid);
            c.beam.axisBins.clear();
            for (int p = 0; p < 7; ++p)
                c.beam.axisBins.push_back(6.2 + 0.37 * p);
            for (const int oversampling : {3, 4}) {
                const Volume image = c.run(*findMethod("exact"), kind, Precision::single, 1, 0, oversampling);
                for (int slice = 0; slice < 2; ++slice)
                    for (int row = 0; row < grid.height; ++row)
                        for (int column = 0; column < grid.width; ++column) {
                            const double expected =
                                naivePixel(c, slice, grid.x(column), grid.y(row), kind, oversampling);
                            const float value = image.slice(slice)[row * grid.width + column];
                            QVERIFY(std::abs(value - expected) < 1e-6);
                        }
            }
        }
    }
};

SINOSCOPE_TEST(ExactTest, QCoreApplication)
#include "exact_test.moc"
