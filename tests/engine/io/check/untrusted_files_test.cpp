// SPDX-License-Identifier: GPL-3.0-or-later
// How reading handles failing disks, files that link to others, and cancellation.
#include "engine/documents/report.h"
#include "engine/io/tiff/tiff_file.h"
#include "tests/engine/io/bad_files.h"

#include <sys/syscall.h>
#include <unistd.h>

#include <QJsonArray>
#include <QJsonDocument>

#include <atomic>
#include <cerrno>
#include <limits>
#include <map>

using namespace engine;
using namespace fixtures;
using namespace made;

namespace
{

// Reading from this byte on fails.
std::atomic<off_t> diskFailsFrom = std::numeric_limits<off_t>::max();

} // namespace

// Replaces the library's function to simulate a failing disk.
extern "C" ssize_t pread(int descriptor, void* to, std::size_t bytes, off_t at)
{
    if (at + static_cast<off_t>(bytes) > diskFailsFrom) {
        errno = EIO;
        return -1;
    }
    return ::syscall(SYS_pread64, descriptor, to, bytes, at);
}

class UntrustedFilesTest : public QObject
{
    Q_OBJECT

  private slots:
    // A failing disk is reported as such, however much of the file was read before. The error does not say that the
    // file contains no scan. (The helper program, which reads the metadata, has a working disk here.)
    void failingDisk()
    {
        const TemporaryFolder folder;
        whole(folder.path());
        {
            Hdf5 file(folder / "nx.h5");
            nxtomo(file, {2, 1, 0, 0});
        }
        made::tiff(folder / "sino.tif", 40, 30, std::vector<std::uint16_t>(1200, 7));
        OpenOptions sinogram;
        sinogram.sinogram = true;
        int failures = 0;
        for (const auto& [name, options] :
             {std::pair("scan.h5", OpenOptions()), {"nx.h5", OpenOptions()}, {"sino.tif", sinogram}}) {
            QVERIFY(!errorOf([&] { openScan(folder / name, options); }));
            const auto size = static_cast<off_t>(fs::file_size(folder / name));
            for (off_t from = 0; from < size; from += std::max<off_t>(1, size / 200)) {
                diskFailsFrom = from;
                const auto error = errorOf([&] { openScan(folder / name, options); });
                diskFailsFrom = std::numeric_limits<off_t>::max();
                failures += error.has_value();
                QVERIFY2(!error || (contains(error->what(), "Input/output error") && contains(error->what(), name)),
                         qPrintable(QString("%1, byte %2: %3").arg(name).arg(from).arg(error ? error->what() : "")));
            }
        }
        QVERIFY2(failures > 200, qPrintable(QString::number(failures)));
    }

    void outsideIsNamed()
    {
        const TemporaryFolder folder;
        fs::create_directory(folder / "scan");
        fs::create_directory(folder / "others");
        const fs::path source = folder / "others" / "source.h5", inside = folder / "scan" / "near.h5";
        Hdf5(source).numbers("/frames", {5, 3, 4}, counting(60), H5T_STD_U16LE);
        Hdf5(inside).numbers("/frames", {5, 3, 4}, counting(60), H5T_STD_U16LE);
        made::write(folder / "others" / "frames.raw", std::string(120, '\1'));
        const std::map<std::string, std::function<void(Hdf5&)>> ways{
            {"source.h5", [](Hdf5& file) { file.externalLink("/exchange/data", "../others/source.h5", "/frames"); }},
            {"/source.h5", [](Hdf5& file) { virtualSource(file, "/exchange/data", "../others/source.h5", "/frames"); }},
            {"frames.raw", [&](Hdf5& file) { external(file, folder / "others" / "frames.raw"); }},
            {"", [](Hdf5& file) { file.externalLink("/exchange/data", "near.h5", "/frames"); }}};
        for (const auto& [name, lead] : ways) {
            const Given given = made::hdf5(folder / "scan", lead);
            if (!name.empty()) {
                QVERIFY(
                    refused(given.scan,
                            {"scan.h5", "others/", name.c_str(), "outside the folder of the scan", "--allow-outside"},
                            {}, ErrorKind::outside));
            }
            OpenOptions allowed;
            allowed.allowOutside = !name.empty();
            const auto scan = openScan(given.scan, allowed);
            const auto json = QJsonDocument::fromJson(QByteArray::fromStdString(scanJson(*scan)))["outside"].toArray();
            QCOMPARE(mentions(scan->notes, "The scan refers to files outside its folder"), !name.empty());
            QCOMPARE(json.size(), name.empty() ? 0 : 1);
            if (!name.empty()) {
                QVERIFY(mentions(scan->notes, name));
                QVERIFY(json[0].toString().endsWith(QString::fromStdString(name)));
            }
        }
    }

    void openingStops()
    {
        const TemporaryFolder folder;
        for (const char* name : {"p_1.tif", "p_2.tif"})
            made::tiff(folder / name, 40, 30, std::vector<std::uint16_t>(1200, 7));
        std::stop_source stop;
        QCOMPARE(openScan(folder.path(), {}, stop.get_token())->projections(), 2);
        TiffFile pages(folder / "p_1.tif");
        stop.request_stop();
        QVERIFY(fails(ErrorKind::cancelled, [&] { openScan(folder.path(), {}, stop.get_token()); }));
        QVERIFY(fails(ErrorKind::cancelled, [&] { pages.pages(stop.get_token()); }));
    }
};

SINOSCOPE_TEST(UntrustedFilesTest, QCoreApplication)
#include "untrusted_files_test.moc"
