// SPDX-License-Identifier: GPL-3.0-or-later
// MATLAB's .mat files: sinograms with and without the parameters of their scan, damaged files, and images and volumes
// of version 5 and of version 7.3 (HDF5).
#include "engine/io/hdf5/hdf5_output.h"
#include "engine/io/open/open_scan.h"
#include "engine/io/slices/stored_slices.h"
#include "tests/engine/io/mat_files.h"
#include "tests/engine/io/refused.h"
#include "tests/processor_time.h"

#include <QTest>

using namespace engine;
using namespace fixtures;
namespace fs = std::filesystem;

using made::matBins;
using made::matProjections;
using made::matrixOf;
using made::scanOf;
using made::sinogramNamed;
using made::structOf;
using made::textIn;
using made::writeMat;

namespace
{

constexpr int matRows = 4, matColumns = 6;
const SliceSize matSize{matColumns, matRows};

double matValue(int slice, int row, int column)
{
    return 100 * slice + 10 * row + column;
}

// Returns the numbers of slices with the row fastest, as MATLAB stores them.
std::vector<double> byColumns(int slices)
{
    std::vector<double> numbers;
    for (int slice = 0; slice < slices; ++slice)
        for (int column = 0; column < matColumns; ++column)
            for (int row = 0; row < matRows; ++row)
                numbers.push_back(matValue(slice, row, column));
    return numbers;
}

matvar_t* volumeNamed(const char* name, std::size_t slices)
{
    std::size_t dims[] = {matRows, matColumns, slices};
    std::vector<double> numbers = byColumns(static_cast<int>(slices));
    return Mat_VarCreate(name, MAT_C_DOUBLE, MAT_T_DOUBLE, 3, dims, numbers.data(), 0);
}

bool isMatSlice(const StoredSlice& stored, int slice)
{
    if (stored.image.width != matColumns || stored.image.height != matRows)
        return false;
    for (int row = 0; row < matRows; ++row)
        for (int column = 0; column < matColumns; ++column)
            if (stored.image.values[static_cast<std::size_t>(row * matColumns + column)] !=
                static_cast<float>(matValue(slice, row, column)))
                return false;
    return true;
}

} // namespace

class MatTest : public QObject
{
    Q_OBJECT
  private slots:
    void fanBeam()
    {
        for (const matio_compression compression : {MAT_COMPRESSION_NONE, MAT_COMPRESSION_ZLIB}) {
            writeMat(m_file, {scanOf({0, 90, 180, 270})}, compression);
            const auto scan = openScan(m_file);
            QCOMPARE(scan->format, std::string("MATLAB"));
            QCOMPARE(scan->rows, 1);
            QCOMPARE(scan->bins(), matBins);
            const auto& beam = std::get<ConeBeam>(scan->geometry);
            QCOMPARE(beam.sourceAxisMm, 400.0);
            QCOMPARE(beam.sourceDetectorMm, 550.0);
            QCOMPARE(beam.pixelUMm, 0.2); // size after binning
            QCOMPARE(beam.axisBins.front(), 1.0);
            QVERIFY(std::abs(std::abs(beam.anglesRad[1]) - 90 * degree) < 1e-12);
            QVERIFY(!mentions(scan->notes, "central ray"));
            const Values values = scan->read({0, 1}, {}).data.toFloats();
            QCOMPARE(values.size(), std::size_t(matProjections * matBins));
            QCOMPARE(values[1 * matBins + 2], 12.0f);
            QVERIFY(std::ranges::count(scan->files, m_file) == 1);
        }
        writeMat(m_file, {scanOf({0, 90, 180, 270}, 400, "cm")});
        QCOMPARE(std::get<ConeBeam>(openScan(m_file)->geometry).sourceAxisMm, 4000.0);
    }

    // matio trusts sizes of data that are never read, and would allocate gigabytes for them.
    void sizesThatMatioBelieves()
    {
        const fs::path findings = fs::path(SINOSCOPE_SOURCE_DIR) / "tests/fuzz/findings/mat";
        QVERIFY(!namesIn(findings).empty());
        for (const std::string& name : namesIn(findings)) {
            const auto error = errorOf([&] { openScan(findings / name); });
            QVERIFY2(error && error->kind() == ErrorKind::badFile, name.c_str());
            QVERIFY2(contains(error->what(), name), error->what());
            QVERIFY2(sanitized || contains(error->what(), "damaged"), error->what());
        }
    }

    void cutOff()
    {
        writeMat(m_file, {scanOf({0, 90, 180, 270})}, MAT_COMPRESSION_NONE);
        fs::resize_file(m_file, fs::file_size(m_file) - 1);
        QVERIFY(made::refused(m_file, {"cut off"}));
    }

    // matio leaves missing numbers uninitialised.
    void numbersThatAreNotThere()
    {
        writeMat(m_file, {sinogramNamed("s"), textIn("about", "what follows them")}, MAT_COMPRESSION_NONE);
        std::ifstream file(m_file, std::ios::binary);
        std::string bytes(std::istreambuf_iterator<char>(file), {});
        const std::int32_t dimensions[4] = {5, 8, matProjections, matBins}; // they follow their tag
        const std::size_t at = bytes.find(std::string(reinterpret_cast<const char*>(dimensions), sizeof dimensions));
        QVERIFY(at != std::string::npos);
        bytes[at + 12] = matBins + 1;
        std::ofstream(m_file, std::ios::binary) << bytes;
        QVERIFY(made::refused(m_file, {"a variable should have 16 numbers, but has 12; it is damaged"}));
    }

    void plainMatrix()
    {
        writeMat(m_file, {textIn("about", "a sinogram"), sinogramNamed("s")});
        const auto scan = openScan(m_file);
        QVERIFY(std::holds_alternative<ParallelBeam>(scan->geometry));
        QVERIFY(mentions(scan->notes, "The matrix s is interpreted as a sinogram"));
        OpenOptions cone;
        cone.cone.sourceAxisMm = 100;
        cone.cone.sourceDetectorMm = 200;
        cone.cone.pixelUMm = 1;
        QVERIFY(std::holds_alternative<ConeBeam>(openScan(m_file, cone)->geometry));
        writeMat(m_file, {sinogramNamed("a"), sinogramNamed("b")});
        QVERIFY(made::refused(m_file, {"several matrices", "a, b"}));
        writeMat(m_file, {textIn("about", "nothing")});
        QVERIFY(made::refused(m_file, {"neither"}));
    }

    void wrongParameters()
    {
        writeMat(m_file, {scanOf({0, 90, 180, 270, 300})});
        QVERIFY(made::refused(m_file, {"5 angles", "4 projections"}));
        writeMat(m_file, {scanOf({0, 90, 180})}); // the other dimension of the sinogram has this length
        QCOMPARE(openScan(m_file)->projections(), 3);
        writeMat(m_file, {scanOf({0, 90, std::nan(""), 270})});
        QVERIFY(made::refused(m_file, {"not a number"}));
        writeMat(m_file, {scanOf({0, 90, 180, 270}, std::nan(""))});
        QVERIFY(made::refused(m_file, {"distanceSourceOrigin"}));
        writeMat(m_file, {scanOf({0, 90, 180, 270}, 400, "parsec")});
        QVERIFY(made::refused(m_file, {"parsec"}));
        writeMat(m_file, {scanOf({0, 90, 180, 270}, 600)});
        QVERIFY(made::refused(m_file, {"nearer to the source than the axis"}, {}, ErrorKind::badRequest));
    }

    // The library would need minutes to read such a file.
    void structOfMillions()
    {
        if (fixtures::sanitized)
            QSKIP("sanitizers take memory of their own, and have no limit of it");
        writeMat(m_file, {scanOf({0, 90, 180, 270})}, MAT_COMPRESSION_NONE);
        std::fstream file(m_file, std::ios::in | std::ios::out | std::ios::binary);
        file.seekp(128 + 8 + 16 + 8); // the first dimension of the structure
        file.write("\x00\x00\x00\x04", 4);
        file.close();
        const auto used = [] { return processor_time::ofThisProcess() + processor_time::ofEndedChildren(); };
        const double before = used();
        QVERIFY(made::refused(m_file, {}));
        const double seconds = used() - before;
        QVERIFY2(seconds < processor_time::seconds, qPrintable(QString::number(seconds)));
    }

    // The file is cut at any place, or a byte is changed anywhere: either the file is refused, or it is opened with the
    // data that are there. There is no other error.
    void damaged()
    {
        for (const matio_compression compression : {MAT_COMPRESSION_NONE, MAT_COMPRESSION_ZLIB}) {
            writeMat(m_file, {scanOf({0, 90, 180, 270})}, compression);
            std::ifstream in(m_file, std::ios::binary);
            const std::string whole{std::istreambuf_iterator<char>(in), {}};
            const auto survives = [&](const std::string& bytes) {
                std::ofstream(m_file, std::ios::binary) << bytes;
                const auto error = errorOf([&] { openScan(m_file)->read({0, 1}, {}); });
                return !error || exitStatus(error->kind()) == 2 || error->kind() == ErrorKind::noMemory;
            };
            for (std::size_t length = 1; length < whole.size(); length += sanitized ? 93 : 31)
                QVERIFY2(survives(whole.substr(0, length)), qPrintable(QString::number(length)));
            if (compression == MAT_COMPRESSION_ZLIB) // its checksum detects changed bytes
                continue;
            for (std::size_t at = 128; at < whole.size(); at += sanitized ? 39 : 13) {
                std::string changed = whole;
                changed[at] = static_cast<char>(changed[at] ^ 0x7f);
                QVERIFY2(survives(changed), qPrintable(QString::number(at)));
            }
        }
        std::ofstream(m_file, std::ios::binary) << "MATLAB 5.0 MAT-file";
        QVERIFY(made::refused(m_file, {}));
    }

    void anImage()
    {
        for (const matio_compression compression : {MAT_COMPRESSION_NONE, MAT_COMPRESSION_ZLIB}) {
            made::writeMat(
                m_file,
                {made::matrixOf("angles", 1, 3, {0, 1, 2}), made::matrixOf("recon", matRows, matColumns, byColumns(1))},
                compression);
            const StoredSlice stored = readSlice({m_file, {}}, 7, std::span(&matSize, 1));
            QVERIFY(isMatSlice(stored, 0));
            QVERIFY(stored.isOnly && stored.unit.empty());
            QVERIFY(stored.files.areUnchanged());
            QVERIFY(isMatSlice(readSlice({m_file, "/recon"}), 0));
        }
    }

    void aVolume()
    {
        made::writeMat(m_file, {volumeNamed("volume", 3)});
        for (const int slice : {0, 2})
            QVERIFY(isMatSlice(readSlice({m_file, {}}, slice), slice));
        const std::string refusal = refusalOf({m_file, {}}, 3);
        QVERIFY2(refusal.find("/volume has slices 0 to 2, but not slice 3") != std::string::npos, refusal.c_str());
    }

    void oneOfSeveral()
    {
        made::writeMat(m_file, {made::matrixOf("small", 2, 2, {1, 2, 3, 4}), volumeNamed("first", 1),
                                made::matrixOf("second", matRows, matColumns, byColumns(1))});
        QCOMPARE(datasetsThatFit(m_file, std::span(&matSize, 1)), (std::vector<std::string>{"/first", "/second"}));
        const std::string several = refusalOf({m_file, {}});
        QVERIFY2(several.find("several images or volumes: /first (6 x 4), /second (6 x 4)") != std::string::npos,
                 several.c_str());
        QVERIFY(isMatSlice(readSlice({m_file, "/second"}, 0, std::span(&matSize, 1)), 0));
        for (const auto& [path, part] : {std::pair("/third", "has no image /third, but /small (2 x 2), /first"),
                                         std::pair("/small", "/small has 2 x 2 pixels per slice")}) {
            const std::string refusal = refusalOf({m_file, path});
            QVERIFY2(refusal.find(part) != std::string::npos && refusal.find("scan.mat") != std::string::npos,
                     refusal.c_str());
        }
    }

    void filesWithoutAnImage()
    {
        made::writeMat(m_file, {made::matrixOf("angles", 1, 3, {0, 1, 2}), made::textIn("note", "none")});
        const std::string none = refusalOf({m_file, {}});
        QVERIFY2(none.find("scan.mat") != std::string::npos && none.find("has no image") != std::string::npos,
                 none.c_str());
        made::writeMat(m_file, {made::matrixOf("recon", 2, 3, {1, 2, 3, 4, 5, 6})});
        const std::string misfit = refusalOf({m_file, {}});
        QVERIFY2(misfit.find("/recon has 3 x 2 pixels per slice, but the slices to compare with have 6 x 4") !=
                     std::string::npos,
                 misfit.c_str());
    }

    // MATLAB writes version 7.3 as HDF5, with the dimensions in reverse order.
    void version73()
    {
        const std::string path = m_file.string();
        std::ofstream{path}; // the existing file is overwritten
        Hdf5Output file(path, path);
        std::vector<float> numbers;
        for (const double number : byColumns(2))
            numbers.push_back(static_cast<float>(number));
        file.numbers("/image", {matColumns, matRows}, OutputFormat::Type::float32);
        file.write("/image", {0, 0}, {matColumns, matRows}, numbers.data());
        file.numbers("/volume", {2, matColumns, matRows}, OutputFormat::Type::float32);
        file.write("/volume", {0, 0, 0}, {2, matColumns, matRows}, numbers.data());
        for (const char* name : {"/image", "/volume"})
            file.attribute(name, "MATLAB_class", "single");
        file.close();
        QVERIFY(isMatSlice(readSlice({m_file, "/image"}, 0, std::span(&matSize, 1)), 0));
        QVERIFY(isMatSlice(readSlice({m_file, "/volume"}, 1, std::span(&matSize, 1)), 1));
    }

  private:
    std::string refusalOf(const SlicesPath& path, std::optional<int> slice = 0)
    {
        const auto error = fixtures::errorOf([&] { readSlice(path, slice, std::span(&matSize, 1)); });
        const bool isRefusal = error && (error->kind() == ErrorKind::badFile || error->kind() == ErrorKind::badRequest);
        return isRefusal ? error->what() : "no error";
    }

    TemporaryFolder m_folder;
    fs::path m_file = m_folder / "scan.mat";
};

SINOSCOPE_TEST(MatTest, QCoreApplication)
#include "mat_test.moc"
