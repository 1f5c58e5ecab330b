// SPDX-License-Identifier: GPL-3.0-or-later
// An object wider than the detector is reported together with a remedy; other objects are not reported.
#include "engine/guess/wide_object.h"
#include "engine/reconstruct/reconstruct.h"
#include "tests/engine/io/files.h"

#include <QTest>

#include <cmath>

using namespace engine;
using namespace fixtures;

namespace
{

constexpr int wideBins = 128, wideProjections = 180, wideRows = 3;

std::shared_ptr<const Scan> wideDisc(bool counts, double photons, int slices)
{
    Simulation simulation;
    simulation.phantom = Phantom::disc;
    simulation.size = wideBins;
    simulation.projections = wideProjections;
    simulation.slices = slices;
    simulation.counts = counts;
    simulation.photons = photons;
    return simulate(simulation);
}

// Returns the scan as a detector with fewer bins records it.
std::shared_ptr<const Scan> croppedTo(const std::shared_ptr<const Scan>& whole, int bins)
{
    auto scan = std::make_shared<Scan>(*whole);
    auto& beam = std::get<ParallelBeam>(scan->geometry);
    const int first = (beam.bins - bins) / 2;
    beam.bins = bins;
    beam.axisBins = {(bins - 1) / 2.0};
    scan->readFrames = {};
    scan->exactImage = {};
    scan->read = [whole, first, bins](RowRange range, std::stop_token stop) {
        RawRows raw = whole->read(range, stop);
        const auto crop = [&](const Values& lines) {
            Values made;
            for (std::size_t line = 0; line < lines.size() / wideBins; ++line)
                for (int bin = 0; bin < bins; ++bin)
                    made.push_back(lines[line * wideBins + static_cast<std::size_t>(first + bin)]);
            return made;
        };
        raw.data = Samples(crop(raw.data.toFloats()));
        raw.darks = crop(raw.darks);
        raw.flats = crop(raw.flats);
        raw.bins = bins;
        return raw;
    };
    return scan;
}

Reconstruction paddedImage(const std::shared_ptr<const Scan>& scan, PadMode pad)
{
    Request request = requestFor(scan);
    request.setting.filter.padMode = pad;
    return Reconstructor().run(request);
}

} // namespace

class WideObjectTest : public QObject
{
    Q_OBJECT
  private slots:
    void isSaidWithWhatHelps();
    void wholeObjectsAreNot_data();
    void wholeObjectsAreNot();
};

void WideObjectTest::isSaidWithWhatHelps()
{
    for (const bool counts : {false, true}) {
        const auto whole = wideDisc(counts, 0, 1);
        const Reconstruction right = paddedImage(whole, PadMode::zero);
        constexpr int bins = 64, row = bins / 2;
        const auto rimOf = [&](const Reconstruction& made) { return made.image.values[row * bins + 4]; };
        const double truth = right.image.values[wideBins / 2 * wideBins + (wideBins - bins) / 2 + 4];
        const Reconstruction cut = paddedImage(croppedTo(whole, bins), PadMode::zero);
        QVERIFY(mentions(cut.notes, "ends of the detector"));
        QVERIFY(mentions(cut.notes, "--pad cylinder"));
        QVERIFY2(rimOf(cut) > 1.2 * truth, "the note says what is so");
        const Reconstruction padded = paddedImage(croppedTo(whole, bins), PadMode::cylinder);
        QVERIFY(!mentions(padded.notes, "ends of the detector"));
        QVERIFY(std::abs(rimOf(padded) - truth) < 0.5 * (rimOf(cut) - truth));
    }
}

void WideObjectTest::wholeObjectsAreNot_data()
{
    QTest::addColumn<std::shared_ptr<const Scan>>("scan");
    QTest::newRow("disc") << wideDisc(false, 0, 1);
    QTest::newRow("counts") << wideDisc(true, 0, wideRows);
    QTest::newRow("few photons") << wideDisc(true, 30, wideRows);
    Simulation empty;
    empty.phantom = Phantom::sheppLogan3d;
    empty.size = 64;
    empty.slices = 64;
    empty.photons = 100;
    QTest::newRow("rows that are empty, and noisy") << simulate(empty);
}

void WideObjectTest::wholeObjectsAreNot()
{
    QFETCH(std::shared_ptr<const Scan>, scan);
    for (int row = 0; row < scan->rows; ++row)
        QVERIFY(!isWiderThanDetector(*scan, scan->read({row, 1}, {})));
    QVERIFY(!isWiderThanDetector(*scan, scan->read({0, scan->rows}, {})));
}

SINOSCOPE_TEST(WideObjectTest, QCoreApplication)
#include "wide_object_test.moc"
