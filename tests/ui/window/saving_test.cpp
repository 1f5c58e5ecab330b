// SPDX-License-Identifier: GPL-3.0-or-later
// Files and text from the window: images, profiles, volumes, the command line that repeats them, pictures of the
// window.
#include "engine/io/slices/slice_writer.h"
#include "engine/io/slices/volume_journal.h"
#include "engine/volume/write_volume.h"
#include "tests/ui/fixtures.h"
#include "ui/saving/save_volume_dialog.h"

#include <QAbstractButton>
#include <QClipboard>
#include <QFileInfo>
#include <QImage>
#include <QMessageBox>
#include <QProcess>
#include <QPushButton>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTimer>
#include <QToolButton>

#include <cmath>
#include <span>
#include <stdexcept>

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
        const GridSlice& a = m_window->shown().planeA();
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

    void discardedSaveLeavesNothing()
    {
        QVERIFY(m_window->opensSample("shepp-logan-3d"));
        m_window->setSlow("exact");
        TemporaryFolder folder;
        QSignalSpy saved(m_window.get(), &MainWindow::saved);
        for (const char* name : {"volume.h5", "slices", "deflated.h5"}) {
            const int level = std::string(name) == "deflated.h5";
            m_window->saveVolume({.path = folder / name,
                                  .overwrite = false,
                                  .stored = {engine::OutputFormat::Type::float32, {}, level}});
            QVERIFY(comes([&] { return !entriesOf(folder).isEmpty(); })); // writing has started
            const QStringList offered = cancel(QStringLiteral("Discard"));
            QCOMPARE(offered.contains(QStringLiteral("Keep the finished slices")), level == 0);
            QVERIFY(comes([&] { return m_window->message().contains(QStringLiteral("Cancelled")); }));
        }
        QCOMPARE(saved.count(), 0);
        QCOMPARE(entriesOf(folder), QStringList());
    }

    // Esc used to cancel a volume that took hours. The button Cancel asks; what it keeps is continued.
    void volumeIsKeptAndContinued_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<bool>("dies"); // with the window, as if it had crashed
        for (const char* name : {"volume.h5", "slices"})
            for (const bool dies : {false, true})
                QTest::addRow("%s%s", name, dies ? ", after the window has ended" : "") << QString(name) << dies;
    }

    void volumeIsKeptAndContinued()
    {
        QFETCH(const QString, name);
        QFETCH(const bool, dies);
        TemporaryFolder folder;
        const engine::VolumeOutput output{.path = folder / name.toStdString(), .overwrite = false, .stored = {}};
        const QString place = name == QStringLiteral("slices") ? folder.file(name) : folder.file({});
        const auto opens = [&] {
            m_window->openSimulation(simulationOf(engine::Phantom::sheppLogan3d, 128, 128, 64), QStringLiteral("head"));
            QVERIFY(showsImage(*m_window));
            m_window->setSlow("exact");
            QVERIFY(settles(*m_window));
        };
        opens();
        QSignalSpy saved(m_window.get(), &MainWindow::saved);
        m_window->saveVolume(output);
        const auto stored = [&] { // bytes of the journal
            const QStringList journals =
                QDir(place).entryList({QStringLiteral("*.resume")}, QDir::Files | QDir::Hidden);
            return journals.isEmpty() ? 0 : contentOf(place + u'/' + journals.front()).count("\"sums\"");
        };
        QVERIFY(comes([&] { return stored() > 0; }));
        trigger(*m_window, Qt::Key_Escape);
        QVERIFY2(m_window->message().startsWith(QStringLiteral("Saving")), qPrintable(m_window->message()));
        cancel(QStringLiteral("Go on"));
        QVERIFY2(m_window->message().startsWith(QStringLiteral("Saving")), qPrintable(m_window->message()));
        if (dies) {
            m_window->endFromOutside();
            m_window = std::make_unique<Window>();
            opens();
        } else {
            cancel(QStringLiteral("Keep the finished slices"));
            QVERIFY(comes([&] { return m_window->message().contains(QStringLiteral("are kept")); }));
        }
        QVERIFY(saved.isEmpty() && stored() > 0);
        QVERIFY(!QFile::exists(folder.file(QStringLiteral("volume.h5"))));
        triggerAndLook<SaveVolumeDialog>(*m_window, QKeySequence(Qt::CTRL | Qt::Key_E), [&](SaveVolumeDialog& dialog) {
            const bool isFolder = name == QStringLiteral("slices");
            chooseValue(child<QComboBox>(dialog, "volumeKind"),
                        int(isFolder ? engine::OutputKind::folder : engine::OutputKind::hdf5));
            child<QLineEdit>(dialog, "volumeFolder")->setText(folder.file({}));
            child<QLineEdit>(dialog, "volumeName")->setText(name);
            const QString needs = child<QLabel>(dialog, "volumeNeeds")->text();
            QVERIFY2(needs.contains(QStringLiteral("of an interrupted run are stored")), qPrintable(needs));
        });
        QSignalSpy savedAgain(m_window.get(), &MainWindow::saved);
        if (dies)
            m_window->saveVolume(output);
        else
            button(QStringLiteral("Continue"))->click();
        QVERIFY2(comes([&] { return savedAgain.count() == 1; }), qPrintable(m_window->message()));
        QVERIFY2(m_window->message().contains(QStringLiteral("slices were computed before")),
                 qPrintable(m_window->message()));
        QCOMPARE(QDir(place).entryList({QStringLiteral(".*")}, QDir::Files | QDir::Hidden), QStringList());
    }

    // Slices of another request under the same name aren't continued: the window offers to begin again.
    void otherSlicesAreNotContinued()
    {
        TemporaryFolder folder;
        const engine::VolumeOutput output{.path = folder / "volume.h5", .overwrite = false, .stored = {}};
        QVERIFY(m_window->opensSmall());
        engine::VolumeJournal(folder / ".volume.h5.resume", "{\"filter\": \"other\", \"slices\": [0, 16]}");
        QSignalSpy saved(m_window.get(), &MainWindow::saved), failed(m_window.get(), &MainWindow::failed);
        m_window->saveVolume(output);
        QVERIFY(comes([&] { return failed.count() == 1; }));
        QVERIFY2(m_window->message().contains(QStringLiteral("reconstructed differently")),
                 qPrintable(m_window->message()));
        QVERIFY2(!m_window->message().contains(QStringLiteral("resume”")), qPrintable(m_window->message()));
        button(QStringLiteral("Reconstruct all slices"))->click();
        QVERIFY2(comes([&] { return saved.count() == 1; }), qPrintable(m_window->message()));
        QCOMPARE(entriesOf(folder), QStringList{QStringLiteral("volume.h5")});
    }

    // Temporary files that can't be removed used to be left without a word.
    void whatCantBeRemovedIsNamed()
    {
        TemporaryFolder folder;
        QVERIFY(m_window->opensSample("shepp-logan-3d"));
        m_window->setSlow("exact");
        m_window->saveVolume({.path = folder / "volume.h5", .overwrite = true, .stored = {}});
        QVERIFY(comes([&] { return !entriesOf(folder).isEmpty(); }));
        const QString file = folder.file(entriesOf(folder).front());
        QVERIFY(QFile::remove(file) && QDir().mkpath(file)); // a folder can't be removed like a file
        cancel(QStringLiteral("Discard"));
        QVERIFY2(comes([&] { return m_window->message().contains(QStringLiteral("can't be removed")); }),
                 qPrintable(m_window->message()));
        QVERIFY2(m_window->message().contains(QFileInfo(file).fileName()), qPrintable(m_window->message()));
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
        chooseValue(child<QComboBox>(*m_window, "interpolation"), "oversampled:4");
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
    QPushButton* button(const QString& text) const
    {
        for (QPushButton* button : m_window->findChildren<QPushButton*>())
            if (button->isVisible() && button->text().remove(u'&') == text)
                return button;
        throw std::runtime_error("there is no button " + text.toStdString());
    }

    // Presses Cancel, and gives an answer. Returns the answers that were offered.
    QStringList cancel(const QString& label)
    {
        QStringList offered;
        QTimer again;
        QObject::connect(&again, &QTimer::timeout, &again, [&] {
            auto* box = qobject_cast<QMessageBox*>(QApplication::activeModalWidget());
            for (QAbstractButton* each : box ? box->buttons() : QList<QAbstractButton*>()) {
                offered << each->text().remove(u'&');
                if (offered.back() == label)
                    QMetaObject::invokeMethod(each, &QAbstractButton::click, Qt::QueuedConnection);
            }
            if (box)
                again.stop();
        });
        again.start(20);
        child<QToolButton>(*child<QFrame>(*m_window, "messageBar"), "cancel")->click();
        return offered;
    }

    std::unique_ptr<Window> m_window;
};

SINOSCOPE_TEST(SavingTest, QApplication)
#include "saving_test.moc"
