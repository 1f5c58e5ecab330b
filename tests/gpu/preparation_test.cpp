// SPDX-License-Identifier: GPL-3.0-or-later
// Preparation on a GPU compared with that on the processor.
#include "engine/io/open/open_scan.h"
#include "engine/options/options.h"
#include "engine/prepare/prepare.h"
#include "engine/resolve/resolve.h"
#include "engine/volume/reconstruct_volume.h"
#include "tests/engine/prepare/naive_preparation.h"
#include "tests/gpu/device.h"

#include "engine/reconstruct/reconstruct.h"

#include <bit>
#include <random>

#include "engine/backends/cuda/device/stream.h"
#include "engine/backends/cuda/prepare/device_lines.h"

using namespace engine;
using namespace fixtures;

namespace
{

// Greatest difference of logarithms, in units in the last place. Processors with fused multiply-adds give the same
// logarithms as the GPU.
constexpr int mostUnits = 1;

// Returns the number of floats between two floats.
long long unitsBetween(float a, float b)
{
    const auto place = [](float value) {
        const auto bits = std::bit_cast<std::int32_t>(value);
        return bits < 0 ? -static_cast<long long>(bits & 0x7fffffff) : static_cast<long long>(bits);
    };
    return std::isnan(a) || std::isnan(b) ? std::numeric_limits<int>::max() : std::abs(place(a) - place(b));
}

// Returns random numbers of a type with every possible defect, except lines without any valid value.
RawRows randomRows(const SampleType& type, int bins, int rows, int projections, bool flats)
{
    RawRows raw;
    raw.rows = {3, rows};
    raw.bins = bins;
    raw.projections = projections;
    raw.darkFrames = raw.flatFrames = flats ? 2 : 0;
    const std::size_t frame = static_cast<std::size_t>(rows) * bins;
    std::mt19937 random(static_cast<unsigned>(bins + rows));
    Values numbers(frame * projections);
    for (float& number : numbers)
        number = static_cast<float>(20 + random() % 100);
    for (std::size_t k = 0; k < numbers.size(); k += 1 + random() % 200) {
        const float odd = type.isKept && type.bytes == 4 && random() % 2 ? notANumber : 0.0f; // 0: no light recorded
        std::fill_n(numbers.begin() + static_cast<std::ptrdiff_t>(k),
                    std::min<std::size_t>(1 + random() % 6, numbers.size() - k), odd);
    }
    for (std::size_t k = 0; k < numbers.size(); k += static_cast<std::size_t>(bins)) // a valid value in every line
        numbers[k + random() % bins] = 50;
    raw.data = Samples(type, numbers.size());
    type.fromFloats(numbers.data(), numbers.size(), raw.data.bytes());
    raw.darks.assign(frame * raw.darkFrames, 1);
    raw.flats.assign(frame * raw.flatFrames, 120);
    if (flats)
        for (std::size_t pixel = 2; pixel + 1 < frame && bins > 20; pixel += 97) // dead pixels
            raw.flats[pixel] = raw.flats[pixel + frame] = 0;
    return raw;
}

} // namespace

class PreparationTest : public QObject
{
    Q_OBJECT

    // Prepares on the GPU, in two parts of rows.
    static Prepared byDevice(const RawRows& raw, Quantity quantity, bool* empty = nullptr)
    {
        return byDevice(raw, quantity, preparationOf(quantity), empty);
    }

    static Prepared byDevice(const RawRows& raw, Quantity quantity, const Preparation& steps, bool* empty)
    {
        const DevicePreparation preparation(std::make_shared<const RawRows>(raw), quantity, steps, 0);
        const Stream stream;
        cuda::DeviceLines lines;
        lines.begin(preparation.program(), raw.rows.count, raw.bins, stream.get());
        Prepared prepared;
        prepared.sinograms = {raw.rows.count, raw.projections, raw.bins, Values(raw.data.size())};
        const std::size_t row = static_cast<std::size_t>(raw.bins) * raw.data.type().bytes;
        const std::size_t slice = static_cast<std::size_t>(raw.projections) * raw.bins;
        const int half = raw.rows.count / 2;
        for (const auto& [first, count] : {std::pair(0, half), std::pair(half, raw.rows.count - half)}) {
            if (count == 0)
                continue;
            DeviceBuffer<char> recorded(row * count * raw.projections);
            DeviceBuffer<float> sinograms(slice * count);
            SINOSCOPE_CUDA(cudaMemcpy2DAsync(recorded.data(), row * count, raw.data.bytes() + first * row,
                                             row * raw.rows.count, row * count, raw.projections, cudaMemcpyHostToDevice,
                                             stream.get()));
            lines.run(recorded.data(), raw.data.type(), {{first, count}, {0, raw.projections}}, sinograms.data(),
                      stream.get());
            SINOSCOPE_CUDA(cudaStreamSynchronize(stream.get()));
            SINOSCOPE_CUDA(cudaMemcpy(prepared.sinograms.values.data() + first * slice, sinograms.data(),
                                      slice * count * sizeof(float), cudaMemcpyDeviceToHost));
        }
        const bool unprepared = lines.finish(stream.get());
        if (empty)
            *empty = unprepared;
        prepared.notes = preparation.notes();
        return prepared;
    }

    static void compare(const RawRows& raw, Quantity quantity) { compare(raw, quantity, preparationOf(quantity)); }

    static void compare(const RawRows& raw, Quantity quantity, const Preparation& steps)
    {
        bool empty = true;
        const Prepared there = byDevice(raw, quantity, steps, &empty), here = prepareRows(raw, quantity, steps, 0);
        QVERIFY(!empty);
        QCOMPARE(there.notes, here.notes);
        long long worst = 0;
        QString where;
        for (std::size_t k = 0; k < here.sinograms.values.size(); ++k) {
            const float a = there.sinograms.values[k], b = here.sinograms.values[k];
            if (const long long units = unitsBetween(a, b); units > worst) {
                worst = units;
                where = QString("value %1: %2, not %3").arg(k).arg(a, 0, 'g', 9).arg(b, 0, 'g', 9);
            }
        }
        QVERIFY2(worst <= mostUnits, qPrintable(where));
    }

    // Returns the scan with flats before and after it, of which the later ones are darker, by another factor in each
    // bin.
    static std::shared_ptr<const Scan> withFlatsThatChange(const std::shared_ptr<const Scan>& made)
    {
        auto scan = std::make_shared<Scan>(*made);
        scan->flatFrames = 2;
        scan->flatPlaces = {0.0, scan->projections() - 1.0};
        scan->read = [made](RowRange rows, std::stop_token stop) {
            RawRows raw = made->read(rows, stop);
            const std::size_t frame = static_cast<std::size_t>(rows.count) * raw.bins;
            raw.flatFrames = 2;
            raw.flats.resize(2 * frame);
            for (std::size_t k = 0; k < frame; ++k)
                raw.flats[frame + k] = raw.flats[k] * (0.6f + 0.005f * static_cast<float>(k % raw.bins));
            return raw;
        };
        return scan;
    }

  private slots:
    void everyTypeAndSize()
    {
        SINOSCOPE_NEEDS_GPU();
        for (const SampleType& type : sampleTypes())
            if (type.isKept)
                for (const auto& [bins, rows, projections] :
                     {std::tuple(1, 1, 1), std::tuple(7, 3, 5), std::tuple(333, 5, 40), std::tuple(2048, 4, 31)})
                    for (const Quantity quantity : quantities())
                        for (const bool flats : {true, false}) {
                            if (flats && quantity != Quantity::counts)
                                continue;
                            compare(randomRows(type, bins, rows, projections, flats), quantity);
                            if (QTest::currentTestFailed())
                                return;
                        }
    }

    // Flats of two and three times are interpolated, also for projections of which a block has two runs.
    void flatsThatChange()
    {
        SINOSCOPE_NEEDS_GPU();
        for (const int groups : {2, 3}) {
            RawRows raw = randomRows(*findSampleType("uint16"), 333, 5, 40, true);
            const std::size_t frame = std::size_t(5) * 333;
            raw.flatFrames = groups;
            raw.flats.resize(frame * groups);
            for (std::size_t k = 0; k < raw.flats.size(); ++k)
                raw.flats[k] = raw.flats[k % frame] == 0 ? 0.0f : static_cast<float>(110 + 17 * (k / frame) + k % 7);
            Preparation steps = preparationOf(Quantity::counts);
            steps.flatPlaces = groups == 2 ? std::vector{0.0, 39.0} : std::vector{0.0, 12.5, 39.0};
            QVERIFY(isForDevices(steps));
            compare(raw, Quantity::counts, steps);
            if (QTest::currentTestFailed())
                return;

            const DevicePreparation preparation(std::make_shared<const RawRows>(raw), Quantity::counts, steps, 0);
            const Prepared here = prepareRows(raw, Quantity::counts, steps, 0);
            const Stream stream;
            cuda::DeviceLines lines;
            lines.begin(preparation.program(), 5, 333, stream.get());
            const cuda::RowBlock block{{0, 5}, {3, 6}, 20};
            const std::size_t bytes = frame * raw.data.type().bytes;
            DeviceBuffer<char> recorded(bytes * 12);
            DeviceBuffer<float> sinograms(frame * 12);
            for (int k = 0; k < 12; ++k)
                SINOSCOPE_CUDA(cudaMemcpy(recorded.data() + k * bytes, raw.data.bytes() + block.all()[k] * bytes, bytes,
                                          cudaMemcpyHostToDevice));
            lines.run(recorded.data(), raw.data.type(), block, sinograms.data(), stream.get());
            QVERIFY(!lines.finish(stream.get()));
            Values there(frame * 12);
            SINOSCOPE_CUDA(
                cudaMemcpy(there.data(), sinograms.data(), there.size() * sizeof(float), cudaMemcpyDeviceToHost));
            for (int row = 0; row < 5; ++row)
                for (int k = 0; k < 12; ++k)
                    for (int bin = 0; bin < 333; ++bin) {
                        const float value = there[(std::size_t(row) * 12 + k) * 333 + bin],
                                    wanted =
                                        here.sinograms.values[(std::size_t(row) * 40 + block.all()[k]) * 333 + bin];
                        QVERIFY2(unitsBetween(value, wanted) <= mostUnits,
                                 qPrintable(QString("row %1, projection %2, bin %3: %4, not %5")
                                                .arg(row)
                                                .arg(block.all()[k])
                                                .arg(bin)
                                                .arg(value)
                                                .arg(wanted)));
                    }
        }
    }

    // Lines that only other projections can repair are left to the processor.
    void linesWithoutAGoodValue()
    {
        SINOSCOPE_NEEDS_GPU();
        const RawRows damaged = made::damagedRows(true, true);
        bool empty = false;
        byDevice(damaged, Quantity::counts, &empty);
        QVERIFY(empty);

        auto scan = std::make_shared<Scan>(*fixtures::smallScan(60, 20, 3));
        scan->quantity = Quantity::counts;
        Request request = gpuRequestFor(scan, "alu", 1);
        request.place.setSlices({0, 3});
        RawRows raw = made::damagedRows(true, true);
        raw.rows = {0, 3};
        Reconstructor there, here;
        there.take(RecordedRows{scan, std::make_shared<const RawRows>(raw), 0});
        here.take(PreparedRows{scan, raw.rows, prepareRows(raw, Quantity::counts, 0)});
        const Reconstruction a = there.run(request), b = here.run(request);
        QCOMPARE(a.notes, b.notes);
        QVERIFY(a.image.values == b.image.values);
    }

    void realScans()
    {
        SINOSCOPE_NEEDS_GPU();
        int seen = 0;
        for (const char* path : {"tooth-dxchange/tooth.h5", "i13-24737-tiff", "k11-nexus-links/k11-18014.nxs"}) {
            if (!std::filesystem::exists(realData / path))
                continue;
            const auto scan = openScan(realData / path);
            compare(scan->read({0, std::min(scan->rows, 8)}, {}), scan->quantity);
            ++seen;
        }
        if (seen == 0)
            QSKIP("the published scans are not here");
    }

    // Slices, cone beams and planes get the flats of their projections, whichever of these a batch has.
    void flatsThatChangeInEveryPipeline()
    {
        SINOSCOPE_NEEDS_GPU();
        Simulation simulation;
        simulation.size = simulation.slices = 40;
        simulation.projections = 72;
        const std::shared_ptr<const Scan> parallel = withFlatsThatChange(simulate(simulation));
        simulation.arcDeg = 360;
        simulation.cone.emplace();
        simulation.cone->sourceAxisMm = 150;
        simulation.cone->sourceDetectorMm = 225;
        simulation.cone->pixelUMm = 1.5;
        const std::shared_ptr<const Scan> cone = withFlatsThatChange(simulate(simulation));
        struct Case {
            std::shared_ptr<const Scan> scan;
            const char* method;
            int perPass;
            Precision precision;
            bool isPlane;
        };
        for (const Case& one : {Case{parallel, "alu", 4, Precision::single, false},
                                {parallel, "tensor", 8, Precision::half, false},
                                {cone, "columns", 16, Precision::single, false},
                                {cone, "texture", 8, Precision::half, false}, // pairs of opposite projections
                                {parallel, "texture", 1, Precision::single, true},
                                {cone, "texture", 1, Precision::single, true}}) {
            Request request = gpuRequestFor(one.scan, one.method, one.perPass);
            request.setting.axis.mode = AxisSettings::Mode::middle;
            request.setting.kernel.precision = one.precision;
            request.setting.kernel.batch = std::holds_alternative<ConeBeam>(one.scan->geometry) ? 10 : 0;
            if (one.isPlane)
                setField(option("plane"), request, "x=20");
            QVERIFY(resolve(request).route.mayPrepareOnDevice);
            const Reconstruction there = Reconstructor().run(request);
            QVERIFY(there.timings.prepare.seconds > 0);
            request.resources.filterOn = FilterOn::processor; // which then prepares, too
            QVERIFY(!resolve(request).route.mayPrepareOnDevice);
            const Reconstruction here = Reconstructor().run(request);
            const double error = fixtures::relativeError(there.image.values, here.image.values);
            const double bound = one.precision == Precision::half ? 1e-3 : 1e-5;
            QVERIFY2(error < bound, qPrintable(QString("%1: %2").arg(one.method).arg(error)));
            // With the mean of the flats, the image is another one.
            setField(option("flat-field"), request, "mean");
            QVERIFY(fixtures::relativeError(Reconstructor().run(request).image.values, here.image.values) > 10 * bound);
        }
    }

    // A volume of stored counts, prepared on the GPU in several groups and passes, compared with rows that the
    // processor prepared. After a failure of the GPU the processor still has the rows.
    void volume()
    {
        SINOSCOPE_NEEDS_GPU();
        const RawRows raw = randomRows(*findSampleType("uint16"), 128, 100, 90, true);
        auto scan = std::make_shared<Scan>(*fixtures::smallScan(128, 90, 100));
        scan->quantity = Quantity::counts;
        scan->bytesPerSample = 2;
        scan->read = [&raw](RowRange rows, std::stop_token) {
            RawRows some = raw;
            some.rows = rows;
            const std::size_t row = 128;
            some.data = Samples(raw.data.type(), row * rows.count * raw.projections);
            const auto cut = [&](const auto& from, auto* to, int frames) {
                for (int frame = 0; frame < frames; ++frame)
                    std::copy_n(from + (frame * 100 + rows.first) * row, rows.count * row,
                                to + frame * rows.count * row);
            };
            cut(reinterpret_cast<const std::uint16_t*>(raw.data.bytes()),
                reinterpret_cast<std::uint16_t*>(some.data.bytes()), raw.projections);
            some.darks.resize(row * rows.count * raw.darkFrames);
            some.flats.resize(row * rows.count * raw.flatFrames);
            cut(raw.darks.data(), some.darks.data(), raw.darkFrames);
            cut(raw.flats.data(), some.flats.data(), raw.flatFrames);
            return some;
        };
        for (const auto& [method, perPass] : {std::pair("tensor", 8), std::pair("alu", 4), std::pair("standard", 1)}) {
            Request request = gpuRequestFor(scan, method, perPass);
            request.setting.axis.mode = AxisSettings::Mode::middle;
            request.place.setSlices({2, 97});
            QVERIFY(resolve(request).route.mayPrepareOnDevice);
            Reconstructor whole;
            Prepared prepared = prepareRows(scan->read({2, 97}, {}), Quantity::counts, 0);
            const std::vector<Note> notes = prepared.notes;
            whole.take(PreparedRows{scan, {2, 97}, std::move(prepared)});
            const Values expected = whole.run(request).image.values;
            for (const bool overlap : {true, false}) {
                Values got;
                const VolumePlan plan = planVolume(request, overlap);
                const Reconstruction made =
                    reconstructVolume(request, plan, [&](const Reconstruction& group, std::stop_token) {
                        got.insert(got.end(), group.image.values.begin(), group.image.values.end());
                    });
                QCOMPARE(got.size(), expected.size());
                const auto [least, most] = std::minmax_element(expected.begin(), expected.end());
                const double worst = largestDifference(got, expected) / (*most - *least);
                QVERIFY2(worst < 1e-5, qPrintable(QString("%1 %2").arg(method).arg(worst)));
                QVERIFY(made.timings.prepare.seconds > 0);
            }
        }
    }
};

SINOSCOPE_TEST(PreparationTest, QCoreApplication)
#include "preparation_test.moc"
