// SPDX-License-Identifier: GPL-3.0-or-later
// HDF5 files of unknown layout in the window: the user chooses their data sets with a preview of each; the next file
// with the same data sets opens in the same way.
#include "tests/engine/io/files.h"
#include "tests/ui/fixtures.h"
#include "ui/opening/data_sets_dialog.h"
#include "ui/opening/known_data_sets.h"
#include "ui/report/command_line.h"

#include <QClipboard>
#include <QDialogButtonBox>
#include <QLabel>
#include <QPushButton>
#include <QSettings>
#include <QToolButton>
#include <QTreeWidget>

using namespace ui;
using namespace fixtures;

class DataSetsTest : public QObject
{
    Q_OBJECT

    static constexpr int projections = 60, rows = 4, bins = 48;

    // Writes a file that, except for the name of the angles, does not tell what its data sets are.
    QString write(const char* name, const std::string& angles) const
    {
        engine::Simulation simulation = simulationOf(engine::Phantom::sheppLogan3d, bins, projections, rows);
        simulation.counts = false;
        const auto scan = engine::simulate(simulation);
        const engine::Values values = scan->read({0, rows}, {}).data.toFloats();
        std::vector<double> degrees;
        for (const double angle : scan->anglesRad())
            degrees.push_back(angle * 180 / M_PI);
        const QString path = m_folder.file(QLatin1String(name));
        made::Hdf5 file(path.toStdString());
        file.numbers("/run/frames", {projections, rows, bins}, {values.begin(), values.end()}, H5T_IEEE_F32LE);
        file.numbers("/run/" + angles, {projections}, degrees);
        file.attribute("/run/" + angles, "units", "deg");
        file.numbers("/run/second", {projections, rows, bins}, std::vector<double>(projections * rows * bins, 1));
        file.text("/run/title", "a title");
        return path;
    }
    static QPushButton* wayOut(MainWindow& window)
    {
        return child<QWidget>(window, "messageBar")->findChild<QPushButton*>();
    }
    // Returns the dialog once it has read the file.
    static DataSetsDialog* dialogOf(MainWindow& window)
    {
        DataSetsDialog* found = nullptr;
        const bool came = comes([&] {
            found = window.findChild<DataSetsDialog*>();
            return found && found->isVisible();
        });
        return came ? found : nullptr;
    }

  private slots:
    // Nothing can be chosen from a file that was cut off: the error comes alone, and once.
    void nothingToChoose()
    {
        const QString path = write("cut.h5", "srx");
        QVERIFY(QFile::resize(path, QFileInfo(path).size() / 2));
        Window window;
        window.open(path);
        QVERIFY(comes([&] { return window.message().contains(QStringLiteral("is incomplete")); }));
        QVERIFY(!wayOut(window)->isVisible());
    }

    void chosenAndRemembered()
    {
        const QString path = write("first.h5", "srx"), next = write("next.h5", "srx"), other = write("other.h5", "sry");
        ui::PersistentState state(m_folder.file(QStringLiteral("settings.ini")));
        {
            MainWindow window(state, nullptr);
            window.show();
            window.open(path);
            QVERIFY(comes([&] { return window.message().contains(QStringLiteral("holds no scan")); }));
            QCOMPARE(wayOut(window)->text(), QStringLiteral("Choose data sets…"));
            wayOut(window)->click();
            DataSetsDialog* dialog = dialogOf(window);
            QVERIFY(dialog);
            auto* open = dialog->findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Open);
            QVERIFY(!open->isEnabled()); // two candidates: the dialog does not guess
            auto* tree = child<QTreeWidget>(*dialog, "dataSetsTree");
            const auto items = tree->findItems(QStringLiteral("frames"), Qt::MatchExactly | Qt::MatchRecursive);
            QCOMPARE(items.size(), 1);
            tree->setCurrentItem(items[0]);
            auto* caption = child<QLabel>(*dialog, "dataSetsCaption");
            QVERIFY(comes([&] { return caption->text().contains(QStringLiteral("frame 30 of 60")); }));
            QVERIFY(!child<QLabel>(*dialog, "dataSetsPicture")->pixmap().isNull());
            emit tree->itemActivated(items[0], 0);
            QCOMPARE(items[0]->text(3), QStringLiteral("Projections"));
            QVERIFY(open->isEnabled());
            QCOMPARE(child<QComboBox>(*dialog, "data-angles")->count(), 2); // "none", and the only one-dimensional one
            chooseValue(child<QComboBox>(*dialog, "data-angles"), QStringLiteral("/run/srx"));
            open->click();
            QVERIFY2(showsImage(window), qPrintable(window.message()));
            QCOMPARE(window.scan()->projections(), projections);
            QVERIFY(!window.scan()->anglesAssumed);
            trigger(window, QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_C));
            const QString command = QGuiApplication::clipboard()->text();
            QVERIFY2(command.contains(QStringLiteral("--data /run/frames --data-angles /run/srx")),
                     qPrintable(command));

            // Other data sets, through the reading strip: the session stores them.
            child<QToolButton>(window, "readingHeading")->click();
            auto* button = child<QPushButton>(window, "dataSetsButton");
            QVERIFY(button->isVisible());
            button->click();
            dialog = dialogOf(window);
            QVERIFY(dialog);
            QCOMPARE(dialog->chosen().angles, std::string("/run/srx"));
            dialog->reject();
        }
        MainWindow window(state, nullptr);
        window.show();
        window.open(next);
        QVERIFY2(comes([&] { return window.scan() && window.scan()->name == "next.h5"; }),
                 qPrintable(window.message()));
        QVERIFY(showsImage(window));
        QVERIFY2(window.message().contains(QStringLiteral("/run/frames")), qPrintable(window.message()));
        QCOMPARE(wayOut(window)->text(), QStringLiteral("Choose others…"));
        window.open(other); // has no /run/srx
        QVERIFY(comes([&] { return window.message().contains(QStringLiteral("holds no scan")); }));
        QCOMPARE(window.scan()->name, std::string("next.h5"));
    }

    // The user's earlier choice overrides guesses from names in another file; unsuitable data sets are not accepted
    // as flats.
    void chosenBeforeGuessed()
    {
        const QString path = write("guessed.h5", "theta");
        {
            QSettings settings(m_folder.file(QStringLiteral("before.ini")), QSettings::IniFormat);
            engine::DataSets sets;
            sets.projections = "/run/second";
            sets.angles = "/run/theta";
            rememberDataSets(&settings, sets);
        }
        ui::PersistentState state(m_folder.file(QStringLiteral("before.ini")));
        MainWindow window(state, nullptr);
        window.show();
        window.open(path);
        QVERIFY(comes([&] { return window.scan() && window.scan()->name == "guessed.h5"; }));
        QVERIFY(settles(window));
        QVERIFY(window.scan()->read({0, 1}, {}).data[0] == 1); // from the second data set

        DataSetsDialog dialog(path, engine::dataSetsIn(path.toStdString()), {});
        auto* open = dialog.findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Open);
        chooseValue(child<QComboBox>(dialog, "data"), QStringLiteral("/run/frames"));
        QVERIFY(open->isEnabled());
        for (const char* flats : {"/run/theta", "/run/frames"}) {
            chooseValue(child<QComboBox>(dialog, "data-flats"), QString::fromLatin1(flats));
            QVERIFY(!open->isEnabled());
        }
        chooseValue(child<QComboBox>(dialog, "data-flats"), QStringLiteral("/run/second"));
        QVERIFY(open->isEnabled());
    }

    void known()
    {
        QSettings settings(m_folder.file(QStringLiteral("known.ini")), QSettings::IniFormat);
        QVERIFY(knownDataSets(nullptr).empty());
        engine::DataSets sets;
        rememberDataSets(&settings, sets); // an empty choice is not stored
        QVERIFY(knownDataSets(&settings).empty());
        for (int k = 0; k < 30; ++k) {
            sets.projections = "/frames, of run " + std::to_string(k);
            sets.axes = k % 2 ? "y:theta:x" : "";
            rememberDataSets(&settings, sets);
        }
        std::vector<engine::DataSets> all = knownDataSets(&settings);
        QCOMPARE(all.size(), std::size_t(20));
        QVERIFY(all.front() == sets);
        rememberDataSets(&settings, all[5]);
        QVERIFY(knownDataSets(&settings).front() == all[5]);
        QCOMPARE(knownDataSets(&settings).size(), std::size_t(20));
    }

  private:
    TemporaryFolder m_folder;
};

SINOSCOPE_TEST(DataSetsTest, QApplication)
#include "data_sets_test.moc"
