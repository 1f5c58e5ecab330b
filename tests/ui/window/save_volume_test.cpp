// SPDX-License-Identifier: GPL-3.0-or-later
// Saving a volume from the window: it writes the chosen options, like the command line; nothing is replaced without
// asking.
#include "engine/base/error.h"
#include "engine/io/files/output_format.h"
#include "engine/scan/reinterpreted_scan.h"
#include "tests/ui/fixtures.h"
#include "ui/saving/save_volume_dialog.h"

#include <QDialogButtonBox>
#include <QLabel>
#include <QLineEdit>
#include <QMessageBox>
#include <QProcess>
#include <QPushButton>
#include <QSettings>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTimer>
#include <QVBoxLayout>

#include <hdf5.h>

#include <cstring>

using namespace ui;
using namespace fixtures;
using engine::OutputFormat;
using engine::OutputKind;

namespace
{

// Returns a volume in HDF5 as bytes: the stored numbers, the size of their type, and what the numbers mean.
QByteArray dataSetsOf(const std::string& path)
{
    const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
    const hid_t data = H5Dopen2(file, "/entry/reconstruction/results/data", H5P_DEFAULT), type = H5Dget_type(data),
                space = H5Dget_space(data);
    QByteArray bytes(qsizetype(H5Tget_size(type)) * H5Sget_simple_extent_npoints(space), '\0');
    bool read = H5Dread(data, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, bytes.data()) >= 0;
    const hsize_t stored = H5Dget_storage_size(data);
    bytes.append(reinterpret_cast<const char*>(&stored), sizeof stored);
    bytes.append(char('0' + H5Tget_class(type)));
    for (const char* name : {"scale_factor", "add_offset"})
        if (H5Aexists(data, name) > 0) {
            double value = 0;
            const hid_t attribute = H5Aopen(data, name, H5P_DEFAULT);
            read = read && H5Aread(attribute, H5T_NATIVE_DOUBLE, &value) >= 0;
            bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
            H5Aclose(attribute);
        }
    H5Sclose(space);
    H5Tclose(type);
    H5Dclose(data);
    H5Fclose(file);
    return read ? bytes : QByteArray();
}

QByteArray tiffsOf(const QString& folder)
{
    QByteArray all;
    for (const QString& name : QDir(folder).entryList(QDir::Files))
        all += name.toUtf8() + contentOf(folder + QLatin1Char('/') + name);
    return all;
}

void fill(SaveVolumeDialog& dialog, const QString& folder, const QString& name)
{
    child<QLineEdit>(dialog, "volumeFolder")->setText(folder);
    child<QLineEdit>(dialog, "volumeName")->setText(name);
}

engine::Simulation smallCone()
{
    return coneOf(24, 20, 24, 1.5);
}

QPushButton* saveButton(const SaveVolumeDialog& dialog)
{
    return dialog.findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Save);
}

} // namespace

class SaveVolumeTest : public QObject
{
    Q_OBJECT

  private slots:
    void init() { m_window = std::make_unique<Window>(); }
    void cleanup() { m_window.reset(); }

    void writesWhatTheCommandLineWrites_data()
    {
        QTest::addColumn<int>("type");
        QTest::addColumn<QString>("range");
        QTest::addColumn<int>("level");
        for (const OutputFormat::Type type : engine::outputTypes())
            for (const int level : {0, 1, OutputFormat::mostDeflate})
                QTest::addRow("%s, level %d", engine::toText(type).c_str(), level) << int(type) << QString() << level;
        QTest::newRow("a range that is given") << int(OutputFormat::Type::uint16) << "-0.25:1.5" << 0;
        QTest::newRow("a range that cuts") << int(OutputFormat::Type::uint16) << "0:1e-3" << 3;
    }

    void writesWhatTheCommandLineWrites()
    {
        QFETCH(const int, type);
        QFETCH(const QString, range);
        QFETCH(const int, level);
        const TemporaryFolder folder;
        QCOMPARE(run(folder, {"phantom", "shepp-logan-3d", "--size", "48", "--projections", "60", "--slices", "12",
                              "-o", "head.h5"}),
                 QString());
        m_window->open(folder.file("head.h5"));
        QVERIFY2(showsImage(*m_window), qPrintable(m_window->message()));
        QStringList options{"--output-type", QString::fromStdString(engine::toText(OutputFormat::Type(type))),
                            "--compression", QString::fromStdString(engine::compressionToText(level))};
        if (!range.isEmpty())
            options << "--output-range" << range;
        for (const char* kind : {"hdf5", "folder"}) {
            const bool tiffs = std::strcmp(kind, "folder") == 0;
            QSignalSpy saved(m_window.get(), &MainWindow::saved);
            save([&](SaveVolumeDialog& dialog) {
                chooseValue(child<QComboBox>(dialog, "volumeKind"), int(tiffs ? OutputKind::folder : OutputKind::hdf5));
                fill(dialog, folder.file({}), QStringLiteral("window"));
                chooseValue(child<QComboBox>(dialog, "volumeType"), type);
                chooseValue(child<QComboBox>(dialog, "volumeCompression"), level > 0);
                child<QSpinBox>(dialog, "volumeLevel")->setValue(level);
                if (!range.isEmpty()) {
                    child<QLineEdit>(dialog, "volumeLeast")->setText(range.section(':', 0, 0));
                    child<QLineEdit>(dialog, "volumeMost")->setText(range.section(':', 1, 1));
                }
            });
            QVERIFY2(comes([&] { return saved.count() == 1; }), qPrintable(m_window->message()));
            if (range == "0:1e-3") // values beyond the range are reported
                QVERIFY2(m_window->message().contains("beyond this range were clipped"),
                         qPrintable(m_window->message()));
            const QString output = tiffs ? QStringLiteral("command") : QStringLiteral("command.h5");
            QCOMPARE(run(folder, QStringList{"reconstruct", "head.h5", "-o", output} + options),
                     range == "0:1e-3" ? QString("warning") : QString());
            const QByteArray expected = tiffs ? tiffsOf(folder.file("command")) : dataSetsOf(folder / "command.h5");
            QVERIFY(expected.size() > 1000);
            QVERIFY((tiffs ? tiffsOf(folder.file("window")) : dataSetsOf(folder / "window.h5")) == expected);
        }
    }

    // A range of slices and a drawn rectangle are reconstructed alone: bit for bit as by the command line, and as in
    // the whole volume, apart from rounding.
    void savesAPartAlone()
    {
        constexpr int side = 48, firstSlice = 3, slices = 4;
        constexpr engine::Region region{8, 10, 20, 16};
        const TemporaryFolder folder;
        QCOMPARE(run(folder, {"phantom", "shepp-logan-3d", "--size", "48", "--projections", "60", "--slices", "12",
                              "-o", "head.h5"}),
                 QString());
        m_window->open(folder.file("head.h5"));
        QVERIFY2(showsImage(*m_window), qPrintable(m_window->message()));
        engine::Marks marks = m_window->images().marks();
        marks.add(engine::Area(region));
        marks.add(engine::Area(engine::EllipseArea{20, 20, 6.2, 4.2}));
        m_window->images().editMarks(marks);
        QSignalSpy saved(m_window.get(), &MainWindow::saved);
        save([&](SaveVolumeDialog& dialog) {
            fill(dialog, folder.file({}), "part.h5");
            auto* regions = child<QComboBox>(dialog, "volumeRegion");
            QCOMPARE(regions->count(), 3); // whole slices, and around each area except the disc
            QVERIFY2(regions->itemText(2).contains(QStringLiteral("13 × 9")), qPrintable(regions->itemText(2)));
            QVERIFY(child<QPushButton>(dialog, "volumeEnqueue")->isEnabled());
            child<QSpinBox>(dialog, "volumeFirst")->setValue(firstSlice);
            child<QSpinBox>(dialog, "volumeLast")->setValue(firstSlice + slices - 1);
            regions->setCurrentIndex(1);
            QVERIFY(!child<QPushButton>(dialog, "volumeEnqueue")->isEnabled());
            const QString facts = child<QLabel>(dialog, "volumeFacts")->text();
            QVERIFY2(facts.startsWith(QStringLiteral("4 slices of 20 × 16")), qPrintable(facts));
        });
        QVERIFY2(comes([&] { return saved.count() == 1; }), qPrintable(m_window->message()));
        save([&](SaveVolumeDialog& dialog) { fill(dialog, folder.file({}), "whole.h5"); });
        QVERIFY2(comes([&] { return saved.count() == 2; }), qPrintable(m_window->message()));
        QCOMPARE(
            run(folder, {"reconstruct", "head.h5", "--slices", "3:7", "--region", "8,10,20,16", "-o", "command.h5"}),
            QString());
        const QByteArray part = dataSetsOf(folder / "part.h5"), whole = dataSetsOf(folder / "whole.h5");
        QVERIFY(part == dataSetsOf(folder / "command.h5"));
        constexpr int values = slices * region.height * region.width;
        QVERIFY(part.size() > qsizetype(values * sizeof(float)));
        std::vector<float> ofPart(values), ofWhole(12 * side * side);
        std::memcpy(ofPart.data(), part.data(), ofPart.size() * sizeof(float));
        std::memcpy(ofWhole.data(), whole.data(), ofWhole.size() * sizeof(float));
        const double bound = 2e-6 * *std::ranges::max_element(ofWhole); // as for the image of a region
        for (int k = 0; k < values; ++k) {
            const int column = region.column + k % region.width;
            const int row = region.row + k / region.width % region.height;
            const int slice = firstSlice + k / (region.width * region.height);
            const double there = ofWhole[std::size_t((slice * side + row) * side + column)];
            QVERIFY2(std::abs(ofPart[std::size_t(k)] - there) <= bound, qPrintable(QString::number(k)));
        }
    }

    // What limited the speed can be read later, too.
    void messageStays()
    {
        QVERIFY(m_window->opensSmall());
        const TemporaryFolder folder;
        QSignalSpy saved(m_window.get(), &MainWindow::saved);
        save([&](SaveVolumeDialog& dialog) { fill(dialog, folder.file({}), "v.h5"); });
        QVERIFY(comes([&] { return saved.count() == 1; }));
        QVERIFY2(m_window->message().contains("was the limit"), qPrintable(m_window->message()));
        const auto timers = child<QFrame>(*m_window, "messageBar")->findChildren<QTimer*>(Qt::FindDirectChildrenOnly);
        QCOMPARE(timers.size(), 1); // that ends other messages
        QVERIFY(!timers.front()->isActive());
    }

    // Choosing a last slice before the first one moves the first one, and the other way round.
    void slicesOfAPartStayInOrder()
    {
        PartFields fields(12, {}, engine::RowRange{3, 4});
        QCOMPARE(fields.slices(), (engine::RowRange{3, 4}));
        QWidget row;
        row.setLayout(new QVBoxLayout);
        row.layout()->addWidget(fields.slicesRow());
        row.layout()->addWidget(fields.region());
        QSignalSpy changed(&fields, &PartFields::changed);
        child<QSpinBox>(row, "volumeLast")->setValue(1);
        QCOMPARE(fields.slices(), (engine::RowRange{1, 1}));
        child<QSpinBox>(row, "volumeFirst")->setValue(11);
        QCOMPARE(fields.slices(), (engine::RowRange{11, 1}));
        QCOMPARE(changed.count(), 2);
        QVERIFY(!fields.isWhole());
        child<QPushButton>(row, "volumeAllSlices")->click();
        QVERIFY(fields.isWhole() && !child<QPushButton>(row, "volumeAllSlices")->isEnabled());
        fields.set({}, engine::Region{2, 2, 5, 5}); // of an alternative that fits
        QVERIFY(!fields.isWhole());
        QCOMPARE(fields.chosenRegion(), (engine::Region{2, 2, 5, 5}));
    }

    void replacesOnlyWhatItAskedAbout()
    {
        QVERIFY(m_window->opensSmall());
        const TemporaryFolder folder;
        const QString path = folder.file("volume.h5");
        const auto put = [&](const char* text) {
            QFile file(path);
            QVERIFY(file.open(QIODevice::WriteOnly));
            file.write(text);
        };
        put("older");
        QSignalSpy saved(m_window.get(), &MainWindow::saved), failed(m_window.get(), &MainWindow::failed);
        const auto named = [&](SaveVolumeDialog& dialog) { fill(dialog, folder.file({}), "volume"); };
        save(named, QMessageBox::No);
        QCOMPARE(m_asked, 1);
        QCOMPARE(saved.count() + failed.count(), 0);
        QCOMPARE(contentOf(path), QByteArray("older"));

        save(named, QMessageBox::Yes);
        QVERIFY(comes([&] { return saved.count() == 1; }));
        QCOMPARE(m_asked, 1);
        QVERIFY(contentOf(path).size() > 1000);
        QCOMPARE(entriesOf(folder), QStringList{"volume.h5"});

        // A file that appears after the dialog was closed is not overwritten.
        put("another's");
        m_window->saveVolume({.path = path.toStdString(), .overwrite = false, .stored = {}});
        QVERIFY(comes([&] { return failed.count() == 1; }));
        QVERIFY2(m_window->message().contains("volume.h5") && m_window->message().contains("exists"),
                 qPrintable(m_window->message()));
        QCOMPARE(contentOf(path), QByteArray("another's"));

        const auto asTiffs = [&](SaveVolumeDialog& dialog) {
            fill(dialog, folder.file({}), "slices");
            chooseValue(child<QComboBox>(dialog, "volumeKind"), int(OutputKind::folder));
        };
        save(asTiffs);
        QVERIFY(comes([&] { return saved.count() == 2; }));
        const QByteArray before = tiffsOf(folder.file("slices"));
        save(asTiffs);
        QVERIFY(comes([&] { return failed.count() == 2; }));
        QCOMPARE(m_asked, 0);
        QVERIFY2(m_window->message().contains("exists"), qPrintable(m_window->message()));
        QVERIFY(tiffsOf(folder.file("slices")) == before);
    }

    void offersWhatTheEngineTakes()
    {
        SaveVolumeDialog dialog({"scan_reconstruction", 1200, 2048, 2000, "1/mm"}, "/tmp", {}, nullptr);
        const auto* facts = child<QLabel>(dialog, "volumeFacts");
        auto* type = child<QComboBox>(dialog, "volumeType");
        auto* least = child<QLineEdit>(dialog, "volumeLeast");
        auto* most = child<QLineEdit>(dialog, "volumeMost");
        auto* level = child<QSpinBox>(dialog, "volumeLevel");
        QCOMPARE(type->count(), int(engine::outputTypes().size()));
        QVERIFY2(facts->text().contains("19.7 GB"), qPrintable(facts->text())); // 1200 · 2048 · 2000 · 4
        QVERIFY(!least->isEnabled() && !most->isEnabled() && !level->isEnabled());
        chooseValue(child<QComboBox>(dialog, "volumeCompression"), true);
        for (int k = level->minimum(); k <= level->maximum(); ++k) {
            level->setValue(k);
            QCOMPARE(dialog.choice().stored.deflateLevel, k);
            QCOMPARE(engine::compressionFromText(engine::compressionToText(k)), k);
        }
        chooseValue(type, int(OutputFormat::Type::uint16));
        QVERIFY2(facts->text().contains("9.83 GB before compression"), qPrintable(facts->text()));
        QVERIFY(least->isEnabled() && most->isEnabled() && saveButton(dialog)->isEnabled());
        QVERIFY(!dialog.choice().stored.range);
        for (const auto& [from, to] :
             {std::pair("1", ""), {"", "1"}, {"1", "1"}, {"2", "1"}, {"a", "1"}, {"0", "inf"}}) {
            least->setText(from);
            most->setText(to);
            QVERIFY2(!saveButton(dialog)->isEnabled(), qPrintable(facts->text()));
            QVERIFY(!facts->text().contains("GB"));
        }
        least->setText("-0.5");
        most->setText("1e2");
        QVERIFY(saveButton(dialog)->isEnabled());
        QCOMPARE(dialog.choice().stored.range, (engine::ValueRange{-0.5, 100}));
        chooseValue(type, int(OutputFormat::Type::half)); // `half` has no range
        QVERIFY(!dialog.choice().stored.range);
        child<QLineEdit>(dialog, "volumeName")->setText(" ");
        QVERIFY(!saveButton(dialog)->isEnabled());
    }

    // Slices that no ray meets are zero, and a note counts them.
    void slicesOutsideTheCone()
    {
        QVERIFY(m_window->opensSimulation(smallCone()));
        engine::ConeOptions tall = *smallCone().cone;
        tall.size = 24;
        tall.slices = 400;
        m_window->takeAsCone(tall);
        QVERIFY(showsImage(*m_window));
        const TemporaryFolder folder;
        QSignalSpy saved(m_window.get(), &MainWindow::saved);
        save([&](SaveVolumeDialog& dialog) { fill(dialog, folder.file({}), "v.h5"); });
        QVERIFY(comes([&] { return saved.count() == 1; }));
    }

    // The dialog shows why a volume cannot be planned.
    void dialogSaysWhyNot()
    {
        engine::Request request = requestFor(engine::simulate(smallCone()));
        request.place.setSlices({0, request.scan->slices()});
        request.resources.memoryLimitBytes = 1; // no pass fits
        const TemporaryFolder folder;
        const SaveVolumeDialog dialog(
            {.name = "scan", .slices = 24, .height = 24, .width = 24, .unit = {}, .request = request}, folder.file({}),
            {}, nullptr);
        QVERIFY(!saveButton(dialog)->isEnabled());
        const QString said = child<QLabel>(dialog, "volumeNeeds")->text();
        QVERIFY2(said.contains("memory") && !said.contains("Memory:"), qPrintable(said));
    }

    // The name determines the kind of file and follows the kind chosen.
    void nameFollowsTheKind()
    {
        const TemporaryFolder folder;
        SaveVolumeDialog dialog({"scan", 1, 1, 1, {}}, folder.file({}), {}, nullptr);
        auto* name = child<QLineEdit>(dialog, "volumeName");
        auto* kind = child<QComboBox>(dialog, "volumeKind");
        QCOMPARE(name->text(), QString("scan.h5"));
        const auto target = [&](const char* typed) {
            name->setText(typed);
            return dialog.output().path.filename().string();
        };
        QCOMPARE(target("volume_0.25"), std::string("volume_0.25.h5"));
        QCOMPARE(target("volume.nxs"), std::string("volume.nxs"));
        QCOMPARE(target("volume.tif"), std::string("volume.tif.h5"));
        name->setText("scan.h5");
        chooseValue(kind, int(OutputKind::folder));
        QCOMPARE(name->text(), QString("scan"));
        QCOMPARE(target("slices.tiff"), std::string("slices"));
        QCOMPARE(target("slices_0.25"), std::string("slices_0.25"));
        chooseValue(kind, int(OutputKind::hdf5));
        QCOMPARE(name->text(), QString("slices_0.25.h5"));
    }

    void remembersTheChoice()
    {
        const TemporaryFolder folder;
        const QString file = folder.file("sinoscope.ini");
        {
            PersistentState state(file);
            MainWindow window(state);
            window.openSimulation(simulationOf(engine::Phantom::sheppLogan3d, 48, 60, 4), "small");
            QVERIFY(showsImage(window));
            QSignalSpy saved(&window, &MainWindow::saved);
            m_window.reset();
            save(
                [&](SaveVolumeDialog& dialog) {
                    chooseValue(child<QComboBox>(dialog, "volumeKind"), int(OutputKind::folder));
                    fill(dialog, folder.file({}), "slices");
                    chooseValue(child<QComboBox>(dialog, "volumeType"), int(OutputFormat::Type::uint16));
                    chooseValue(child<QComboBox>(dialog, "volumeCompression"), true);
                    child<QSpinBox>(dialog, "volumeLevel")->setValue(4);
                    child<QLineEdit>(dialog, "volumeLeast")->setText("-0.125");
                    child<QLineEdit>(dialog, "volumeMost")->setText("2");
                },
                QMessageBox::Yes, &window);
            QVERIFY(comes([&] { return saved.count() == 1; }));
            window.close();
        }
        const auto look = [&](const auto& at) {
            PersistentState state(file);
            MainWindow window(state);
            window.openSimulation(simulationOf(engine::Phantom::sheppLogan3d, 48, 60, 4), "small");
            QVERIFY(showsImage(window));
            triggerAndLook<SaveVolumeDialog>(window, QKeySequence(Qt::CTRL | Qt::Key_E), at);
        };
        look([&](SaveVolumeDialog& dialog) {
            const VolumeChoice choice = dialog.choice();
            QVERIFY(choice.kind == OutputKind::folder);
            QCOMPARE(choice.stored,
                     (engine::OutputChoice{OutputFormat::Type::uint16, engine::ValueRange{-0.125, 2}, 4}));
            QCOMPARE(QDir(dialog.folder()), QDir(folder.file({})));
        });
        QSettings(file, QSettings::IniFormat).setValue("volume/compression", "deflate:70");
        look([](SaveVolumeDialog& dialog) { QCOMPARE(dialog.choice().stored, engine::OutputChoice{}); });
    }

  private:
    // Runs sinoscope-cli; returns its error, or "warning" for warnings only.
    static QString run(const TemporaryFolder& folder, const QStringList& arguments)
    {
        QProcess process;
        process.setWorkingDirectory(folder.file({}));
        process.start(QStringLiteral(SINOSCOPE_BIN_DIR "/sinoscope-cli"), arguments);
        if (!process.waitForFinished(patienceMs))
            return QStringLiteral("does not end");
        const QString said = QString::fromUtf8(process.readAllStandardError());
        return process.exitCode() == 0 && said.startsWith("warning: ") ? QStringLiteral("warning") : said;
    }

    // Saves as a user would: Ctrl+E, fills in the dialog, Save, and answers the question. A dialog that is still open
    // then is cancelled.
    template <typename Fill>
    void save(const Fill& fillIn, QMessageBox::StandardButton answer = QMessageBox::Yes, MainWindow* window = nullptr)
    {
        m_asked = 0;
        bool filled = false;
        QTimer again;
        QObject::connect(&again, &QTimer::timeout, &again, [&] {
            QPushButton* next = nullptr;
            if (auto* question = qobject_cast<QMessageBox*>(QApplication::activeModalWidget())) {
                ++m_asked;
                next = qobject_cast<QPushButton*>(question->button(answer));
            } else if (auto* dialog = qobject_cast<SaveVolumeDialog*>(QApplication::activeModalWidget())) {
                if (!filled)
                    fillIn(*dialog);
                next = filled ? dialog->findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Cancel)
                              : saveButton(*dialog);
                filled = true;
            }
            if (next) // queued: the click may open a question, whose event loop would otherwise run inside this timer
                QMetaObject::invokeMethod(next, &QPushButton::click, Qt::QueuedConnection);
        });
        again.start(50);
        trigger(window ? *window : *m_window, QKeySequence(Qt::CTRL | Qt::Key_E));
    }

    std::unique_ptr<Window> m_window;
    int m_asked = 0;
};

SINOSCOPE_TEST(SaveVolumeTest, QApplication)
#include "save_volume_test.moc"
