// SPDX-License-Identifier: GPL-3.0-or-later
// Files and text from the window: images, profiles, volumes, the command line that repeats them, pictures of the
// window.
#include "engine/io/slices/slice_writer.h"
#include "engine/volume/write_volume.h"
#include "tests/ui/fixtures.h"

#include <QAbstractButton>
#include <QClipboard>
#include <QFileInfo>
#include <QImage>
#include <QMessageBox>
#include <QProcess>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTimer>

#include <cmath>
#include <span>

using namespace ui;
using namespace fixtures;

class SavingTest : public QObject
{
    Q_OBJECT

  private slots:
    void init() { m_window = std::make_unique<Window>(); }
    void cleanup() { m_window.reset(); }

    void saves()
    {
        QVERIFY(m_window->opensSmall());
        TemporaryFolder folder;
        QSignalSpy saved(m_window.get(), &MainWindow::saved);
        int count = 0;
        const auto done = [&] { return comes([&] { return saved.count() == count; }); };

        const QString tiff = folder.file(QStringLiteral("a.tiff"));
        m_window->saveImage(tiff);
        ++count;
        QVERIFY2(done(), qPrintable(m_window->message()));
        const engine::Volume read = engine::readTiffImage(tiff.toStdString());
        const Plane& a = m_window->shown().planeA();
        QCOMPARE(read.width, a.grid.width);
        QVERIFY(std::equal(read.values.begin(), read.values.end(), a.values().begin(), a.values().end()));

        const QString difference = folder.file(QStringLiteral("difference.tif"));
        m_window->saveDifference(difference);
        ++count;
        QVERIFY(done());
        const engine::Volume apart = engine::readTiffImage(difference.toStdString());
        const std::span<const float> b = m_window->shown().planeB().values();
        for (std::size_t i = 0; i < apart.values.size(); ++i)
            QCOMPARE(apart.values[i], a.values()[i] - b[i]);

        m_window->saveImage(folder.file(QStringLiteral("a.png")));
        ++count;
        QVERIFY(done());
        QCOMPARE(QImage(folder.file(QStringLiteral("a.png"))).size(), QSize(a.grid.width, a.grid.height));
        m_window->saveProfile(folder.file(QStringLiteral("profile.csv")));
        ++count;
        QVERIFY(done());
        QVERIFY(QFileInfo(folder.file(QStringLiteral("profile.csv"))).size() > 100);
        m_window->saveVolume({.path = folder / "volume.h5", .overwrite = false, .stored = {}});
        ++count;
        QVERIFY2(done(), qPrintable(m_window->message()));
        QVERIFY2(m_window->message().contains(QStringLiteral("was the limit")), qPrintable(m_window->message()));
        QVERIFY(QFileInfo(folder.file(QStringLiteral("volume.h5"))).size() > 64 * 48 * 48);
        m_window->saveVolume({.path = folder / "slices", .overwrite = false, .stored = {}});
        ++count;
        QVERIFY2(done(), qPrintable(m_window->message()));
        QCOMPARE(QDir(folder.file(QStringLiteral("slices"))).entryList({QStringLiteral("*.tif*")}).size(), 16);

        QSignalSpy failed(m_window.get(), &MainWindow::failed);
        const QString impossible = tiff + QStringLiteral("/a.tiff"); // a file is not a folder
        m_window->saveImage(impossible);
        QVERIFY(comes([&] { return failed.count() == 1; }));
        QVERIFY(m_window->message().contains(QStringLiteral("a.tiff")));
        m_window->saveImage(folder.file(QStringLiteral("a.gif")));
        QVERIFY(comes([&] { return failed.count() == 2; }));
        QCOMPARE(saved.count(), count);
    }

    // While `exact` is running, only a coarse preview exists.
    void previewIsNotSaved()
    {
        TemporaryFolder folder;
        m_window->setSlow("exact");
        m_window->openSimulation(simulationOf(engine::Phantom::disc, 1024, 1000), QStringLiteral("large"));
        QVERIFY(comes([&] { return m_window->shown().a().result && m_window->shown().a().isPreview(); }));
        QSignalSpy failed(m_window.get(), &MainWindow::failed), saved(m_window.get(), &MainWindow::saved);
        m_window->saveImage(folder.file(QStringLiteral("a.tif")));
        QVERIFY2(m_window->message().contains(QStringLiteral("preview")), qPrintable(m_window->message()));
        m_window->saveProfile(folder.file(QStringLiteral("a.csv")));
        m_window->saveDifference(folder.file(QStringLiteral("d.tif")));
        QCOMPARE(failed.count(), 3);
        QCOMPARE(saved.count(), 0);
        QCOMPARE(entriesOf(folder), QStringList());
        trigger(*m_window, Qt::Key_Escape);
    }

    void cancelledSaveLeavesNothing()
    {
        QVERIFY(m_window->opensSample("shepp-logan-3d"));
        m_window->setSlow("exact");
        TemporaryFolder folder;
        QSignalSpy saved(m_window.get(), &MainWindow::saved);
        for (const char* name : {"volume.h5", "slices"}) {
            m_window->saveVolume({.path = folder / name, .overwrite = false, .stored = {}});
            QVERIFY(comes([&] { return !entriesOf(folder).isEmpty(); })); // writing has started
            trigger(*m_window, Qt::Key_Escape);
            QVERIFY(comes([&] { return m_window->message().contains(QStringLiteral("Cancelled")); }));
        }
        QCOMPARE(saved.count(), 0);
        QCOMPARE(entriesOf(folder), QStringList());
    }

    // Closing the window asks before it discards a volume that is being saved; a signal to end doesn't ask.
    void closingAsksWhileSaving()
    {
        QVERIFY(m_window->opensSample("shepp-logan-3d"));
        m_window->setSlow("exact");
        TemporaryFolder folder;
        m_window->saveVolume({.path = folder / "volume.h5", .overwrite = false, .stored = {}});
        QVERIFY(comes([&] { return !entriesOf(folder).isEmpty(); }));
        QString question;
        const auto answer = [&](const QString& label) {
            QTimer::singleShot(100, m_window.get(), [&question, label] {
                auto* box = qobject_cast<QMessageBox*>(QApplication::activeModalWidget());
                if (!box)
                    return;
                question = box->text();
                for (QAbstractButton* button : box->buttons())
                    if (button->text().remove(u'&') == label)
                        button->click();
            });
        };
        answer(QStringLiteral("Keep saving"));
        QVERIFY(!m_window->close());
        QVERIFY2(question.contains(QStringLiteral("volume.h5")), qPrintable(question));
        QVERIFY(m_window->isVisible() && !entriesOf(folder).isEmpty());
        answer(QStringLiteral("Discard and quit"));
        QVERIFY(m_window->close());
        QVERIFY(comes([&] { return entriesOf(folder).isEmpty(); }));
    }

    void commandLineRepeatsTheImage()
    {
        const QString program = QStringLiteral(SINOSCOPE_BIN_DIR "/sinoscope-cli");
        if (!QFile::exists(program))
            QSKIP("sinoscope-cli is not built");
        QVERIFY(m_window->opensSmall());
        chooseValue(child<QComboBox>(*m_window, "interpolation"), int(engine::Interpolation::oversampled));
        chooseValue(child<QComboBox>(*m_window, "filter"), "butterworth");
        child<QSpinBox>(*m_window, "order")->setValue(3);
        child<QDoubleSpinBox>(*m_window, "axisBins")->setValue(24.25);
        QVERIFY(settles(*m_window));
        trigger(*m_window, QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_C));
        const QString command = QGuiApplication::clipboard()->text();
        TemporaryFolder folder;
        QProcess shell;
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert(QStringLiteral("PATH"), QStringLiteral(SINOSCOPE_BIN_DIR ":") + environment.value("PATH"));
        shell.setProcessEnvironment(environment);
        shell.setWorkingDirectory(folder.file({}));
        shell.start(QStringLiteral("/bin/sh"), {QStringLiteral("-c"), command});
        QVERIFY(shell.waitForFinished(patienceMs));
        QVERIFY2(shell.exitCode() == 0, qPrintable(command + shell.readAllStandardError()));
        const QStringList files = QDir(folder.file({})).entryList({QStringLiteral("*.tif")});
        QCOMPARE(files.size(), 1);
        const engine::Volume made = engine::readTiffImage(folder.file(files.front()).toStdString());
        const std::span<const float> a = m_window->shown().planeA().values();
        QCOMPARE(made.values.size(), a.size());
        for (std::size_t i = 0; i < a.size(); ++i)
            QVERIFY(std::abs(made.values[i] - a[i]) < 1e-6);
    }

    void picturesFromTheCommandLine()
    {
        const QString program = QStringLiteral(SINOSCOPE_BIN_DIR "/sinoscope");
        if (!QFile::exists(program))
            QSKIP("sinoscope is not built");
        TemporaryFolder folder;
        const QString picture = folder.file(QStringLiteral("window.png"));
        QProcess process;
        process.start(program, {QStringLiteral("--sample"), QStringLiteral("disc"), QStringLiteral("--interpolation"),
                                QStringLiteral("nearest"), QStringLiteral("--window-size"), QStringLiteral("1400x700"),
                                QStringLiteral("--screenshot"), picture});
        QVERIFY(process.waitForFinished(patienceMs));
        QCOMPARE(process.exitCode(), 0);
        QCOMPARE(QImage(picture).size() / m_window->devicePixelRatio(), QSize(1400, 700));
        const QList<QStringList> wrong = {{QStringLiteral("/missing.h5"), QStringLiteral("--screenshot"), picture},
                                          {QStringLiteral("--interpolation"), QStringLiteral("cubik")},
                                          {QStringLiteral("--method"), QStringLiteral("magic")},
                                          {QStringLiteral("--size"), QStringLiteral("huge")}, // its former name
                                          {QStringLiteral("--window-size"), QStringLiteral("huge")},
                                          {QStringLiteral("--screenshot"), folder.file(QStringLiteral("window.jpg"))},
                                          {QStringLiteral("--sample"), QStringLiteral("cat")}};
        for (const QStringList& arguments : wrong) {
            process.start(program, arguments);
            QVERIFY(process.waitForFinished(patienceMs));
            const QString said = QString::fromUtf8(process.readAllStandardError());
            QCOMPARE(process.exitCode(), 2);
            QVERIFY2(said.contains(arguments.back()) || said.contains(arguments.front()), qPrintable(said));
        }
    }

  private:
    std::unique_ptr<Window> m_window;
};

SINOSCOPE_TEST(SavingTest, QApplication)
#include "saving_test.moc"
