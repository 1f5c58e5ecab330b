// What a writer of slices keeps for the next one: whole groups alone, whatever else it had begun to write.
#include "engine/io/volume_journal.h"
#include "engine/io/write_slices.h"
#include "engine/reconstruct.h"
#include "tests/fixtures.h"

#include <QTest>

#include <fstream>
#include <iterator>

using namespace engine;
using namespace fixtures;
namespace fs = std::filesystem;

namespace
{

const std::string keptIdentity = R"({"of": "these"})";

Reconstruction groupOf(int first)
{
    Request request = requestFor(smallScan(24, 30, 6));
    request.place.slices = {first, 2};
    return Reconstructor().run(request, {}, {});
}

std::string bytesIn(const fs::path& path)
{
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

} // namespace

class KeptSlicesTest : public QObject
{
    Q_OBJECT
  private slots:
    void wholeGroupsAlone_data()
    {
        QTest::addColumn<QString>("name");
        QTest::newRow("TIFFs") << "out";
        QTest::newRow("HDF5") << "v.h5";
    }
    void wholeGroupsAlone()
    {
        QFETCH(QString, name);
        const TemporaryFolder folder;
        const fs::path whole = folder / "whole" / name.toStdString(), path = folder / name.toStdString();
        fs::create_directory(folder / "whole");
        {
            SliceWriter writer(whole, "a", {0, 6}, false, {});
            for (const int first : {0, 2, 4})
                writer.write(groupOf(first));
            writer.finish("{}");
        }
        {
            SliceWriter writer(path, "a", {0, 6}, false, {}, {}, {}, keptIdentity);
            QCOMPARE(writer.done(), 0);
            writer.write(groupOf(0));
        }
        QVERIFY(!fs::exists(folder / "v.h5") && !fs::exists(path / "a_00000.tiff"));
        // Killed while the next group was written: more than will be there.
        const bool tiffs = outputKindOf(path) == OutputKind::folder;
        std::ofstream(tiffs ? path / ".a_00002.tiff.kept" : keptName(path), std::ios::binary | std::ios::app)
            << std::string(50'000, 'x');
        QVERIFY(fails(ErrorKind::badRequest, {"of was \"these\" and is \"others\""}, [&] {
            SliceWriter(path, "a", {0, 6}, false, {}, {}, {}, R"({"of": "others"})");
        }));
        {
            SliceWriter writer(path, "a", {0, 6}, false, {}, {}, {}, keptIdentity);
            QCOMPARE(writer.done(), 2);
            for (const int first : {2, 4})
                writer.write(groupOf(first));
            writer.finish("{}");
        }
        if (tiffs) {
            QCOMPARE(namesIn(path), namesIn(whole));
            for (const std::string& file : namesIn(path))
                QVERIFY2(bytesIn(path / file) == bytesIn(whole / file), file.c_str());
        } else {
            QCOMPARE(namesIn(folder.path()), (std::vector<std::string>{"v.h5", "whole"}));
            QCOMPARE(fs::file_size(path), fs::file_size(whole));
        }
    }

    // What is there already isn't gone on with, and refuses nobody later.
    void refusedLeavesNothing()
    {
        const TemporaryFolder folder;
        const fs::path path = folder / "v.h5";
        std::ofstream(path) << "mine";
        QVERIFY(fails(ErrorKind::output, {"v.h5"}, [&] {
            SliceWriter(path, "a", {0, 6}, false, {}, {}, {}, keptIdentity);
        }));
        QCOMPARE(namesIn(folder.path()), (std::vector<std::string>{"v.h5"}));
        QCOMPARE(bytesIn(path), std::string("mine"));
    }
};

SINOSCOPE_TEST(KeptSlicesTest, QCoreApplication)
#include "kept_slices_test.moc"
