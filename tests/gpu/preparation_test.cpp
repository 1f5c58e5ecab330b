// SPDX-License-Identifier: GPL-3.0-or-later
// Preparation on a GPU compared with that on the processor.
#include "engine/io/open/open_scan.h"
#include "engine/prepare/prepare.h"
#include "engine/resolve/resolve.h"
#include "engine/volume/reconstruct_volume.h"
#include "tests/engine/prepare/naive_preparation.h"
#include "tests/gpu/device.h"

#include "engine/reconstruct/reconstruct.h"

#include <bit>
#include <random>

#if SINOSCOPE_HAS_CUDA
#include "engine/backends/cuda/device/stream.h"
#include "engine/backends/cuda/prepare/device_lines.h"
#endif

using namespace engine;
using namespace fixtures;

namespace
{

// Greatest difference of logarithms, in units in the last place. Processors with fused multiply-adds give the same
// logarithms as the GPU.
constexpr int mostUnits = 1;

// Returns the number of floats between two floats.
[[maybe_unused]] long long unitsBetween(float a, float b)
{
    const auto place = [](float value) {
        const auto bits = std::bit_cast<std::int32_t>(value);
        return bits < 0 ? -static_cast<long long>(bits & 0x7fffffff) : static_cast<long long>(bits);
    };
    return std::isnan(a) || std::isnan(b) ? std::numeric_limits<int>::max() : std::abs(place(a) - place(b));
}

// Returns random numbers of a type with every possible defect, except lines without any valid value.
[[maybe_unused]] RawRows randomRows(const SampleType& type, int bins, int rows, int projections, bool flats)
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

#if SINOSCOPE_HAS_CUDA
    // Prepares on the GPU, in two parts of rows.
    static Prepared byDevice(const RawRows& raw, Quantity quantity, bool* empty = nullptr)
    {
        const DevicePreparation preparation(std::make_shared<const RawRows>(raw), quantity, preparationOf(quantity), 0);
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
            lines.run(recorded.data(), raw.data.type(), first, count, raw.projections, sinograms.data(), stream.get());
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

    static void compare(const RawRows& raw, Quantity quantity)
    {
        bool empty = true;
        const Prepared there = byDevice(raw, quantity, &empty), here = prepareRows(raw, quantity, 0);
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
#endif

  private slots:
    void everyTypeAndSize()
    {
        SINOSCOPE_NEEDS_GPU();
#if SINOSCOPE_HAS_CUDA
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
#endif
    }

    // Lines that only other projections can repair are left to the processor.
    void linesWithoutAGoodValue()
    {
        SINOSCOPE_NEEDS_GPU();
#if SINOSCOPE_HAS_CUDA
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
#endif
    }

    void realScans()
    {
        SINOSCOPE_NEEDS_GPU();
#if SINOSCOPE_HAS_CUDA
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
#endif
    }

    // A volume of stored counts, prepared on the GPU in several groups and passes, compared with rows that the
    // processor prepared. After a failure of the GPU the processor still has the rows.
    void volume()
    {
        SINOSCOPE_NEEDS_GPU();
#if SINOSCOPE_HAS_CUDA
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
#endif
    }
};

SINOSCOPE_TEST(PreparationTest, QCoreApplication)
#include "preparation_test.moc"
