// SPDX-License-Identifier: GPL-3.0-or-later
// A folder of bad files: each is refused with the error message in the table, in seconds, not minutes, and within 512
// MB.
#include "engine/io/geometry/angles_file.h"
#include "engine/io/slices/stored_slices.h"
#include "tests/engine/io/bad_files.h"
#include "tests/processor_time.h"

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace engine;
using namespace fixtures;
using namespace made;

namespace
{

Given manyLinks(const fs::path& folder)
{
    return hdf5(folder, [](Hdf5& file) {
        const hid_t group = H5Gcreate2(file.id(), "/g0", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
        for (int k = 0; k < 500; ++k)
            H5Gclose(H5Gcreate2(group, ("in" + std::to_string(k)).c_str(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
        for (int k = 1; k < 500; ++k)
            H5Lcreate_hard(file.id(), "/g0", file.id(), ("/g" + std::to_string(k)).c_str(), H5P_DEFAULT, H5P_DEFAULT);
        H5Gclose(group);
    });
}

Given sides(const fs::path& folder, fs::path OpenOptions::*side, const char* name)
{
    Given given = whole(folder);
    pipe(folder / name);
    given.options.*side = folder / name;
    return given;
}

Given anglesIn(const fs::path& folder, const fs::path& file)
{
    Given given = whole(folder);
    given.angles = file;
    return given;
}

Given imageIn(const fs::path& file)
{
    Given given{file};
    given.isImage = true;
    return given;
}

Given tiffSinogram(const fs::path& file)
{
    Given given{file};
    given.options.sinogram = true;
    return given;
}

constexpr std::uint32_t lzw = COMPRESSION_LZW, plain = COMPRESSION_NONE;

const std::vector<BadFile>& badFiles()
{
    static const std::vector<BadFile> all{
        {"billions of projections",
         [](const fs::path& folder) {
             return hdf5(folder, [](Hdf5& file) {
                 unwritten(file, "/exchange/data", {2147483647, 16, 16}, {1, 16, 16});
             });
         },
         "'FOLDER/scan.h5': the number of projections in /exchange/data is 2147483647, more than the limit of 4194304. "
         "The file may be damaged."},
        {"millions of chunks of a few bytes",
         [](const fs::path& folder) {
             return hdf5(folder, [](Hdf5& file) { unwritten(file, "/exchange/data", {3, 1024, 1024}, {1, 2, 1}); });
         },
         "'FOLDER/scan.h5': the data set /exchange/data has 1572864 chunks of 4 bytes, more than the file has bytes "
         "(BYTES). It is damaged, or crafted to exhaust the memory."},
        {"more bins than any detector",
         [](const fs::path& folder) {
             return hdf5(folder, [](Hdf5& file) { unwritten(file, "/exchange/data", {10, 1, 2147483647}); });
         },
         "'FOLDER/scan.h5': the number of bins in /exchange/data is 2147483647, more than the limit of 1048576. The "
         "file may be damaged."},
        {"numbers never written",
         [](const fs::path& folder) {
             return hdf5(folder, [](Hdf5& file) { unwritten(file, "/exchange/data", {100000, 1000, 1000}); });
         },
         "'FOLDER/scan.h5': none of the 100000000000 numbers of the data set /exchange/data was ever written."},
        {"2^62 darks",
         [](const fs::path& folder) {
             return hdf5(folder, [](Hdf5& file) {
                 dxchange(file);
                 unwritten(file, "/exchange/data_dark", {hsize_t(1) << 59, 3, 4}, {16, 3, 4});
             });
         },
         "'FOLDER/scan.h5': the number of frames in /exchange/data_dark is 576460752303423488, more than the limit of "
         "4194304. The file may be damaged."},
        {"a text of 3 GB",
         [](const fs::path& folder) {
             return hdf5(folder, [](Hdf5& file) {
                 dxchange(file);
                 longText(file, "/measurement/sample/name", 3000000000);
             });
         },
         "'FOLDER/scan.h5': /measurement/sample/name has a text of 3000000000 bytes; at most 64 MB are read."},
        {"a definition of 3 GB",
         [](const fs::path& folder) {
             return hdf5(folder, [](Hdf5& file) { longText(file, "/entry/definition", 3000000000); });
         },
         "'FOLDER/scan.h5': /entry/definition has a text of 3000000000 bytes; at most 64 MB are read."},
        {"one chunk of 2 GB",
         [](const fs::path& folder) {
             return hdf5(folder, [](Hdf5& file) {
                 unwritten(file, "/exchange/data", {1000, 1000, 1000}, {1000, 1000, 1000}, true);
             });
         },
         "'FOLDER/scan.h5': the data set /exchange/data has chunks of 2000000000 bytes, more than a hundred times the "
         "size of the file (BYTES bytes). It is damaged, or crafted to exhaust the memory."},
        {"a chunk that is decoded", // within the accepted limits
         [](const fs::path& folder) {
             return hdf5(folder, [](Hdf5& file) {
                 const hid_t creation = H5Pcreate(H5P_DATASET_CREATE);
                 const hsize_t frames = fixtures::sanitized ? 3 : 30; // sanitizers take a second per frame
                 const hsize_t edge[3] = {frames, 1000, 1000};
                 H5Pset_chunk(creation, 3, edge);
                 H5Pset_deflate(creation, 1);
                 file.numbers("/exchange/data", {frames, 1000, 1000}, std::vector<double>(frames * 1000000),
                              H5T_STD_U16LE, creation);
                 H5Pclose(creation);
             });
         },
         "It is opened."},
        {"an image that shares its chunks", // an image of 4 GB with one written chunk
         [](const fs::path& folder) {
             hdf5(folder, [](Hdf5& file) {
                 const hid_t creation = H5Pcreate(H5P_DATASET_CREATE);
                 const hsize_t edge[2] = {16, 16};
                 H5Pset_chunk(creation, 2, edge);
                 file.numbers("/volume", {32768, 32768}, {}, H5T_IEEE_F32LE, creation);
                 H5Pclose(creation);
                 writeChunk(file, "/volume", {0, 0}, std::string(4 * 16 * 16, '\1'));
             });
             return imageIn(folder / "scan.h5");
         },
         "'FOLDER/scan.h5': /volume has slices of 1073741824 bytes, more than a hundred times the size of the file "
         "(BYTES bytes). It is damaged, or crafted to exhaust the memory."},
        {"a web of virtual data sets", // seven layers, each set maps 20 of the next layer: 1.28 billion paths
         [](const fs::path& folder) {
             return hdf5(folder, [](Hdf5& file) {
                 for (int layer = 0; layer < 7; ++layer)
                     for (int k = 0; k < (layer == 0 ? 1 : 20); ++k) {
                         const hid_t creation = H5Pcreate(H5P_DATASET_CREATE);
                         const hsize_t all[3] = {20, 3, 4}, one[3] = {1, 3, 4};
                         const hid_t target = H5Screate_simple(3, all, nullptr),
                                     source = H5Screate_simple(3, all, nullptr);
                         for (hsize_t from = 0; from < 20; ++from) {
                             const hsize_t start[3] = {from, 0, 0};
                             H5Sselect_hyperslab(target, H5S_SELECT_SET, start, nullptr, one, nullptr);
                             H5Sselect_hyperslab(source, H5S_SELECT_SET, start, nullptr, one, nullptr);
                             H5Pset_virtual(creation, target, ".",
                                            ("/l" + std::to_string(layer + 1) + "_" + std::to_string(from)).c_str(),
                                            source);
                         }
                         file.numbers(layer == 0 ? "/exchange/data"
                                                 : "/l" + std::to_string(layer) + "_" + std::to_string(k),
                                      {20, 3, 4}, {}, H5T_STD_U16LE, creation);
                         H5Sclose(source);
                         H5Sclose(target);
                         H5Pclose(creation);
                     }
             });
         },
         "'FOLDER/scan.h5': the data set /l6_0 takes its frames from /l7_0 of 'FOLDER/scan.h5', where there is no such "
         "data set."},
        {"an image of 4 GB in a few bytes",
         [](const fs::path& folder) {
             hdf5(folder, [](Hdf5& file) { file.numbers("/volume", {1, 32768, 32768}, {}, H5T_IEEE_F32LE); });
             return imageIn(folder / "scan.h5");
         },
         "'FOLDER/scan.h5': none of the 1073741824 numbers of the data set /volume was ever written."},
        {"500 names of a group of 500", manyLinks,
         "'FOLDER/scan.h5' holds no scan: neither /exchange/data (DXchange) nor an NXtomo entry or an image key nor "
         "CIL's AcquisitionData. At "
         "the top level: g0, g1, g10, g100, g101, g102, g103, g104, g105, g106, g107, g108 and 488 more. Name the data "
         "sets of the scan (--data; info --data-sets lists them)."},
        {"a pipe behind an external link",
         [](const fs::path& folder) {
             pipe(folder / "pipe.h5");
             return hdf5(folder, [](Hdf5& file) { file.externalLink("/exchange/data", "pipe.h5", "/data"); });
         },
         "'FOLDER/scan.h5': the data set /exchange/data can't be read: /exchange/data is a link to /data in the file "
         "'FOLDER/pipe.h5', which can't be read: it is a pipe, not a file."},
        {"an external link to the system",
         [](const fs::path& folder) {
             return hdf5(folder, [](Hdf5& file) { file.externalLink("/exchange/data", "/etc/passwd", "/data"); });
         },
         "'FOLDER/scan.h5': the data set /exchange/data can't be read: /exchange/data is a link to /data in the file "
         "'/etc/passwd', which can't be read: it lies in /etc, a system folder, which holds no scans."},
        {"a pipe as external storage",
         [](const fs::path& folder) {
             pipe(folder / "pipe.raw");
             return hdf5(folder, [&](Hdf5& file) { external(file, folder / "pipe.raw"); });
         },
         "'FOLDER/scan.h5': the data set /exchange/data reads its numbers from 'FOLDER/pipe.raw', which can't be read: "
         "it is a pipe, not a file."},
        {"a device as external storage",
         [](const fs::path& folder) { return hdf5(folder, [](Hdf5& file) { external(file, "/dev/zero"); }); },
         "'FOLDER/scan.h5': the data set /exchange/data reads its numbers from '/dev/zero', which can't be read: it "
         "lies in /dev, a system folder, which holds no scans."},
        {"external storage of the system",
         [](const fs::path& folder) { return hdf5(folder, [](Hdf5& file) { external(file, "/etc/passwd"); }); },
         "'FOLDER/scan.h5': the data set /exchange/data reads its numbers from '/etc/passwd', which can't be read: it "
         "lies in /etc, a system folder, which holds no scans."},
        {"external storage that is gone",
         [](const fs::path& folder) { return hdf5(folder, [&](Hdf5& file) { external(file, folder / "gone.raw"); }); },
         "'FOLDER/scan.h5': the data set /exchange/data reads its numbers from 'FOLDER/gone.raw', which can't be read: "
         "it isn't there."},
        {"external storage that is too short",
         [](const fs::path& folder) {
             write(folder / "short.raw", std::string(100, 'x'));
             return hdf5(folder, [&](Hdf5& file) { external(file, folder / "short.raw"); });
         },
         "'FOLDER/scan.h5': the data set /exchange/data takes 120 bytes from byte 0 of 'FOLDER/short.raw' on, which "
         "has only 100 bytes. That file is cut off, or the wrong one."},
        {"a pipe as source of a virtual data set",
         [](const fs::path& folder) {
             pipe(folder / "pipe.h5");
             return hdf5(folder, [](Hdf5& file) { virtualSource(file, "/exchange/data", "pipe.h5", "/frames"); });
         },
         "'FOLDER/scan.h5': the data set /exchange/data reads its numbers from 'FOLDER/pipe.h5', which can't be read: "
         "it is a pipe, not a file."},
        {"a virtual source without the data set",
         [](const fs::path& folder) {
             Hdf5(folder / "source.h5").numbers("/others", {5, 3, 4}, counting(60));
             return hdf5(folder, [](Hdf5& file) { virtualSource(file, "/exchange/data", "source.h5", "/frames"); });
         },
         "'FOLDER/scan.h5': the data set /exchange/data takes its frames from /frames of 'FOLDER/source.h5', where "
         "there "
         "is no such data set."},
        {"a virtual source that is too short",
         [](const fs::path& folder) {
             Hdf5(folder / "source.h5").numbers("/frames", {4, 3, 4}, counting(48), H5T_STD_U16LE);
             return hdf5(folder, [](Hdf5& file) { virtualSource(file, "/exchange/data", "source.h5", "/frames"); });
         },
         "'FOLDER/scan.h5': the data set /exchange/data takes more frames from 'source.h5': /frames than it has. It "
         "may "
         "be cut off."},
        {"a virtual source that is cut off",
         [](const fs::path& folder) {
             Hdf5(folder / "source.h5").numbers("/frames", {5, 3, 4}, counting(60), H5T_STD_U16LE);
             fs::resize_file(folder / "source.h5", fs::file_size(folder / "source.h5") - 10);
             return hdf5(folder, [](Hdf5& file) { virtualSource(file, "/exchange/data", "source.h5", "/frames"); });
         },
         "'FOLDER/scan.h5': the data set /exchange/data takes its frames from 'FOLDER/source.h5', which HDF5 can't "
         "open. "
         "It may be cut off."},
        {"a virtual data set made of itself",
         [](const fs::path& folder) {
             return hdf5(folder, [](Hdf5& file) {
                 virtualSource(file, "/exchange/data", ".", "/other");
                 virtualSource(file, "/other", ".", "/exchange/data");
             });
         },
         "'FOLDER/scan.h5': the data set /exchange/data is a virtual data set that refers to itself."},
        {"a pipe of angles",
         [](const fs::path& folder) {
             pipe(folder / "angles.txt");
             return anglesIn(folder, folder / "angles.txt");
         },
         "The file of angles 'FOLDER/angles.txt' can't be read: it is a pipe, not a file."},
        {"a device of angles", [](const fs::path& folder) { return anglesIn(folder, "/dev/zero"); },
         "The file of angles '/dev/zero' can't be read: it is a device, not a file."},
        {"3 GB of angles",
         [](const fs::path& folder) {
             write(folder / "angles.txt", "0\n");
             fs::resize_file(folder / "angles.txt", 3000000000);
             return anglesIn(folder, folder / "angles.txt");
         },
         "The file of angles 'FOLDER/angles.txt' has 3000000000 bytes; it needs at least one byte and at most 64 MB."},
        {"a pipe of darks", [](const fs::path& folder) { return sides(folder, &OpenOptions::darks, "darks.tif"); },
         "'FOLDER/darks.tif' can't be read: it is a pipe, not a file."},
        {"a pipe of flats", [](const fs::path& folder) { return sides(folder, &OpenOptions::flats, "flats.tif"); },
         "'FOLDER/flats.tif' can't be read: it is a pipe, not a file."},
        {"a pipe as geometry",
         [](const fs::path& folder) { return sides(folder, &OpenOptions::geometryFile, "cone.json"); },
         "The geometry file 'FOLDER/cone.json' can't be read: it is a pipe, not a file."},
        {"a link among TIFFs that leads to itself",
         [](const fs::path& folder) {
             made::tiff(folder / "p_1.tif", 4, 3, std::vector<std::uint16_t>(12));
             fs::create_symlink("p_2.tif", folder / "p_2.tif");
             return Given{folder};
         },
         "'FOLDER/p_2.tif' can't be read: Too many levels of symbolic links."},
        {"a link among TIFFs to nowhere",
         [](const fs::path& folder) {
             made::tiff(folder / "p_1.tif", 4, 3, std::vector<std::uint16_t>(12));
             fs::create_symlink("gone.tif", folder / "p_2.tif");
             return Given{folder};
         },
         "'FOLDER/p_2.tif' can't be read: it isn't there."},
        {"a scan of Nikon's in the system's folders",
         [](const fs::path& folder) {
             write(folder / "scan.xtekct",
                   "[XTekCT]\nName=scan\nInputFolderName=/etc\nProjections=2\nAngularStep=1\n"
                   "SrcToObject=10\nSrcToDetector=20\nDetectorPixelsX=4\nDetectorPixelSizeX=1\n");
             return Given{folder / "scan.xtekct"};
         },
         "'FOLDER/scan.xtekct' has its projections in '/etc': it lies in /etc, a system folder, which holds no scans."},
        {"a TIFF that says more pixels than it has bytes",
         [](const fs::path& folder) {
             tiffOf(folder / "sino.tif", image(40000, 40000, plain, 200, 3200000000));
             return tiffSinogram(folder / "sino.tif");
         },
         "'FOLDER/sino.tif': an image of 40000 x 40000 pixels doesn't fit into its 198 bytes; the file may be "
         "truncated "
         "or damaged."},
        {"a strip of 4 GB",
         [](const fs::path& folder) {
             tiffOf(folder / "sino.tif", image(30000, 30000, lzw, 140, 50));
             return tiffSinogram(folder / "sino.tif");
         },
         "'FOLDER/sino.tif' has an image of 900000000 bytes, more than a hundred times the size of the file (198 "
         "bytes). It is damaged, or crafted to exhaust the memory."},
        {"an image of 2 GB to compare with",
         [](const fs::path& folder) {
             tiffOf(folder / "image.tif", image(30000, 30000, lzw, 140, 50));
             return imageIn(folder / "image.tif");
         },
         "'FOLDER/image.tif' has an image of 900000000 bytes, more than a hundred times the size of the file (198 "
         "bytes). It is damaged, or crafted to exhaust the memory."},
        {"billions of images of ImageJ's",
         [](const fs::path& folder) {
             const std::string says = "ImageJ=1.53\nimages=2147483647\n";
             std::vector<TiffEntry> entries = image(1, 1, plain, 180, 2);
             entries.insert(entries.begin() + 5, {270, 2, std::uint32_t(says.size() + 1), 146});
             write(folder / "image.tif",
                   std::string("II*\0\x08\0\0\0", 8) + page(entries, 0) + says + std::string(64, '\0'));
             return imageIn(folder / "image.tif");
         },
         "'FOLDER/image.tif': its description says images=2147483647, more than its BYTES bytes can hold. It may be "
         "cut "
         "off."},
    };
    return all;
}

std::string replaced(std::string text, const std::string& what, const std::string& with)
{
    for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + with.size()))
        text.replace(at, what.size(), with);
    return text;
}

struct Outcome {
    std::string says;
    double seconds = 0, megabytes = 0;
};

std::string refusalOf(const Given& given)
{
    try {
        OpenOptions options = given.options;
        if (!given.angles.empty())
            options.anglesRad = readAngles(given.angles);
        if (given.isImage)
            readSlice({given.scan, {}}, {}, {});
        else
            openScan(given.scan, options);
        return "It is opened.";
    } catch (const Error& error) {
        return (error.kind() == ErrorKind::badFile ? "" : "Not as a bad file: ") + error.text().in(commandLineStyle());
    } catch (const std::exception& error) {
        return std::string("No Error of the engine's: ") + error.what();
    }
}

// Opens the input in a separate process, to measure its memory and time; a process that hangs is ended.
Outcome tried(const Given& given)
{
    int ends[2] = {};
    if (::pipe(ends) != 0)
        return {"no pipe"};
    const pid_t child = ::fork();
    if (child == 0) {
        ::alarm(patienceMs / 1000);
        const std::string says = refusalOf(given);
        ::_exit(::write(ends[1], says.data(), says.size()) == static_cast<ssize_t>(says.size()) ? 0 : 1);
    }
    ::close(ends[1]);
    Outcome outcome;
    char part[4096];
    for (ssize_t got = 0; (got = ::read(ends[0], part, sizeof part)) > 0;)
        outcome.says.append(part, static_cast<std::size_t>(got));
    ::close(ends[0]);
    int status = 0;
    rusage used = {};
    ::wait4(child, &status, 0, &used);
    outcome.seconds = processor_time::of(used);
    outcome.megabytes = double(used.ru_maxrss) / 1024;
    if (WIFSIGNALED(status))
        outcome.says = "It ended by signal " + std::to_string(WTERMSIG(status)) + ".";
    return outcome;
}

} // namespace

class BadFilesTest : public QObject
{
    Q_OBJECT

  private slots:
    void refused_data()
    {
        QTest::addColumn<int>("row");
        for (std::size_t k = 0; k < badFiles().size(); ++k)
            QTest::addRow("%s", badFiles()[k].name) << int(k);
    }

    // The error gives the actual and the expected size.
    void cutOff()
    {
        const TemporaryFolder folder;
        const Given given = hdf5(folder.path(), [](Hdf5& file) { dxchange(file); });
        const std::uintmax_t all = fs::file_size(given.scan);
        for (const std::uintmax_t left : {all - 1, all / 2, std::uintmax_t(200)}) {
            fs::resize_file(given.scan, left);
            QCOMPARE(QString::fromStdString(refusalOf(given)),
                     QString::fromStdString("'" + given.scan.string() + "' is incomplete: " + std::to_string(left) +
                                            " of " + std::to_string(all) +
                                            " bytes are there. It was cut off, or is still being written or copied."));
        }
        fs::resize_file(given.scan, 30); // shorter than the first block: the error is HDF5's
        const std::string says = refusalOf(given);
        QVERIFY2(contains(says, "HDF5 can't open this file (") && !contains(says, "no reason"), says.c_str());
    }

    void refused()
    {
        QFETCH(const int, row);
        const BadFile& bad = badFiles()[std::size_t(row)];
        const TemporaryFolder folder;
        const Given given = bad.make(folder.path());
        const Outcome outcome = tried(given);
        std::string expected = replaced(bad.says, "FOLDER", folder.path().string());
        if (!fs::is_directory(given.scan))
            expected = replaced(expected, "BYTES", std::to_string(fs::file_size(given.scan)));
        QCOMPARE(QString::fromStdString(outcome.says), QString::fromStdString(expected));
        if (!sanitized) {
            QVERIFY2(outcome.seconds < processor_time::seconds, qPrintable(QString::number(outcome.seconds)));
            QVERIFY2(outcome.megabytes < 512, qPrintable(QString::number(outcome.megabytes)));
        }
    }
};

SINOSCOPE_TEST(BadFilesTest, QCoreApplication)
#include "bad_files_test.moc"
