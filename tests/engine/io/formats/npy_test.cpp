// SPDX-License-Identifier: GPL-3.0-or-later
// NumPy arrays: their types, orders and shapes, and files that are not such arrays.
#include "engine/io/open/open_scan.h"
#include "tests/engine/io/files.h"
#include "tests/engine/io/npy_files.h"

#include <QTest>

#include <bit>
#include <cstring>
#include <fstream>

using namespace engine;
using namespace fixtures;
namespace fs = std::filesystem;
using made::npyDictionary;
using made::npyHeader;
using made::value;

namespace
{

constexpr int npyProjections = 16, npyRows = 3, npyBins = 20;

template <typename Number>
std::string bytesOf(const std::vector<double>& numbers, bool swapped = false)
{
    std::string bytes;
    for (const double number : numbers) {
        const auto stored = static_cast<Number>(number);
        std::string its(sizeof stored, '\0');
        std::memcpy(its.data(), &stored, sizeof stored);
        if (swapped)
            std::ranges::reverse(its);
        bytes += its;
    }
    return bytes;
}

fs::path writeNpy(const fs::path& path, const std::string& bytes)
{
    std::ofstream(path, std::ios::binary) << bytes;
    return path;
}

// Returns the numbers in C order, or in Fortran order with the first dimension contiguous.
std::vector<double> npyNumbers(bool fortran, bool isSinogram)
{
    const int rows = isSinogram ? 1 : npyRows;
    std::vector<double> numbers;
    if (fortran)
        for (int bin = 0; bin < npyBins; ++bin)
            for (int row = 0; row < rows; ++row)
                for (int projection = 0; projection < npyProjections; ++projection)
                    numbers.push_back(value(projection, row, bin));
    else
        for (int projection = 0; projection < npyProjections; ++projection)
            for (int row = 0; row < rows; ++row)
                for (int bin = 0; bin < npyBins; ++bin)
                    numbers.push_back(value(projection, row, bin));
    return numbers;
}

} // namespace

class NpyTest : public QObject
{
    Q_OBJECT

  private slots:
    void opens_data()
    {
        QTest::addColumn<QByteArray>("descr");
        QTest::addColumn<bool>("fortran");
        QTest::addColumn<bool>("isSinogram");
        for (const char* descr : {"<f4", ">u2", "<i4", ">f8", "<u2"})
            for (const bool fortran : {false, true})
                for (const bool isSinogram : {false, true})
                    QTest::addRow("%s %s %s", descr, fortran ? "Fortran" : "C", isSinogram ? "sinogram" : "stack")
                        << QByteArray(descr) << fortran << isSinogram;
    }

    void opens()
    {
        QFETCH(QByteArray, descr);
        QFETCH(bool, fortran);
        QFETCH(bool, isSinogram);
        const TemporaryFolder folder;
        const std::vector<double> numbers = npyNumbers(fortran, isSinogram);
        const bool swapped = descr[0] == '>';
        const QByteArray code = descr.mid(1);
        const std::string bytes = code == "f4"   ? bytesOf<float>(numbers, swapped)
                                  : code == "f8" ? bytesOf<double>(numbers, swapped)
                                  : code == "i4" ? bytesOf<std::int32_t>(numbers, swapped)
                                                 : bytesOf<std::uint16_t>(numbers, swapped);
        const std::string shape = isSinogram ? "16, 20" : "16, 3, 20";
        for (const int version : {1, 2}) {
            const auto scan = openScan(writeNpy(
                folder / "a.npy", npyHeader(npyDictionary(descr.toStdString(), fortran, shape), version) + bytes));
            QCOMPARE(scan->format, std::string("NumPy"));
            QCOMPARE(scan->projections(), npyProjections);
            QCOMPARE(scan->rows, isSinogram ? 1 : npyRows);
            QCOMPARE(scan->bins(), npyBins);
            const Values read = scan->read({0, scan->rows}, {}).data.toFloats();
            std::size_t k = 0;
            for (int projection = 0; projection < npyProjections; ++projection)
                for (int row = 0; row < scan->rows; ++row)
                    for (int bin = 0; bin < npyBins; ++bin)
                        QCOMPARE(read[k++], value(projection, row, bin));
        }
        if (isSinogram) {
            OpenOptions columns;
            columns.dataSets.axes = "x:theta";
            QCOMPARE(openScan(folder / "a.npy", columns)->projections(), npyBins);
            columns.dataSets.axes.clear();
            columns.anglesRad.assign(npyBins, 0.1);
            QCOMPARE(openScan(folder / "a.npy", columns)->bins(), npyProjections);
        } else {
            OpenOptions others;
            others.dataSets.axes = "x:theta:y";
            const auto scan = openScan(folder / "a.npy", others);
            QVERIFY(scan->bins() == npyProjections && scan->projections() == npyRows && scan->rows == npyBins);
            QCOMPARE(scan->read({7, 1}, {}).data.toFloats()[5], value(5, 0, 7));
        }
    }

    void refused_data()
    {
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<QStringList>("words");
        const auto row = [](const char* name, const std::string& bytes, const QStringList& words) {
            QTest::newRow(name) << QByteArray(bytes.data(), qsizetype(bytes.size())) << words;
        };
        const std::string good = npyHeader(npyDictionary("|u1", false, "4, 3"));
        row("too short", good + "abc", {"bytes", "4 x 1 x 3"});
        row("ends in its header", good.substr(0, 40), {"ends in its header"});
        row("the mark alone", good.substr(0, 6), {"ends in its header"});
        row("a later version", npyHeader(npyDictionary("|u1", false, "4, 3"), 4) + std::string(12, 'x'),
            {"version is 4"});
        row("64 bits", npyHeader(npyDictionary("<i8", false, "4, 3")) + std::string(96, 'x'), {"'<i8'", "astype"});
        row("several fields", npyHeader("{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (4, 3), }"),
            {"several fields"});
        row("one dimension", npyHeader(npyDictionary("|u1", false, "12,")) + std::string(12, 'x'), {"1 dimension,"});
        row("no shape", npyHeader("{'descr': '|u1', 'fortran_order': False, }"), {"doesn't specify its shape"});
        row("negative", npyHeader(npyDictionary("|u1", false, "4, -3")), {"(4, -3)"});
        row("too large a number", npyHeader(npyDictionary("|u1", false, "4, 99999999999")), {"(4, 99999999999)"});
        row("larger than any file", npyHeader(npyDictionary("<f8", false, "2000000000, 2000000000, 2000000000")),
            {"bytes"});
        std::string longest = "\x93NUMPY";
        longest += std::string("\x02\x00\xff\xff\xff\xff", 6);
        row("a header of 4 GB", longest, {"4294967295", "65535"});
    }

    void refused()
    {
        QFETCH(QByteArray, bytes);
        QFETCH(QStringList, words);
        const TemporaryFolder folder;
        const fs::path file = writeNpy(folder / "a.npy", bytes.toStdString());
        const auto error = errorOf([&] { openScan(file); });
        QVERIFY(error && error->kind() == ErrorKind::badFile);
        for (const QString& word : words + QStringList{"a.npy"})
            QVERIFY2(contains(error->what(), word.toStdString()), error->what());
    }

    void axesThatDontFit()
    {
        const TemporaryFolder folder;
        const fs::path file = writeNpy(folder / "a.npy", npyHeader(npyDictionary("<u2", false, "16, 3, 20")) +
                                                             bytesOf<std::uint16_t>(npyNumbers(false, false)));
        OpenOptions options;
        options.dataSets.axes = "x:theta";
        QVERIFY(
            fails(ErrorKind::badRequest, {"'x:theta'", "three dimensions", "a.npy"}, [&] { openScan(file, options); }));
    }
};

SINOSCOPE_TEST(NpyTest, QCoreApplication)
#include "npy_test.moc"
