// SPDX-License-Identifier: GPL-3.0-or-later
// A disk that becomes full while a volume of several groups is written, at each stage: the error names the output, no
// incomplete files remain, and older files are unchanged.
#include "engine/io/slices/slice_writer.h"
#include "tests/engine/io/full_disk.h"
#include "tests/fixtures.h"

#include <fstream>
#include <iterator>
#include <random>

using namespace engine;
using namespace fixtures;
using made::FullDisk;
namespace fs = std::filesystem;

namespace
{

constexpr int groups = 4, slicesPerGroup = 2, diskSize = 200;

// Returns a group of slices whose values can hardly be compressed.
Reconstruction group(int k)
{
    Reconstruction part;
    part.image = Volume(slicesPerGroup, diskSize, diskSize);
    part.unit = "1/mm";
    std::mt19937 random(static_cast<unsigned>(k));
    for (float& value : part.image.values)
        value = std::uniform_real_distribution<float>(-1, 1)(random);
    return part;
}

std::string contentOf(const fs::path& path)
{
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

// Returns the contents of all files below a folder, by relative path.
std::map<std::string, std::string> contentsOf(const fs::path& folder)
{
    std::map<std::string, std::string> contents;
    for (const auto& entry : fs::recursive_directory_iterator(folder))
        contents[fs::relative(entry.path(), folder).string()] = entry.is_directory() ? "" : contentOf(entry.path());
    return contents;
}

// Writes a volume in groups + 2 stages and calls before(k) before the k-th: stage 0 creates the files, the last stage
// closes them.
template <typename Before>
void write(const fs::path& path, const OutputFormat& format, bool overwrite, const Before& before)
{
    before(0);
    SliceWriter writer(path, "a", {0, groups * slicesPerGroup}, overwrite, {}, format);
    for (int k = 0; k < groups; ++k) {
        before(k + 1);
        writer.write(group(k));
    }
    before(groups + 1);
    writer.finish({"{}"});
}

} // namespace

class IoFullDiskTest : public QObject
{
    Q_OBJECT

  private slots:
    void atEachStage_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<int>("level");
        QTest::addColumn<int>("stage");
        for (const char* name : {"volume.h5", "slices"})
            for (const int level : {0, 1})
                for (int stage = 0; stage <= groups + 1; ++stage)
                    if (name == std::string("volume.h5") || stage <= groups) // TIFFs are closed with their group
                        QTest::addRow("%s%s, stage %d", level > 0 ? "deflated " : "", name, stage)
                            << name << level << stage;
    }

    void atEachStage()
    {
        QFETCH(const QString, name);
        QFETCH(const int, level);
        QFETCH(const int, stage);
        const OutputFormat format{.type = OutputFormat::Type::float32, .range = {}, .deflateLevel = level};
        const TemporaryFolder folder;
        const fs::path path = folder / name.toStdString();
        for (const bool older : {false, true}) {
            if (older) { // another, complete volume
                write(path, {}, false, [](int) {});
                QVERIFY(contentsOf(folder.path()).size() >= 1);
            }
            const auto before = contentsOf(folder.path());
            {
                std::optional<FullDisk> full;
                QVERIFY(fails(ErrorKind::output, {path.string()}, [&] {
                    write(path, format, older, [&](int k) {
                        if (k == stage)
                            full.emplace(rlim_t(100));
                    });
                }));
                QVERIFY(full);
            }
            QVERIFY(contentsOf(folder.path()) == before);
        }
        write(path, format, true, [](int) {}); // there is room again
    }

    // The disk becomes full anywhere in the file, not only at the beginning of a group: no write may count as
    // successful too early.
    void atAnyByte_data()
    {
        QTest::addColumn<int>("level");
        QTest::addColumn<double>("share");
        for (const int level : {0, 1})
            for (const double share : {0.0, 0.1, 0.4, 0.6, 0.9, 0.99, 0.9999})
                QTest::addRow("%slevel %d, %g of the file", level > 0 ? "deflated, " : "", level, share)
                    << level << share;
    }

    void atAnyByte()
    {
        QFETCH(const int, level);
        QFETCH(const double, share);
        const OutputFormat format{.type = OutputFormat::Type::float32, .range = {}, .deflateLevel = level};
        const TemporaryFolder folder;
        const fs::path path = folder / "volume.h5";
        write(path, format, false, [](int) {});
        const auto whole = fs::file_size(path);
        fs::remove(path);
        {
            const FullDisk full(static_cast<rlim_t>(share * double(whole)));
            QVERIFY(fails(ErrorKind::output, {path.string()}, [&] { write(path, format, false, [](int) {}); }));
        }
        QVERIFY(namesIn(folder.path()).empty());
        const FullDisk enough(static_cast<rlim_t>(whole));
        write(path, format, false, [](int) {});
        QCOMPARE(fs::file_size(path), whole);
    }

    // Another program takes the name of a slice before the slices are renamed: either all slices get their names or
    // none.
    void lastNameIsTaken()
    {
        for (const bool overwrite : {false, true}) {
            const TemporaryFolder folder;
            const fs::path path = folder / "slices", taken = path / "a_00005.tiff";
            QVERIFY(fails(ErrorKind::output, {"a_00005.tiff"}, [&] {
                write(path, {}, overwrite, [&](int k) {
                    if (k != groups + 1)
                        return;
                    if (overwrite)
                        fs::create_directory(taken);
                    else
                        std::ofstream(taken) << "another's";
                });
            }));
            QCOMPARE(namesIn(path), std::vector<std::string>{"a_00005.tiff"});
            if (!overwrite)
                QCOMPARE(contentOf(taken), std::string("another's"));
        }
    }
};

SINOSCOPE_TEST(IoFullDiskTest, QCoreApplication)
#include "full_disk_test.moc"
