// What was recorded, as images: projections and sinograms hold the same numbers as the rows that images are made of.
#include "engine/prepare/prepare.h"
#include "engine/recorded_images.h"
#include "engine/stages.h"
#include "tests/fixtures.h"

using namespace engine;
using namespace fixtures;

namespace
{

constexpr int size = 40, projections = 24, rows = 7;

// Counts with noise, a flat field that differs from bin to bin and from frame to frame.
std::shared_ptr<const Scan> noisyScan(Simulation simulation = {})
{
    simulation.phantom = Phantom::sheppLogan3d;
    simulation.size = size;
    simulation.projections = projections;
    simulation.slices = rows;
    simulation.photons = 500;
    return simulate(simulation);
}

Request asked(const std::shared_ptr<const Scan>& scan, const std::map<std::string, double>& values = {})
{
    Request request = requestFor(scan);
    request.setting.preparation.values = values;
    return request;
}

// Of [row][projection][bin].
std::vector<float> projectionOf(const Sinograms& all, int projection)
{
    std::vector<float> values;
    for (int row = 0; row < all.slices; ++row)
        for (int bin = 0; bin < all.bins; ++bin)
            values.push_back(
                all.values[(static_cast<std::size_t>(row) * all.projections + projection) * all.bins + bin]);
    return values;
}

std::shared_ptr<const Scan> withoutFrames(const std::shared_ptr<const Scan>& scan)
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
        const auto scan = noisyScan();
        const Values all = scan->read({0, rows}, {}).data.toFloats();
        for (const auto& each : {scan, withoutFrames(scan)}) {
            for (const int projection : {0, 11, projections - 1}) {
                const Volume image = Projections().image(asked(each), Shown::raw, projection);
                QCOMPARE(image.height, rows);
                QCOMPARE(image.width, size);
                const std::size_t frame = std::size_t(rows) * size;
                QVERIFY(std::equal(image.values.begin(), image.values.end(), all.begin() + projection * frame));
            }
            const Volume sinogram = sinogramOf(asked(each), Shown::raw, 4);
            QCOMPARE(sinogram.height, projections);
            for (int p = 0; p < projections; ++p)
                for (int bin = 0; bin < size; ++bin)
                    QCOMPARE(sinogram.values[p * size + bin], all[(p * rows + 4) * size + bin]);
        }
    }

    void preparedIsWhatImagesAreMadeOf_data()
    {
        QTest::addColumn<int>("flatField");
        QTest::addColumn<double>("badPixels");
        QTest::newRow("mean") << 0 << 0.0;
        QTest::newRow("median") << 1 << 0.0;
        QTest::newRow("interpolated") << 2 << 0.0;
        QTest::newRow("bad pixels") << 0 << 3.0;
    }

    void preparedIsWhatImagesAreMadeOf()
    {
        QFETCH(int, flatField);
        QFETCH(double, badPixels);
        std::map<std::string, double> values{{"flat-field", double(flatField)}};
        if (badPixels > 0)
            values["bad-pixels"] = badPixels;
        const auto scan = noisyScan();
        const Request request = asked(scan, values);
        const Sinograms all =
            prepareRows(scan->read({0, rows}, {}), scan->quantity, preparationOf(request), 0).sinograms;
        Projections shown;
        for (const int projection : {projections - 1, 5, 0}) {
            const Volume image = shown.image(request, Shown::prepared, projection);
            QVERIFY(relativeError(image.values, projectionOf(all, projection)) < 1e-6);
        }
        const Volume sinogram = sinogramOf(request, Shown::prepared, 2);
        const std::size_t one = std::size_t(projections) * size;
        QVERIFY(std::equal(sinogram.values.begin(), sinogram.values.end(), all.values.begin() + 2 * one));
    }

    void anotherFlatFieldIsNotTheKeptOne()
    {
        const auto scan = noisyScan();
        Projections shown;
        const Volume mean = shown.image(asked(scan), Shown::prepared, 3);
        const Volume median = shown.image(asked(scan, {{"flat-field", 1}}), Shown::prepared, 3);
        QVERIFY(mean.values != median.values);
        QVERIFY(shown.image(asked(scan), Shown::prepared, 3).values == mean.values);
        const auto other = noisyScan({.seed = 2});
        QVERIFY(shown.image(asked(other), Shown::prepared, 3).values ==
                Projections().image(asked(other), Shown::prepared, 3).values);
    }

    void stepsOfSinogramsAreLeftOut()
    {
        const auto scan = noisyScan();
        const Request request = asked(scan, {{"rings", 1}});
        QCOMPARE(stepsOfSinogramsAlone(asked(scan)).size(), std::size_t(0));
        QCOMPARE(stepsOfSinogramsAlone(request), std::vector<std::string>{"Rings"});
        QVERIFY(Projections().image(request, Shown::prepared, 3).values ==
                Projections().image(asked(scan), Shown::prepared, 3).values);
        QVERIFY(sinogramOf(request, Shown::prepared, 3).values != sinogramOf(asked(scan), Shown::prepared, 3).values);
    }

    void whatIsNotThereIsRefused()
    {
        const auto scan = noisyScan();
        QVERIFY(fails(ErrorKind::badRequest, {"projections 0 to 23"},
                      [&] { Projections().image(asked(scan), Shown::raw, projections); }));
        QVERIFY(fails(ErrorKind::badRequest, {"rows 0 to 6"}, [&] { sinogramOf(asked(scan), Shown::raw, rows); }));
    }
};

SINOSCOPE_TEST(RecordedImagesTest)
#include "recorded_images_test.moc"
