// SPDX-License-Identifier: GPL-3.0-or-later
// Images of the recorded data: projections and sinograms hold the same numbers as the rows that slices are
// reconstructed from.
#include "engine/options/options.h"
#include "engine/prepare/prepare.h"
#include "engine/stages/recorded_images.h"
#include "engine/stages/stages.h"
#include "tests/fixtures.h"

using namespace engine;
using namespace fixtures;

namespace
{

constexpr int recordedSize = 40, recordedProjections = 24, recordedRows = 7;

// Returns counts with noise, and a flat field that differs between bins and frames.
std::shared_ptr<const Scan> noisyFrames(Simulation simulation = {})
{
    simulation.phantom = Phantom::sheppLogan3d;
    simulation.size = recordedSize;
    simulation.projections = recordedProjections;
    simulation.slices = recordedRows;
    simulation.photons = 500;
    return simulate(simulation);
}

Request askedOfRecorded(const std::shared_ptr<const Scan>& scan, const std::map<std::string, double>& values = {})
{
    Request request = requestFor(scan);
    request.setting.preparation.values = values;
    return request;
}

// Returns a projection as [row][bin] from sinograms.
std::vector<float> projectionIn(const Sinograms& all, int projection)
{
    std::vector<float> values;
    for (int row = 0; row < all.slices; ++row)
        for (int bin = 0; bin < all.bins; ++bin)
            values.push_back(
                all.values[(static_cast<std::size_t>(row) * all.projections + projection) * all.bins + bin]);
    return values;
}

std::shared_ptr<const Scan> withoutFrameReader(const std::shared_ptr<const Scan>& scan)
{
    auto copy = std::make_shared<Scan>(*scan);
    copy->readFrames = {};
    return copy;
}

} // namespace

class RecordedImagesTest : public QObject
{
    Q_OBJECT

  private slots:
    void rawIsWhatTheRowsHold()
    {
        const auto scan = noisyFrames();
        const Values all = scan->read({0, recordedRows}, {}).data.toFloats();
        for (const auto& each : {scan, withoutFrameReader(scan)}) {
            for (const int projection : {0, 11, recordedProjections - 1}) {
                const Volume image = Projections().image(askedOfRecorded(each), Shown::raw, projection);
                QCOMPARE(image.height, recordedRows);
                QCOMPARE(image.width, recordedSize);
                const std::size_t frame = std::size_t(recordedRows) * recordedSize;
                QVERIFY(std::equal(image.values.begin(), image.values.end(), all.begin() + projection * frame));
            }
            const Volume sinogram = sinogramOf(askedOfRecorded(each), Shown::raw, 4);
            QCOMPARE(sinogram.height, recordedProjections);
            for (int p = 0; p < recordedProjections; ++p)
                for (int bin = 0; bin < recordedSize; ++bin)
                    QCOMPARE(sinogram.values[p * recordedSize + bin], all[(p * recordedRows + 4) * recordedSize + bin]);
        }
    }

    void preparedIsWhatImagesAreMadeOf_data()
    {
        QTest::addColumn<int>("flatField");
        QTest::addColumn<double>("badPixels");
        QTest::newRow("mean") << 1 << 0.0;
        QTest::newRow("median") << 2 << 0.0;
        QTest::newRow("interpolated") << 3 << 0.0;
        QTest::newRow("bad pixels") << 0 << 3.0;
    }

    void preparedIsWhatImagesAreMadeOf()
    {
        QFETCH(int, flatField);
        QFETCH(double, badPixels);
        std::map<std::string, double> values{{"flat-field", double(flatField)}};
        if (badPixels > 0)
            values["bad-pixels"] = badPixels;
        const auto scan = noisyFrames();
        const Request request = askedOfRecorded(scan, values);
        const Sinograms all =
            prepareRows(scan->read({0, recordedRows}, {}), scan->quantity, preparationOf(request), 0).sinograms;
        Projections shown;
        for (const int projection : {recordedProjections - 1, 5, 0}) {
            const Volume image = shown.image(request, Shown::prepared, projection);
            QVERIFY(relativeError(image.values, projectionIn(all, projection)) < 1e-6);
        }
        const Volume sinogram = sinogramOf(request, Shown::prepared, 2);
        const std::size_t one = std::size_t(recordedProjections) * recordedSize;
        QVERIFY(std::equal(sinogram.values.begin(), sinogram.values.end(), all.values.begin() + 2 * one));
    }

    void anotherFlatFieldIsNotTheKeptOne()
    {
        const auto scan = noisyFrames();
        Projections shown;
        const Volume mean = shown.image(askedOfRecorded(scan), Shown::prepared, 3);
        const Volume median = shown.image(askedOfRecorded(scan, {{"flat-field", 2}}), Shown::prepared, 3);
        QVERIFY(mean.values != median.values);
        QVERIFY(shown.image(askedOfRecorded(scan), Shown::prepared, 3).values == mean.values);
        const auto other = noisyFrames({.seed = 2});
        QVERIFY(shown.image(askedOfRecorded(other), Shown::prepared, 3).values ==
                Projections().image(askedOfRecorded(other), Shown::prepared, 3).values);
    }

    void stepsOfSinogramsAreLeftOut()
    {
        const auto scan = noisyFrames();
        const Request request = askedOfRecorded(scan, {{"rings", 8}});
        QCOMPARE(stepsOfSinogramsAlone(askedOfRecorded(scan)).size(), std::size_t(0));
        QCOMPARE(stepsOfSinogramsAlone(request), std::vector<std::string>{"Rings"});
        QCOMPARE(stepsOfSinogramsAlone(request, {Shown::after, "dead-values"}).size(), std::size_t(0));
        QVERIFY(Projections().image(request, Shown::prepared, 3).values ==
                Projections().image(askedOfRecorded(scan), Shown::prepared, 3).values);
        QVERIFY(sinogramOf(request, Shown::prepared, 3).values !=
                sinogramOf(askedOfRecorded(scan), Shown::prepared, 3).values);
    }

    // For every step that is on: its output is the next step's input, the last output is what slices are
    // reconstructed from, and the difference image is output minus input.
    void betweenTheSteps()
    {
        const auto scan = noisyFrames({.rings = 0.02});
        Request request = askedOfRecorded(scan, {{"zingers", 1}, {"zinger-threshold", 1.2}, {"rings", 1}, {"air", 1}});
        std::vector<std::string> ids;
        for (const Step* step : stepsToLookAt(request))
            ids.emplace_back(step->id);
        QCOMPARE(ids, (std::vector<std::string>{"flat-field", "zingers", "logarithm", "dead-values", "air", "rings"}));
        const auto seen = [&](Shown how, const std::string& step) {
            return sinogramOf(request, {how, step}, 3).values;
        };
        Values last = sinogramOf(request, Shown::raw, 3).values;
        Quantity quantity = Quantity::counts;
        for (const std::string& id : ids) {
            QVERIFY2(seen(Shown::before, id) == last, id.c_str());
            QCOMPARE(quantityOf(request, {Shown::before, id}), quantity);
            Values next = seen(Shown::after, id);
            QVERIFY2(next != last || id == "dead-values", id.c_str()); // there are no dead values
            quantity = quantityOf(request, {Shown::after, id});
            if (id == "flat-field") {
                QVERIFY(fails(ErrorKind::badRequest, {"'flat-field'", "no difference"},
                              [&] { seen(Shown::difference, id); }));
            } else {
                const Values difference = seen(Shown::difference, id);
                for (std::size_t k = 0; k < next.size(); ++k) {
                    const double before = id == "logarithm" ? -std::log(double(last[k])) : last[k];
                    QVERIFY2(std::abs(difference[k] - (next[k] - before)) < 1e-5, id.c_str());
                }
            }
            last = std::move(next);
        }
        QVERIFY(last == sinogramOf(request, Shown::prepared, 3).values);
        QCOMPARE(quantity, Quantity::attenuation);
        QVERIFY(fails(ErrorKind::badRequest, {"'phase' is not on"}, [&] { seen(Shown::after, "phase"); }));
    }

    // Also in another order of the steps, with missing values, and with the rows of a halo.
    void betweenStepsInAnotherOrder()
    {
        Request request = askedOfRecorded(noisyFrames(), {{"zingers", 1}, {"axis-tilt", 2}});
        setField(option("step-order"), request, "zingers,flat-field");
        QCOMPARE(std::string(stepsToLookAt(request).front()->id), std::string("zingers"));
        QVERIFY(sinogramOf(request, {Shown::before, "zingers"}, 3).values == sinogramOf(request, Shown::raw, 3).values);
        QCOMPARE(quantityOf(request, {Shown::after, "zingers"}), Quantity::counts);
        QVERIFY(sinogramOf(request, {Shown::after, "tilt"}, 3).values ==
                sinogramOf(request, Shown::prepared, 3).values);
        const Volume turned = sinogramOf(request, {Shown::difference, "tilt"}, 3);
        QCOMPARE(turned.height, recordedProjections);
        QVERIFY(std::ranges::any_of(turned.values, [](float value) { return std::abs(value) > 0.001F; }));
    }

    void projectionsBetweenTheSteps()
    {
        const auto scan = noisyFrames();
        const Request request = askedOfRecorded(scan, {{"zingers", 1}, {"axis-tilt", 2}});
        Projections shown;
        const auto image = [&](Shown how, const std::string& step) {
            return shown.image(request, {how, step}, 5).values;
        };
        QVERIFY(image(Shown::before, "flat-field") == shown.image(request, Shown::raw, 5).values);
        QVERIFY(image(Shown::after, "flat-field") == image(Shown::before, "logarithm")); // zingers are off
        QVERIFY(image(Shown::after, "tilt") == shown.image(request, Shown::prepared, 5).values);
        const Values before = image(Shown::before, "tilt"), after = image(Shown::after, "tilt"),
                     difference = image(Shown::difference, "tilt");
        for (std::size_t k = 0; k < before.size(); ++k)
            QCOMPARE(difference[k], after[k] - before[k]);
        QVERIFY(
            fails(ErrorKind::badRequest, {"Zingers", "look at the sinogram"}, [&] { image(Shown::after, "zingers"); }));
    }

    void whatIsNotThereIsRefused()
    {
        const auto scan = noisyFrames();
        QVERIFY(fails(ErrorKind::badRequest, {"projections 0 to 23"},
                      [&] { Projections().image(askedOfRecorded(scan), Shown::raw, recordedProjections); }));
        QVERIFY(fails(ErrorKind::badRequest, {"rows 0 to 6"},
                      [&] { sinogramOf(askedOfRecorded(scan), Shown::raw, recordedRows); }));
    }
};

SINOSCOPE_TEST(RecordedImagesTest, QCoreApplication)
#include "recorded_images_test.moc"
