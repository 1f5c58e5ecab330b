// SPDX-License-Identifier: GPL-3.0-or-later
// MATLAB's .mat files: sinograms with and without the parameters of their scan, and damaged files.
#include "engine/io/open/open_scan.h"
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
        QVERIFY2(seconds < 1, qPrintable(QString::number(seconds)));
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

  private:
    TemporaryFolder m_folder;
    fs::path m_file = m_folder / "scan.mat";
};

SINOSCOPE_TEST(MatTest, QCoreApplication)
#include "mat_test.moc"
