// SPDX-License-Identifier: GPL-3.0-or-later
// Sinograms whose projections are stored as columns, in files that don't specify this: detected from the numbers, and
// corrected by one option.
#include "engine/io/open/open_scan.h"
#include "engine/scan/empty_projections.h"
#include "engine/simulate/random.h"
#include "tests/engine/io/files.h"
#include "tests/engine/io/mat_files.h"

#include <QTest>

#include <algorithm>
#include <array>
#include <cmath>

using namespace engine;
using namespace fixtures;
namespace fs = std::filesystem;

namespace
{

constexpr int sheetBins = 96, sheetProjections = 70;

// Returns line integrals as [projection][bin].
std::vector<double> sheetIntegrals(Phantom phantom, double arcDeg, double photons)
{
    Simulation simulation;
    simulation.phantom = phantom;
    simulation.size = sheetBins;
    simulation.projections = sheetProjections;
    simulation.arcDeg = arcDeg;
    simulation.axisOffsetBins = 3;
    simulation.counts = false;
    const Values made = simulate(simulation)->read({0, 1}, {}).data.toFloats();
    std::vector<double> values(made.begin(), made.end());
    Random random(5, {1});
    for (double& value : values)
        if (photons > 0)
            value = -std::log(std::max(1.0, random.poisson(photons * std::exp(-value))) / photons);
    return values;
}

std::vector<double> exchangedSheet(const std::vector<double>& values)
{
    std::vector<double> made;
    for (int bin = 0; bin < sheetBins; ++bin)
        for (int k = 0; k < sheetProjections; ++k)
            made.push_back(values[static_cast<std::size_t>(k) * sheetBins + static_cast<std::size_t>(bin)]);
    return made;
}

std::vector<float> asFloats(const std::vector<double>& values)
{
    return {values.begin(), values.end()};
}

} // namespace

class IoExchangedAxesTest : public QObject
{
    Q_OBJECT
  private slots:
    void areTold_data();
    void areTold();
    void unsteadyBeamsAreNot();
    void stacksOfSinograms();
    void everyOrder_data();
    void everyOrder();
};

void IoExchangedAxesTest::areTold_data()
{
    QTest::addColumn<Phantom>("phantom");
    QTest::addColumn<double>("arcDeg");
    QTest::addColumn<double>("photons");
    for (const Phantom phantom : {Phantom::sheppLogan, Phantom::resolution, Phantom::disc})
        for (const double arcDeg : {180.0, 360.0})
            for (const double photons : {0.0, 1e3})
                if (!sanitized || (phantom == Phantom::sheppLogan && photons == 0)) // all cases are read the same way
                    QTest::addRow("%d over %g°, %g photons", int(phantom), arcDeg, photons)
                        << phantom << arcDeg << photons;
}

void IoExchangedAxesTest::areTold()
{
    QFETCH(Phantom, phantom);
    QFETCH(double, arcDeg);
    QFETCH(double, photons);
    const TemporaryFolder folder;
    const std::vector<double> right = sheetIntegrals(phantom, arcDeg, photons);
    const auto check = [&](const fs::path& path, OpenOptions options, bool areExchanged) {
        const auto scan = openScan(path, options);
        QCOMPARE(scan->axesLookExchanged(), areExchanged);
        QCOMPARE(mentions(scan->notes, "Exchange them (--data-axes " + scan->exchangedAxes + ")"), areExchanged);
        QCOMPARE(scan->bins(), areExchanged ? sheetProjections : sheetBins);
        if (!areExchanged) { // exchange the axes by mistake
            const OpenOptions mistaken = withExchangedAxes(options, *scan);
            const auto wrong = openScan(path, mistaken);
            QVERIFY(wrong->axesLookExchanged() && mentions(wrong->notes, "Exchange them (--data-axes theta:x)"));
            OpenOptions given = mistaken;
            given.angleRangeRad = {0, 3};
            const auto withAngles = openScan(path, given);
            QVERIFY(withAngles->axesLookExchanged() &&
                    mentions(withAngles->notes, "Exchange them (--data-axes theta:x"));
            QCOMPARE(openScan(path, withExchangedAxes(mistaken, *wrong))->bins(), sheetBins);
            return;
        }
        QVERIFY(!scan->assumedTurn->isSure());
        // With exchanged axes, bins of air take the place of projections; they are not reported as empty projections.
        // When the axes are corrected, the list of projections to leave out is cleared.
        QVERIFY(emptyText(*scan, {0, 1, 2}).empty());
        options.reduction.leftOut = {{0, 2}};
        options = withExchangedAxes(options, *scan);
        QVERIFY(options.reduction.leftOut.empty());
        const auto other = openScan(path, options);
        QVERIFY(!other->axesLookExchanged());
        QCOMPARE(other->bins(), sheetBins);
    };
    OpenOptions sinogram;
    sinogram.sinogram = true;
    for (const bool areExchanged : {false, true}) {
        const std::vector<double> values = areExchanged ? exchangedSheet(right) : right;
        const int width = areExchanged ? sheetProjections : sheetBins,
                  height = areExchanged ? sheetBins : sheetProjections;
        std::vector<double> transmission = values;
        for (double& value : transmission)
            value = std::exp(-value);
        std::vector<std::uint16_t> counts;
        for (const double value : values)
            counts.push_back(std::uint16_t(std::min(65535L, std::lround(30000 * std::exp(-value)))));
        made::tiff(folder / "integrals.tif", width, height, asFloats(values), {.format = SAMPLEFORMAT_IEEEFP});
        check(folder / "integrals.tif", sinogram, areExchanged);
        if (phantom != Phantom::sheppLogan || photons > 0) // the other cases read the same numbers
            continue;
        made::tiff(folder / "transmission.tif", width, height, asFloats(transmission), {.format = SAMPLEFORMAT_IEEEFP});
        check(folder / "transmission.tif", sinogram, areExchanged);
        made::tiff(folder / "counts.tif", width, height, counts);
        check(folder / "counts.tif", sinogram, areExchanged);
        // MATLAB stores each column contiguously.
        made::writeMat(folder / "m.mat", {made::matrixOf("m", std::size_t(height), std::size_t(width),
                                                         areExchanged ? right : exchangedSheet(right))});
        check(folder / "m.mat", {}, areExchanged);
        made::Hdf5(folder / "m.h5").numbers("/side/a", {hsize_t(height), hsize_t(width)}, values);
        OpenOptions named;
        named.dataSets.projections = "/side/a";
        check(folder / "m.h5", named, areExchanged);
    }
}

// Lines that differ because the beam changes, of an object that hardly absorbs.
void IoExchangedAxesTest::unsteadyBeamsAreNot()
{
    const TemporaryFolder folder;
    const std::vector<double> right = sheetIntegrals(Phantom::sheppLogan, 180, 0);
    for (const bool isDecaying : {false, true}) {
        std::vector<std::uint16_t> counts;
        for (std::size_t k = 0; k < right.size(); ++k) {
            const double line = static_cast<double>(k / sheetBins) / sheetProjections;
            const double beam = isDecaying ? 1 - 0.4 * line : 0.8 + 0.2 * std::sin(40 * line);
            counts.push_back(std::uint16_t(std::lround(30000 * beam * std::exp(-0.02 * right[k]))));
        }
        made::tiff(folder / "weak.tif", sheetBins, sheetProjections, counts);
        OpenOptions sinogram;
        sinogram.sinogram = true;
        QVERIFY(!openScan(folder / "weak.tif", sinogram)->axesLookExchanged());
    }
}

// Stacks as pages of a file and as files of a folder, of an object that changes along the axis.
void IoExchangedAxesTest::stacksOfSinograms()
{
    constexpr int rows = 20;
    const TemporaryFolder folder;
    const std::vector<double> sheet = sheetIntegrals(Phantom::resolution, 180, 0);
    const auto valueAt = [&](int projection, int row, int bin) {
        return static_cast<float>((0.4 + 0.05 * row) * sheet[std::size_t(projection) * sheetBins + std::size_t(bin)]);
    };
    const auto lookOf = [](int page) {
        return made::TiffLook{.format = SAMPLEFORMAT_IEEEFP, .mode = page > 0 ? "a" : "w"};
    };
    fs::create_directories(folder / "sinograms");
    for (int row = 0; row < rows; ++row) {
        std::vector<float> page;
        for (int k = 0; k < sheetProjections; ++k)
            for (int bin = 0; bin < sheetBins; ++bin)
                page.push_back(valueAt(k, row, bin));
        made::tiff(folder / "sinograms.tif", sheetBins, sheetProjections, page, lookOf(row));
        made::tiff(folder / "sinograms" / ("s_" + std::to_string(100 + row) + ".tif"), sheetBins, sheetProjections,
                   page, lookOf(0));
    }
    for (const bool isUneven : {true, false}) // whether the object changes along the axis
        for (int k = 0; k < sheetProjections; ++k) {
            std::vector<float> page;
            for (int row = 0; row < rows; ++row)
                for (int bin = 0; bin < sheetBins; ++bin)
                    page.push_back(valueAt(k, isUneven ? row : 5, bin));
            made::tiff(folder / (isUneven ? "projections.tif" : "even.tif"), sheetBins, rows, page, lookOf(k));
        }
    const auto right = openScan(folder / "projections.tif");
    QVERIFY(!right->axesLookExchanged() && !openScan(folder / "even.tif")->axesLookExchanged());
    const Values values = right->read({0, rows}, {}).data.toFloats();
    const auto mistaken = openScan(folder / "projections.tif", withExchangedAxes({}, *right));
    QVERIFY(mistaken->axesLookExchanged() && mentions(mistaken->notes, "Exchange them (--data-axes theta:y:x)"));
    // The same sinogram in all rows: the object moves within the frames, and not from one frame to the next.
    std::vector<float> page; // of a rod
    for (int k = 0; k < sheetProjections; ++k)
        for (int bin = 0; bin < sheetBins; ++bin) {
            const double aside = bin - 47.5 - 20 * std::cos(3.14 * k / sheetProjections);
            page.push_back(static_cast<float>(0.05 * std::sqrt(std::max(0.0, 144 - aside * aside))));
        }
    for (int row = 0; row < rows; ++row)
        made::tiff(folder / "prism.tif", sheetBins, sheetProjections, page, lookOf(row));
    const auto prism = openScan(folder / "prism.tif");
    QVERIFY(prism->axesLookExchanged() && prism->exchangedAxes == "y:theta:x");
    const auto turnedPrism = openScan(folder / "prism.tif", withExchangedAxes({}, *prism));
    QVERIFY(turnedPrism->rows == rows && !turnedPrism->axesLookExchanged());
    for (const char* name : {"sinograms.tif", "sinograms"}) {
        const auto wrong = openScan(folder / name);
        QVERIFY(wrong->axesLookExchanged() && !wrong->assumedTurn->isSure());
        QVERIFY(mentions(wrong->notes, "Exchange them (--data-axes y:theta:x)"));
        OpenOptions sinogram;
        sinogram.sinogram = true;
        for (const OpenOptions& options : {withExchangedAxes({}, *wrong), sinogram}) {
            const auto turned = openScan(folder / name, options);
            QCOMPARE(turned->rows, rows);
            QVERIFY(!turned->axesLookExchanged() && turned->anglesRad() == right->anglesRad());
            const Values theirs = turned->read({0, rows}, {}).data.toFloats();
            QVERIFY(std::ranges::equal(theirs, values));
        }
        OpenOptions columns;
        columns.dataSets.axes = "y:x:theta";
        QCOMPARE(openScan(folder / name, columns)->bins(), sheetProjections);
        columns.dataSets.axes = "x:theta";
        QVERIFY(fails(ErrorKind::badRequest, {"'x:theta' don't fit", "y:theta:x"},
                      [&] { openScan(folder / name, columns); }));
    }
}

void IoExchangedAxesTest::everyOrder_data()
{
    QTest::addColumn<QString>("axes");
    for (const char* axes : {"theta:y:x", "theta:x:y", "y:theta:x", "y:x:theta", "x:y:theta", "x:theta:y"})
        QTest::newRow(axes) << axes;
}

// A stack in each order of its dimensions, of an object that ends within the rows: read both as projections, rows and
// bins, and as sinograms.
void IoExchangedAxesTest::everyOrder()
{
    QFETCH(QString, axes);
    constexpr int rows = 24;
    const TemporaryFolder folder;
    const std::vector<double> sheet = sheetIntegrals(Phantom::resolution, 180, 0);
    const QStringList names = axes.split(':');
    const std::array<int, 3> sizes = {sheetProjections, rows, sheetBins};
    std::array<std::size_t, 3> which{}; // the file's dimensions of projections, rows and bins
    for (const char* const name : {"theta", "y", "x"})
        which[std::size_t(names.indexOf(name))] = name[0] == 't' ? 0 : name[0] == 'y' ? 1 : 2;
    const auto lengthOf = [&](int dimension) { return sizes[which[std::size_t(dimension)]]; };
    std::vector<double> values;
    for (int i = 0; i < lengthOf(0); ++i)
        for (int j = 0; j < lengthOf(1); ++j)
            for (int k = 0; k < lengthOf(2); ++k) {
                std::array<int, 3> at{};
                at[which[0]] = i, at[which[1]] = j, at[which[2]] = k;
                const double height = std::max(0.0, 1 - std::pow((at[1] - 11.0) / 9, 2));
                values.push_back(height * sheet[std::size_t(at[0]) * sheetBins + std::size_t(at[2])]);
            }
    made::Hdf5(folder / "m.h5")
        .numbers("/side/a", {hsize_t(lengthOf(0)), hsize_t(lengthOf(1)), hsize_t(lengthOf(2))}, values);
    const std::size_t page = values.size() / std::size_t(lengthOf(0));
    for (int k = 0; k < lengthOf(0); ++k)
        made::tiff(folder / "m.tif", lengthOf(2), lengthOf(1),
                   std::vector<float>(values.begin() + std::ptrdiff_t(std::size_t(k) * page),
                                      values.begin() + std::ptrdiff_t(std::size_t(k + 1) * page)),
                   {.format = SAMPLEFORMAT_IEEEFP, .mode = k > 0 ? "a" : "w"});
    OpenOptions named, sinogram;
    named.dataSets.projections = "/side/a";
    sinogram.sinogram = true;
    const auto check = [&](const fs::path& path, const OpenOptions& options, const QString& read) {
        const auto scan = openScan(path, options);
        QCOMPARE(scan->axesLookExchanged(), axes != read);
        const auto right = axes == read ? scan : openScan(path, withExchangedAxes(options, *scan));
        if (axes != read)
            QCOMPARE(QString::fromStdString(scan->exchangedAxes), axes);
        QVERIFY(!right->axesLookExchanged());
        QCOMPARE(right->projections(), sheetProjections);
        QCOMPARE(right->rows, rows);
        const Values middle = right->read({11, 1}, {}).data.toFloats();
        QCOMPARE(middle.size(), sheet.size());
        for (std::size_t k = 0; k < sheet.size(); ++k)
            QCOMPARE(middle[k], float(sheet[k]));
    };
    check(folder / "m.h5", named, "theta:y:x");
    OpenOptions written = named; // another spelling of the axes
    written.dataSets.axes = "Theta, Y, X";
    check(folder / "m.h5", written, "theta:y:x");
    check(folder / "m.tif", {}, "theta:y:x");
    check(folder / "m.tif", sinogram, "y:theta:x");
}

SINOSCOPE_TEST(IoExchangedAxesTest, QCoreApplication)
#include "exchanged_axes_test.moc"
