// SPDX-License-Identifier: GPL-3.0-or-later
// The slices that an interrupted writer stores for the next run: only whole groups, whatever else it had begun to
// write.
#include "engine/io/slices/slice_writer.h"
#include "engine/io/slices/stored_slices.h"
#include "engine/io/slices/volume_journal.h"
#include "engine/reconstruct/reconstruct.h"
#include "tests/fixtures.h"

#include <QTest>

#include <sys/stat.h>

#include <algorithm>
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
    request.place.setSlices({first, 2});
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
            writer.finish({"{}"});
        }
        {
            SliceWriter writer(path, "a", {0, 6}, false, {}, {}, {}, keptIdentity);
            QCOMPARE(writer.done(), 0);
            writer.write(groupOf(0));
        }
        QVERIFY(!fs::exists(folder / "v.h5") && !fs::exists(path / "a_00000.tiff"));
        // Simulates a kill during the next group: the file has more bytes than the finished one will have.
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
            writer.finish({"{}"});
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

    // Two processes write TIFFs, and are killed while the second one writes its first slice: the next run doesn't
    // append to that.
    void severalProcesses()
    {
        const TemporaryFolder folder;
        const fs::path whole = folder / "whole", path = folder / "out";
        {
            SliceWriter writer(whole, "a", {0, 4}, false, {});
            for (const int first : {0, 2})
                writer.write(groupOf(first));
            writer.finish({"{}"});
        }
        const auto run = [&](bool isKilled) {
            const Reconstruction groups[] = {groupOf(0), groupOf(2)};
            std::vector<std::unique_ptr<SliceWriter>> writers;
            std::string begun;
            for (int process = 0; process < 2; ++process) {
                writers.push_back(std::make_unique<SliceWriter>(
                    path, "a", RowRange{2 * process, 2}, false, ProtectedInputs(), OutputFormat(), DescribeSlice(),
                    keptIdentity, OutputPart{.all = {0, 4}, .process = process, .processes = 2, .begun = begun}));
                if (process == 0)
                    begun = writers[0]->begin(groups[0].image.width, groups[0].image.height, groups[0].unit);
            }
            for (int process = 0; process < 2; ++process) {
                writers[process]->goOn(false);
                if (process == 0 || !isKilled)
                    writers[process]->write(groups[process]);
            }
            if (isKilled)
                return;
            for (const auto& writer : writers)
                writer->complete({"{}"});
            for (const auto& writer : writers) { // a process places one output at a time
                writer->place();
                writer->keep();
            }
        };
        run(true);
        std::ofstream(path / ".a_00002.tiff.kept", std::ios::binary | std::ios::app) << std::string(50'000, 'x');
        run(false);
        QCOMPARE(namesIn(path), namesIn(whole));
        for (const std::string& file : namesIn(path))
            QVERIFY2(bytesIn(path / file) == bytesIn(whole / file), file.c_str());
    }

    // A stored slice that has changed is reconstructed again, together with all later ones.
    void damagedSlices_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("how");
        for (const char* name : {"out", "v.h5"})
            for (const char* how : {"a bit", "cut off", "gone"})
                QTest::addRow("%s, %s", name, how) << QString(name) << QString(how);
    }
    void damagedSlices()
    {
        QFETCH(QString, name);
        QFETCH(QString, how);
        const TemporaryFolder folder;
        const fs::path path = folder / name.toStdString();
        {
            SliceWriter writer(path, "a", {0, 6}, false, {}, {}, {}, keptIdentity);
            writer.write(groupOf(0));
            writer.write(groupOf(2));
        }
        const bool tiffs = outputKindOf(path) == OutputKind::folder;
        const fs::path kept = tiffs ? path / ".a_00003.tiff.kept" : keptName(path); // the last stored slice
        const KeptGroup last = VolumeJournal(journalName(tiffs ? path / "a" : path), keptIdentity).groups().back();
        const auto end = tiffs ? static_cast<long long>(fs::file_size(kept)) : last.offset + 4 * last.sliceBytes;
        if (how == "gone")
            fs::remove(kept);
        else if (how == "cut off")
            fs::resize_file(kept, static_cast<std::uintmax_t>(end - 4));
        else {
            std::fstream file(kept, std::ios::binary | std::ios::in | std::ios::out);
            file.seekg(end - 5);
            const char byte = static_cast<char>(file.get() ^ 1);
            file.seekp(end - 5);
            file.put(byte);
        }
        SliceWriter writer(path, "a", {0, 6}, false, {}, {}, {}, keptIdentity);
        QCOMPARE(writer.done(), !tiffs && how == "gone" ? 0 : 2);
        QVERIFY2(contains(writer.unfinished(), "'" + kept.string() + "' has changed"),
                 writer.unfinished().plain().c_str());
        for (int first = writer.done(); first < 6; first += 2)
            writer.write(groupOf(first));
        writer.finish({"{}"});
        for (int k = 0; k < 6; ++k) {
            const Volume image = readSlice({path}, k).image, right = groupOf(k / 2 * 2).image;
            QVERIFY(std::ranges::equal(image.values, right.slice(k % 2)));
        }
    }

    // Every slice has its own checksum, in whatever order and type slices are written.
    void intactSlices_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<bool>("inPairs");
        QTest::addColumn<int>("type");
        using enum OutputFormat::Type;
        for (const char* name : {"out", "v.h5"})
            for (const bool inPairs : {false, true})
                for (const auto type : {float32, half, uint16})
                    QTest::addRow("%s, %s, %d", name, inPairs ? "pairs" : "in order", int(type))
                        << QString(name) << inPairs << int(type);
    }
    void intactSlices()
    {
        QFETCH(QString, name);
        QFETCH(bool, inPairs);
        QFETCH(int, type);
        const TemporaryFolder folder;
        const std::optional<RowRange> pairsOf = inPairs ? std::optional(RowRange{0, 6}) : std::nullopt;
        const OutputFormat format{.type = OutputFormat::Type(type), .range = {0, 10}};
        const auto writer = [&] {
            return std::make_unique<SliceWriter>(folder / name.toStdString(), "a", RowRange{0, 6}, false,
                                                 ProtectedInputs(), format, DescribeSlice(), keptIdentity, pairsOf);
        };
        {
            const auto begun = writer();
            for (const int first : {0, 2}) {
                Reconstruction made;
                if (pairsOf)
                    made.request.place.part = MirroredPairs{{first, 2}, *pairsOf};
                else
                    made.request.place.setSlices({first, 2});
                made.image = Volume(2, 5, 7);
                for (std::size_t k = 0; k < made.image.values.size(); ++k)
                    made.image.values[k] = static_cast<float>(first) + 0.01F * static_cast<float>(k);
                begun->write(made);
            }
        }
        QCOMPARE(writer()->done(), 4);
        QCOMPARE(writer()->unfinished(), std::string());
    }

    // Values that an interrupted run has clipped count, except those of the group that is reconstructed again.
    void clippedValues()
    {
        const TemporaryFolder folder;
        const OutputFormat format{.type = OutputFormat::Type::uint16, .range = {0, 10}};
        const auto writer = [&] {
            return SliceWriter(folder / "out", "a", {0, 4}, false, {}, format, {}, keptIdentity);
        };
        const auto group = [](int first, int clipped) {
            Reconstruction made;
            made.request.place.setSlices({first, 2});
            made.image = Volume(2, 5, 7);
            std::fill_n(made.image.values.begin(), clipped, 11.0F);
            return made;
        };
        writer().write(group(0, 3));
        {
            SliceWriter second = writer();
            QCOMPARE(second.changed(), 3LL);
            second.write(group(2, 5));
            QCOMPARE(second.changed(), 8LL);
        }
        SliceWriter third = writer(); // all slices are stored, so that the last group is reconstructed again
        QCOMPARE(third.done(), 2);
        QCOMPARE(third.changed(), 3LL);
        third.write(group(2, 5));
        third.finish({"{}"});
        QCOMPARE(third.changed(), 8LL);
    }

    // The warnings of the runs that made the stored slices are kept with them, each once, also for slices of another
    // kind; those of slices that are made anew aren't.
    void warningsOfEarlierRuns()
    {
        for (const char* name : {"out", "v.h5"}) {
            const TemporaryFolder folder;
            const auto writer = [&] {
                return SliceWriter(folder / name, "a", {0, 6}, false, {}, {}, {}, keptIdentity);
            };
            const auto doubtful = [](int first, const char* text) {
                Reconstruction made = groupOf(first);
                made.doubts.push_back({.about = Doubt::About::beam, .text = text});
                return made;
            };
            {
                SliceWriter first = writer();
                QVERIFY(first.warnings().empty());
                first.write(doubtful(0, "The light jumps."));
            }
            {
                SliceWriter second = writer();
                QCOMPARE(second.warnings(), (std::vector<std::string>{"The light jumps."}));
                second.write(doubtful(2, "The light jumps."));
                second.write(doubtful(4, "It jumps \"far\"."));
                QCOMPARE(second.warnings().size(), std::size_t(2));
            }
            SliceWriter third = writer(); // all slices are stored, so that the last group is reconstructed again
            QCOMPARE(third.done(), 4);
            QCOMPARE(third.warnings(), (std::vector<std::string>{"The light jumps."}));
        }
    }

    // A foreign file under the name of a stored slice is never written to, whatever it is.
    void othersFiles_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("how");
        for (const char* name : {"out", "v.h5"})
            for (const char* how : {"hard link", "symbolic link", "pipe", "file"})
                QTest::addRow("%s, %s", name, how) << QString(name) << QString(how);
    }
    void othersFiles()
    {
        QFETCH(QString, name);
        QFETCH(QString, how);
        const TemporaryFolder folder;
        const fs::path path = folder / name.toStdString(), other = folder / "other";
        std::ofstream(other) << "mine";
        fs::create_directory(folder / "out");
        const fs::path kept = outputKindOf(path) == OutputKind::folder ? path / ".a_00003.tiff.kept" : keptName(path);
        if (how == "hard link")
            fs::create_hard_link(other, kept);
        else if (how == "symbolic link")
            fs::create_symlink(other, kept);
        else if (how == "pipe")
            QCOMPARE(::mkfifo(kept.c_str(), 0600), 0);
        else
            std::ofstream(kept) << "mine";
        const auto refused = [&] {
            return fails(ErrorKind::output, {"'" + kept.string() + "'"}, [&] {
                SliceWriter(path, "a", {0, 6}, false, {}, {}, {}, keptIdentity);
            });
        };
        QVERIFY(refused());
        QCOMPARE(bytesIn(other), std::string("mine"));
        if (how == "file")
            QCOMPARE(bytesIn(kept), std::string("mine"));
        QVERIFY(fs::exists(fs::symlink_status(kept)));
        QVERIFY(!fs::exists(journalName(outputKindOf(path) == OutputKind::folder ? path / "a" : path)));
    }

    // A run without --resume removes the stored slices that it has reconstructed itself, and no others.
    void onlyWhatIsMadeAnew_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<int>("first");
        QTest::addColumn<int>("count");
        QTest::addColumn<QStringList>("left"); // files of slices 0 and 1, stored by a run of slices 0 to 3
        QTest::newRow("TIFFs, others") << "out" << 6 << 2
                                       << QStringList{".a.resume", ".a_00000.tiff.kept", ".a_00001.tiff.kept"};
        QTest::newRow("TIFFs, some") << "out" << 1 << 3 << QStringList{".a.resume", ".a_00000.tiff.kept"};
        QTest::newRow("TIFFs, all that were kept") << "out" << 0 << 2 << QStringList{};
        QTest::newRow("TIFFs, all") << "out" << 0 << 6 << QStringList{};
        QTest::newRow("HDF5, others") << "v.h5" << 6 << 2 << QStringList{".v.h5.kept", ".v.h5.resume"};
        QTest::newRow("HDF5, some") << "v.h5" << 0 << 2 << QStringList{".v.h5.kept", ".v.h5.resume"};
        QTest::newRow("HDF5, all") << "v.h5" << 0 << 4 << QStringList{};
    }
    void onlyWhatIsMadeAnew()
    {
        QFETCH(QString, name);
        QFETCH(int, first);
        QFETCH(int, count);
        QFETCH(QStringList, left);
        const TemporaryFolder folder;
        const fs::path path = folder / name.toStdString();
        const std::string identity = R"({"slices":[0,4]})";
        const auto resuming = [&] {
            return std::make_unique<SliceWriter>(path, "a", RowRange{0, 4}, false, ProtectedInputs(), OutputFormat(),
                                                 DescribeSlice(), identity);
        };
        const auto anew = [&] {
            return std::make_unique<SliceWriter>(path, "a", RowRange{first, count}, false, ProtectedInputs());
        };
        const auto another = [](const auto& writer) {
            return fails(ErrorKind::output, {"another program is writing this output"}, writer);
        };
        {
            const auto writer = resuming();
            writer->write(groupOf(0));
            QVERIFY(another(anew));
        }
        {
            const auto writer = anew();
            QVERIFY2(contains(writer->unfinished(), "2 slices of an interrupted run are kept"),
                     writer->unfinished().plain().c_str());
            QVERIFY(another(resuming));
            Reconstruction made = groupOf(0);
            made.image = Volume(count, made.image.height, made.image.width);
            writer->write(made);
            writer->finish({"{}"});
        }
        QStringList hidden;
        const fs::path in = outputKindOf(path) == OutputKind::folder ? path : folder.path();
        for (const std::string& file : namesIn(in))
            if (file.starts_with('.') && fs::file_size(in / file) > 0)
                hidden << QString::fromStdString(file);
        QCOMPARE(hidden, left);
        if (first < 4) // these slices now have their final names
            return;
        if (outputKindOf(path) == OutputKind::hdf5)
            fs::rename(path, folder / "others.h5");
        QCOMPARE(resuming()->done(), 2);
    }

    // An existing output is not resumed, and the refused run leaves no files that could block a later one.
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
#include "slice_writer_resume_test.moc"
