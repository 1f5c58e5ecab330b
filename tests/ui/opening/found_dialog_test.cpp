// SPDX-License-Identifier: GPL-3.0-or-later
// The dialog with the scan's contents and thumbnails; empty projections; reading less of a scan by a click.
#include "engine/io/slices/write_scan.h"
#include "tests/engine/io/files.h"
#include "tests/ui/fixtures.h"
#include "ui/image/image_header.h"
#include "ui/image/image_panel.h"
#include "ui/opening/found_dialog.h"
#include "ui/recorded/recorded_panel.h"
#include "ui/saving/save_volume_dialog.h"
#include "ui/views/views.h"

#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSpinBox>
#include <QToolButton>

#include <array>
#include <cmath>
#include <numbers>

using namespace ui;
using namespace fixtures;

class FoundDialogTest : public QObject
{
    Q_OBJECT

    QString written(int projections = 60) const
    {
        engine::Simulation simulation = simulationOf(engine::Phantom::sheppLogan3d, 48, projections, 16);
        simulation.axisOffsetBins = 2;
        const std::filesystem::path path = m_folder / "head.h5";
        engine::writeScan(*engine::simulate(simulation), nullptr, engine::ScanFormat::dxchange, path, true);
        return QString::fromStdString(path.string());
    }

  private slots:
    void picturesAndWhatTheyLeadTo()
    {
        Window window;
        window.open(written());
        QVERIFY2(showsImage(window), qPrintable(window.message()));
        QVERIFY(!window.findChild<FoundDialog*>()); // nothing is read before the click
        child<QToolButton>(window, "foundOfScan")->click();
        auto* found = child<FoundDialog>(window, "found");
        QVERIFY(
            comes([&] { return !found->isReading() && !child<QToolButton>(*found, "thumbnail11")->icon().isNull(); }));
        for (int k = 0; k < 12; ++k) // ten projections, a flat and a dark
            QVERIFY(!child<QToolButton>(*found, qPrintable(QStringLiteral("thumbnail%1").arg(k)))->icon().isNull());
        QVERIFY(child<QLabel>(*found, "pixelSizeState")->text().contains(QStringLiteral("missing")));
        QVERIFY(child<QLabel>(*found, "anglesState")->text().contains(QStringLiteral("found")));
        QVERIFY(child<QToolButton>(*found, "thumbnail9")->text().startsWith(QStringLiteral("59 ")));
        child<QToolButton>(*found, "thumbnail9")->click();
        auto* recorded = child<RecordedPanel>(window, "recorded");
        QVERIFY(recorded->isVisible());
        QCOMPARE(recorded->projection(), 59);
        child<QToolButton>(*found, "anglesCorrect")->click();
        QVERIFY(child<QWidget>(window, "reading")->isVisible());

        // Another scan replaces the thumbnails.
        QVERIFY(window.opensSimulation(simulationOf(engine::Phantom::disc, 40, 4, 3)));
        QVERIFY(
            comes([&] { return !found->isReading() && !child<QToolButton>(*found, "thumbnail5")->icon().isNull(); }));
        QVERIFY(!found->findChild<QToolButton*>(QStringLiteral("thumbnail6")));
    }

    // The user bins the scan and leaves out projections with fields of the window: the axis given and the slice stay at
    // the same place of the object.
    void lessOfAScan()
    {
        Window window;
        window.open(written());
        QVERIFY2(showsImage(window), qPrintable(window.message()));
        window.setSlice(12);
        engine::Request request = window.settings().request(0);
        request.setting.axis = {engine::AxisSettings::Mode::given, 25.5};
        window.settings().setRequest(request);
        window.computeAgain();
        QVERIFY(showsImage(window));
        child<QToolButton>(window, "readingHeading")->click();
        child<QDoubleSpinBox>(window, "bin")->setValue(2);
        QVERIFY(comes([&] { return window.scan()->bins() == 24; }));
        QVERIFY2(showsImage(window), qPrintable(window.message()));
        QCOMPARE(window.scan()->slices(), 8);
        QCOMPARE(window.slice(), 6);
        QCOMPARE(window.settings().request(0).setting.axis.bins, 12.5);
        QLineEdit* leaveOut = child<QLineEdit>(window, "leaveOut");
        leaveOut->setText(QStringLiteral("x"));
        emit leaveOut->editingFinished();
        QVERIFY(child<QLabel>(window, "readingProblem")->text().contains(QStringLiteral("bad projections")));
        leaveOut->setText(QStringLiteral("0:9"));
        emit leaveOut->editingFinished();
        QVERIFY(comes([&] { return window.scan()->projections() == 50; }));
        QVERIFY(showsImage(window));
    }

    void emptyOnesAreLeftOutByAClick()
    {
        {
            made::Hdf5 file(m_folder / "third.h5");
            std::vector<double> counts;
            for (int projection = 0; projection < 60; ++projection)
                for (int pixel = 0; pixel < 4 * 32; ++pixel)
                    counts.push_back(projection >= 40 ? 0 : pixel % 32 > 10 && pixel % 32 < 20 ? 300 : 1000);
            file.numbers("/exchange/data", {60, 4, 32}, counts, H5T_STD_U16LE);
            file.numbers("/exchange/theta", {60}, made::counting(60, 3));
        }
        Window window;
        window.open(m_folder.file(QStringLiteral("third.h5")));
        QVERIFY(showsImage(window));
        QVERIFY2(window.message().contains(QStringLiteral("20 of 60 projections are empty")),
                 qPrintable(window.message()));
        QVERIFY(!window.message().contains(QStringLiteral("--")));
        QVERIFY(child<QToolButton>(window, "scanNotes")->text().contains(QStringLiteral("warning")));
        // Thumbnails of empty projections are marked, and all texts in a table row are on the same level.
        child<QToolButton>(window, "foundOfScan")->click();
        auto* found = child<FoundDialog>(window, "found");
        QVERIFY(
            comes([&] { return !found->isReading() && !child<QToolButton>(*found, "thumbnail9")->icon().isNull(); }));
        for (int k = 0; k < 10; ++k) { // projections 0, 6, 13, 19, 26, 32, 39, 45, …
            const auto* picture = child<QToolButton>(*found, qPrintable(QStringLiteral("thumbnail%1").arg(k)));
            QCOMPARE(picture->toolTip().startsWith(QStringLiteral("Empty: ")), k > 6);
            QCOMPARE(picture->accessibleName().endsWith(QStringLiteral(", empty")), k > 6);
        }
        QVERIFY(child<QToolButton>(*found, "thumbnail0")->iconSize().height() < 30); // its title stands beside it
        const auto* state = child<QLabel>(*found, "anglesState");
        const auto* correct = child<QToolButton>(*found, "anglesCorrect");
        QVERIFY(std::abs(state->geometry().center().y() - correct->geometry().center().y()) <= 1);
        found->close();
        // The warning does not cover the view that it is about.
        window.images().setView(*findView(QStringLiteral("recorded")));
        auto* bar = child<QWidget>(window, "messageBar");
        auto* recorded = child<RecordedPanel>(window, "recorded");
        const auto onWindow = [&](const QWidget* widget) {
            return QRect(widget->mapTo(&window, QPoint()), widget->size());
        };
        QVERIFY(comes([&] { return recorded->isVisible() && !onWindow(bar).intersects(onWindow(recorded)); }));
        QVERIFY(bar->isVisible());
        for (QPushButton* button : child<QWidget>(window, "messageBar")->findChildren<QPushButton*>())
            if (button->text() == QStringLiteral("Leave them out"))
                button->click();
        QVERIFY(comes([&] { return window.scan()->projections() == 40; }));
        QVERIFY(showsImage(window));
        QVERIFY(!window.message().contains(QStringLiteral("empty")));
        QVERIFY(window.message().contains(QStringLiteral("limited angle"))); // a third of the turn is left out
    }

    // Recorded angles that don't fit the projections are doubted, and a click takes those that do.
    void unfitAnglesAreCorrected()
    {
        writeDiscs("unfit.h5", 4, 1); // twice what it was
        Window window;
        window.open(m_folder.file(QStringLiteral("unfit.h5")));
        QVERIFY(showsImage(window));
        QVERIFY2(window.message().contains(QStringLiteral("don't fit")), qPrintable(window.message()));
        QVERIFY(child<QToolButton>(window, "scanNotes")->text().contains(QStringLiteral("1 warning")));
        const auto* header = child<ImageHeader>(window, "imageAHeader"); // the mark goes where the image goes
        const ImagePanel& images = window.images();
        QCOMPARE(header->note(), QStringLiteral("doubtful"));
        QVERIFY(header->toolTip().contains(QStringLiteral("don't fit")));
        QVERIFY(images.figure().images.front().title.endsWith(QStringLiteral(", doubtful")));
        for (QPushButton* button : child<QWidget>(window, "messageBar")->findChildren<QPushButton*>())
            if (button->isVisible() && button->text().contains(QStringLiteral("180°")))
                button->click();
        QVERIFY(comes([&] { return std::abs(window.scan()->anglesRad().back() - std::numbers::pi * 89 / 90) < 1e-6; }));
        QVERIFY(showsImage(window));
        QVERIFY(!window.message().contains(QStringLiteral("don't fit")));
        QCOMPARE(header->note(), QString());
        QVERIFY(!images.figure().images.front().title.contains(QStringLiteral("doubtful")));
    }

    // A beam that jumps is doubted, and a click sets the air to 0, which levels it.
    void beamIsLevelled()
    {
        writeDiscs("jump.h5", 2, 0.8);
        Window window;
        window.open(m_folder.file(QStringLiteral("jump.h5")));
        QVERIFY(showsImage(window));
        QVERIFY2(window.message().contains(QStringLiteral("at projection 45")), qPrintable(window.message()));
        for (QPushButton* button : child<QWidget>(window, "messageBar")->findChildren<QPushButton*>())
            if (button->isVisible() && button->text() == QStringLiteral("Set the air to 0"))
                button->click();
        QVERIFY(comes(
            [&] { return !child<QToolButton>(window, "scanNotes")->text().contains(QStringLiteral("warning")); }));
    }

    // A scan with only empty projections: this is reported, none can be left out, and the axis is a guess.
    void allEmptyIsSaid()
    {
        {
            made::Hdf5 file(m_folder / "nothing.h5");
            file.numbers("/exchange/data", {60, 4, 32}, std::vector<double>(60 * 4 * 32, 0.0), H5T_STD_U16LE);
            file.numbers("/exchange/data_white", {1, 4, 32}, std::vector<double>(4 * 32, 1000.0), H5T_STD_U16LE);
            file.numbers("/exchange/theta", {60}, made::counting(60, 3));
        }
        Window window;
        window.open(m_folder.file(QStringLiteral("nothing.h5")));
        QVERIFY(showsImage(window));
        QVERIFY2(window.message().contains(QStringLiteral("All 60 projections are empty")),
                 qPrintable(window.message()));
        for (const QPushButton* button : child<QWidget>(window, "messageBar")->findChildren<QPushButton*>())
            QVERIFY(button->isHidden() || button->text() != QStringLiteral("Leave them out"));
        QVERIFY(child<QToolButton>(window, "scanNotes")->text().contains(QStringLiteral("warning")));
        const engine::Reconstruction& made = *window.shown().a().result;
        QCOMPARE(made.axisSource, std::string("guess"));
        QCOMPARE(made.axisBins, 15.5);
    }

    // The dialog suggests options that fit, and a click applies them.
    void savingWhatFits()
    {
        const NoWarnings noWarnings;
        auto scan = std::make_shared<engine::Scan>(); // it cannot be read
        scan->name = scan->path = "large.h5";
        scan->bytesPerSample = 2;
        scan->rows = 4;
        engine::ParallelBeam beam;
        beam.bins = 8192;
        beam.anglesRad = evenAngles(6000);
        beam.axisBins = {4100};
        scan->geometry = beam;
        engine::Request request = requestFor(scan);
        request.resources.memoryLimitBytes = 700e6;
        SaveVolumeDialog dialog(
            {.name = QStringLiteral("v"), .slices = 4, .height = 8192, .width = 8192, .unit = {}, .request = request},
            m_folder.file({}), {}, nullptr);
        QVERIFY(child<QLabel>(dialog, "volumeNeeds")->text().contains(QStringLiteral("Memory")));
        auto* part = child<QPushButton>(dialog, "volumeFit2");
        QVERIFY2(part->text().startsWith(QStringLiteral("The middle")), qPrintable(part->text()));
        part->click();
        QVERIFY(dialog.place().region());
        QVERIFY(!child<QLabel>(dialog, "volumeNeeds")->text().contains(QStringLiteral("✕")));

        SaveVolumeDialog again(
            {.name = QStringLiteral("v"), .slices = 4, .height = 8192, .width = 8192, .unit = {}, .request = request},
            m_folder.file({}), {}, nullptr);
        auto* join = child<QPushButton>(again, "volumeFit0");
        QVERIFY2(join->text().startsWith(QStringLiteral("Average 2 × 2 pixels")), qPrintable(join->text()));
        join->click();
        QVERIFY(again.wantedFit() && again.wantedFit()->reduction);
        QCOMPARE(again.wantedFit()->reduction->bin, 2);
    }

  private:
    // Writes three discs without symmetry over half a turn. stepDeg: of the recorded angles; light: of the second half.
    void writeDiscs(const char* name, double stepDeg, double light) const
    {
        constexpr int projections = 90, rows = 2, bins = 64;
        std::vector<double> numbers, flats(rows * bins, 20000.0);
        for (int p = 0; p < projections; ++p)
            for (int k = 0; k < rows * bins; ++k) {
                const double angle = std::numbers::pi * p / projections, t = k % bins - (bins - 1) / 2.0;
                double through = 0;
                for (const auto& [radius, x, y, density] :
                     {std::array{22.0, 2.0, 3.0, 0.02}, {5.0, 9.0, -6.0, 0.1}, {3.0, -11.0, 5.0, 0.15}}) {
                    const double off = t - x * std::cos(angle) - y * std::sin(angle);
                    through += off * off < radius * radius ? 2 * density * std::sqrt(radius * radius - off * off) : 0;
                }
                numbers.push_back(std::round(20000 * std::exp(-through) * (p < projections / 2 ? 1 : light)));
            }
        made::Hdf5 file(m_folder / name);
        file.numbers("/exchange/data", {projections, rows, bins}, numbers, H5T_STD_U16LE);
        file.numbers("/exchange/data_white", {1, rows, bins}, flats, H5T_STD_U16LE);
        file.numbers("/exchange/theta", {projections}, made::counting(projections, stepDeg));
        file.attribute("/exchange/theta", "units", "deg");
    }

    TemporaryFolder m_folder;
};

SINOSCOPE_TEST(FoundDialogTest, QApplication)
#include "found_dialog_test.moc"
