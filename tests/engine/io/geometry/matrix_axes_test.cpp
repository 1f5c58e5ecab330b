// SPDX-License-Identifier: GPL-3.0-or-later
// Which dimension of a matrix is that of the projections: identified by vectors stored beside it, by given angles, or
// by the user (--data-axes), in MATLAB, HDF5, TIFF and raw files.
#include "engine/io/geometry/angle_units.h"
#include "engine/io/open/open_fields.h"
#include "engine/io/open/open_scan.h"
#include "engine/scan/scan_facts.h"
#include "tests/engine/io/files.h"
#include "tests/engine/io/mat_files.h"

#include <QTest>

#include <numbers>

using namespace engine;
using namespace fixtures;
namespace fs = std::filesystem;

using std::numbers::pi;

namespace
{

constexpr int matrixProjections = 20, matrixBins = 30;

// Returns the value of a bin. The rows of a matrix are projections; those of a transposed matrix are bins.
double valueAt(int projection, int bin)
{
    return 100 * projection + bin;
}

std::vector<double> numbers(bool transposed)
{
    std::vector<double> values;
    for (int i = 0; i < (transposed ? matrixBins : matrixProjections); ++i)
        for (int j = 0; j < (transposed ? matrixProjections : matrixBins); ++j)
            values.push_back(transposed ? valueAt(j, i) : valueAt(i, j));
    return values;
}

matvar_t* matrix(bool transposed) // MATLAB stores columns
{
    return transposed ? made::matrixOf("m", matrixBins, matrixProjections, numbers(false))
                      : made::matrixOf("m", matrixProjections, matrixBins, numbers(true));
}

std::vector<double> even(int count, double first, double last)
{
    std::vector<double> values;
    for (int k = 0; k < count; ++k)
        values.push_back(first + (last - first) * k / (count - 1));
    return values;
}

matvar_t* vectorOf(const char* name, const std::vector<double>& values, bool lying = true)
{
    return made::matrixOf(name, lying ? 1 : values.size(), lying ? values.size() : 1, values);
}

bool isWhole(const Scan& scan)
{
    if (scan.projections() != matrixProjections || scan.bins() != matrixBins) {
        qWarning("%d projections of %d bins", scan.projections(), scan.bins());
        return false;
    }
    const Values values = scan.read({0, 1}, {}).data.toFloats();
    for (int k = 0; k < matrixProjections; ++k)
        for (int bin = 0; bin < matrixBins; ++bin)
            if (values[std::size_t(k) * matrixBins + std::size_t(bin)] != float(valueAt(k, bin)))
                return false;
    const RawRows part = scan.readFrames({.projections = {3, 2}, .rows = {0, 1}}, {});
    return part.data.toFloats()[matrixBins + 5] == float(valueAt(4, 5));
}

bool hasAngles(const Scan& scan, double firstRad, double lastRad)
{
    if (!scan.anglesAssumed && std::abs(scan.anglesRad().front() - firstRad) < 1e-9 &&
        std::abs(scan.anglesRad().back() - lastRad) < 1e-9)
        return true;
    qWarning("%g to %g", scan.anglesRad().front(), scan.anglesRad().back());
    return false;
}

FactState stateOf(const Scan& scan, const std::string& id)
{
    for (const ScanFact& fact : scanFacts(scan))
        if (fact.id == id)
            return fact.state;
    return FactState::missing;
}

OpenOptions said(const std::vector<std::pair<const char*, std::string>>& texts)
{
    OpenOptions options;
    for (const auto& [id, text] : texts)
        setField(findField(openFields(), id), options, text);
    return options;
}

} // namespace

class MatrixAxesTest : public QObject
{
    Q_OBJECT
  private slots:
    void matlab()
    {
        const TemporaryFolder folder;
        const fs::path file = folder / "scan.mat";
        for (const bool transposed : {false, true})
            for (const bool lying : {false, true}) {
                made::writeMat(file, {matrix(transposed), vectorOf("theta", even(matrixProjections, 0, 171), lying)});
                QVERIFY(isWhole(*openScan(file)) && hasAngles(*openScan(file), 0, 171 * degree));
                QVERIFY(stateOf(*openScan(file), "projections") == FactState::found);
                QVERIFY(stateOf(*openScan(file), "angles") == FactState::found);
                QVERIFY(mentions(openScan(file)->notes, "The angles are those of theta"));
                // Radians, recognised by their range; the angles are offset by many turns.
                made::writeMat(file,
                               {vectorOf("angles", even(matrixProjections, 292.2, 295.3), lying), matrix(transposed)});
                QVERIFY(isWhole(*openScan(file)));
                QVERIFY(hasAngles(*openScan(file), 292.2 - 92 * pi, 295.3 - 92 * pi));
                // A vector of positions identifies the bins; a vector of angles identifies the projections even if
                // its name does not.
                made::writeMat(file, {matrix(transposed), vectorOf("s", even(matrixBins, -1, 1), lying)});
                QVERIFY(isWhole(*openScan(file)) && openScan(file)->anglesAssumed);
                made::writeMat(file, {matrix(transposed), vectorOf("v", even(matrixProjections, 0, 180), lying)});
                QVERIFY(isWhole(*openScan(file)) && hasAngles(*openScan(file), 0, pi));
            }
        // Nothing identifies the dimension: it is guessed, and the guess is reported.
        made::writeMat(file, {matrix(false), vectorOf("v", even(7, 0, 180))});
        const auto guessed = openScan(file);
        QVERIFY(isWhole(*guessed) && guessed->anglesAssumed);
        QVERIFY(mentions(guessed->notes, "which is a guess") && mentions(guessed->notes, "--data-axes"));
        for (const char* id : {"projections", "angles", "geometry"})
            QVERIFY2(stateOf(*guessed, id) == FactState::guessed, id);
        QCOMPARE(std::string(scanFacts(*guessed).front().option), std::string("data-axes"));
        made::writeMat(file, {matrix(true)});
        QVERIFY(isWhole(*openScan(file, said({{"data-axes", "x:theta"}}))));
        QVERIFY(stateOf(*openScan(file, said({{"data-axes", "x:theta"}})), "projections") != FactState::guessed);
        OpenOptions listed;
        listed.anglesRad = even(matrixProjections, 0, 3);
        QVERIFY(isWhole(*openScan(file, listed)));
        QVERIFY(fails(ErrorKind::badRequest, {"theta:y:x", "scan.mat", "--data-axes"}, [&] {
            openScan(file, said({{"data-axes", "theta:y:x"}}));
        }));
    }

    void tiff()
    {
        const TemporaryFolder folder;
        const fs::path file = folder / "sinogram.tif";
        const std::vector<double> values = numbers(true);
        made::tiff(file, matrixProjections, matrixBins, std::vector<float>(values.begin(), values.end()),
                   {.format = SAMPLEFORMAT_IEEEFP});
        QVERIFY(isWhole(*openScan(file, said({{"sinogram", "true"}, {"data-axes", "x:theta"}}))));
        QVERIFY(stateOf(*openScan(file, said({{"sinogram", "true"}})), "projections") == FactState::guessed);
        std::ofstream angles(folder / "angles.txt");
        for (int k = 0; k < matrixProjections; ++k)
            angles << 9 * k << '\n';
        angles.close();
        const auto scan = openScan(file, said({{"sinogram", "true"}}));
        QVERIFY(isWhole(*scan) && hasAngles(*scan, 0, 171 * degree));
        QVERIFY(mentions(scan->notes, "The image has one projection per column"));
        QVERIFY(stateOf(*scan, "projections") == FactState::found);
        QVERIFY(fails(ErrorKind::badRequest, {"sinogram.tif", "--data-axes"}, [&] {
            openScan(file, said({{"data-axes", "x:theta"}}));
        }));
    }

    void raw()
    {
        const TemporaryFolder folder;
        const fs::path file = folder / "numbers.raw";
        const std::vector<double> values = numbers(true);
        const std::vector<float> floats(values.begin(), values.end());
        std::ofstream(file, std::ios::binary)
            .write(reinterpret_cast<const char*>(floats.data()), std::streamsize(floats.size() * sizeof(float)));
        QVERIFY(isWhole(*openScan(file, said({{"raw", "30x1x20"}, {"type", "float32"}, {"data-axes", "x:theta"}}))));
        QVERIFY(isWhole(*openScan(file, said({{"raw", "1x30x20"}, {"type", "float32"}, {"data-axes", "y:x:theta"}}))));
        QVERIFY(stateOf(*openScan(file, said({{"raw", "30x1x20"}, {"type", "float32"}})), "projections") ==
                FactState::given);
    }

    void hdf5()
    {
        const TemporaryFolder folder;
        const fs::path file = folder / "scan.h5";
        for (const bool transposed : {false, true})
            for (const bool named : {false, true}) {
                {
                    made::Hdf5 made(file);
                    const auto high = hsize_t(transposed ? matrixBins : matrixProjections);
                    const auto wide = hsize_t(transposed ? matrixProjections : matrixBins);
                    made.numbers("/a/sino", {high, wide}, numbers(transposed));
                    made.numbers("/a/theta", {matrixProjections}, even(matrixProjections, 292.2, 295.3));
                }
                const auto scan = openScan(file, named ? said({{"data", "/a/sino"}}) : OpenOptions());
                QVERIFY(isWhole(*scan) && hasAngles(*scan, 292.2 - 92 * pi, 295.3 - 92 * pi));
            }
        {
            made::Hdf5 made(file);
            made.numbers("/a/sino", {matrixBins, matrixProjections}, numbers(true));
            made.numbers("/a/position", {matrixBins}, even(matrixBins, -3, 3));
        }
        QVERIFY(isWhole(*openScan(file, said({{"data", "/a/sino"}}))));
    }

    void units()
    {
        QVERIFY(areRadians(even(90, 0, pi)) && areRadians(even(90, 292.2, 295.3)) && areRadians(even(90, 0, 4 * pi)));
        const auto unitOf = [](const std::vector<double>& angles) { return std::string(likelyAngleUnit(angles).name); };
        for (const auto& [last, unit] :
             std::initializer_list<std::pair<double, const char*>>{{180, "degrees"},
                                                                   {200, "degrees"},
                                                                   {pi, "radians"},
                                                                   {2 * pi, "radians"},
                                                                   {1000 * pi, "milliradians"},
                                                                   {0.5, "turns"},
                                                                   {360000, "millidegrees"}})
            QCOMPARE(unitOf(even(90, 0, last)), std::string(unit));
        QVERIFY(angleUnit("Gon") && angleUnit("gradians")->halfTurn == 200 && !angleUnit("parsec") && !angleUnit(""));
        QVERIFY(!areRadians(even(90, 0, 180)) && !areRadians(even(4, 350, 354)) && !areRadians(even(90, -90, 90)));
        std::vector<double> jumping = {6.0, 6.1, 6.2, 6.3 - 2 * pi, 6.4 - 2 * pi};
        unwrap(jumping);
        QVERIFY(largestDifference(jumping, std::vector<double>{6.0, 6.1, 6.2, 6.3, 6.4}) < 1e-12);
        std::vector<double> mixed = {0, 3, 1, 4, 2};
        unwrap(mixed);
        QCOMPARE(mixed, (std::vector<double>{0, 3, 1, 4, 2}));
    }
};

SINOSCOPE_TEST(MatrixAxesTest, QCoreApplication)
#include "matrix_axes_test.moc"
