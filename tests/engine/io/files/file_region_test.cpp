// SPDX-License-Identifier: GPL-3.0-or-later
// A region of a file that several threads write: the resulting contents on file systems in memory and on disks, and
// the error on a full disk.
#include "engine/io/files/file_region.h"
#include "tests/engine/io/full_disk.h"
#include "tests/fixtures.h"

#include <cstring>
#include <fstream>
#include <random>

using namespace engine;
using namespace fixtures;
namespace fs = std::filesystem;

namespace
{

constexpr long long megabyte = 1 << 20;

std::vector<std::byte> randomBytes(long long count)
{
    std::mt19937_64 random(3);
    std::vector<std::uint64_t> numbers(static_cast<std::size_t>(count) / sizeof(std::uint64_t) + 1);
    for (std::uint64_t& number : numbers)
        number = random();
    const auto bytes = std::as_bytes(std::span(numbers)).first(static_cast<std::size_t>(count));
    return {bytes.begin(), bytes.end()};
}

// Returns one or two folders, one of which is usually on a file system in memory.
std::vector<std::string> places()
{
    std::vector<std::string> found{QDir::tempPath().toStdString()};
    if (fs::is_directory("/dev/shm"))
        found.push_back("/dev/shm");
    return found;
}

} // namespace

class FileRegionTest : public QObject
{
    Q_OBJECT

  private slots:
    void holdsWhatWasWritten_data()
    {
        QTest::addColumn<QString>("place");
        QTest::addColumn<qint64>("offset");
        for (const std::string& place : places())
            for (const qint64 offset :
                 threadSanitized ? std::vector{12345LL} : std::vector{0LL, 2048LL, 12345LL, 2 * megabyte})
                QTest::addRow("%s %lld", place.c_str(), offset) << QString::fromStdString(place) << offset;
    }

    void holdsWhatWasWritten()
    {
        QFETCH(QString, place);
        QFETCH(qint64, offset);
        const QTemporaryDir folder(place + "/sinoscope-XXXXXX");
        if (!folder.isValid())
            QSKIP("no room there");
        const fs::path path = folder.filePath("region").toStdString();
        std::ofstream(path) << "head";
        // Large pieces are written through a mapping, small ones are not; no size is a whole number of pages.
        const std::vector<long long> sizes = {41 * megabyte + 17, 5000, 20 * megabyte + 1, 1};
        long long total = 0;
        for (const long long size : sizes)
            total += size;
        const std::vector<std::byte> bytes = randomBytes(total);
        {
            FileRegion region(path, "shown.h5", offset, total);
            long long at = 0;
            for (const long long size : sizes) {
                region.write(at, std::span(bytes).subspan(static_cast<std::size_t>(at), static_cast<std::size_t>(size)),
                             {});
                at += size;
            }
        }
        QFile file(QString::fromStdString(path.string()));
        QVERIFY(file.open(QIODevice::ReadOnly));
        QCOMPARE(file.size(), offset + total);
        if (offset >= 4)
            QCOMPARE(file.read(4), QByteArray("head"));
        QVERIFY(file.seek(offset));
        const QByteArray read = file.readAll();
        QCOMPARE(read.size(), total);
        QVERIFY(std::memcmp(bytes.data(), read.constData(), bytes.size()) == 0);
    }

    void fullDisksAreErrors()
    {
        for (const std::string& place : places()) {
            const QTemporaryDir folder(QString::fromStdString(place) + "/sinoscope-XXXXXX");
            const fs::path path = folder.filePath("region").toStdString();
            std::ofstream(path) << "head";
            const std::vector<std::byte> bytes = randomBytes(40 * megabyte);
            FileRegion region(path, "shown.h5", 4096, 40 * megabyte);
            const made::FullDisk full(30 * megabyte);
            QVERIFY(fails(ErrorKind::output, {"shown.h5", "can't be written"}, [&] { region.write(0, bytes, {}); }));
            QVERIFY(fails(ErrorKind::output, {"shown.h5"}, [&] {
                region.write(29 * megabyte, std::span(bytes).first(static_cast<std::size_t>(2 * megabyte)), {});
            }));
        }
    }

    void tooLittleRoomIsSaidAtTheStart()
    {
        const TemporaryFolder folder;
        std::ofstream(folder / "region") << "head";
        QVERIFY(fails(ErrorKind::output, {"shown.h5", "1 PB", "free"},
                      [&] { FileRegion(folder / "region", "shown.h5", 0, 1'000'000'000'000'000); }));
        QVERIFY(fails(ErrorKind::output, {"shown.h5"}, [&] { FileRegion(folder / "none", "shown.h5", 0, 1); }));
    }

    void stops()
    {
        const TemporaryFolder folder;
        std::ofstream(folder / "region") << "head";
        FileRegion region(folder / "region", "shown.h5", 0, 40 * megabyte);
        std::stop_source stop;
        stop.request_stop();
        const std::vector<std::byte> bytes = randomBytes(40 * megabyte);
        QVERIFY(fails(ErrorKind::cancelled, [&] { region.write(0, bytes, stop.get_token()); }));
        QVERIFY(fails(ErrorKind::cancelled, [&] { region.write(0, std::span(bytes).first(100), stop.get_token()); }));
    }
};

SINOSCOPE_TEST(FileRegionTest, QCoreApplication)
#include "file_region_test.moc"
