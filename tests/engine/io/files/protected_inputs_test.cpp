// SPDX-License-Identifier: GPL-3.0-or-later
// No output may overwrite the files that a scan is read from, whatever name refers to them.
#include "engine/io/files/protected_inputs.h"
#include "engine/io/geometry/angles_file.h"
#include "engine/io/open/open_scan.h"
#include "engine/io/slices/slice_writer.h"
#include "engine/simulate/phantom.h"
#include "tests/engine/io/files.h"

#include <fstream>
#include <iterator>

using namespace engine;
using namespace fixtures;
namespace fs = std::filesystem;
using made::counting;

class IoInputsTest : public QObject
{
    Q_OBJECT
  private slots:
    void init();
    void fileByItsNames();
    void hdf5BehindLinks();
    void hdf5ExternalStorage();
    void hdf5VirtualSources();
    void tiffFolder();
    void anglesDarksAndFlats();
    void writersRefuse();
    void othersAreFree();

  private:
    fs::path at(const std::string& name) const { return *m_folder / name; }
    void tiff(const std::string& name)
    {
        fs::create_directories(at(name).parent_path());
        made::tiff<std::uint16_t>(at(name), 4, 3, std::vector<std::uint16_t>(12, 7));
    }
    static bool refused(const ProtectedInputs& inputs, const fs::path& output)
    {
        return fails(ErrorKind::output, {output.string()}, [&] { inputs.refuse(output); });
    }
    std::optional<TemporaryFolder> m_folder;
};

void IoInputsTest::init()
{
    m_folder.emplace();
}

void IoInputsTest::fileByItsNames()
{
    made::Hdf5(at("scan.h5")).numbers("/exchange/data", {4, 3, 5}, counting(60));
    fs::create_symlink("scan.h5", at("link.h5"));
    fs::create_symlink("link.h5", at("link of link.h5"));
    fs::create_hard_link(at("scan.h5"), at("hard.h5"));
    fs::create_directory(at("folder"));
    const ProtectedInputs inputs(*openScan(at("link.h5")));
    for (const char* name : {"scan.h5", "link.h5", "link of link.h5", "hard.h5", "folder/../scan.h5"})
        QVERIFY2(refused(inputs, at(name)), name);
    inputs.refuse(at("scan_reconstruction.h5"));
}

void IoInputsTest::hdf5BehindLinks()
{
    fs::create_directory(at("raw"));
    made::Hdf5(at("raw/frames.h5")).numbers("/data", {4, 3, 5}, counting(60));
    made::Hdf5(at("raw/flats.h5")).numbers("/flats", {2, 3, 5}, std::vector<double>(30, 100));
    made::Hdf5(at("raw/middle.h5")).externalLink("/hop/data", "frames.h5", "/data");
    {
        made::Hdf5 file(at("scan.h5"));
        file.externalLink("/exchange/data", "raw/middle.h5", "/hop/data");
        file.externalLink("/elsewhere", "raw/flats.h5", "/");
        H5Lcreate_soft("/elsewhere/flats", file.id(), "/exchange/data_white", H5P_DEFAULT, H5P_DEFAULT);
    }
    const ProtectedInputs inputs(*openScan(at("scan.h5")));
    for (const char* name : {"scan.h5", "raw/middle.h5", "raw/frames.h5", "raw/flats.h5"})
        QVERIFY2(refused(inputs, at(name)), name);
}

void IoInputsTest::hdf5ExternalStorage()
{
    std::ofstream(at("frames.bin"), std::ios::binary) << std::string(60 * sizeof(float), '\0');
    const hid_t creation = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_external(creation, at("frames.bin").c_str(), 0, H5F_UNLIMITED);
    made::Hdf5(at("scan.h5")).numbers("/exchange/data", {4, 3, 5}, {}, H5T_IEEE_F32LE, creation);
    H5Pclose(creation);
    QVERIFY(refused(ProtectedInputs(*openScan(at("scan.h5"))), at("frames.bin")));
}

void IoInputsTest::hdf5VirtualSources()
{
    const hsize_t whole[] = {4, 3, 5}, part[] = {2, 3, 5};
    const hid_t space = H5Screate_simple(3, whole, nullptr), source = H5Screate_simple(3, part, nullptr);
    const hid_t creation = H5Pcreate(H5P_DATASET_CREATE);
    for (hsize_t half = 0; half < 2; ++half) {
        const std::string name = "part" + std::to_string(half) + ".h5";
        made::Hdf5(at(name)).numbers("/data", {2, 3, 5}, counting(30));
        const hsize_t start[] = {2 * half, 0, 0};
        H5Sselect_hyperslab(space, H5S_SELECT_SET, start, nullptr, part, nullptr);
        H5Pset_virtual(creation, space, name.c_str(), "/data", source);
    }
    made::Hdf5(at("scan.h5")).numbers("/exchange/data", {4, 3, 5}, {}, H5T_IEEE_F64LE, creation);
    H5Pclose(creation);
    H5Sclose(source);
    H5Sclose(space);
    const ProtectedInputs inputs(*openScan(at("scan.h5")));
    for (const char* name : {"scan.h5", "part0.h5", "part1.h5"})
        QVERIFY2(refused(inputs, at(name)), name);
}

void IoInputsTest::tiffFolder()
{
    for (const char* name : {"tiffs/p_00000.tiff", "tiffs/p_00001.tiff", "dark.tif"})
        tiff(name);
    const ProtectedInputs inputs(*openScan(at("tiffs")));
    for (const char* name : {"tiffs/p_00000.tiff", "dark.tif", "tiffs/new.tif", "tiffs/NEW.TIFF"})
        QVERIFY2(refused(inputs, at(name)), name);
    for (const char* name : {"tiffs/volume.h5", "tiffs/slices/a.tif", "slice.tif"}) // not part of the scan
        inputs.refuse(at(name));
    tiff("other scan/proj/p_0.tif"); // flats in their own folder, found beside the projections
    tiff("other scan/flats/f_0.tif");
    QVERIFY(refused(ProtectedInputs(*openScan(at("other scan/proj"))), at("other scan/flats/new.tif")));
}

void IoInputsTest::anglesDarksAndFlats()
{
    for (const char* name : {"tiffs/p_0.tif", "tiffs/p_1.tif", "darks/a.tif", "f.tif"})
        tiff(name);
    std::ofstream(at("angles.csv")) << "0\n90\n";
    OpenOptions options;
    options.anglesFile = at("angles.csv");
    options.anglesRad = readAngles(options.anglesFile);
    options.darks = at("darks");
    options.flats = at("f.tif");
    const ProtectedInputs inputs(*openScan(at("tiffs"), options));
    for (const char* name : {"angles.csv", "darks/a.tif", "darks/b.tif", "f.tif"})
        QVERIFY2(refused(inputs, at(name)), name);
    std::ofstream(at("angles.txt")) << "0\n90\n"; // found beside the scan
    QVERIFY(refused(ProtectedInputs(*openScan(at("tiffs"))), at("angles.txt")));
}

void IoInputsTest::writersRefuse()
{
    for (const char* name : {"tiffs/tiffs_00000.tiff", "tiffs/tiffs_00001.tiff"})
        tiff(name);
    const auto bytes = [&] {
        std::ifstream file(at("tiffs/tiffs_00000.tiff"), std::ios::binary);
        return std::string(std::istreambuf_iterator<char>(file), {});
    };
    const std::string before = bytes();
    const ProtectedInputs inputs(*openScan(at("tiffs")));
    const auto isRefused = [](auto step) { return fails(ErrorKind::output, step); };
    QVERIFY(isRefused([&] { SliceWriter(at("tiffs"), "tiffs", {0, 2}, true, inputs); }));
    QVERIFY(isRefused([&] { SliceWriter(at("tiffs"), "other", {0, 2}, true, inputs); }));
    QVERIFY(isRefused([&] { SliceWriter(at("tiffs/tiffs_00000.tiff"), "a", {0, 1}, true, inputs); }));
    QVERIFY(isRefused([&] { writeTiffImage(at("tiffs/tiffs_00000.tiff"), Volume(1, 2, 2), 0, true, inputs); }));
    QCOMPARE(bytes(), before);
    QCOMPARE(std::distance(fs::directory_iterator(at("tiffs")), fs::directory_iterator()), 2); // no other files
}

void IoInputsTest::othersAreFree()
{
    const ProtectedInputs none, simulated(*simulate({}));
    tiff("a.tif");
    none.refuse(at("a.tif"));
    simulated.refuse(at("a.tif"));
    simulated.refuse("a.tif");
}

SINOSCOPE_TEST(IoInputsTest, QCoreApplication)
#include "protected_inputs_test.moc"
