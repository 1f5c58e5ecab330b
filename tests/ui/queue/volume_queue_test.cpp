// SPDX-License-Identifier: GPL-3.0-or-later
// The queue of volumes: processed in order, moved, skipped, paused and continued; it writes the same volumes as the
// command line.
#include "engine/io/formats/tiff_stack.h"
#include "engine/io/slices/stored_slices.h"
#include "engine/io/slices/volume_journal.h"
#include "engine/io/slices/write_scan.h"
#include "engine/reconstruct/reconstruct.h"
#include "tests/ui/fixtures.h"
#include "ui/queue/queue_dialog.h"
#include "ui/queue/volume_queue.h"
#include "ui/saving/save_volume_dialog.h"

#include <QCheckBox>
#include <QDesktopServices>
#include <QFileInfo>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSettings>
#include <QSignalSpy>
#include <QTableWidget>
#include <QUrl>

#include <algorithm>

using namespace ui;
using namespace fixtures;
using State = VolumeQueue::State;

namespace
{

QString scanIn(const TemporaryFolder& folder, const QString& name, int size = 32, int slices = 4)
{
    const engine::Simulation simulation = simulationOf(engine::Phantom::sheppLogan3d, size, 2 * size, slices);
    const QString path = folder.file(name);
    engine::writeScan(*engine::simulate(simulation), &simulation, engine::ScanFormat::dxchange, path.toStdString(),
                      false);
    return path;
}

engine::QueuedVolume volumeOf(const QString& scan, const QString& output, const std::string& method = "cpu")
{
    engine::QueuedVolume volume{
        .scan = scan.toStdString(), .named = "mine", .recipe = {}, .opened = {}, .resources = {}, .output = {}};
    volume.recipe.setting.kernel.method = method;
    volume.recipe.setting.filter.window = engine::Window::hann;
    volume.output.path = output.toStdString();
    return volume;
}

// Returns a volume that takes long enough to be stopped: one thread, the exact method.
engine::QueuedVolume slowVolume(const QString& scan, const QString& output)
{
    engine::QueuedVolume volume = volumeOf(scan, output, "exact");
    volume.resources.threads = 1;
    return volume;
}

std::vector<State> statesOf(const VolumeQueue& queue)
{
    std::vector<State> states;
    for (const VolumeQueue::Item& item : queue.items())
        states.push_back(item.state);
    return states;
}

QStringList storedIn(QSettings& settings)
{
    settings.beginGroup("queuedVolumes");
    const QStringList ids = settings.childKeys();
    settings.endGroup();
    return ids;
}

QString outputsOf(const VolumeQueue& queue)
{
    std::string text;
    for (const VolumeQueue::Item& item : queue.items())
        text += item.volume.output.path.filename().string();
    return QString::fromStdString(text);
}

// Opens URLs in place of the desktop.
class OpenedUrls : public QObject
{
    Q_OBJECT
  public:
    QList<QUrl> urls;

  public slots:
    void open(const QUrl& url) { urls << url; }
};

} // namespace

class VolumeQueueTest : public QObject
{
    Q_OBJECT

  private slots:
    void oneAfterTheOther()
    {
        const TemporaryFolder folder;
        const QString scan = scanIn(folder, "a.h5"), other = scanIn(folder, "b.h5", 40);
        QSettings settings(folder.file("queue.ini"), QSettings::IniFormat);
        VolumeQueue queue;
        queue.keepIn(settings);
        queue.add(volumeOf(scan, folder.file("1.h5")));
        queue.add(volumeOf(folder.file("nowhere.h5"), folder.file("2.h5")));
        queue.add(volumeOf(other, folder.file("3")));
        QVERIFY(fails(engine::ErrorKind::badRequest, {"in the queue already"},
                      [&] { queue.add(volumeOf(other, folder.file("3"))); }));
        QVERIFY(fails(engine::ErrorKind::output, {"exists already"}, [&] { queue.add(volumeOf(scan, other)); }));
        QCOMPARE(queue.waiting(), 3);
        QSignalSpy finished(&queue, &VolumeQueue::finished);
        queue.setPaused(false);
        QVERIFY(comes([&] { return finished.count() == 1; }));
        QVERIFY((statesOf(queue) == std::vector{State::done, State::failed, State::done}));
        QVERIFY2(queue.items()[1].text.contains("nowhere.h5"), qPrintable(queue.items()[1].text));
        QVERIFY(queue.items()[0].text.contains("15.50"));
        QCOMPARE(engine::readSlice({(folder / "1.h5")}, 3).image.width, 32);
        QVERIFY(QFileInfo::exists(folder.file("3/b_00003.tiff")));
        QCOMPARE(storedIn(settings).size(), 1); // the failed volume
        queue.remove(1);
        QVERIFY(storedIn(settings).isEmpty());
    }

    // A volume of a scan that contradicts itself is written, and its entry has the reasons. The queue pauses after it
    // if the user wants so.
    void doubtfulVolumes()
    {
        const TemporaryFolder folder;
        const engine::Simulation simulation = simulationOf(engine::Phantom::sheppLogan3d, 32, 64, 4);
        engine::Scan dim = *engine::simulate(simulation);
        dim.read = [read = dim.read](engine::RowRange rows, const std::stop_token& stop) {
            engine::RawRows raw = read(rows, stop);
            engine::Values& values = raw.data.floats();
            std::fill_n(values.begin(), values.size() / 4, 0.0F);
            return raw;
        };
        const QString scan = folder.file("dim.h5");
        engine::writeScan(dim, &simulation, engine::ScanFormat::dxchange, scan.toStdString(), false);
        QSettings settings(folder.file("queue.ini"), QSettings::IniFormat);
        VolumeQueue queue;
        queue.keepIn(settings);
        QueueDialog dialog(queue, {}, folder.file({}), nullptr);
        dialog.findChild<QCheckBox*>("queuePauses")->setChecked(true);
        queue.add(volumeOf(scan, folder.file("1.h5")));
        queue.add(volumeOf(scanIn(folder, "a.h5"), folder.file("2.h5")));
        QSignalSpy paused(&queue, &VolumeQueue::pausedAtDoubt), finished(&queue, &VolumeQueue::finished);
        queue.setPaused(false);
        QVERIFY(comes([&] { return paused.count() == 1; }));
        QVERIFY(queue.isPaused());
        QVERIFY((statesOf(queue) == std::vector{State::doubtful, State::waiting}));
        QVERIFY2(queue.items()[0].text.contains("16 of 64 projections"), qPrintable(queue.items()[0].text));
        QVERIFY(dialog.findChild<QLabel*>("queueState")->text().contains("1 doubtful"));
        QCOMPARE(storedIn(settings).size(), 1);
        queue.setPaused(false);
        QVERIFY(comes([&] { return finished.count() == 1; }));
        QVERIFY((statesOf(queue) == std::vector{State::doubtful, State::done}));
        OpenedUrls opened;
        QDesktopServices::setUrlHandler("file", &opened, "open");
        emit dialog.findChild<QTableWidget*>("queueTable")->cellDoubleClicked(0, 0);
        QDesktopServices::unsetUrlHandler("file");
        QCOMPARE(opened.urls, QList<QUrl>{QUrl::fromLocalFile(folder.file("1.h5"))});
        VolumeQueue later;
        later.keepIn(settings);
        QVERIFY(later.pausesAtDoubts());
    }

    // After a restart a failed volume is not waiting: it shows the reason until the user tries it again.
    void failuresAreKept()
    {
        const TemporaryFolder folder;
        QSettings settings(folder.file("queue.ini"), QSettings::IniFormat);
        VolumeQueue queue;
        queue.keepIn(settings);
        queue.add(volumeOf(folder.file("nowhere.h5"), folder.file("1.h5")));
        QSignalSpy finished(&queue, &VolumeQueue::finished);
        queue.setPaused(false);
        QVERIFY(comes([&] { return finished.count() == 1; }));
        VolumeQueue later;
        later.keepIn(settings);
        QVERIFY((statesOf(later) == std::vector{State::failed}));
        QVERIFY2(later.items()[0].text.contains("nowhere.h5"), qPrintable(later.items()[0].text));
        later.again(0);
        QVERIFY((statesOf(later) == std::vector{State::waiting}));
        VolumeQueue last;
        last.keepIn(settings);
        QVERIFY((statesOf(last) == std::vector{State::waiting}));
        QCOMPARE(storedIn(settings).size(), 1);
    }

    // A volume that another window is writing waits, and the next one is taken. If the other window ends without
    // completing it, this one does.
    void twoWindowsShareAQueue_data()
    {
        QTest::addColumn<bool>("overwrites"); // the output then has no journal
        QTest::addRow("that can be continued") << false;
        QTest::addRow("that can't be continued") << true;
    }

    void twoWindowsShareAQueue()
    {
        QFETCH(const bool, overwrites);
        const TemporaryFolder folder;
        const QString large = scanIn(folder, "large.h5", 128, 64), small = scanIn(folder, "small.h5");
        QSettings settings(folder.file("queue.ini"), QSettings::IniFormat);
        auto first = std::make_unique<VolumeQueue>();
        first->keepIn(settings);
        engine::QueuedVolume slow = slowVolume(large, folder.file("1.h5"));
        slow.output.overwrite = overwrites;
        first->add(slow);
        first->add(volumeOf(small, folder.file("2.h5")));
        first->setPaused(false);
        QVERIFY(comes([&] { return first->current() == 0 && !entriesOf(folder).filter(".1.h5.").isEmpty(); }));
        VolumeQueue second;
        second.keepIn(settings);
        QSignalSpy finished(&second, &VolumeQueue::finished);
        second.setPaused(false);
        QVERIFY(comes([&] { return second.count(State::done) == 1; }));
        QVERIFY((statesOf(second) == std::vector{State::waiting, State::done}));
        QVERIFY(second.items()[0].isInUse);
        QVERIFY(first->current() == 0 && finished.isEmpty());
        first.reset(); // as if its window was closed
        QVERIFY(comes([&] { return second.current() == 0; }));
        QVERIFY(comes([&] { return finished.count() == 1; }));
        QVERIFY((statesOf(second) == std::vector{State::done, State::done}));
        QVERIFY(QFileInfo::exists(folder.file("1.h5")) && QFileInfo::exists(folder.file("2.h5")));
        QVERIFY(storedIn(settings).isEmpty());
        QCOMPARE(entriesOf(folder).filter("lock"), QStringList());
    }

    // The same for an output that the command line is writing.
    void waitsForOtherPrograms()
    {
        const TemporaryFolder folder;
        const QString scan = scanIn(folder, "a.h5");
        auto journal = std::make_unique<engine::VolumeJournal>(folder / ".1.h5.resume", "{}");
        VolumeQueue queue;
        queue.add(volumeOf(scan, folder.file("1.h5")));
        queue.add(volumeOf(scan, folder.file("2.h5")));
        QSignalSpy finished(&queue, &VolumeQueue::finished);
        queue.setPaused(false);
        QVERIFY(comes([&] { return queue.count(State::done) == 1; }));
        QVERIFY((statesOf(queue) == std::vector{State::waiting, State::done}));
        QVERIFY(finished.isEmpty());
        journal->remove();
        journal.reset();
        QVERIFY(comes([&] { return finished.count() == 1; }));
        QVERIFY((statesOf(queue) == std::vector{State::done, State::done}));
    }

    // The volume that the other window has completed meanwhile isn't made again.
    void takesNothingThatIsDone()
    {
        const TemporaryFolder folder;
        const QString scan = scanIn(folder, "a.h5");
        QSettings settings(folder.file("queue.ini"), QSettings::IniFormat);
        VolumeQueue first, second;
        first.keepIn(settings);
        engine::QueuedVolume volume = volumeOf(scan, folder.file("1.h5"));
        volume.output.stored.deflateLevel = 1;
        first.add(volume);
        second.keepIn(settings);
        QCOMPARE(second.waiting(), 1);
        QSignalSpy finished(&first, &VolumeQueue::finished), none(&second, &VolumeQueue::finished);
        first.setPaused(false);
        QVERIFY(comes([&] { return finished.count() == 1; }));
        second.setPaused(false);
        QVERIFY(comes([&] { return none.count() == 1; }));
        QCOMPARE(second.count(State::failed), 0);
        QVERIFY(storedIn(settings).isEmpty());
    }

    // A single image is read as a sinogram, since a single projection would be no scan.
    void aSingleSinogram()
    {
        const TemporaryFolder folder;
        const auto scan = smallScan(48, 60);
        engine::Volume image(1, 60, 48);
        const engine::RawRows rows = scan->read({0, 1}, {});
        std::ranges::copy(rows.data.floats(), image.values.begin());
        const QString path = folder.file("sinogram.tif");
        engine::writeTiffImage(path.toStdString(), image, 0, true, {});
        QVERIFY(engine::isSingleTiff(path.toStdString()));
        VolumeQueue queue;
        queue.add(volumeOf(path, folder.file("1.h5")));
        QSignalSpy finished(&queue, &VolumeQueue::finished);
        queue.setPaused(false);
        QVERIFY(comes([&] { return finished.count() == 1; }));
        QVERIFY2((statesOf(queue) == std::vector{State::doubtful}), qPrintable(queue.items()[0].text)); // of its angles
        QCOMPARE(engine::readSlice({(folder / "1.h5")}, 0).image.width, 48);
    }

    void anotherOrder()
    {
        const TemporaryFolder folder;
        VolumeQueue queue;
        for (const char* name : {"1", "2", "3"})
            queue.add(volumeOf(folder.file("a.h5"), folder.file(name)));
        const auto names = [&] {
            std::string text;
            for (const VolumeQueue::Item& item : queue.items())
                text += item.volume.output.path.filename().string();
            return text;
        };
        queue.move(2, -2);
        QCOMPARE(names(), std::string("312"));
        queue.move(0, 1);
        QCOMPARE(names(), std::string("132"));
        queue.move(0, -1);
        queue.move(2, 1);
        queue.move(7, 1);
        QCOMPARE(names(), std::string("132"));
        queue.skip(1);
        QVERIFY((statesOf(queue) == std::vector{State::waiting, State::skipped, State::waiting}));
        queue.again(1);
        queue.remove(0);
        QCOMPARE(names(), std::string("32"));
        QCOMPARE(queue.waiting(), 2);
    }

    // The dialog undoes moves and removals, the last one first; nothing is left to undo afterwards.
    void changesAreUndone()
    {
        const TemporaryFolder folder;
        VolumeQueue queue;
        for (const char* name : {"1", "2", "3"})
            queue.add(volumeOf(folder.file("a.h5"), folder.file(name)));
        queue.skip(1);
        QueueDialog dialog(queue, {}, folder.file({}), nullptr);
        dialog.show();
        auto* const table = child<QTableWidget>(dialog, "queueTable");
        auto* const undo = child<QPushButton>(dialog, "queueUndo");
        const auto press = [&](const char* button, int row) {
            table->selectRow(row);
            child<QPushButton>(dialog, button)->click();
        };
        const QString before = outputsOf(queue);
        QVERIFY(!undo->isEnabled());
        press("queueUp", 1);     // 2 1 3
        press("queueRemove", 0); // 1 3
        press("queueDown", 0);   // 3 1
        press("queueRemove", 1); // 3
        QCOMPARE(queue.items().size(), std::size_t(1));
        for (int k = 0; k < 4; ++k) {
            QVERIFY(undo->isEnabled());
            undo->click();
        }
        QCOMPARE(outputsOf(queue), before);
        QVERIFY((statesOf(queue) == std::vector{State::waiting, State::skipped, State::waiting}));
        QVERIFY(!undo->isEnabled());
    }

    // Paused in the middle, and continued by another window: the same bits as without a pause.
    void pausedAndGoneOnWith()
    {
        const TemporaryFolder folder;
        const QString scan = scanIn(folder, "a.h5", 96, 48);
        const TemporaryFolder beside;
        QSettings settings(beside.file("queue.ini"), QSettings::IniFormat);
        {
            VolumeQueue queue;
            queue.keepIn(settings);
            queue.add(slowVolume(scan, folder.file("v.h5")));
            queue.setPaused(false);
            QVERIFY(comes([&] { return queue.items()[0].fraction > 0.3; }));
            queue.setPaused(true);
            QVERIFY(comes([&] { return queue.current() < 0; }));
            QVERIFY((statesOf(queue) == std::vector{State::waiting}));
            QVERIFY(entriesOf(folder).contains(".v.h5.resume"));
            QVERIFY(!entriesOf(folder).contains("v.h5"));
        }
        VolumeQueue queue;
        queue.keepIn(settings);
        QCOMPARE(queue.waiting(), 1);
        queue.setPaused(false);
        QVERIFY(comes([&] { return queue.items()[0].state == State::done; }));
        engine::writeVolume(slowVolume(scan, folder.file("whole.h5")), {}, {});
        QCOMPARE(entriesOf(folder), (QStringList{"a.h5", "v.h5", "whole.h5"}));
        for (int k = 0; k < 48; ++k) {
            const auto made = engine::readSlice({folder / "v.h5"}, k),
                       whole = engine::readSlice({folder / "whole.h5"}, k);
            QVERIFY(std::ranges::equal(made.image.values, whole.image.values));
        }
    }

    void skipped()
    {
        const TemporaryFolder folder;
        const QString slow = scanIn(folder, "slow.h5", 96, 48), quick = scanIn(folder, "quick.h5");
        VolumeQueue queue;
        queue.add(slowVolume(slow, folder.file("slow")));
        queue.add(volumeOf(quick, folder.file("quick")));
        queue.setPaused(false);
        QVERIFY(comes([&] { return queue.current() == 0 && queue.items()[0].fraction > 0; }));
        queue.move(0, 1); // the running volume is moved, too
        QCOMPARE(queue.current(), 1);
        queue.skip(queue.current());
        QVERIFY(comes([&] { return queue.items()[0].state == State::done; }));
        QVERIFY((statesOf(queue) == std::vector{State::done, State::skipped}));
    }

    // The list as older programs stored it, in one text: all entries are taken over, including unreadable ones.
    void listOfOlderPrograms()
    {
        const TemporaryFolder folder;
        const QString file = folder.file("queue.ini");
        const std::string good = engine::queuedVolumeJson(volumeOf("a.h5", "1.h5"));
        for (const auto& [text, states] :
             {std::pair(std::string(), std::vector<State>{}),
              {"[]", {}},
              {"[" + good + "]", {State::waiting}},
              {"[" + good + ", {\"scan\": 5}, " + engine::queuedVolumeJson(volumeOf("b.h5", "2.h5")) + "]",
               {State::waiting, State::unreadable, State::waiting}},
              {"[1]", {State::unreadable}},
              {"[", {State::unreadable}}}) {
            QFile::remove(file);
            QSettings settings(file, QSettings::IniFormat);
            settings.setValue("queue", QString::fromStdString(text));
            for (int start = 0; start < 2; ++start) {
                VolumeQueue queue;
                queue.keepIn(settings);
                QVERIFY2(statesOf(queue) == states, text.c_str());
            }
            QCOMPARE(storedIn(settings).size(), int(states.size()));
            QVERIFY(settings.value("queue").toString().isEmpty());
        }
    }

    // An unreadable entry stays unchanged until it is removed, whatever happens to the others.
    void unreadableEntry()
    {
        const TemporaryFolder folder;
        QSettings settings(folder.file("queue.ini"), QSettings::IniFormat);
        const QString newer = R"({"scan": "a.h5", "recipe": {"version": 99}, "ours": "äöü; ="})";
        settings.setValue("queuedVolumes/theirs", newer);
        VolumeQueue queue;
        queue.keepIn(settings);
        QVERIFY((statesOf(queue) == std::vector{State::unreadable}));
        QVERIFY2(queue.items()[0].text.contains("missing"), qPrintable(queue.items()[0].text));
        queue.add(volumeOf("a.h5", folder.file("1.h5")));
        queue.add(volumeOf("a.h5", folder.file("2.h5")));
        queue.move(0, 2);
        queue.remove(0);
        queue.again(1);
        queue.skip(1);
        QVERIFY((statesOf(queue) == std::vector{State::waiting, State::unreadable}));
        QCOMPARE(storedIn(settings).size(), 2);
        QCOMPARE(settings.value("queuedVolumes/theirs").toString(), newer);
        QSignalSpy finished(&queue, &VolumeQueue::finished);
        queue.setPaused(false); // the other volumes are written, or fail
        QVERIFY(comes([&] { return finished.count() == 1; }));
        QVERIFY((statesOf(queue) == std::vector{State::failed, State::unreadable}));
        queue.remove(1);
        QCOMPARE(storedIn(settings).size(), 1);
        QVERIFY(!settings.contains("queuedVolumes/theirs"));
    }

    void twoWindows()
    {
        const TemporaryFolder folder;
        const QString file = folder.file("queue.ini");
        QSettings one(file, QSettings::IniFormat), other(file, QSettings::IniFormat);
        VolumeQueue a, b;
        a.keepIn(one);
        b.keepIn(other);
        a.add(volumeOf("a.h5", folder.file("1")));
        b.add(volumeOf("a.h5", folder.file("2"))); // also loads volume 1
        QCOMPARE(outputsOf(b), QString("21"));
        QCOMPARE(outputsOf(a), QString("1"));
        a.add(volumeOf("a.h5", folder.file("3")));
        QCOMPARE(outputsOf(a), QString("132"));
        b.remove(1); // volume 1
        a.move(1, 1);
        QCOMPARE(outputsOf(a), QString("23"));
        b.refresh();
        QCOMPARE(outputsOf(b), QString("23"));
        VolumeQueue later;
        later.keepIn(one);
        QCOMPARE(outputsOf(later), QString("23"));
    }

    // Another program changes only the stored file.
    void twoPrograms()
    {
        const TemporaryFolder folder;
        const QString file = folder.file("queue.ini");
        QSettings settings(file, QSettings::IniFormat);
        VolumeQueue queue;
        queue.keepIn(settings);
        for (const char* name : {"1", "2", "3"})
            queue.add(volumeOf("a.h5", folder.file(name)));
        QFile stored(file);
        QVERIFY(stored.open(QIODevice::ReadOnly));
        QByteArrayList lines = stored.readAll().split('\n');
        stored.close();
        const auto first = std::ranges::find_if(
            lines, [&](const QByteArray& line) { return line.startsWith(queue.items()[0].id.toLatin1()); });
        QVERIFY(first != lines.end());
        QByteArray added = "theirs" + first->mid(first->indexOf('='));
        *first = added.replace(folder.file("1").toUtf8(), folder.file("the other's").toUtf8()); // replaces volume 1
        QVERIFY(stored.open(QIODevice::WriteOnly));
        stored.write(lines.join('\n'));
        stored.close();

        queue.remove(1); // volume 2
        QCOMPARE(outputsOf(queue), QString("3the other's"));
        queue.add(volumeOf("a.h5", folder.file("4")));
        const QSettings again(file, QSettings::IniFormat);
        QVERIFY(stored.open(QIODevice::ReadOnly));
        const QByteArray text = stored.readAll();
        for (const auto& [name, isThere] : {std::pair("1", false), {"2", false}, {"3", true}, {"4", true}})
            QCOMPARE(text.contains(folder.file(name).toUtf8() + "\\\""), isThere);
        QVERIFY(text.contains("the other's"));
    }

    // If another window removes a volume while it is being written, it is completed; a finished volume is not written
    // again.
    void removedElsewhere()
    {
        const TemporaryFolder folder;
        const QString scan = scanIn(folder, "a.h5", 96, 48);
        QSettings settings(folder.file("queue.ini"), QSettings::IniFormat);
        VolumeQueue a, b;
        a.keepIn(settings);
        a.add(slowVolume(scan, folder.file("1.h5")));
        a.add(volumeOf(scan, folder.file("2.h5")));
        b.keepIn(settings);
        a.setPaused(false);
        QCOMPARE(a.current(), 0);
        b.remove(0);
        QSignalSpy finished(&a, &VolumeQueue::finished);
        QVERIFY(comes([&] { return finished.count() == 1; }));
        QVERIFY((statesOf(a) == std::vector{State::done, State::done}));
        QVERIFY(QFileInfo::exists(folder.file("1.h5")) && QFileInfo::exists(folder.file("2.h5")));
        b.setPaused(false);
        QVERIFY(b.items().empty());
    }

    // A recipe's plane is made as by the engine alone, into a file and a folder.
    void planes()
    {
        const TemporaryFolder folder;
        const QString scan = scanIn(folder, "a.h5");
        const std::string plane = "x=12";
        VolumeQueue queue;
        QueueDialog dialog(
            queue, [&](const QString& path) { return volumeOf(path, "volume"); }, folder.file({}), nullptr);
        engine::Recipe recipe = volumeOf(scan, {}).recipe;
        recipe.plane = plane;
        engine::writeRecipe(recipe, folder / "x.json", false, {});
        recipe.plane = "x=32";
        engine::writeRecipe(recipe, folder / "outside.json", false, {});
        engine::QueuedVolume file = volumeOf(scan, folder.file("a.h5.h5"));
        file.recipe.plane = plane;
        queue.add(engine::queuedVolumeFromJson(engine::queuedVolumeJson(file)));
        dialog.chooseRecipe(folder.file("x.json"));
        dialog.addScans({scan, scan});
        dialog.chooseRecipe(folder.file("outside.json"));
        dialog.addScans({scan});
        const auto* table = child<QTableWidget>(dialog, "queueTable");
        QCOMPARE(table->item(1, 1)->text(), QString("x.json: plane x=12"));
        QCOMPARE(table->item(1, 1)->toolTip(), QString("x.json: plane x=12"));
        QCOMPARE(outputsOf(queue), QString("a.h5.h5a_plane_x=12a_plane_x=12_2a_plane_x=32"));
        QSignalSpy finished(&queue, &VolumeQueue::finished);
        queue.setPaused(false);
        QVERIFY(comes([&] { return finished.count() == 1; }));
        QVERIFY2((statesOf(queue) == std::vector{State::done, State::done, State::done, State::failed}),
                 qPrintable(table->item(1, 3)->text()));
        engine::Request request = engine::requestWith(volumeOf(scan, {}).recipe, engine::openScan(scan.toStdString()));
        request.place.part = engine::PlanePart{engine::planeFromText(plane, engine::volumeOf(*request.scan))};
        const engine::Volume expected = engine::Reconstructor().run(request).image;
        for (const char* made : {"a.h5.h5", "a_plane_x=12/a_plane_x=12.tiff", "a_plane_x=12_2/a_plane_x=12.tiff"}) {
            const engine::Volume image = engine::readSlice({folder / made}, 0).image;
            QVERIFY2(image.values == expected.values, made);
        }
        const QString why = queue.items()[3].text;
        QVERIFY2(why.contains("plane x=32") && why.contains("columns 0 to 31"), qPrintable(why));
    }

    // As a user would: from the dialog that saves a volume, and by adding scans with a recipe.
    void inTheWindow()
    {
        const TemporaryFolder folder;
        const QString first = scanIn(folder, "a.h5"), second = scanIn(folder, "b.h5");
        Window window;
        window.open(first);
        QVERIFY(showsImage(window));
        QTimer again;
        connect(&again, &QTimer::timeout, &again, [&] {
            if (auto* dialog = qobject_cast<SaveVolumeDialog*>(QApplication::activeModalWidget())) {
                child<QLineEdit>(*dialog, "volumeFolder")->setText(folder.file({}));
                const auto* needs = child<QLabel>(*dialog, "volumeNeeds");
                if (!needs->text().contains(QStringLiteral("✓ Time: ")))
                    return; // wait until the disks are measured
                QVERIFY2(needs->text().contains(QStringLiteral("✓ Disk: ")) &&
                             needs->text().contains(QStringLiteral("✓ Memory: up to")),
                         qPrintable(needs->text()));
                child<QPushButton>(*dialog, "volumeEnqueue")->click();
            }
        });
        again.start(50);
        trigger(window, Qt::CTRL | Qt::Key_E);
        again.stop();
        QCOMPARE(window.queue().waiting(), 1);
        QVERIFY(!QFileInfo::exists(folder.file("a_reconstruction.h5")));

        window.settings().bring({.filter = {.window = engine::Window::hann}, .axis = {}, .kernel = {}}, "hann");
        QVERIFY(settles(window));
        const QString recipe = folder.file("hann.json");
        window.saveRecipe(recipe);
        auto* dialog = window.findChild<QueueDialog*>();
        QVERIFY(dialog && dialog->isVisible());
        dialog->chooseRecipe(recipe);
        child<QLineEdit>(*dialog, "queueFolder")->setText(folder.file({}));
        dialog->addScans({second, second});
        QCOMPARE(window.queue().waiting(), 3);
        const auto* table = child<QTableWidget>(*dialog, "queueTable");
        QCOMPARE(table->rowCount(), 3);
        QCOMPARE(table->item(1, 1)->text(), QString("hann.json"));
        QVERIFY(table->item(2, 2)->text().endsWith("b_reconstruction_2.h5"));
        dialog->addScans({folder.file("gone.h5")}); // reported when its turn comes
        dialog->chooseRecipe(first);                // not a recipe
        QVERIFY(child<QLabel>(*dialog, "queueProblem")->text().contains("a.h5"));
        child<QPushButton>(*dialog, "queueRun")->click();
        QVERIFY(comes([&] { return window.queue().current() < 0 && window.queue().waiting() == 0; }));
        QVERIFY(QFileInfo::exists(folder.file("a_reconstruction.h5")));
        QVERIFY(QFileInfo::exists(folder.file("b_reconstruction_2.h5")));
        QVERIFY2(table->item(1, 3)->text().startsWith("done"), qPrintable(table->item(1, 3)->text()));
        // The complete reason of a failure can be read, and the state of all volumes is shown.
        const QString why = table->item(3, 3)->text();
        QVERIFY2(why.startsWith("failed: ") && why.contains("gone.h5"), qPrintable(why));
        QCOMPARE(table->item(3, 3)->toolTip(), why);
        const int usual = table->verticalHeader()->defaultSectionSize();
        QCOMPARE(table->rowHeight(1), usual);
        const QFontMetrics letters(table->font());
        const int lines = 1 + letters.horizontalAdvance(why) / table->columnWidth(3);
        QVERIFY(lines > 1);
        QVERIFY(table->rowHeight(3) >= lines * letters.height());
        QCOMPARE(child<QLabel>(*dialog, "queueState")->text(), QString("3 done · 1 failed"));
        dialog->resize(3000, 420); // on one line, if there is room
        QVERIFY(comes([&] { return table->rowHeight(3) < 2 * letters.height() + 4; }));
        dialog->hide();
        window.queue().again(3);
        QVERIFY(comes([&] { return window.message().contains("3 done · 1 failed"); }));
    }

    // Volumes left over from an earlier start are reported at the next start, with a button that shows them.
    void keptWorkIsSaid()
    {
        const TemporaryFolder folder;
        PersistentState state(folder.file("sinoscope.ini"));
        for (const bool isLeft : {false, true}) {
            MainWindow window(state);
            window.show();
            QCOMPARE(window.message().contains("volumes of the queue are still waiting"), isLeft);
            if (!isLeft)
                for (const char* name : {"1", "2"})
                    window.queue().add(volumeOf(folder.file("a.h5"), folder.file(name)));
        }
        MainWindow window(state);
        window.show();
        QVERIFY2(window.message().startsWith("2 volumes"), qPrintable(window.message()));
        window.openSimulation(simulationOf(engine::Phantom::disc, 32, 30), "disc"); // opening keeps the message
        QVERIFY(showsImage(window));
        QVERIFY(comes([&] { return window.message().startsWith("2 volumes"); }));
        for (QPushButton* button : window.findChildren<QPushButton*>())
            if (button->text() == "Show it")
                button->click();
        QVERIFY(window.findChild<QueueDialog*>()->isVisible());
        window.findChild<QueueDialog*>()->hide();
        window.openSimulation(simulationOf(engine::Phantom::disc, 32, 31), "disc");
        QVERIFY(showsImage(window));
        QVERIFY(window.message().isEmpty());
    }

    void unreadableInTheWindow()
    {
        const TemporaryFolder folder;
        PersistentState state(folder.file("sinoscope.ini"));
        state.settings()->setValue("queuedVolumes/theirs", "{}");
        MainWindow window(state);
        window.show();
        QVERIFY2(window.message().contains("can't be read: 1"), qPrintable(window.message()));
        window.showQueue();
        auto* table = window.findChild<QTableWidget*>("queueTable");
        QVERIFY(table && table->rowCount() == 1);
        QCOMPARE(table->item(0, 0)->text(), QString("unreadable entry"));
        QVERIFY2(table->item(0, 3)->text().startsWith("can't be read: a value is missing"),
                 qPrintable(table->item(0, 3)->text()));
        auto* dialog = window.findChild<QueueDialog*>();
        table->selectRow(0);
        QVERIFY(!child<QPushButton>(*dialog, "queueSkip")->isEnabled());
        child<QPushButton>(*dialog, "queueRemove")->click();
        QCOMPARE(table->rowCount(), 0);
        QVERIFY(!state.settings()->contains("queuedVolumes/theirs"));
    }

    void recipeInTheWindow()
    {
        const TemporaryFolder folder;
        const QString scan = scanIn(folder, "a.h5");
        Window window;
        window.openRecipe(folder.file("none.json"));
        QVERIFY(window.message().contains("Open a scan first"));
        window.open(scan);
        QVERIFY(showsImage(window));
        engine::Recipe recipe;
        recipe.setting.filter.window = engine::Window::parzen;
        recipe.opened.angleRangeRad = std::pair(0, std::numbers::pi);
        recipe.opened.angleEndExcluded = true;
        recipe.opened.cone.pixelUMm = 0.5;
        engine::writeRecipe(recipe, folder / "p.json", false, {});
        window.openRecipe(folder.file("p.json"));
        QVERIFY(comes([&] { return window.settings().list().settings.size() == 2; }));
        QVERIFY(settles(window));
        QCOMPARE(window.settings().list().settings.back().name, std::string("p"));
        QVERIFY(window.shown().a().result->request.setting.filter.window == engine::Window::parzen);
        QCOMPARE(window.scan()->pixelSizeMm().value(), 0.5);

        window.saveRecipe(folder.file("again.json"));
        QVERIFY(engine::readRecipe(folder / "again.json") == recipe);
        window.openRecipe(scan);
        QVERIFY2(window.message().contains("a.h5"), qPrintable(window.message()));
        window.saveRecipe(scan); // inputs are never overwritten
        QVERIFY2(window.message().contains("a.h5"), qPrintable(window.message()));
        QVERIFY(engine::openScan(scan.toStdString())->slices() == 4);
    }
};

SINOSCOPE_TEST(VolumeQueueTest, QApplication)
#include "volume_queue_test.moc"
