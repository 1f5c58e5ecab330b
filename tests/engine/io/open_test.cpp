// Every form in which a scan may come, from files made here.
#include "engine/io/frame_rows.h"
#include "engine/io/open_scan.h"
#include "engine/io/write_scan.h"
#include "engine/report.h"
#include "engine/setting.h"
#include "tests/engine/io/files.h"

#include <QElapsedTimer>
#include <QProcess>
#include <QScopeGuard>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <clocale>
#include <cmath>
#include <cstring>
#include <fstream>
#include <numbers>
#include <numeric>
#include <thread>

using namespace engine;
namespace fs = std::filesystem;
using made::counting;

class IoOpenTest : public QObject
{
    Q_OBJECT
  private slots:
    void init();
    void dxchangeAxes_data();
    void dxchangeAxes();
    void dxchangeAngles();
    void dxchangeFacts();
    void nxtomoKeys();
    void nxtomoFacts();
    void angleUnits();
    void hugeFileOpensAtOnce();
    void decimalComma();
    void chunksAlongAngles();
    void readsAreSmallEnoughToStop();
    void readFromManyThreads();
    void tiffSamples_data();
    void tiffSamples();
    void tiffPages();
    void tiffFolder();
    void tiffSidesInFolders();
    void tiffSinogramOfRows();
    void imageJStack();
    void rawSamples_data();
    void rawSamples();

  private:
    fs::path at(const char* name) const { return m_base / name; }
    std::unique_ptr<QTemporaryDir> m_folder;
    fs::path m_base;
};

namespace
{

constexpr double degree = std::numbers::pi / 180;

bool mentions(const std::vector<std::string>& notes, const std::string& text)
{
    return std::any_of(notes.begin(), notes.end(),
                       [&](const std::string& note) { return note.find(text) != std::string::npos; });
}

// The value of frame f, row r, bin b in all files here.
float value(int f, int r, int b)
{
    return float(f * 100 + r * 10 + b);
}

std::vector<double> frames(int count, int rows, int bins, int first = 0)
{
    std::vector<double> values;
    for (int f = first; f < first + count; ++f)
        for (int r = 0; r < rows; ++r)
            for (int b = 0; b < bins; ++b)
                values.push_back(value(f, r, b));
    return values;
}

bool holds(const std::vector<float>& values, const std::vector<int>& frames, RowRange rows, int bins)
{
    std::vector<float> expected;
    for (const int f : frames)
        for (int r = rows.first; r < rows.first + rows.count; ++r)
            for (int b = 0; b < bins; ++b)
                expected.push_back(value(f, r, b));
    return values == expected;
}

} // namespace

void IoOpenTest::init()
{
    m_folder = std::make_unique<QTemporaryDir>();
    m_base = m_folder->path().toStdString();
}

void IoOpenTest::dxchangeAxes_data()
{
    QTest::addColumn<QString>("axes");
    for (const char* axes : {"", "theta:y:x", "y:theta:x", "theta:x:y", "x:y:theta", "y:x:theta", "x:theta:y"})
        QTest::newRow(axes) << QString(axes);
}

void IoOpenTest::dxchangeAxes()
{
    QFETCH(QString, axes);
    const QStringList names = (axes.isEmpty() ? QString("theta:y:x") : axes).split(':');
    const int length[3] = {5, 3, 4}; // projections, rows, bins
    std::vector<hsize_t> shape;
    for (const QString& name : names)
        shape.push_back(length[name == "theta" ? 0 : name == "y" ? 1 : 2]);
    std::vector<double> values;
    for (int i = 0; i < int(shape[0]); ++i)
        for (int j = 0; j < int(shape[1]); ++j)
            for (int k = 0; k < int(shape[2]); ++k) {
                const int index[3] = {i, j, k};
                values.push_back(
                    value(index[names.indexOf("theta")], index[names.indexOf("y")], index[names.indexOf("x")]));
            }
    {
        made::Hdf5 file(at("scan.h5"));
        file.numbers("/exchange/data", shape, values, H5T_STD_U16BE);
        if (!axes.isEmpty())
            file.attribute("/exchange/data", "axes", axes.toStdString());
    }
    const auto scan = openScan(at("scan.h5"));
    QCOMPARE(scan->rows, 3);
    QCOMPARE(scan->bins(), 4);
    QCOMPARE(scan->projections(), 5);
    for (const RowRange rows : {RowRange{0, 3}, RowRange{1, 2}, RowRange{2, 1}})
        QVERIFY(holds(scan->read(rows, {}).data, {0, 1, 2, 3, 4}, rows, 4));
}

void IoOpenTest::dxchangeAngles()
{
    {
        made::Hdf5 file(at("both-ends.h5"));
        file.numbers("/exchange/data", {5, 1, 4}, frames(5, 1, 4));
    }
    const auto even = openScan(at("both-ends.h5"));
    QVERIFY(std::abs(even->anglesRad()[1] - 45 * degree) < 1e-12);
    QVERIFY(std::abs(even->anglesRad()[4] - 180 * degree) < 1e-12);
    QVERIFY(mentions(even->notes, "both ends"));
    {
        made::Hdf5 file(at("steps.h5"));
        file.numbers("/exchange/data", {5, 1, 4}, frames(5, 1, 4));
        file.numbers("/process/acquisition/rotation/rotation_start", {1}, {10});
        file.numbers("/process/acquisition/rotation/rotation_step", {1}, {0.5});
        file.numbers("/process/acquisition/rotation/num_angles", {1}, {5});
    }
    const auto steps = openScan(at("steps.h5"));
    QVERIFY(std::abs(steps->anglesRad()[4] - 12 * degree) < 1e-12);
    OpenOptions options;
    options.angleRangeRad = {1, 3};
    QCOMPARE(openScan(at("steps.h5"), options)->anglesRad(), (std::vector<double>{1, 1.5, 2, 2.5, 3}));
}

void IoOpenTest::dxchangeFacts()
{
    {
        made::Hdf5 file(at("scan.h5"));
        file.numbers("/exchange/data", {4, 3, 4}, frames(4, 3, 4), H5T_STD_I32LE);
        file.numbers("/exchange/data_white", {2, 3, 4}, frames(2, 3, 4, 20));
        file.numbers("/exchange/data_dark", {3, 4}, frames(1, 3, 4, 30)); // a single frame
        const std::string resolution = "/measurement/instrument/detection_system/objective/resolution";
        file.numbers(resolution, {1}, {1.25});
        file.attribute(resolution, "units", "microns");
        file.numbers("/measurement/instrument/monochromator/energy", {1}, {27.4});
        file.attribute("/measurement/instrument/monochromator/energy", "units", "keV");
        file.text("/measurement/sample/name", "shale");
    }
    const auto scan = openScan(at("scan.h5"));
    QCOMPARE(scan->sampleType, std::string("int32"));
    QVERIFY(std::abs(scan->pixelSizeMm().value_or(0) - 0.00125) < 1e-12);
    QVERIFY(scan->quantity == Quantity::counts);
    using Entry = std::pair<std::string, std::string>;
    QCOMPARE(scan->metadata, (std::vector<Entry>{{"Sample", "shale"}, {"Energy", "27.4 keV"}}));
    const RawRows raw = scan->read({1, 2}, {});
    QCOMPARE(raw.flatFrames, 2);
    QCOMPARE(raw.darkFrames, 1);
    QVERIFY(holds(raw.flats, {20, 21}, {1, 2}, 4));
    QVERIFY(holds(raw.darks, {30}, {1, 2}, 4));
}

void IoOpenTest::nxtomoKeys()
{
    {
        made::Hdf5 file(at("scan.nxs"));
        const std::string entry = "/entry1/tomo_entry";
        file.text(entry + "/definition", "NXtomo");
        file.numbers(entry + "/instrument/detector/data", {9, 3, 4}, frames(9, 3, 4), H5T_STD_U16LE);
        // Flats between the projections, an invalid frame, and an alignment frame at the end.
        file.numbers(entry + "/instrument/detector/image_key", {9}, {2, 1, 0, 0, 1, 3, 0, 0, 0}, H5T_STD_I32LE);
        file.numbers(entry + "/instrument/detector/image_key_control", {9}, {2, 1, 0, 0, 1, 3, 0, 0, -1},
                     H5T_STD_I32LE);
        file.numbers(entry + "/sample/rotation_angle", {9}, {0, 0, 0, 30, 30, 60, 60, 90, std::nan("")});
        file.attribute(entry + "/sample/rotation_angle", "units", "degrees");
    }
    const auto scan = openScan(at("scan.nxs"));
    QCOMPARE(scan->format, std::string("NXtomo"));
    QCOMPARE(scan->projections(), 4);
    QVERIFY(std::abs(scan->anglesRad()[2] - 60 * degree) < 1e-12);
    QVERIFY(std::abs(scan->anglesRad()[3] - 90 * degree) < 1e-12);
    QVERIFY(mentions(scan->notes, "alignment"));
    QVERIFY(mentions(scan->notes, "invalid"));
    for (const RowRange rows : {RowRange{0, 3}, RowRange{1, 1}}) {
        const RawRows raw = scan->read(rows, {});
        QVERIFY(holds(raw.data, {2, 3, 6, 7}, rows, 4));
        QVERIFY(holds(raw.flats, {1, 4}, rows, 4));
        QVERIFY(holds(raw.darks, {0}, rows, 4));
    }
}

void IoOpenTest::nxtomoFacts()
{
    {
        made::Hdf5 file(at("scan.nxs"));
        file.text("/entry0000/definition", "NXtomo");
        file.text("/entry0000/title", "bone");
        const std::string detector = "/entry0000/instrument/camera"; // the name is free
        file.numbers(detector + "/data", {3, 2, 4}, frames(3, 2, 4));
        file.numbers(detector + "/image_key", {3}, {0, 0, 0});
        file.numbers(detector + "/x_pixel_size", {1}, {6.5e-6});
        file.attribute(detector + "/x_pixel_size", "units", "m");
        file.numbers(detector + "/x_rotation_axis_pixel_position", {1}, {0.25});
        file.numbers("/entry0000/sample/rotation_angle", {3}, {0, 1, 2});
        file.attribute("/entry0000/sample/rotation_angle", "units", "rad");
    }
    const auto scan = openScan(at("scan.nxs"));
    QVERIFY(std::abs(scan->pixelSizeMm().value_or(0) - 0.0065) < 1e-12);
    QCOMPARE(scan->anglesRad(), (std::vector<double>{0, 1, 2}));
    QVERIFY(scan->axisBins().empty()); // a hint is never applied
    QCOMPARE(scan->axisHints.size(), std::size_t(2));
    QCOMPARE(scan->axisHints[0].axisBins, 0.25);
    QCOMPARE(scan->axisHints[1].axisBins, 1.75);
    QCOMPARE(scan->metadata.at(0).second, std::string("bone"));
}

void IoOpenTest::angleUnits()
{
    const auto second = [&](const char* units, double last) {
        {
            made::Hdf5 file(at("scan.h5"));
            file.numbers("/exchange/data", {3, 1, 2}, frames(3, 1, 2));
            file.numbers("/exchange/theta", {3}, {0, last / 2, last});
            if (*units)
                file.attribute("/exchange/theta", "units", units);
        }
        return openScan(at("scan.h5"))->anglesRad()[1];
    };
    QVERIFY(std::abs(second("deg", 4) - 2 * degree) < 1e-15);
    QVERIFY(std::abs(second("degrees", 180) - 90 * degree) < 1e-15);
    QVERIFY(std::abs(second("radian", 3) - 1.5) < 1e-15);
    QVERIFY(std::abs(second("", 180) - 90 * degree) < 1e-15);
    QVERIFY(std::abs(second("", 3) - 1.5) < 1e-15);
    QVERIFY(mentions(openScan(at("scan.h5"))->notes, "radians are assumed"));
}

void IoOpenTest::hugeFileOpensAtOnce()
{
    {
        made::Hdf5 file(at("huge.h5"));
        const hid_t plist = H5Pcreate(H5P_DATASET_CREATE);
        const hsize_t chunk[3] = {1, 8, 20000};
        H5Pset_chunk(plist, 3, chunk);
        file.numbers("/exchange/data", {3000, 2000, 20000}, {}, H5T_STD_U16LE, plist); // 240 GB
        H5Pclose(plist);
    }
    QElapsedTimer timer;
    timer.start();
    const auto scan = openScan(at("huge.h5"));
    QVERIFY2(timer.elapsed() < 1000, qPrintable(QString::number(timer.elapsed())));
    const RawRows raw = scan->read({1999, 1}, {});
    QCOMPARE(raw.data.size(), std::size_t(3000) * 20000);
    QVERIFY(raw.data.capacity() == raw.data.size());
    QCOMPARE(raw.data.back(), 0.0f);
}

// The more rows are wanted, the fewer frames are read between two looks at the stop token; whole chunks stay whole.
void IoOpenTest::readsAreSmallEnoughToStop()
{
    std::vector<int> counts;
    ScanFrames frames;
    frames.rows = 100;
    frames.bins = 3;
    frames.projections.frames = 45;
    frames.projections.step = 20;
    frames.projections.read = [&](int first, int count, RowRange rows, float* out) {
        counts.push_back(count);
        std::fill_n(out, static_cast<std::size_t>(count) * rows.count * 3, static_cast<float>(first));
    };
    const auto countsFor = [&](int rows) {
        counts.clear();
        const RawRows raw = readRows(frames, {0, rows}, {});
        if (raw.data.size() != static_cast<std::size_t>(45) * rows * 3 || raw.data.back() != 45 - counts.back())
            counts.clear();
        return counts;
    };
    QCOMPARE(countsFor(1), (std::vector<int>{20, 20, 5}));
    QCOMPARE(countsFor(2), (std::vector<int>{10, 10, 10, 10, 5}));
    QCOMPARE(countsFor(100), std::vector<int>(45, 1));
    frames.projections.stepRows = 50;
    QCOMPARE(countsFor(50), (std::vector<int>{20, 20, 5}));
    QCOMPARE(countsFor(100), (std::vector<int>{10, 10, 10, 10, 5}));
    frames.projections.chunk = 20;
    frames.projections.firstStep = 3;
    QCOMPARE(countsFor(100), (std::vector<int>{3, 20, 20, 2}));
}

// As under a German desktop: numbers in files, reports and on screen keep their points.
void IoOpenTest::decimalComma()
{
    const std::string locales = at("locales").string();
    fs::create_directory(locales);
    if (QProcess::execute("localedef", {"-i", "de_DE", "-f", "UTF-8", QString::fromStdString(locales + "/de_DE.utf8")}))
        QSKIP("localedef can't make a German locale here");
    qputenv("LOCPATH", locales.c_str());
    const bool german = std::setlocale(LC_ALL, "de_DE.utf8") != nullptr;
    const auto back = qScopeGuard([] {
        std::setlocale(LC_ALL, "C");
        qunsetenv("LOCPATH");
    });
    if (!german || QByteArray(std::localeconv()->decimal_point) != ",")
        QSKIP("the German locale has no effect here");

    Simulation simulation;
    simulation.phantom = Phantom::disc;
    simulation.size = 16;
    simulation.projections = 5;
    simulation.axisOffsetBins = 1.25;
    simulation.photons = 1000.5;
    QVERIFY(simulationFromJson(toJson(simulation)) == simulation);
    const auto simulated = simulate(simulation);
    writeScan(*simulated, &simulation, ScanFormat::dxchange, at("disc.h5"), false);
    const auto scan = openScan(at("disc.h5"));
    QCOMPARE(scan->axisBins(), std::vector<double>{8.75});
    QVERIFY(scanJson(*scan).find("8.75") != std::string::npos);
    for (const auto& [label, value] : simulated->metadata)
        QVERIFY2(value.find(',') == std::string::npos, value.c_str());
    {
        made::Hdf5 file(at("energy.h5"));
        file.numbers("/exchange/data", {2, 1, 3}, counting(6));
        file.numbers("/measurement/instrument/monochromator/energy", {1}, {27.5});
    }
    const auto facts = openScan(at("energy.h5"))->metadata;
    QVERIFY(std::find(facts.begin(), facts.end(), std::pair<std::string, std::string>("Energy", "27.5")) !=
            facts.end());
    std::ofstream(at("angles.txt")) << "0.5\n90\n";
    QVERIFY(std::abs(readAngles(at("angles.txt"))[0] - 0.5 * std::numbers::pi / 180) < 1e-15);
    QCOMPARE(axisFromText("8.75").bins, 8.75);
}

void IoOpenTest::chunksAlongAngles()
{
    const int count = 600;
    {
        made::Hdf5 file(at("scan.nxs"));
        file.text("/entry/definition", "NXtomo");
        const hid_t plist = H5Pcreate(H5P_DATASET_CREATE);
        const hsize_t chunk[3] = {7, 2, 4};
        H5Pset_chunk(plist, 3, chunk);
        H5Pset_shuffle(plist);
        H5Pset_deflate(plist, 4);
        file.numbers("/entry/instrument/detector/data", {hsize_t(count), 3, 4}, frames(count, 3, 4), H5T_IEEE_F32LE,
                     plist);
        H5Pclose(plist);
        std::vector<double> keys(count, 0);
        std::fill_n(keys.begin(), 10, 1); // projections begin inside a chunk
        file.numbers("/entry/instrument/detector/image_key", {hsize_t(count)}, keys);
        file.numbers("/entry/sample/rotation_angle", {hsize_t(count)}, counting(count, 0.3));
    }
    std::vector<int> projections(count - 10);
    std::iota(projections.begin(), projections.end(), 10);
    const auto scan = openScan(at("scan.nxs"));
    QVERIFY(holds(scan->read({1, 2}, {}).data, projections, {1, 2}, 4));
}

void IoOpenTest::readFromManyThreads()
{
    {
        made::Hdf5 file(at("scan.h5"));
        file.numbers("/exchange/data", {50, 8, 4}, frames(50, 8, 4));
    }
    const auto scan = openScan(at("scan.h5"));
    std::vector<int> all(50);
    std::iota(all.begin(), all.end(), 0);
    std::vector<int> right(8, 0);
    {
        std::vector<std::jthread> threads;
        for (int row = 0; row < 8; ++row)
            threads.emplace_back([&, row] {
                for (int turn = 0; turn < 20; ++turn)
                    right[row] += holds(scan->read({row, 1}, {}).data, all, {row, 1}, 4);
            });
    }
    QCOMPARE(right, std::vector<int>(8, 20));
}

void IoOpenTest::tiffSamples_data()
{
    QTest::addColumn<QString>("type");
    QTest::addColumn<QString>("mode");
    QTest::addColumn<int>("compression");
    QTest::addColumn<int>("tile");
    for (const char* type : {"uint8", "int8", "uint16", "int16", "uint32", "int32", "float32", "float64"}) {
        const auto row = [&](const char* mode, int compression, int tile) {
            QTest::newRow(qPrintable(QString("%1 %2 %3 %4").arg(type).arg(mode).arg(compression).arg(tile)))
                << QString(type) << QString(mode) << compression << tile;
        };
        row("wl", COMPRESSION_NONE, 0);
        row("wb", COMPRESSION_NONE, 0);
        row("w8", COMPRESSION_ADOBE_DEFLATE, 0);
        row("wb", COMPRESSION_LZW, 0);
        row("wl", COMPRESSION_PACKBITS, 0);
        row("wl", COMPRESSION_ADOBE_DEFLATE, 16);
    }
}

void IoOpenTest::tiffSamples()
{
    QFETCH(QString, type);
    QFETCH(QString, mode);
    QFETCH(int, compression);
    QFETCH(int, tile);
    const int width = 21, height = 18;
    const QByteArray opened = mode.toLatin1();
    const auto write = [&](auto sample, int format) {
        using Sample = decltype(sample);
        for (int page = 0; page < 2; ++page) {
            std::vector<Sample> values(width * height);
            for (std::size_t i = 0; i < values.size(); ++i)
                values[i] = Sample(format == SAMPLEFORMAT_UINT ? int(i % 251) : int(i % 201) - 100);
            values[5] = Sample(page + 1);
            const std::string name = "p" + std::to_string(page) + ".tif";
            made::tiff(at(name.c_str()), width, height, values, {format, compression, 5, tile, opened.constData()});
        }
    };
    if (type == "uint8")
        write(std::uint8_t(), SAMPLEFORMAT_UINT);
    else if (type == "int8")
        write(std::int8_t(), SAMPLEFORMAT_INT);
    else if (type == "uint16")
        write(std::uint16_t(), SAMPLEFORMAT_UINT);
    else if (type == "int16")
        write(std::int16_t(), SAMPLEFORMAT_INT);
    else if (type == "uint32")
        write(std::uint32_t(), SAMPLEFORMAT_UINT);
    else if (type == "int32")
        write(std::int32_t(), SAMPLEFORMAT_INT);
    else if (type == "float32")
        write(float(), SAMPLEFORMAT_IEEEFP);
    else
        write(double(), SAMPLEFORMAT_IEEEFP);
    const auto scan = openScan(m_base);
    QCOMPARE(scan->sampleType, type.toStdString());
    QCOMPARE(scan->rows, height);
    QCOMPARE(scan->bins(), width);
    for (const RowRange rows : {RowRange{0, height}, RowRange{7, 1}, RowRange{4, 13}, RowRange{17, 1}}) {
        const RawRows raw = scan->read(rows, {});
        QCOMPARE(raw.data.size(), std::size_t(2 * rows.count * width));
        for (int k = 0; k < rows.count * width; ++k) {
            const int i = rows.first * width + k;
            const float expected = i == 5 ? 2 : type.startsWith('u') ? i % 251 : i % 201 - 100;
            QCOMPARE(raw.data[rows.count * width + k], expected);
        }
    }
}

void IoOpenTest::tiffPages()
{
    for (int page = 0; page < 5; ++page) {
        const std::vector<double> values = frames(1, 3, 4, page);
        made::tiff<float>(at("stack.tif"), 4, 3, {values.begin(), values.end()},
                          {SAMPLEFORMAT_IEEEFP, COMPRESSION_NONE, 2, 0, page == 0 ? "w" : "a"});
    }
    made::tiff<float>(at("f.tif"), 4, 3, std::vector<float>(12, 9), {SAMPLEFORMAT_IEEEFP});
    std::ofstream(at("angles.txt")) << "0\n10\n20\n30\n40\n";
    OpenOptions options;
    options.flats = at("f.tif");
    const auto scan = openScan(at("stack.tif"), options);
    QCOMPARE(scan->format, std::string("TIFF stack"));
    QCOMPARE(scan->projections(), 5);
    QVERIFY(std::abs(scan->anglesRad()[4] - 40 * degree) < 1e-12);
    QVERIFY(mentions(scan->notes, "angles.txt"));
    const RawRows raw = scan->read({1, 2}, {});
    QVERIFY(holds(raw.data, {0, 1, 2, 3, 4}, {1, 2}, 4));
    QCOMPARE(raw.flats, std::vector<float>(8, 9));
}

void IoOpenTest::tiffFolder()
{
    const auto frame = [&](const char* name, int number) {
        const std::vector<double> values = frames(1, 3, 4, number);
        made::tiff<std::uint16_t>(at(name), 4, 3, {values.begin(), values.end()});
    };
    frame("disc_2.tif", 0); // a name that begins like a dark's short name
    frame("disc_9.TIFF", 1);
    frame("disc_10.tif", 2);
    frame("disc_011.tif", 3);
    frame("dark_1.tif", 40);
    frame("DI0002.tif", 41);
    frame("flat_b.tif", 50);
    frame("ff_1.tif", 51);
    std::ofstream(at("notes.txt")) << "not a frame";
    const auto scan = openScan(m_base / "");
    QCOMPARE(scan->name, m_base.filename().string());
    QCOMPARE(scan->projections(), 4);
    QVERIFY(std::abs(scan->anglesRad()[3] - 135 * degree) < 1e-12); // the end is left out
    const RawRows raw = scan->read({2, 1}, {});
    QVERIFY(holds(raw.data, {0, 1, 2, 3}, {2, 1}, 4));
    QVERIFY(holds(raw.darks, {41, 40}, {2, 1}, 4));
    QVERIFY(holds(raw.flats, {51, 50}, {2, 1}, 4));
}

void IoOpenTest::tiffSidesInFolders()
{
    for (const char* name : {"proj", "Flats", "proj/darks"})
        fs::create_directories(at(name));
    const auto frame = [&](const char* name, int number) {
        const std::vector<double> values = frames(1, 3, 4, number);
        made::tiff<std::uint16_t>(at(name), 4, 3, {values.begin(), values.end()});
    };
    frame("proj/a1.tif", 0);
    frame("proj/a2.tif", 1);
    frame("Flats/x.tif", 50);
    frame("proj/darks/y.tif", 40);
    for (const fs::path& path : {m_base, at("proj")}) {
        const RawRows raw = openScan(path)->read({0, 3}, {});
        QVERIFY(holds(raw.data, {0, 1}, {0, 3}, 4));
        QVERIFY(holds(raw.flats, {50}, {0, 3}, 4));
        QVERIFY(holds(raw.darks, {40}, {0, 3}, 4));
    }
}

void IoOpenTest::tiffSinogramOfRows()
{
    // Two sinograms of 6 projections: page = row of the scan.
    for (int row = 0; row < 2; ++row) {
        std::vector<float> values;
        for (int f = 0; f < 6; ++f)
            for (int b = 0; b < 4; ++b)
                values.push_back(value(f, row, b));
        made::tiff<float>(at("sinograms.tif"), 4, 6, values,
                          {SAMPLEFORMAT_IEEEFP, COMPRESSION_LZW, 4, 0, row == 0 ? "w" : "a"});
    }
    OpenOptions options;
    options.sinogram = true;
    const auto scan = openScan(at("sinograms.tif"), options);
    QCOMPARE(scan->rows, 2);
    QCOMPARE(scan->projections(), 6);
    QVERIFY(holds(scan->read({0, 2}, {}).data, {0, 1, 2, 3, 4, 5}, {0, 2}, 4));
    QVERIFY(holds(scan->read({1, 1}, {}).data, {0, 1, 2, 3, 4, 5}, {1, 1}, 4));
}

void IoOpenTest::imageJStack()
{
    // One page, and the other frames behind its samples.
    const std::vector<double> all = frames(3, 3, 4);
    const std::vector<float> values(all.begin(), all.end());
    TIFF* out = TIFFOpen(at("ij.tif").c_str(), "w");
    TIFFSetField(out, TIFFTAG_IMAGEWIDTH, 4);
    TIFFSetField(out, TIFFTAG_IMAGELENGTH, 3);
    TIFFSetField(out, TIFFTAG_BITSPERSAMPLE, 32);
    TIFFSetField(out, TIFFTAG_SAMPLEFORMAT, SAMPLEFORMAT_IEEEFP);
    TIFFSetField(out, TIFFTAG_PHOTOMETRIC, PHOTOMETRIC_MINISBLACK);
    TIFFSetField(out, TIFFTAG_ROWSPERSTRIP, 3);
    TIFFSetField(out, TIFFTAG_IMAGEDESCRIPTION, "ImageJ=1.53t\nimages=3\nslices=3\n");
    TIFFWriteEncodedStrip(out, 0, const_cast<float*>(values.data()), 48);
    TIFFWriteDirectory(out);
    TIFFClose(out);
    // Move the samples to the end of the file, where there is room behind them.
    std::string bytes;
    {
        std::ifstream in(at("ij.tif"), std::ios::binary);
        bytes.assign(std::istreambuf_iterator<char>(in), {});
    }
    const std::uint32_t before = 8, after = std::uint32_t(bytes.size());
    std::size_t changed = 0;
    for (std::size_t i = bytes.size() - 12; i >= 56 && changed == 0; --i) // the entry StripOffsets (tag 273)
        if (std::uint16_t tag; std::memcpy(&tag, &bytes[i], 2), tag == 273)
            if (std::uint32_t offset; std::memcpy(&offset, &bytes[i + 8], 4), offset == before)
                changed = std::size_t(std::memcpy(&bytes[i + 8], &after, 4) != nullptr);
    QCOMPARE(changed, std::size_t(1));
    std::ofstream(at("ij.tif"), std::ios::binary)
        << bytes << std::string(reinterpret_cast<const char*>(values.data()), values.size() * 4);
    const auto scan = openScan(at("ij.tif"));
    QCOMPARE(scan->projections(), 3);
    QVERIFY(holds(scan->read({1, 2}, {}).data, {0, 1, 2}, {1, 2}, 4));
}

void IoOpenTest::rawSamples_data()
{
    QTest::addColumn<QString>("type");
    QTest::addColumn<bool>("bigEndian");
    for (const char* type : {"uint8", "int8", "uint16", "int16", "uint32", "int32", "float32", "float64"})
        for (const bool big : {false, true})
            QTest::newRow(qPrintable(QString("%1 %2").arg(type, big ? "big" : "little"))) << QString(type) << big;
}

void IoOpenTest::rawSamples()
{
    QFETCH(QString, type);
    QFETCH(bool, bigEndian);
    std::string bytes = "header!";
    const auto put = [&](auto sample) {
        using Sample = decltype(sample);
        for (int i = 0; i < 2 * 3 * 4; ++i) {
            const Sample number = Sample(type.startsWith('u') ? i * 10 : i * 10 - 100);
            std::string part(reinterpret_cast<const char*>(&number), sizeof number);
            if (bigEndian)
                std::reverse(part.begin(), part.end());
            bytes += part;
        }
    };
    if (type == "uint8")
        put(std::uint8_t());
    else if (type == "int8")
        put(std::int8_t());
    else if (type == "uint16")
        put(std::uint16_t());
    else if (type == "int16")
        put(std::int16_t());
    else if (type == "uint32")
        put(std::uint32_t());
    else if (type == "int32")
        put(std::int32_t());
    else if (type == "float32")
        put(float());
    else
        put(double());
    std::ofstream(at("scan.bin"), std::ios::binary) << bytes;
    OpenOptions options;
    options.raw = RawLayout{2, 3, 4, type.toStdString(), bigEndian, 7};
    const auto scan = openScan(at("scan.bin"), options);
    QCOMPARE(scan->sampleType, type.toStdString());
    const RawRows raw = scan->read({1, 2}, {});
    QCOMPARE(raw.data.size(), std::size_t(16));
    for (int k = 0; k < 16; ++k) {
        const int i = k / 8 * 12 + 4 + k % 8;
        QCOMPARE(raw.data[k], float(type == "int8"         ? std::int8_t(i * 10 - 100)
                                    : type.startsWith('u') ? i * 10
                                                           : i * 10 - 100));
    }
}

QTEST_GUILESS_MAIN(IoOpenTest)
#include "open_test.moc"
