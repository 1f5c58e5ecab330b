// SPDX-License-Identifier: GPL-3.0-or-later
// Things dropped on the window: a scan, a session or a recipe opens; anything else gets one sentence, and what was
// open stays.
#include "engine/io/slices/write_scan.h"
#include "engine/volume/volume_output.h"
#include "tests/ui/fixtures.h"

using namespace ui;
using namespace fixtures;

class DropTest : public QObject
{
    Q_OBJECT

    bool drop(QWidget& window, const QStringList& names) const
    {
        QList<QUrl> urls;
        for (const QString& name : names)
            urls << QUrl::fromLocalFile(m_folder.file(name));
        return fixtures::drop(window, urls);
    }
    void write(const char* name, const QByteArray& content) const
    {
        QFile file(m_folder.file(QLatin1String(name)));
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write(content) == content.size());
    }
    void writeScan(const char* name, int size) const
    {
        engine::writeScan(*smallScan(size, 60, 4), nullptr, engine::ScanFormat::dxchange, m_folder / name, true);
    }

  private slots:
    void initTestCase()
    {
        writeScan("first.h5", 40);
        writeScan("second.h5", 56);
        QDir(m_folder.file({})).mkdir(QStringLiteral("empty"));
        write("broken.h5", "this is no HDF5");
        write("broken.tif", QByteArray("II*\0\xff\xff\xff\xff", 8));
        write("broken.sinoscope", "{\"version\": 2");
        write("broken.json", "{\"format\": \"something\"}");
        write("note.txt", "a note");
    }

    void scansSessionsAndRecipes()
    {
        Window window;
        QVERIFY(drop(window, {QStringLiteral("first.h5")}));
        QVERIFY2(showsImage(window), qPrintable(window.message()));
        QCOMPARE(window.scan()->sliceSize(), 40);
        chooseValue(child<QComboBox>(window, "interpolation"), "nearest");
        QVERIFY(showsImage(window));
        window.saveSession(m_folder.file(QStringLiteral("a.sinoscope")));
        window.saveRecipe(m_folder.file(QStringLiteral("a.json")));
        QVERIFY(drop(window, {QStringLiteral("second.h5")}));
        QVERIFY(showsImage(window));
        QCOMPARE(window.scan()->sliceSize(), 56);
        chooseValue(child<QComboBox>(window, "interpolation"), "linear");
        QVERIFY(drop(window, {QStringLiteral("a.json")}));
        QVERIFY(showsImage(window));
        QCOMPARE(window.settings().list().settings.size(), std::size_t(2));
        QCOMPARE(window.settings().list().chosen().setting.kernel.interpolation, engine::Interpolation::nearest);
        QVERIFY(drop(window, {QStringLiteral("a.sinoscope")}));
        QVERIFY(showsImage(window));
        QCOMPARE(window.scan()->sliceSize(), 40);
        QCOMPARE(window.settings().list().settings.size(), std::size_t(1));
    }

    void whatCanNotBeOpened_data()
    {
        QTest::addColumn<QStringList>("names");
        QTest::addColumn<QString>("said"); // part of the sentence
        QTest::newRow("two scans") << QStringList{"first.h5", "second.h5"} << "drop one scan";
        QTest::newRow("scan and session") << QStringList{"first.h5", "a.sinoscope"} << "drop one scan";
        QTest::newRow("images") << QStringList{"a.tif", "b.tiff", "c.TIF"} << "3 images were dropped: drop the folder";
        QTest::newRow("folder without a scan") << QStringList{"empty"} << "empty";
        QTest::newRow("broken HDF5") << QStringList{"broken.h5"} << "broken.h5";
        QTest::newRow("broken TIFF") << QStringList{"broken.tif"} << "broken.tif";
        QTest::newRow("broken session") << QStringList{"broken.sinoscope"} << "broken.sinoscope";
        QTest::newRow("broken recipe") << QStringList{"broken.json"} << "broken.json";
        QTest::newRow("text") << QStringList{"note.txt"} << "note.txt";
        QTest::newRow("gone") << QStringList{"gone.h5"} << "gone.h5";
    }

    // On the start page, and over an open scan.
    void whatCanNotBeOpened()
    {
        QFETCH(const QStringList, names);
        QFETCH(const QString, said);
        for (const bool open : {false, true}) {
            Window window;
            if (open)
                QVERIFY(window.opensSmall());
            const auto shown = window.shown().a().result;
            const auto scan = window.scan();
            const SettingList list = window.settings().list();
            QVERIFY(drop(window, names));
            QVERIFY(comes([&] { return !window.busy() && !window.message().isEmpty(); }));
            const QString expected =
                !open && said == QLatin1String("broken.json") ? QStringLiteral("Open a scan first") : said;
            QVERIFY2(window.message().contains(expected), qPrintable(window.message()));
            QVERIFY2(!window.message().contains(QLatin1Char('\n')), qPrintable(window.message()));
            QCOMPARE(window.scan(), scan);
            QCOMPARE(window.shown().a().result, shown);
            QVERIFY(window.settings().list() == list);
            QCOMPARE(child<QWidget>(window, "welcome")->isVisible(), !open);
        }
    }

    void onlyFiles()
    {
        Window window;
        QVERIFY(fixtures::drop(window, QList{QUrl(QStringLiteral("https://example.org/scan.h5"))}));
        QVERIFY2(window.message().contains(QStringLiteral("files and folders of this computer")),
                 qPrintable(window.message()));
        QMimeData text;
        text.setText(QStringLiteral("first.h5"));
        QDragEnterEvent enter(QPoint(300, 300), Qt::CopyAction, &text, Qt::LeftButton, Qt::NoModifier);
        enter.ignore();
        QApplication::sendEvent(&window, &enter);
        QVERIFY(!enter.isAccepted());
    }

    // The volume goes on, and its progress stays visible.
    void scanWhileAVolumeIsSaved()
    {
        Window window;
        QVERIFY(window.opensSample("shepp-logan-3d"));
        window.setSlow("exact");
        const auto scan = window.scan();
        const QString volume = m_folder.file(QStringLiteral("volume.h5"));
        window.saveVolume({.path = volume.toStdString(), .overwrite = false, .stored = {}});
        for (const char* name : {"first.h5", "a.sinoscope"}) {
            QVERIFY(drop(window, {QLatin1String(name)}));
            QVERIFY2(window.message().contains(QStringLiteral("being saved")), qPrintable(window.message()));
            QVERIFY(window.message().contains(QLatin1String(name)));
            QVERIFY(!window.busy());
            QCOMPARE(window.scan(), scan);
        }
        QVERIFY(child<QWidget>(*child<QWidget>(window, "messageBar"), "cancel")->isVisible());
        window.cancel();
        QVERIFY(comes([&] { return window.message().contains(QStringLiteral("Cancelled")); }));
        QVERIFY(!QFile::exists(volume));
    }

  private:
    TemporaryFolder m_folder;
};

SINOSCOPE_TEST(DropTest, QApplication)
#include "drop_test.moc"
