// SPDX-License-Identifier: GPL-3.0-or-later
// `tensor` compared with the exact method: cases where its tiles, passes and half precision could be wrong.
#include "tests/gpu/device.h"

#include "engine/backends/backend.h"
#include "engine/backends/method.h"
#include "engine/reconstruct/reconstruct.h"
#include "engine/simulate/phantom.h"
#include "tests/fixtures.h"

#include <cmath>
#include <limits>
#include <numbers>
#include <random>

using namespace engine;
using namespace fixtures;
using std::numbers::pi;

namespace
{

// Filtered sinograms of noise, for any beam.
struct Noise {
    ParallelBeam beam;
    int slices = 1;
    std::vector<float> values;

    Noise(int bins, std::vector<double> angles, double axis, int slices) : slices(slices)
    {
        beam.bins = bins;
        beam.anglesRad = std::move(angles);
        beam.axisBins = {axis};
        std::mt19937 generator(5);
        values.resize(std::size_t(slices) * beam.anglesRad.size() * bins);
        for (float& value : values)
            value = float(int(generator() >> 8) - (1 << 23)) * 0x1p-23f;
    }
};

struct Choice {
    Interpolation interpolation = Interpolation::linear;
    Precision precision = Precision::half;
    int slicesPerPass = 64;
};

// Back-projects the first `slices` slices of the noise; the image is NaN before.
Volume backproject(const char* id, const Noise& noise, const SliceGrid& grid, int slices, const Choice& choice)
{
    const Method& method = *findMethod(id);
    const std::size_t count = std::size_t(slices) * noise.beam.anglesRad.size() * noise.beam.bins;
    const auto begin = noise.values.begin(), end = begin + std::ptrdiff_t(count);
    FilteredSinograms sinograms{slices, noise.beam.projections(), noise.beam.bins, Values(begin, end)};
    if (method.filterPrecision == FilterPrecision::float64)
        sinograms.values = Buffer<double>(begin, end);
    Volume image(slices, grid.height, grid.width);
    std::fill(image.values.begin(), image.values.end(), notANumber);
    Workspace workspace;
    launch(method,
           {.sinograms = sinograms,
            .geometry = noise.beam,
            .grid = {grid, 0, 1, slices},
            .kernel = {.interpolation = choice.interpolation,
                       .precision = choice.precision,
                       .slicesPerPass = choice.slicesPerPass},
            .image = image},
           workspace);
    return image;
}

Volume exactOf(const Noise& noise, const SliceGrid& grid, Interpolation interpolation)
{
    return backproject("exact", noise, grid, noise.slices, {interpolation, Precision::single, 1});
}

// Returns ‖image − exact‖ / ‖exact‖ over the slices of `image`.
double relativeToFirst(const Volume& image, const Volume& exact)
{
    return relativeError(image.values, std::span(exact.values).first(image.values.size()));
}

double promised(Precision precision)
{
    return precision == Precision::half ? 5e-4 : 2e-6;
}

} // namespace

class TensorTest : public QObject
{
    Q_OBJECT

    void compare(const Noise& noise, const SliceGrid& grid, const Volume& exact, int slices, const Choice& choice)
    {
        const double error = relativeToFirst(backproject("tensor", noise, grid, slices, choice), exact);
        // With a single projection or pixel no errors are averaged: the error may be that of one rounding.
        const double few = noise.beam.projections() < 20 || grid.width < 8 ? 1.5 : 1;
        QVERIFY2(error < few * promised(choice.precision),
                 qPrintable(QStringLiteral("%1 %2, %3 slices by %4: %5")
                                .arg(toText(choice.interpolation).c_str(), toText(choice.precision).c_str())
                                .arg(slices)
                                .arg(choice.slicesPerPass)
                                .arg(error)));
    }

  private slots:
    void init() { SINOSCOPE_NEEDS_GPU(); }

    void sizes_data()
    {
        QTest::addColumn<int>("size");
        QTest::addColumn<int>("projections");
        for (const int size : {1, 17, 64, 129, 512})
            for (const int projections : {1, 7, 8, 33, 180})
                if (size < 512 || projections == 180)
                    QTest::addRow("%d² from %d", size, projections) << size << projections;
    }

    void sizes()
    {
        QFETCH(int, size);
        QFETCH(int, projections);
        const Noise noise(size, evenAngles(projections), (size - 1) / 2.0 + 0.3 + 0.01 * size, 8);
        for (const auto interpolation : {Interpolation::nearest, Interpolation::linear, Interpolation::cubic}) {
            const Volume exact = exactOf(noise, whole(size), interpolation);
            for (const auto precision : {Precision::half, Precision::single})
                for (const int slicesPerPass : {8, 16, 32, 64, 128})
                    compare(noise, whole(size), exact, 8, {interpolation, precision, slicesPerPass});
        }
    }

    void sliceCounts()
    {
        const Noise noise(40, evenAngles(30), 19.8, 130);
        const Volume exact = exactOf(noise, whole(40), Interpolation::linear);
        for (int slices = 1; slices <= 130; slices += slices < 10 || (slices > 62 && slices < 66) ? 1 : 9)
            for (const auto precision : {Precision::half, Precision::single})
                for (const int slicesPerPass : {8, 16, 32, 64, 128})
                    compare(noise, whole(40), exact, slices, {Interpolation::linear, precision, slicesPerPass});
        for (const int slices : {1, 7, 8, 9, 63, 64, 65, 129, 130})
            compare(noise, whole(40), exact, slices, {});
    }

    // Angles at which tiles begin at the border of a bin, rays run along rows, columns and diagonals, and signs
    // change.
    void specialAngles()
    {
        std::vector<double> angles;
        for (const double degrees : {-180.0, -90.0, -45.0, 0.0, 45.0, 90.0, 135.0, 180.0, 270.0, 360.0})
            for (const double off : {0.0, 1e-12, 1e-7, 1e-3, 0.2})
                for (const int sign : {-1, 1})
                    angles.push_back((degrees + sign * off) * pi / 180);
        for (const double axis : {31.5, 32.0, 30.9871}) {
            const Noise noise(65, angles, axis, 8);
            for (const auto interpolation : {Interpolation::linear, Interpolation::cubic}) {
                const Volume exact = exactOf(noise, whole(64), interpolation);
                for (const auto precision : {Precision::half, Precision::single})
                    for (const int slicesPerPass : {8, 64, 128})
                        compare(noise, whole(64), exact, 8, {interpolation, precision, slicesPerPass});
            }
        }
    }

    void axisAnywhere_data()
    {
        QTest::addColumn<double>("axis");
        for (const double axis : {-1e12, -1e6, -301.5, -150.0, -40.3, 0.2, 12.7, 99.0, 140.9, 290.1, 700.0, 1e7, 1e12})
            QTest::addRow("axis at %g", axis) << axis;
    }

    // Windows beyond either end of the detector read zeros.
    void axisAnywhere()
    {
        QFETCH(double, axis);
        const Noise noise(100, evenAngles(24), axis, 8);
        for (const auto interpolation : {Interpolation::nearest, Interpolation::linear, Interpolation::cubic}) {
            const Volume exact = exactOf(noise, whole(100), interpolation);
            for (const int slicesPerPass : {8, 64, 128})
                compare(noise, whole(100), exact, 8, {interpolation, Precision::half, slicesPerPass});
        }
    }

    void axisOfEachProjection()
    {
        Noise noise(100, evenAngles(60), 0, 8);
        noise.beam.axisBins.clear();
        for (int p = 0; p < 60; ++p)
            noise.beam.axisBins.push_back(45 + 0.37 * (p % 20));
        for (const SliceGrid& grid :
             {whole(100), SliceGrid{100, 13, 27, 41, 66, 1}, SliceGrid{100, 1.5, 1.5, 25, 25, 4}}) {
            const Volume exact = exactOf(noise, grid, Interpolation::linear);
            for (const int slicesPerPass : {8, 32, 64})
                compare(noise, grid, exact, 8, {Interpolation::linear, Precision::single, slicesPerPass});
        }
    }

    void notFinite_data()
    {
        QTest::addColumn<float>("value");
        QTest::addRow("not a number") << notANumber;
        QTest::addRow("infinite") << std::numeric_limits<float>::infinity();
    }

    // A bin that is not finite spoils the pixels of its slice whose rays meet it, and no others.
    void notFinite()
    {
        QFETCH(float, value);
        constexpr int size = 64, projection = 5, bin = 30, slice = 11;
        Noise noise(size, evenAngles(16), 31.7, 40);
        const Volume clean = exactOf(noise, whole(size), Interpolation::linear);
        noise.values[(std::size_t(slice) * 16 + projection) * size + bin] = value;
        for (const auto precision : {Precision::half, Precision::single}) {
            const Volume image = backproject("tensor", noise, whole(size), 40, {Interpolation::linear, precision, 32});
            const double angle = noise.beam.anglesRad[projection];
            for (int s = 0; s < 40; ++s)
                for (int row = 0; row < size; ++row)
                    for (int column = 0; column < size; ++column) {
                        const std::size_t i = (std::size_t(s) * size + row) * size + column;
                        const double h = 31.7 + (column - 31.5) * std::cos(angle) + (31.5 - row) * std::sin(angle);
                        const double distance = std::abs(h - bin);
                        if (s == slice && distance < 0.999)
                            QVERIFY(!std::isfinite(image.values[i]));
                        else if (s != slice || distance > 1.001)
                            QVERIFY(std::abs(image.values[i] - clean.values[i]) < 0.02f);
                    }
        }
    }

    void notFiniteIsSaid()
    {
        auto scan = std::make_shared<Scan>(*smallScan(64, 30, 20));
        const auto read = scan->read;
        scan->read = [read](RowRange rows, std::stop_token stop) {
            RawRows raw = read(rows, stop);
            raw.data.floats()[100] = raw.data.floats()[101] = 3e38f; // too large for the filter, which overflows
            return raw;
        };
        scan->quantity = Quantity::attenuation;
        Request request = gpuRequestFor(scan, "tensor", 8);
        const Reconstruction result = Reconstructor().run(request);
        QVERIFY(mentions(result.notes, "`alu`"));
        request.setting.kernel.method = "alu";
        request.setting.kernel.slicesPerPass = 4;
        const Reconstruction alu = Reconstructor().run(request);
        for (std::size_t i = 0; i < alu.image.values.size(); ++i)
            QCOMPARE(std::isfinite(result.image.values[i]), std::isfinite(alu.image.values[i]));
    }

    // Half precision on an object: errors are within 1 % of the range of values everywhere.
    void sheppLogan()
    {
        Request request = gpuRequestFor(smallScan(1024, 512, 8), "tensor", 8);
        const auto single = Reconstructor().run(request).image.values;
        request.setting.kernel.precision = Precision::half;
        const auto half = Reconstructor().run(request).image.values;
        const auto [least, most] = std::minmax_element(single.begin(), single.end());
        const double worst = largestDifference(half, single);
        qInfo("worst difference %.3g of a range of %.3g", worst, *most - *least);
        QVERIFY(*most - *least > 1e-3f && worst < 0.01f * (*most - *least));
    }

    void passesAgree()
    {
        Request request = gpuRequestFor(smallScan(90, 61, 150), "tensor", 64);
        const auto first = Reconstructor().run(request).image.values;
        QCOMPARE(Reconstructor().run(request).image.values, first);
        request.setting.kernel.method = "alu";
        request.setting.kernel.slicesPerPass = 1;
        const auto alu = Reconstructor().run(request).image.values;
        QVERIFY(relativeError(first, alu) < 5e-6);
    }

    void refusesWhatItCannot()
    {
        Request request;
        request.setting.kernel.method = "tensor";
        request.setting.kernel.slicesPerPass = 4;
        QVERIFY(refusalOf(*findMethod("tensor"), request));
        request.setting.kernel.slicesPerPass = 8;
        QVERIFY(!refusalOf(*findMethod("tensor"), request));
        request.setting.kernel.interpolation = Interpolation::oversampled;
        QVERIFY(refusalOf(*findMethod("tensor"), request));
    }
};

SINOSCOPE_TEST(TensorTest, QCoreApplication)
#include "tensor_test.moc"
