// Projections that hold nothing: told, and left out.
#include "engine/reconstruct.h"
#include "engine/reconstruct_volume.h"
#include "engine/report.h"
#include "engine/scan/empty_projections.h"
#include "tests/engine/io/files.h"

#include <QTest>

using namespace engine;
using namespace fixtures;

namespace
{

// The scan with some of its projections emptied.
std::shared_ptr<const Scan> emptied(const std::shared_ptr<const Scan>& whole, RowRange empty, float value)
{
    auto scan = std::make_shared<Scan>(*whole);
    scan->readFrames = {};
    scan->read = [whole, empty, value](RowRange rows, std::stop_token stop) {
        RawRows raw = whole->read(rows, stop);
        Values numbers = raw.data.toFloats();
        const std::size_t frame = static_cast<std::size_t>(rows.count) * raw.bins;
        std::fill_n(numbers.begin() + static_cast<std::ptrdiff_t>(empty.first * frame), empty.count * frame, value);
        raw.data = Samples(std::move(numbers));
        return raw;
    };
    return scan;
}

} // namespace

class EmptyProjectionsTest : public QObject
{
    Q_OBJECT
  private slots:
    void areTold()
    {
        const auto whole = smallScan(64, 90, 3);
        for (const float nothing : {0.0F, notANumber}) {
            const auto scan = emptied(whole, {30, 30}, nothing);
            Request request = requestFor(scan);
            const Reconstruction made = Reconstructor().run(request);
            QCOMPARE(made.emptyProjections.size(), std::size_t(30));
            const std::string text = emptyText(*scan, made.emptyProjections);
            for (const char* part : {"30 of 90 projections are empty", "30 to 59", "--leave-out 30:59"})
                QVERIFY2(contains(text, part), text.c_str());
            QVERIFY(contains(reconstructionJson(made), "30 of 90 projections are empty"));
            const Reconstruction volume = reconstructVolume(request, {.slicesPerGroup = 1, .overlapped = true},
                                                            [](const Reconstruction&, std::stop_token) {}, {}, {});
            QVERIFY(volume.emptyProjections == made.emptyProjections);
        }
        QVERIFY(Reconstructor().run(requestFor(whole)).emptyProjections.empty());
        QVERIFY(emptyText(*whole, {}).empty());
    }

    // Line integrals are 0 in rows that the object doesn't reach, in all projections alike.
    void airIsNotEmpty()
    {
        auto scan = std::make_shared<Scan>(*smallScan(64, 30));
        scan->quantity = Quantity::attenuation;
        RawRows raw = scan->read({0, 1}, {});
        raw.data = Samples(Values(raw.data.size(), 0.0F));
        QVERIFY(emptyProjections(*scan, raw).empty());
        Values numbers(raw.data.size(), 1.0F);
        std::fill_n(numbers.begin() + 64, 64, 0.0F); // but where others see it
        raw.data = Samples(numbers);
        QVERIFY(emptyProjections(*scan, raw) == std::vector<int>{1});
        ConeBeam cone;
        cone.bins = 64;
        cone.anglesRad = evenAngles(30);
        scan->geometry = cone;
        QVERIFY(emptyProjections(*scan, raw).empty());
    }

    // With them the slice is spoilt, without it is nearly as good as that of all.
    void leavingThemOutHelps()
    {
        const TemporaryFolder folder;
        constexpr int projections = 180, bins = 64;
        const auto whole = smallScan(bins, projections);
        const RawRows raw = whole->read({0, 1}, {});
        std::vector<double> counts;
        for (std::size_t k = 0; k < raw.data.size(); ++k)
            counts.push_back(k / bins % 3 == 2 ? 0.0 : raw.data[k]);
        {
            made::Hdf5 file(folder / "third.h5");
            file.numbers("/exchange/data", {projections, 1, bins}, counts, H5T_IEEE_F32LE);
            file.numbers("/exchange/data_white", {hsize_t(raw.flatFrames), 1, bins},
                         std::vector<double>(raw.flats.begin(), raw.flats.end()), H5T_IEEE_F32LE);
            file.numbers("/exchange/data_dark", {hsize_t(raw.darkFrames), 1, bins},
                         std::vector<double>(raw.darks.begin(), raw.darks.end()), H5T_IEEE_F32LE);
            file.numbers("/exchange/theta", {projections}, made::counting(projections, 180.0 / projections));
        }
        const Volume truth = whole->exactImage(0, fixtures::whole(bins));
        const auto make = [&](const OpenOptions& options) {
            Request request = requestFor(openScan(folder / "third.h5", options));
            request.setting.axis = {AxisSettings::Mode::given, whole->axisBins().front()};
            return Reconstructor().run(request);
        };
        const Reconstruction spoilt = make({});
        QCOMPARE(spoilt.emptyProjections.size(), std::size_t(60));
        OpenOptions options;
        options.reduction.leftOut = leftOutWith(*spoilt.request.scan, spoilt.emptyProjections);
        const Reconstruction good = make(options);
        QVERIFY(good.emptyProjections.empty());
        const double best = relativeError(Reconstructor().run(requestFor(whole)).image, truth);
        const double error = relativeError(good.image, truth), before = relativeError(spoilt.image, truth);
        qInfo("relative error of all %.3f, of a third empty %.3f, of those left out %.3f", best, before, error);
        QVERIFY(before > 2 * best);
        QVERIFY(error < 1.2 * best);
        // Counted as they were recorded, with those that were left out before.
        QVERIFY(leftOutWith(*good.request.scan, {0}).front() == (RowRange{0, 1}));
        QVERIFY(leftOutWith(*good.request.scan, {2}).front() == (RowRange{2, 2})); // the third that is left is number 3
    }
};

SINOSCOPE_TEST(EmptyProjectionsTest, QCoreApplication)
#include "empty_projections_test.moc"
