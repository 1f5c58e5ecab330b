// SPDX-License-Identifier: GPL-3.0-or-later
// The quantity stored in a file: guessed from type and values, reported, and corrected by the user.
#include "engine/compare/metrics.h"
#include "engine/io/open/open_scan.h"
#include "engine/reconstruct/reconstruct.h"
#include "engine/simulate/phantom.h"
#include "tests/engine/io/files.h"

#include <cmath>
#include <fstream>
#include <limits>

using namespace engine;
using namespace fixtures;
namespace fs = std::filesystem;

namespace
{

constexpr int discBins = 64, discProjections = 90;

// Returns the sinogram of a disc with air on both sides: line integrals from 0 in air to 2.5.
std::vector<float> lineIntegrals()
{
    Simulation simulation;
    simulation.phantom = Phantom::disc;
    simulation.size = discBins;
    simulation.projections = discProjections;
    simulation.counts = false;
    const Values integrals = simulate(simulation)->read({0, 1}, {}).data.floats();
    return {integrals.begin(), integrals.end()};
}

std::vector<float> each(std::vector<float> values, float (*change)(float))
{
    std::transform(values.begin(), values.end(), values.begin(), change);
    return values;
}

Volume slice(const std::shared_ptr<const Scan>& scan)
{
    Request request = requestFor(scan, "exact");
    request.setting.axis = {AxisSettings::Mode::middle, 0};
    return Reconstructor().run(request).image;
}

} // namespace

class IoValuesTest : public QObject
{
    Q_OBJECT
  private slots:
    void init();
    void guesses_data();
    void guesses();
    void guessGivesTheRightImage();
    void noAirIsDoubted();
    void brightEndIsNotAlwaysAir();
    void signIsTurned();
    void userGoesFirst();
    void countsOfDarkAirAreDoubted();
    void countsOfAnUnevenBeamAreDoubted();
    void flatFieldsMeanCounts();
    void everyReader_data();
    void everyReader();
    void transmissionTakesTheLogarithmAlone();
    void texts();

  private:
    fs::path at(const char* name) const { return *m_folder / name; }
    std::shared_ptr<const Scan> sinogram(const std::vector<float>& values, std::optional<Quantity> given = {})
    {
        made::tiff<float>(at("sinogram.tif"), discBins, discProjections, values, {SAMPLEFORMAT_IEEEFP});
        OpenOptions options;
        options.sinogram = true;
        options.values = given;
        return openScan(at("sinogram.tif"), options);
    }
    std::optional<TemporaryFolder> m_folder;
};

void IoValuesTest::init()
{
    m_folder.emplace();
}

void IoValuesTest::guesses_data()
{
    QTest::addColumn<std::vector<float>>("values");
    QTest::addColumn<Quantity>("expected");
    const std::vector<float> integrals = lineIntegrals();
    std::vector<float> noisy = integrals, holes = integrals;
    for (std::size_t i = 0; i < noisy.size(); ++i)
        noisy[i] += 0.05f * std::sin(float(i * i % 1009));
    for (std::size_t i = 0; i < holes.size(); i += 7)
        holes[i] = i % 2 ? std::numeric_limits<float>::quiet_NaN() : std::numeric_limits<float>::infinity();
    QTest::newRow("line integrals") << integrals << Quantity::attenuation;
    QTest::newRow("line integrals, noisy") << noisy << Quantity::attenuation;
    QTest::newRow("line integrals, holes") << holes << Quantity::attenuation;
    QTest::newRow("line integrals, dense") << each(integrals, [](float v) { return 200 * v; }) << Quantity::attenuation;
    QTest::newRow("transmission") << each(integrals, [](float v) { return std::exp(-v); }) << Quantity::transmission;
    QTest::newRow("counts") << each(integrals, [](float v) { return 4000 * std::exp(-v) + 100; }) << Quantity::counts;
    QTest::newRow("counts, noisy") << each(noisy, [](float v) { return 4000 * std::exp(-v); }) << Quantity::counts;
    QTest::newRow("counts, weak object") << each(integrals, [](float v) { return 4000 * std::exp(-v / 50); })
                                         << Quantity::counts;
}

void IoValuesTest::guesses()
{
    QFETCH(std::vector<float>, values);
    QFETCH(Quantity, expected);
    const auto scan = sinogram(values);
    QCOMPARE(toText(scan->quantity), toText(expected));
    QVERIFY(scan->quantitySource == QuantitySource::guessed);
    QVERIFY(!scan->quantityReason.empty());
    QVERIFY2(scan->quantityDoubt.empty(), scan->quantityDoubt.plain().c_str());
    QVERIFY(mentions(scan->notes, "--values")); // real numbers without flats: the note names the correcting option
    QVERIFY(mentions(scan->notes, "interpreted as " + toText(expected)));
}

// Regression: a float sinogram of line integrals was interpreted as counts, and its image was inverted.
void IoValuesTest::guessGivesTheRightImage()
{
    const std::vector<float> integrals = lineIntegrals();
    const Volume right = slice(sinogram(integrals, Quantity::attenuation));
    QVERIFY(right.values[discBins / 2 * discBins + discBins / 2] > 0.02f); // the disc is brighter than the air
    QCOMPARE(slice(sinogram(integrals)).values, right.values);
    const Volume fromCounts = slice(sinogram(each(integrals, [](float v) { return 4000 * std::exp(-v); })));
    Mask mask;
    mask.discRadius = 0.9;
    const Metrics metrics = compareImages(fromCounts.values, right.values, discBins, discBins, mask);
    QVERIFY2(metrics.rmse < 1e-4 * metrics.referenceRange, qPrintable(QString::number(metrics.rmse)));
}

// An object wider than the detector leaves no air to decide by; the guess reports this.
void IoValuesTest::noAirIsDoubted()
{
    std::vector<float> inside(lineIntegrals());
    for (std::size_t i = 0; i < inside.size(); ++i)
        inside[i] = 0.6f + 0.13f * std::sin(0.13f * float(i % discBins) + 1);
    const auto scan = sinogram(inside);
    QVERIFY2(scan->quantityDoubt.plain().find("No air") != std::string::npos, scan->quantityReason.c_str());
    QVERIFY(mentions(scan->notes, "No air"));
}

// The outer bins of a dense object without air are the brightest, and so are those of line integrals with the
// opposite sign: both were once interpreted as counts, without any doubt.
void IoValuesTest::brightEndIsNotAlwaysAir()
{
    const auto dense = sinogram(each(lineIntegrals(), [](float v) { return std::exp(-v - 1.17f); }));
    QVERIFY(dense->quantity == Quantity::transmission);
    QVERIFY2(dense->quantityDoubt.plain().find("counts") != std::string::npos, dense->quantityDoubt.plain().c_str());
    const auto negative = sinogram(each(lineIntegrals(), [](float v) { return -v; }));
    QVERIFY(negative->quantity == Quantity::attenuation);
    QVERIFY2(negative->quantityDoubt.plain().find("opposite sign") != std::string::npos,
             negative->quantityDoubt.plain().c_str());
    QVERIFY(negative->quantityAlternative == Quantity::negatedAttenuation);
    const auto wide = sinogram(each(lineIntegrals(), [](float v) { return -v - 1.2f; }));
    QVERIFY(wide->quantity == Quantity::attenuation);
    QVERIFY2(wide->quantityDoubt.plain().find("opposite sign") != std::string::npos,
             wide->quantityDoubt.plain().c_str());
    // Integers whose outer bins are used as the flat although they are dark: the object is brighter at one place.
    std::vector<std::uint16_t> counts;
    for (int k = 0; k < discProjections; ++k)
        for (int bin = 0; bin < discBins; ++bin)
            counts.push_back(std::uint16_t(std::lround(20000 + 12000 * std::sin(0.3 * bin + 0.1 * k))));
    OpenOptions options;
    options.sinogram = true;
    made::tiff(at("counts.tif"), discBins, discProjections, counts);
    const auto dark = openScan(at("counts.tif"), options);
    QVERIFY(dark->quantity == Quantity::counts);
    QVERIFY2(dark->quantityDoubt.plain().find("No air") != std::string::npos, dark->quantityDoubt.plain().c_str());
    // An object wider than the detector, whose outer bins change as it rotates; in air they would change only by
    // noise.
    const auto ofCounts = [&](double air, double swing) {
        std::vector<std::uint16_t> made;
        for (int k = 0; k < discProjections; ++k)
            for (int bin = 0; bin < discBins; ++bin) {
                const double middle = 2.0 * bin / discBins - 1;
                const double wide = 1 - 0.5 * std::sqrt(1.7 - middle * middle) - swing * std::sin(0.15 * k);
                const double noise = std::sqrt(air * wide) * std::sin(bin * bin + 17.0 * k * bin + k);
                made.push_back(std::uint16_t(std::lround(std::max(0.0, air * wide + noise))));
            }
        made::tiff(at("wide.tif"), discBins, discProjections, made);
        return openScan(at("wide.tif"), options)->quantityDoubt;
    };
    QVERIFY2(ofCounts(20000, 0.2).plain().find("outer bins") != std::string::npos,
             ofCounts(20000, 0.2).plain().c_str());
    QVERIFY2(ofCounts(20000, 0).empty(), ofCounts(20000, 0).plain().c_str());
    QVERIFY2(ofCounts(50, 0).empty(), ofCounts(50, 0).plain().c_str());
    // A quantity that the user specifies is checked, too.
    options.values = Quantity::attenuation;
    std::vector<std::uint16_t> air;
    for (const float value : lineIntegrals())
        air.push_back(std::uint16_t(std::lround(30000 * std::exp(-value))));
    made::tiff(at("air.tif"), discBins, discProjections, air);
    QVERIFY2(openScan(at("air.tif"), options)->quantityDoubt.plain().find("counts") != std::string::npos, "inverted");
}

// Regression: line integrals with the opposite sign could be doubted, but not corrected.
void IoValuesTest::signIsTurned()
{
    const std::vector<float> integrals = lineIntegrals();
    const Volume right = slice(sinogram(integrals, Quantity::attenuation));
    const auto turned = sinogram(each(integrals, [](float v) { return -v; }), Quantity::negatedAttenuation);
    QVERIFY(turned->quantity == Quantity::attenuation && turned->storedQuantity() == Quantity::negatedAttenuation);
    QVERIFY2(turned->quantityDoubt.empty(), turned->quantityDoubt.plain().c_str());
    QCOMPARE(slice(turned).values, right.values);
    // Line integrals that are stored as integers, which are then read as floats.
    const auto ofWhole = [&](int sign, Quantity quantity) {
        std::vector<std::int16_t> values;
        for (const float value : integrals)
            values.push_back(std::int16_t(sign * std::lround(1000 * value)));
        made::tiff(at("whole.tif"), discBins, discProjections, values, {SAMPLEFORMAT_INT});
        OpenOptions options;
        options.sinogram = true;
        options.values = quantity;
        return openScan(at("whole.tif"), options);
    };
    const Volume positive = slice(ofWhole(1, Quantity::attenuation));
    QCOMPARE(slice(ofWhole(-1, Quantity::negatedAttenuation)).values, positive.values);
    // If line integrals are opened as integrals with the opposite sign, but already have the right sign, they are
    // doubted.
    const auto wrong = sinogram(integrals, Quantity::negatedAttenuation);
    QVERIFY2(wrong->quantityDoubt.plain().find("positive") != std::string::npos, wrong->quantityDoubt.plain().c_str());
    QVERIFY(wrong->quantityAlternative == Quantity::attenuation);
}

void IoValuesTest::userGoesFirst()
{
    for (const Quantity quantity : storedQuantities()) {
        const auto scan = sinogram(lineIntegrals(), quantity);
        QVERIFY(scan->storedQuantity() == quantity);
        QVERIFY(scan->quantitySource == QuantitySource::given);
        QVERIFY(scan->quantityReason.empty());
    }
}

void IoValuesTest::countsOfDarkAirAreDoubted()
{
    for (const Quantity quantity : {Quantity::counts, Quantity::transmission}) {
        const auto scan = sinogram(lineIntegrals(), quantity);
        QVERIFY2(scan->quantityDoubt.plain().find("inverted") != std::string::npos,
                 scan->quantityDoubt.plain().c_str());
        QVERIFY(mentions(scan->notes, "inverted"));
    }
    QVERIFY(sinogram(lineIntegrals(), Quantity::attenuation)->quantityDoubt.empty());
    QVERIFY(sinogram(each(lineIntegrals(), [](float v) { return std::exp(-v); }), Quantity::transmission)
                ->quantityDoubt.empty());
}

// The two sides of the detector differ, and the brighter one is used as the flat.
void IoValuesTest::countsOfAnUnevenBeamAreDoubted()
{
    const std::vector<float> integrals = lineIntegrals();
    OpenOptions options;
    options.sinogram = true;
    for (const double slope : {0.0, 0.3}) {
        std::vector<std::uint16_t> counts;
        for (std::size_t k = 0; k < integrals.size(); ++k)
            counts.push_back(
                std::uint16_t(30000 * (1 - slope * double(k % discBins) / discBins) * std::exp(-double(integrals[k]))));
        made::tiff(at("counts.tif"), discBins, discProjections, counts);
        const auto scan = openScan(at("counts.tif"), options);
        QCOMPARE(scan->quantityDoubt.plain().find("from side to side") != std::string::npos, slope > 0);
    }
}

void IoValuesTest::flatFieldsMeanCounts()
{
    // The beam is weak at its edges: the dark air there must not cause the values to be interpreted as line
    // integrals.
    for (int p = 0; p < 4; ++p)
        made::tiff<float>(at(("p" + std::to_string(p) + ".tif").c_str()), 20, 3, std::vector<float>(60, 0.5f),
                          {SAMPLEFORMAT_IEEEFP});
    std::vector<float> flat(60);
    for (int i = 0; i < 60; ++i)
        flat[i] = float(1 + i % 20 * (19 - i % 20));
    made::tiff<float>(at("flat.tif"), 20, 3, flat, {SAMPLEFORMAT_IEEEFP});
    const auto scan = openScan(m_folder->path());
    QVERIFY(scan->quantity == Quantity::counts);
    QVERIFY(scan->quantityReason.find("flat") != std::string::npos);
    QVERIFY(scan->quantityDoubt.empty());
}

void IoValuesTest::everyReader_data()
{
    QTest::addColumn<QString>("format");
    for (const char* format : {"DXchange", "NXtomo", "TIFF stack", "TIFF sinogram", "raw"})
        QTest::newRow(format) << format;
}

void IoValuesTest::everyReader()
{
    QFETCH(QString, format);
    const std::vector<float> integrals = lineIntegrals();
    const std::vector<double> values(integrals.begin(), integrals.end());
    OpenOptions options;
    fs::path path = at("scan.h5");
    if (format == "DXchange") {
        made::Hdf5(path).numbers("/exchange/data", {discProjections, 1, discBins}, values, H5T_IEEE_F32LE);
    } else if (format == "NXtomo") {
        made::Hdf5 file(path);
        file.numbers("/entry/instrument/detector/data", {discProjections, 1, discBins}, values, H5T_IEEE_F32LE);
        file.numbers("/entry/instrument/detector/image_key", {discProjections},
                     std::vector<double>(discProjections, 0));
        file.numbers("/entry/sample/rotation_angle", {discProjections}, made::counting(discProjections, 2));
        file.text("/entry/definition", "NXtomo");
    } else if (format == "TIFF stack") {
        path = at("stack.tif");
        for (int p = 0; p < discProjections; ++p)
            made::tiff<float>(path, discBins, 1,
                              {integrals.begin() + p * discBins, integrals.begin() + (p + 1) * discBins},
                              {SAMPLEFORMAT_IEEEFP, COMPRESSION_NONE, 1, 0, p == 0 ? "w" : "a"});
    } else if (format == "TIFF sinogram") {
        path = at("sinogram.tif");
        made::tiff<float>(path, discBins, discProjections, integrals, {SAMPLEFORMAT_IEEEFP});
        options.sinogram = true;
    } else {
        path = at("scan.raw");
        std::ofstream(path, std::ios::binary)
            .write(reinterpret_cast<const char*>(integrals.data()), std::streamsize(integrals.size() * sizeof(float)));
        options.raw = RawLayout{discProjections, 1, discBins, "float32", false, 0};
    }
    const auto scan = openScan(path, options);
    QCOMPARE(scan->format, format.toStdString());
    QCOMPARE(toText(scan->quantity), std::string("line-integrals"));
    for (const Quantity quantity : storedQuantities()) {
        options.values = quantity;
        const auto chosen = openScan(path, options);
        QVERIFY(chosen->storedQuantity() == quantity);
        QVERIFY(chosen->quantitySource == QuantitySource::given);
        const float sign = quantity == Quantity::negatedAttenuation ? -1 : 1;
        QVERIFY(std::ranges::equal(chosen->read({0, 1}, {}).data.toFloats(), integrals, {},
                                   [sign](float value) { return sign * value; }));
    }
}

void IoValuesTest::transmissionTakesTheLogarithmAlone()
{
    const std::vector<float> integrals = lineIntegrals();
    // 0.8 in air: counts would use this value as the flat, transmission must not.
    const auto scan = sinogram(each(integrals, [](float v) { return 0.8f * std::exp(-v); }), Quantity::transmission);
    const Prepared prepared = prepareRows(scan->read({0, 1}, {}), scan->quantity, 0);
    for (std::size_t i = 0; i < integrals.size(); ++i)
        QVERIFY(std::abs(prepared.sinograms.values[i] - (integrals[i] - std::log(0.8f))) < 1e-5f);
    QVERIFY(prepared.notes.empty());
}

void IoValuesTest::texts()
{
    for (const Quantity quantity : storedQuantities())
        QVERIFY(quantityFromText(toText(quantity)) == quantity);
    QVERIFY(fails(ErrorKind::badRequest, {"photons", "counts", "transmission", "line-integrals"},
                  [] { quantityFromText("photons"); }));
}

SINOSCOPE_TEST(IoValuesTest, QCoreApplication)
#include "quantity_guess_test.moc"
