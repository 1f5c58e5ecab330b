// SPDX-License-Identifier: GPL-3.0-or-later
// Scans that read numbers from files outside their folder: refused, unless this is allowed.
#include "tests/engine/io/bad_files.h"

using namespace engine;
using namespace fixtures;
using namespace made;

namespace
{

void writeNikonScan(const fs::path& file, const std::string& folderName)
{
    write(file, "[XTekCT]\nName=scan\nInputFolderName=" + folderName +
                    "\nProjections=3\nAngularStep=120\nDetectorPixelsX=4\nDetectorPixelsY=3\nDetectorPixelSizeX=0.2\n"
                    "SrcToObject=100\nSrcToDetector=200\n");
}

void writeNikonFrames(const fs::path& folder)
{
    fs::create_directories(folder);
    for (int k = 1; k <= 3; ++k)
        made::tiff(folder / ("scan_000" + std::to_string(k) + ".tif"), 4, 3, std::vector<std::uint16_t>(12, 1000));
}

} // namespace

class OutsideTest : public QObject
{
    Q_OBJECT

  private slots:
    void init()
    {
        m_folder = std::make_unique<TemporaryFolder>();
        fs::create_directories(root() / "scan" / "below");
        fs::create_directories(root() / "others");
        for (const char* place : {"scan", "scan/below", "others"}) {
            dxchange(*std::make_unique<Hdf5>(root() / place / "source.h5"));
            write(root() / place / "frames.raw", std::string(120, '\1'));
        }
    }

    void places_data()
    {
        QTest::addColumn<QString>("way");
        QTest::addColumn<QString>("place");
        QTest::addColumn<bool>("isOutside");
        for (const char* way : {"external link", "virtual source", "external storage", "link of the angles"}) {
            const auto row = [way](const char* place, bool isOutside) {
                QTest::addRow("%s: %s", way, place) << way << place << isOutside;
            };
            row("scan", false);
            row("scan/below", false);
            row("others", true);
            row("scan/../others", true);
        }
    }

    void places()
    {
        QFETCH(const QString, way);
        QFETCH(const QString, place);
        QFETCH(const bool, isOutside);
        const fs::path from = root() / place.toStdString();
        const Given given = hdf5(root() / "scan", [&](Hdf5& file) {
            if (way == "external link")
                file.externalLink("/exchange/data", (from / "source.h5").string(), "/exchange/data");
            else if (way == "virtual source")
                virtualSource(file, "/exchange/data", from / "source.h5", "/exchange/data");
            else if (way == "external storage")
                external(file, from / "frames.raw");
            else {
                file.numbers("/exchange/data", {5, 3, 4}, counting(60), H5T_STD_U16LE);
                file.externalLink("/exchange/theta", (from / "source.h5").string(), "/exchange/theta");
            }
        });
        requireConsent(given.scan, isOutside ? "others/" : std::string());
    }

    // A link in a scan counts as its target. The scan's folder is that of its real path, and also that of the path it
    // was opened by.
    void symbolicLinks()
    {
        fs::create_symlink("../others/frames.raw", root() / "scan" / "linked.raw");
        const fs::path scan =
            hdf5(root() / "scan", [&](Hdf5& file) { external(file, root() / "scan/linked.raw"); }).scan;
        requireConsent(scan, "others/frames.raw");
        external(*std::make_unique<Hdf5>(root() / "scan" / "whole.h5"), root() / "scan" / "frames.raw");
        external(*std::make_unique<Hdf5>(root() / "scan" / "led.h5"), root() / "others" / "frames.raw");
        fs::create_symlink("../scan/whole.h5", root() / "others" / "whole.h5");
        fs::create_symlink("../scan/led.h5", root() / "others" / "led.h5");
        fs::create_directory_symlink("scan", root() / "same");
        requireConsent(root() / "others" / "whole.h5", {}); // beside the real file
        requireConsent(root() / "others" / "led.h5", {});   // beside the link that was opened
        requireConsent(root() / "same" / "whole.h5", {});
        requireConsent(root() / "same" / "led.h5", "others/frames.raw");
    }

    void relativePaths()
    {
        const fs::path before = fs::current_path();
        const auto back = qScopeGuard([&] { fs::current_path(before); });
        fs::current_path(root() / "scan");
        external(*std::make_unique<Hdf5>("near.h5"), "frames.raw");
        external(*std::make_unique<Hdf5>("far.h5"), "../others/frames.raw");
        requireConsent("near.h5", {});
        requireConsent("far.h5", "others/frames.raw");

        // The program's working folder does not matter, nor do the files in it.
        fs::create_directories(root() / "elsewhere");
        fs::current_path(root() / "elsewhere");
        requireConsent("../scan/near.h5", {});
        const auto values = [&] { return openScan(root() / "scan" / "near.h5")->read({0, 3}, {}).projections; };
        const auto wanted = values();
        write("frames.raw", std::string(120, '\7'));
        QVERIFY(values() == wanted);
        fs::remove(root() / "scan" / "frames.raw");
        QVERIFY(refused("../scan/near.h5", {"scan/frames.raw", "it isn't there"}));
    }

    void nikonFolder()
    {
        writeNikonFrames(root() / "scan" / "tiffs");
        writeNikonFrames(root() / "others" / "tiffs");
        const fs::path file = root() / "scan" / "scan.xtekct";
        writeNikonScan(file, "tiffs");
        requireConsent(file, {});
        writeNikonScan(file, "..\\others\\tiffs");
        requireConsent(file, "others/tiffs");
        writeNikonScan(file, (root() / "others" / "tiffs").string());
        requireConsent(file, "others/tiffs");
    }

    // An error names all outside files, or the first ones.
    void manyFiles()
    {
        const Given given = hdf5(root() / "scan", [&](Hdf5& file) {
            file.numbers("/exchange/data", {5, 3, 4}, counting(60), H5T_STD_U16LE);
            int k = 0;
            for (const char* name : {"theta", "data_white", "data_dark", "data"}) {
                const fs::path source = root() / "others" / (std::to_string(k++) + ".h5");
                fs::copy_file(root() / "others" / "source.h5", source);
                if (name != std::string("data"))
                    file.externalLink(std::string("/exchange/") + name, source.string(),
                                      name == std::string("theta") ? "/exchange/theta" : "/exchange/data");
            }
        });
        requireConsent(given.scan, "2.h5");
    }

  private:
    fs::path root() const { return m_folder->path(); }

    // Requires that opening is refused with an error that names the path `outside`, unless allowed; if `outside` is
    // empty, that the scan opens.
    static void requireConsent(const fs::path& scan, const std::string& outside)
    {
        OpenOptions allowed;
        allowed.allowOutside = true;
        if (outside.empty()) {
            QVERIFY(!mentions(openScan(scan)->notes, "files outside its folder"));
            return;
        }
        QVERIFY(
            refused(scan, {outside, "outside the folder of the scan", "(--allow-outside)"}, {}, ErrorKind::outside));
        QVERIFY(mentions(openScan(scan, allowed)->notes, outside));
    }

    std::unique_ptr<TemporaryFolder> m_folder;
};

SINOSCOPE_TEST(OutsideTest, QCoreApplication)
#include "outside_test.moc"
