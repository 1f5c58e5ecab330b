// SPDX-License-Identifier: GPL-3.0-or-later
// Messages and questions of the window about a scan that is opened or cannot be opened; the window never overwrites
// the scan.
#include "engine/io/open/readers.h"
#include "engine/io/slices/slice_writer.h"
#include "tests/engine/io/files.h"
#include "tests/ui/fixtures.h"
#include "ui/image/image_panel.h"
#include "ui/image/image_view.h"
#include "ui/saving/save_volume_dialog.h"

#include <QClipboard>
#include <QDropEvent>
#include <QFileInfo>
#include <QGraphicsView>
#include <QLabel>
#include <QLineEdit>
#include <QMimeData>
#include <QPushButton>
#include <QRegularExpression>
#include <QSignalSpy>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

using namespace ui;
using namespace fixtures;

class OpeningTest : public QObject
{
    Q_OBJECT
  private slots:
    void init()
    {
        m_window = std::make_unique<Window>(QSize(1280, 800));
        // Line integrals of a disc as floating-point numbers: air is 0, there is no flat field.
        engine::Simulation simulation = simulationOf(engine::Phantom::disc, 64, 60);
        simulation.counts = false;
        engine::Volume sinogram(1, simulation.projections, simulation.size);
        sinogram.values = engine::simulate(simulation)->read({0, 1}, {}).data.floats();
        m_path = m_folder.file(QStringLiteral("lines.tif"));
        engine::writeTiffImage(m_path.toStdString(), sinogram, 0, true, {});
    }
    void cleanup() { m_window.reset(); }

    void guessIsSeenAndCorrected()
    {
        m_window->open(m_path, true);
        QVERIFY(showsImage(*m_window));
        auto* quantity = child<QComboBox>(*m_window, "quantity");
        QVERIFY(quantity->isVisible() && quantity->isEnabled());
        QVERIFY2(quantity->currentText().contains(QStringLiteral("line integrals (guessed)")),
                 qPrintable(quantity->currentText()));
        QVERIFY(quantity->toolTip().contains(QStringLiteral("outer bins")));
        const float right = middle();
        QVERIFY(right > 0.01f);

        // The user chooses the second entry, transmission: the image is inverted, and the message says how to go
        // back.
        emit quantity->activated(1);
        QVERIFY(showsImage(*m_window));
        QVERIFY(m_window->scan()->quantity == engine::Quantity::transmission);
        QCOMPARE(quantity->currentText(), QStringLiteral("transmission"));
        QVERIFY2(m_window->message().contains(QStringLiteral("inverted")), qPrintable(m_window->message()));
        auto* way = child<QWidget>(*m_window, "messageBar")->findChild<QPushButton*>();
        QCOMPARE(way->text(), QStringLiteral("They are line integrals"));
        way->click();
        QVERIFY(showsImage(*m_window));
        QVERIFY(m_window->scan()->quantity == engine::Quantity::attenuation);
        QVERIFY(m_window->scan()->quantitySource == engine::QuantitySource::given);
        QCOMPARE(middle(), right);
        trigger(*m_window, QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_C));
        QVERIFY2(QGuiApplication::clipboard()->text().contains(QStringLiteral("--sinogram --values line-integrals")),
                 qPrintable(QGuiApplication::clipboard()->text()));
    }

    // If even angles do not fit, none are offered: the button leads to the field for the angles.
    void unevenAnglesAreAskedFor()
    {
        const TemporaryFolder folder;
        engine::Simulation simulation = simulationOf(engine::Phantom::sheppLogan, 64, 60);
        simulation.counts = false;
        simulation.arcDeg = 360;
        const engine::Values even = engine::simulate(simulation)->read({0, 1}, {}).data.toFloats();
        engine::Volume sinogram(1, simulation.projections, simulation.size);
        std::vector<int> order(std::size_t(simulation.projections));
        std::iota(order.begin(), order.end(), 0);
        std::shuffle(order.begin(), order.end(), std::mt19937(3));
        for (int k = 0; k < simulation.projections; ++k)
            std::copy_n(even.begin() + std::ptrdiff_t(order[std::size_t(k)]) * simulation.size, simulation.size,
                        sinogram.values.begin() + std::ptrdiff_t(k) * simulation.size);
        const std::filesystem::path path = folder / "uneven.tif";
        engine::writeTiffImage(path, sinogram, 0, true, {});
        m_window->open(QString::fromStdString(path.string()), true);
        QVERIFY(showsImage(*m_window));
        QVERIFY2(m_window->message().contains(QStringLiteral("neither even steps nor golden angles")),
                 qPrintable(m_window->message()));
        auto* way = child<QWidget>(*m_window, "messageBar")->findChild<QPushButton*>();
        QCOMPARE(way->text(), QStringLiteral("Give the angles…"));
        way->click();
        QVERIFY(child<QComboBox>(*m_window, "anglesKind")->isVisible());
        QCOMPARE(child<QComboBox>(*m_window, "anglesKind")->currentText(), QStringLiteral("from a file"));
    }

    // Angles whose number does not fit the projections: a click uses the ones that fit.
    void givenAnglesAreChecked()
    {
        const TemporaryFolder folder;
        engine::Simulation simulation = simulationOf(engine::Phantom::resolution, 96, 90);
        simulation.counts = false;
        engine::Volume sinogram(1, simulation.projections, simulation.size);
        sinogram.values = engine::simulate(simulation)->read({0, 1}, {}).data.floats();
        engine::writeTiffImage(folder / "half.tif", sinogram, 0, true, {});
        m_window->open(folder.file(QStringLiteral("half.tif")), true);
        QVERIFY(showsImage(*m_window));
        QVERIFY(m_window->scan()->assumedTurn->isSure());
        m_window->openWithArc(360);
        QVERIFY(showsImage(*m_window));
        QVERIFY2(m_window->message().contains(QStringLiteral("don't fit the projections")),
                 qPrintable(m_window->message()));
        QVERIFY(isDoubtful(m_window->shown().a().result));
        auto* way = child<QWidget>(*m_window, "messageBar")->findChild<QPushButton*>();
        QVERIFY2(way->text().startsWith(QStringLiteral("Use 0 to 180°")), qPrintable(way->text()));
        way->click();
        QVERIFY(showsImage(*m_window));
        QVERIFY(!m_window->scan()->likelierTurn && m_window->message().isEmpty());
    }

    // Nothing tells which arc a part of a cut-off object covers: both are shown as pictures, of which one is taken.
    void arcsToChooseFrom()
    {
        constexpr int first = 20, bins = 56, projections = 50;
        const TemporaryFolder folder;
        engine::Simulation simulation = simulationOf(engine::Phantom::resolution, 96, 90);
        simulation.counts = false;
        const engine::Values all = engine::simulate(simulation)->read({0, 1}, {}).data.floats();
        engine::Volume cut(1, projections, bins);
        for (int k = 0; k < projections; ++k)
            std::copy_n(all.begin() + k * simulation.size + first, bins, cut.values.begin() + std::ptrdiff_t(k) * bins);
        engine::writeTiffImage(folder / "cut.tif", cut, 0, true, {});
        m_window->open(folder.file(QStringLiteral("cut.tif")), true);
        QVERIFY(showsImage(*m_window));
        m_window->openWithQuantity(engine::Quantity::attenuation);
        QVERIFY(showsImage(*m_window));
        QVERIFY2(m_window->message().endsWith(QStringLiteral("Which slice is right?")),
                 qPrintable(m_window->message()));
        const auto ways = child<QWidget>(*m_window, "messageBar")->findChildren<QPushButton*>();
        QVERIFY(ways[0]->text().startsWith(QStringLiteral("0 to 180°")) && ways[0]->isVisible());
        QVERIFY(ways[1]->text().startsWith(QStringLiteral("0 to 360°")) && ways[1]->isVisible());
        const auto pictureOf = [&](int k) { return ways[k]->icon().pixmap(QSize(64, 64)).toImage(); };
        QVERIFY(comes([&] { return pictureOf(0).width() > 1 && pictureOf(0) != pictureOf(1); }));
        ways[1]->click();
        QVERIFY(showsImage(*m_window));
        QVERIFY(!m_window->scan()->anglesAssumed && m_window->scan()->anglesRad().back() > 6);
        QVERIFY(!m_window->message().contains(QStringLiteral("Which slice")));
    }

    // Flats among the pages of a stack: a click makes them flats, and the field shows it.
    void flatsAmongProjections()
    {
        constexpr int flats = 6, bins = 96, rows = 3;
        const TemporaryFolder folder;
        engine::Simulation simulation = simulationOf(engine::Phantom::resolution, bins, 90);
        simulation.counts = false;
        simulation.attenuation = 2.5 / bins;
        const engine::Values integrals = engine::simulate(simulation)->read({0, 1}, {}).data.toFloats();
        std::mt19937 random(5);
        for (int page = 0; page < flats + simulation.projections; ++page) {
            std::vector<std::uint16_t> counts;
            for (int k = 0; k < rows * bins; ++k) {
                const double integral = page < flats ? 0 : integrals[std::size_t((page - flats) * bins + k % bins)];
                counts.push_back(std::uint16_t(std::poisson_distribution<int>(20000 * std::exp(-integral))(random)));
            }
            made::tiff(folder / "all.tif", bins, rows, counts, {.mode = page > 0 ? "a" : "w"});
        }
        m_window->open(folder.file(QStringLiteral("all.tif")));
        QVERIFY(showsImage(*m_window));
        QVERIFY2(m_window->message().contains(QStringLiteral("Frames 0 to 5 show no object")),
                 qPrintable(m_window->message()));
        auto* way = child<QWidget>(*m_window, "messageBar")->findChild<QPushButton*>();
        QCOMPARE(way->text(), QStringLiteral("They are flats"));
        way->click();
        QVERIFY(showsImage(*m_window));
        QVERIFY(m_window->scan()->flatFrames == flats && m_window->scan()->projections() == 90);
        auto* field = child<QLineEdit>(*m_window, "flatFrames");
        QCOMPARE(field->text(), QStringLiteral("0:5"));
        field->clear();
        emit field->editingFinished();
        QVERIFY(showsImage(*m_window));
        QCOMPARE(m_window->scan()->flatFrames, 0);
    }

    // A file of angles beside the scan includes angles of flats: a click uses only the lines that fit.
    void linesOfAnglesAreOffered()
    {
        const TemporaryFolder folder;
        const QString path = folder.file(QStringLiteral("lines.tif"));
        QVERIFY(QFile::copy(m_path, path));
        m_window->open(m_path, true);
        QVERIFY(showsImage(*m_window));
        const int projections = m_window->scan()->projections();
        {
            std::ofstream angles(folder.file(QStringLiteral("angles.txt")).toStdString());
            for (int k = 0; k < 10; ++k)
                angles << "0\n";
            for (int k = 0; k < projections; ++k)
                angles << 20 + 180.0 * k / projections << '\n';
        }
        m_window->open(path, true);
        QVERIFY(showsImage(*m_window));
        QVERIFY(m_window->scan()->anglesAssumed);
        QCOMPARE(child<QComboBox>(*m_window, "anglesKind")->currentText(), QStringLiteral("none: assumed"));
        const QString lines = QStringLiteral("lines 11 to %1").arg(10 + projections);
        QVERIFY2(m_window->message().contains(lines), qPrintable(m_window->message()));
        auto* use = child<QWidget>(*m_window, "messageBar")->findChild<QPushButton*>();
        QCOMPARE(use->text(), QStringLiteral("Use ") + lines);
        use->click();
        QVERIFY(showsImage(*m_window));
        QVERIFY(!m_window->scan()->anglesAssumed);
        QVERIFY(std::abs(m_window->scan()->anglesRad().front() - 20 * degree) < 1e-9);
        QCOMPARE(child<QComboBox>(*m_window, "anglesKind")->currentText(), QStringLiteral("from a file"));
    }

    // A single image is no stack, and its name does not tell that it is a sinogram: the window asks.
    void sinogramIsOffered()
    {
        m_window->open(m_path);
        auto* bar = child<QWidget>(*m_window, "messageBar");
        QVERIFY(comes([&] { return m_window->message().contains(QStringLiteral("single image")); }));
        auto* way = bar->findChild<QPushButton*>();
        QCOMPARE(way->text(), QStringLiteral("Open as sinogram"));
        way->click();
        QVERIFY(showsImage(*m_window));
        QCOMPARE(m_window->scan()->format, std::string("TIFF sinogram"));
    }

    // A TIFF among others may be a sinogram, or one projection of a scan: the window offers both.
    void folderOfAnImageIsOffered()
    {
        const QTemporaryDir folder;
        for (int k = 0; k < 4; ++k)
            QVERIFY(QFile::copy(m_path, folder.filePath(QStringLiteral("p_%1.tif").arg(k))));
        m_window->open(folder.filePath(QStringLiteral("p_2.tif")));
        auto* bar = child<QWidget>(*m_window, "messageBar");
        QVERIFY(comes([&] { return m_window->message().contains(QStringLiteral("single image")); }));
        const auto ways = bar->findChildren<QPushButton*>();
        QVERIFY(ways.size() == 2 && ways[1]->isVisibleTo(bar));
        QCOMPARE(ways[0]->text(), QStringLiteral("Open as sinogram"));
        QCOMPARE(ways[1]->text(), QStringLiteral("Open its folder"));
        ways[1]->click();
        QVERIFY(showsImage(*m_window));
        QCOMPARE(m_window->scan()->projections(), 4);
        m_window->open(m_path); // alone in its folder
        QVERIFY(comes([&] { return m_window->message().contains(QStringLiteral("single image")); }));
        QVERIFY(!ways[1]->isVisibleTo(bar));
    }

    void dialogShowsWhatTheReadersOpen()
    {
        QStringList filters;
        triggerAndLook(*m_window, QKeySequence::Open, [&](QFileDialog& dialog) { filters = dialog.nameFilters(); });
        QVERIFY(!filters.isEmpty());
        for (const std::string& suffix : engine::scanSuffixes())
            QVERIFY2(filters[0].contains(QRegularExpression(QStringLiteral("\\*\\%1[ )]").arg(suffix.c_str()))),
                     suffix.c_str());
    }

    void simulatedValuesAreKnown()
    {
        QVERIFY(m_window->opensSample("disc"));
        auto* quantity = child<QComboBox>(*m_window, "quantity");
        QVERIFY(!quantity->isEnabled());
        QCOMPARE(quantity->currentText(), QStringLiteral("counts"));
    }

    void nothingIsSavedOverTheScan()
    {
        m_window->open(m_path, true);
        QVERIFY(showsImage(*m_window));
        const QByteArray before = contentOf(m_path);
        const QString link = m_folder.file(QStringLiteral("link.h5"));
        QVERIFY(QFile::link(m_path, link));
        QSignalSpy saved(m_window.get(), &MainWindow::saved);
        const auto refuses = [&](const auto& save) {
            QSignalSpy failed(m_window.get(), &MainWindow::failed);
            save();
            return comes([&] { return failed.count() == 1; }) &&
                   failed[0][0].toString().contains(QStringLiteral("read from"));
        };
        QVERIFY(refuses([&] { m_window->saveImage(m_path); }));
        QVERIFY(refuses([&] { m_window->saveDifference(m_path); }));
        QVERIFY(refuses([&] { m_window->saveVolume({.path = link.toStdString(), .overwrite = true, .stored = {}}); }));
        const QString pdf = m_folder.file(QStringLiteral("link.pdf"));
        QVERIFY(QFile::link(m_path, pdf));
        QVERIFY(refuses([&] { m_window->saveProfile(pdf); }));
        QCOMPARE(saved.count(), 0);
        QCOMPARE(contentOf(m_path), before);
    }

    void badFilesAreSaidInTheWindow()
    {
        QVERIFY(m_window->opensSmall());
        const auto before = m_window->shown().a().result;
        TemporaryFolder folder;
        const QString path = folder.file(QStringLiteral("broken.h5"));
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("this is no HDF5");
        file.close();
        for (const QString& bad : {path, folder.file(QStringLiteral("missing.h5"))}) {
            QSignalSpy failed(m_window.get(), &MainWindow::failed);
            m_window->open(bad);
            QVERIFY(settles(*m_window));
            QCOMPARE(failed.count(), 1);
            QVERIFY2(m_window->message().contains(QFileInfo(bad).fileName()), qPrintable(m_window->message()));
            QCOMPARE(m_window->shown().a().result, before); // the scan and its image stay
        }
        trigger(*m_window, Qt::Key_F5);
        QVERIFY(settles(*m_window));
        QVERIFY(m_window->shown().a().result != before);
        QVERIFY(!m_window->message().isEmpty()); // stays until read: another result does not remove it
        trigger(*m_window, Qt::Key_Escape);
        QVERIFY(m_window->message().isEmpty());
    }

    // A cancelled opening does not read the folder to its end, where there are too many invalid files to leave them
    // out.
    void slowOpeningIsCancelled()
    {
        TemporaryFolder folder;
        const std::filesystem::path first = folder / "0000.tif";
        std::filesystem::copy_file(m_path.toStdString(), first);
        for (int k = 1; k < 400; ++k)
            std::filesystem::create_hard_link(first, folder / QString::asprintf("%04d.tif", k).toStdString());
        for (int k = 0; k < 50; ++k) {
            QFile last(folder.file(QString::asprintf("99%02d.tif", k)));
            QVERIFY(last.open(QIODevice::WriteOnly));
            last.write("this is no TIFF");
        }
        QSignalSpy failed(m_window.get(), &MainWindow::failed), settled(m_window.get(), &MainWindow::settled);
        m_window->open(folder.file({}));
        trigger(*m_window, Qt::Key_Escape);
        QVERIFY(comes([&] { return settled.count() == 1; }));
        QVERIFY2(failed.isEmpty(), qPrintable(m_window->message()));
        QVERIFY(!m_window->scan());
        m_window->open(folder.file({})); // the first invalid file is reported
        QVERIFY(comes([&] { return failed.count() == 1; }));
        QVERIFY2(m_window->message().contains(QStringLiteral("9900.tif")), qPrintable(m_window->message()));
    }

    void opensWhatIsDropped()
    {
        TemporaryFolder folder;
        const QString path = folder.file(QStringLiteral("nothing.h5"));
        QMimeData data;
        data.setUrls({QUrl::fromLocalFile(path)});
        // Dropped on the images, the largest part of the window.
        auto views = m_window->images().findChildren<QGraphicsView*>();
        QWidget* target = views.isEmpty() ? static_cast<QWidget*>(m_window.get()) : views.front()->viewport();
        QSignalSpy failed(m_window.get(), &MainWindow::failed);
        QDragEnterEvent enter(QPoint(5, 5), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(target, &enter);
        QDropEvent drop(QPointF(5, 5), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(target, &drop);
        QVERIFY(comes([&] { return failed.count() == 1; }));
        QVERIFY(m_window->message().contains(QStringLiteral("nothing.h5")));
    }

    // Nothing of the previous scan remains when another one is open, even if the new one cannot be reconstructed.
    void figuresOfAnotherScanGo()
    {
        QVERIFY(m_window->opensSmall());
        const auto text = [this](const char* name) { return child<QLabel>(*m_window, name)->text(); };
        const QString none = QStringLiteral("–");
        QVERIFY(text("kernelGups") != none && text("rmse") != none && !text("settingsLine").isEmpty());
        m_window->setImpossible();
        const auto before = m_window->scan();
        m_window->openSample(QStringLiteral("disc"));
        QVERIFY(comes([&] { return m_window->scan() != before && !m_window->busy(); }));
        for (const char* name : {"kernelGups", "rmse", "maximum", "psnr", "ssim"})
            QCOMPARE(text(name), none);
        for (const char* name : {"settingsLine", "deviceLine", "notes"})
            QVERIFY(text(name).isEmpty());
        QVERIFY(!child<QLabel>(*m_window, "scanFacts")->accessibleDescription().contains(QStringLiteral("axis")));
        QVERIFY(!child<ImageView>(*m_window, "imageA")->message().isEmpty()); // tells that no image will come
    }

    void sinogramOver360Degrees()
    {
        const QString file = QStringLiteral(SINOSCOPE_DATA_DIR "/neutron-360-sinogram/sinogram_360_neutron_image.tif");
        if (!QFile::exists(file))
            QSKIP("the neutron sinogram is not here");
        m_window->open(file);
        QVERIFY(settles(*m_window));
        QVERIFY(!m_window->message().isEmpty()); // a single image: the user must tell what it is
        auto* offer = child<QWidget>(*m_window, "messageBar")->findChild<QPushButton*>();
        QVERIFY(offer->isVisible());
        offer->click(); // open as sinogram
        QVERIFY(settles(*m_window));
        QVERIFY(m_window->shown().a().result && m_window->scan()->anglesAssumed);
        QVERIFY2(m_window->message().contains(
                     QStringLiteral("0 to 360° with both ends (the arc is 99 % certain, an included end ")),
                 qPrintable(m_window->message()));
        QVERIFY(std::abs(m_window->shown().a().result->axisBins - 245) < 1); // with 180° it would be elsewhere
        QCOMPARE(offer->text(), QStringLiteral("Use 0 to 360° without the end instead"));
        offer->click();
        QVERIFY(settles(*m_window));
        QVERIFY2(m_window->message().isEmpty(), qPrintable(m_window->message()));
        QVERIFY(!m_window->scan()->anglesAssumed);
        const std::vector<double>& angles = m_window->scan()->anglesRad();
        QVERIFY(angles.back() > 6.2 && angles.back() < 6.2832);
        QVERIFY(std::abs(m_window->shown().a().result->axisBins - 245) < 1);
    }

    void opensARealScan()
    {
        const QString tooth = QStringLiteral(SINOSCOPE_DATA_DIR "/tooth-dxchange/tooth.h5");
        if (!QFile::exists(tooth))
            QSKIP("the tooth scan is not here");
        m_window->open(tooth);
        QVERIFY(showsImage(*m_window));
        QVERIFY2(m_window->message().isEmpty(), qPrintable(m_window->message()));
        QCOMPARE(m_window->shown().a().result->image.width, 640);
        QVERIFY(std::abs(m_window->shown().a().result->axisBins - 295.75) < 0.75);
        QCOMPARE(m_window->shown().a().reference->axisBins,
                 m_window->shown().a().result->axisBins); // the same axis for both
        QVERIFY(child<QLabel>(*m_window, "scanFacts")->accessibleDescription().contains(QStringLiteral("axis 29")));
    }

    void volumeIsNotCalledAsTheScan()
    {
        m_window->open(m_path, true);
        QVERIFY(showsImage(*m_window));
        QString suggested;
        triggerAndLook<SaveVolumeDialog>(*m_window, QKeySequence(Qt::CTRL | Qt::Key_E), [&](SaveVolumeDialog& dialog) {
            suggested = child<QLineEdit>(dialog, "volumeName")->text();
        });
        QCOMPARE(suggested, QStringLiteral("lines_reconstruction.h5"));
    }

  private:
    float middle() const
    {
        const GridSlice& plane = m_window->shown().planeA();
        return plane.values()[plane.grid.height / 2 * plane.grid.width + plane.grid.width / 2];
    }

    TemporaryFolder m_folder;
    QString m_path;
    std::unique_ptr<Window> m_window;
};

SINOSCOPE_TEST(OpeningTest, QApplication)
#include "opening_test.moc"

#include <fstream>
