// SPDX-License-Identifier: GPL-3.0-or-later
// How a scan is read, set in the window: the shape of numbers without a header, angles, a geometry, darks, flats and
// the pixel size. Incomplete input is kept until it suffices; sessions and the command line store it.
#include "engine/io/slices/slice_writer.h"
#include "tests/ui/fixtures.h"
#include "ui/image/image_panel.h"
#include "ui/opening/path_field.h"
#include "ui/report/command_line.h"
#include "ui/settings/geometry_panel.h"
#include "ui/widgets/displayed_number.h"

#include <QClipboard>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSpinBox>
#include <QToolButton>
#include <QToolTip>

#include <cmath>
#include <fstream>
#include <numbers>

using namespace ui;
using namespace fixtures;

namespace
{

constexpr int projections = 60, rows = 16, bins = 48, headerBytes = 64;

} // namespace

class ReadingTest : public QObject
{
    Q_OBJECT

    static void type(Window& window, const char* field, const QString& text)
    {
        auto* edit = child<QLineEdit>(window, field);
        edit->setText(text);
        emit edit->editingFinished();
    }
    template <typename Box, typename Value>
    static void enter(Window& window, const char* field, Value value)
    {
        child<Box>(window, field)->setValue(value);
    }
    static void chooseKind(Window& window, const QString& text)
    {
        auto* kind = child<QComboBox>(window, "anglesKind");
        kind->setCurrentIndex(kind->findText(text));
        emit kind->activated(kind->currentIndex());
    }
    static QString problem(Window& window)
    {
        const auto* label = child<QLabel>(window, "readingProblem");
        return label->isVisible() ? label->text() : QString();
    }
    static std::vector<double> degreesOf(const Window& window)
    {
        std::vector<double> angles;
        for (const double angle : window.scan()->anglesRad())
            angles.push_back(angle * 180 / std::numbers::pi);
        return angles;
    }
    QString write(const char* name, const std::string& text) const
    {
        const QString path = m_folder.file(QLatin1String(name));
        std::ofstream(path.toStdString(), std::ios::binary) << text;
        return path;
    }
    static std::string lines(int count)
    {
        std::string text = "# frame angle\n";
        for (int k = 0; k < count; ++k)
            text += std::to_string(k) + " " + std::to_string(k * 2.5) + "\n";
        return text;
    }
    // Opens the scan with its shape.
    void open(Window& window) const
    {
        engine::OpenOptions options;
        options.raw = engine::RawLayout{projections, rows, bins, "float32", false, headerBytes};
        options.values = engine::Quantity::attenuation;
        StartOptions start;
        start.scan = m_path;
        start.open = options;
        window.begin(start);
        QVERIFY2(showsImage(window), qPrintable(window.message()));
        child<QToolButton>(window, "readingHeading")->click();
        QVERIFY(child<QWidget>(window, "reading")->isVisible());
    }
    static QString command(Window& window)
    {
        trigger(window, QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_C));
        return QGuiApplication::clipboard()->text();
    }
    // Checks that a session of the window opens the scan in the same way.
    void comesBack(Window& window) const
    {
        const QString session = m_folder.file(QStringLiteral("reading.sinoscope"));
        window.saveSession(session);
        Window again;
        again.openSession(session);
        QVERIFY2(showsImage(again), qPrintable(again.message()));
        QVERIFY(again.scan()->geometry == window.scan()->geometry);
        QCOMPARE(again.scan()->flatFrames, window.scan()->flatFrames);
        QVERIFY(again.scan()->read({3, 2}, {}).data == window.scan()->read({3, 2}, {}).data);
    }

  private slots:
    // Shifts of the projections, and slices with another pixel size and rotation: marks stay on the object.
    void shiftsPixelsAndRotationAreSaid()
    {
        Window window;
        open(window);
        const auto beam = [&window] { return std::get<engine::ParallelBeam>(window.scan()->geometry); };
        std::string shifts;
        for (int p = 0; p < projections; ++p)
            shifts += p == 7 ? "0.5 -1\n" : "0 0\n";
        window.setSlice(5);
        type(window, "shifts", write("shifts.txt", shifts));
        QVERIFY(showsImage(window));
        QCOMPARE(beam().shiftBins.at(7), 0.5);
        QCOMPARE(beam().shiftRows.at(7), -1.0);
        const auto lineOf = [&window] { return std::get<engine::Line>(window.images().marks().line()->shape); };
        const double before = lineOf().x0 - (bins - 1) / 2.0;
        enter<QDoubleSpinBox>(window, "outputPixel", 0.5);
        QVERIFY(showsImage(window));
        QCOMPARE(window.shown().planeA().grid.size, 2 * bins);
        QCOMPARE(window.slice(), 5);
        QVERIFY(std::abs(lineOf().x0 - (2 * bins - 1) / 2.0 - 2 * before) < 1e-9);
        enter<QDoubleSpinBox>(window, "rotation", 30);
        QVERIFY(showsImage(window));
        QVERIFY(std::abs(degreesOf(window).front() - 30) < 1e-9);
        const QString said = command(window);
        for (const char* word : {"--shifts ", "--output-pixel 0.5", "--rotate 30"})
            QVERIFY2(said.contains(QLatin1String(word)), qPrintable(said));
        comesBack(window);
        type(window, "shifts", write("few.txt", "1\n"));
        QVERIFY(comes([&window] { return problem(window).contains(QStringLiteral("60 projections")); }));
    }

    void initTestCase()
    {
        engine::Simulation simulation = simulationOf(engine::Phantom::sheppLogan3d, bins, projections, rows);
        simulation.counts = false;
        const auto scan = engine::simulate(simulation);
        const engine::Values values = scan->read({0, rows}, {}).data.toFloats();
        m_path = m_folder.file(QStringLiteral("numbers.dat"));
        std::ofstream file(m_path.toStdString(), std::ios::binary);
        file << std::string(headerBytes, 'h');
        file.write(reinterpret_cast<const char*>(values.data()), std::streamsize(values.size() * sizeof(float)));
    }

    // Only the size of the file is known: the window asks, tells for every number whether it fits, and suggests
    // numbers that fit.
    void aShapelessFileIsAskedFor()
    {
        Window window;
        window.open(m_path);
        QVERIFY(comes([&] { return !window.message().isEmpty(); }));
        auto* way = child<QWidget>(window, "messageBar")->findChild<QPushButton*>();
        QCOMPARE(way->text(), QStringLiteral("Import raw…"));
        way->click();
        auto* opens = child<QPushButton>(window, "rawOpen");
        auto* mends = child<QPushButton>(window, "rawMend");
        auto* fit = child<QLabel>(window, "rawFit");
        QVERIFY(opens->isVisible() && !opens->isEnabled());
        chooseValue(child<QComboBox>(window, "rawType"), QStringLiteral("float32"));
        enter<QSpinBox>(window, "rawRows", rows);
        enter<QSpinBox>(window, "rawBins", bins);
        QVERIFY2(fit->text().contains(groupedText(projections * rows * bins * 4 + headerBytes)),
                 qPrintable(fit->text()));
        enter<QSpinBox>(window, "rawProjections", projections + 1);
        QVERIFY2(fit->text().contains(QStringLiteral("missing")), qPrintable(fit->text()));
        enter<QSpinBox>(window, "rawProjections", projections);
        QVERIFY2(fit->text().contains(QStringLiteral("64 left over")) && !opens->isEnabled(), qPrintable(fit->text()));
        QVERIFY(mends->isVisible() && mends->text().contains(QStringLiteral("64")));
        mends->click();
        QCOMPARE(child<QSpinBox>(window, "rawHeader")->value(), headerBytes);
        enter<QSpinBox>(window, "rawProjections", 1);
        QVERIFY2(mends->isVisible() && mends->text().contains(QStringLiteral("60 projections")),
                 qPrintable(mends->text()));
        mends->click();
        QVERIFY(opens->isEnabled());
        opens->click();
        QVERIFY2(showsImage(window), qPrintable(window.message() + problem(window)));
        QCOMPARE(window.scan()->projections(), projections);
        QCOMPARE(window.scan()->rows, rows);
        QVERIFY(!opens->isEnabled()); // the scan is already open like this
        const QString words = command(window);
        QVERIFY2(words.contains(QStringLiteral("--raw 60x16x48 --type float32 --header 64")), qPrintable(words));
        comesBack(window);
    }

    void aNameThatSaysTheShapeIsTaken()
    {
        Window window;
        const QString path = m_folder.file(QStringLiteral("tooth_60x16x47_uint16.img"));
        std::ofstream(path.toStdString(), std::ios::binary) << std::string(60 * 16 * 47 * 2, '\2');
        window.open(path);
        QVERIFY(comes([&] { return !window.message().isEmpty(); }));
        child<QWidget>(window, "messageBar")->findChild<QPushButton*>()->click();
        QVERIFY(child<QPushButton>(window, "rawOpen")->isEnabled());
        child<QPushButton>(window, "rawOpen")->click();
        QVERIFY(showsImage(window));
        QCOMPARE(window.scan()->bins(), 47);
    }

    void spreads()
    {
        Window window;
        open(window);
        QVERIFY(window.scan()->anglesAssumed);
        chooseKind(window, QStringLiteral("even, over 360°"));
        QVERIFY(showsImage(window));
        QVERIFY(std::abs(degreesOf(window)[1] - 6) < 1e-9 && !window.scan()->anglesAssumed);
        QVERIFY2(command(window).contains(QStringLiteral("--angles 0:360 --angles-end-excluded")),
                 qPrintable(command(window)));
        chooseKind(window, QStringLiteral("first and last"));
        enter<QDoubleSpinBox>(window, "angleLast", 118.0);
        QVERIFY(showsImage(window));
        enter<QDoubleSpinBox>(window, "angleFirst", 0.0);
        QVERIFY(settles(window));
        child<QCheckBox>(window, "angleEndExcluded")->setChecked(false);
        QVERIFY(showsImage(window));
        QVERIFY2(std::abs(degreesOf(window).back() - 118) < 1e-9,
                 qPrintable(QString::number(degreesOf(window).back())));
        chooseKind(window, QStringLiteral("first and step"));
        enter<QDoubleSpinBox>(window, "angleStep", -3.0);
        QVERIFY(showsImage(window));
        QVERIFY(std::abs(degreesOf(window)[2] + 6) < 1e-9);
        enter<QDoubleSpinBox>(window, "angleStep", 100.0);
        QVERIFY(settles(window));
        enter<QDoubleSpinBox>(window, "angleWrap", 180.0);
        QVERIFY(showsImage(window));
        QVERIFY(std::abs(degreesOf(window)[2] - 20) < 1e-9);
        QVERIFY2(command(window).contains(QStringLiteral("--angles 0::100:180")), qPrintable(command(window)));
        comesBack(window);
        chooseKind(window, QStringLiteral("from file"));
        QVERIFY(showsImage(window));
        QVERIFY(window.scan()->anglesAssumed);
        QVERIFY(!command(window).contains(QStringLiteral("--angles")));
    }

    // A table of angles: the user chooses the column. If there are more angles than projections, a click takes the last
    // lines of the table.
    void aFileOfAngles()
    {
        Window window;
        open(window);
        const QString file = write("angles of 70.txt", lines(70));
        const auto before = window.scan();
        chooseKind(window, QStringLiteral("from a file"));
        type(window, "anglesFile", file);
        QVERIFY(settles(window));
        QVERIFY2(problem(window).contains(QStringLiteral("2 columns")), qPrintable(problem(window)));
        QVERIFY2(!problem(window).contains(QStringLiteral("--")), qPrintable(problem(window)));
        QCOMPARE(window.scan(), before);
        enter<QSpinBox>(window, "angleColumn", 2);
        QVERIFY(settles(window));
        QVERIFY2(problem(window).contains(QStringLiteral("70 angles")), qPrintable(problem(window)));
        auto* use = child<QPushButton>(window, "useLastLines");
        QVERIFY2(use->isVisible() && use->text().contains(QStringLiteral("12–71")), qPrintable(use->text()));
        use->click();
        QVERIFY2(showsImage(window), qPrintable(problem(window)));
        QVERIFY(problem(window).isEmpty());
        QVERIFY(std::abs(degreesOf(window).front() - 25) < 1e-9 && std::abs(degreesOf(window).back() - 172.5) < 1e-9);
        const QString words = command(window);
        QVERIFY2(words.contains(QStringLiteral("--angles-column 2 --angles-lines 12:71")), qPrintable(words));
        comesBack(window);
        // An invalid value is kept, not applied, and can be reverted.
        enter<QSpinBox>(window, "angleColumn", 3);
        QVERIFY(settles(window));
        QVERIFY2(problem(window).contains(QStringLiteral("no column 3")), qPrintable(problem(window)));
        child<QPushButton>(window, "readingBack")->click();
        QCOMPARE(child<QSpinBox>(window, "angleColumn")->value(), 2);
        QVERIFY(problem(window).isEmpty());
    }

    // A geometry file that lacks the pixel size is chosen first; the pixel size is given afterwards.
    void aGeometryFile()
    {
        Window window;
        open(window);
        std::string xml = "<RTKThreeDCircularGeometry version=\"3\"><SourceToIsocenterDistance>500</"
                          "SourceToIsocenterDistance><SourceToDetectorDistance>750</SourceToDetectorDistance>";
        for (int p = 0; p < projections; ++p)
            xml += "<Projection><GantryAngle>" + std::to_string(6 * p) + "</GantryAngle></Projection>";
        type(window, "geometryFile", write("circle.xml", xml + "</RTKThreeDCircularGeometry>"));
        QVERIFY(settles(window));
        QVERIFY2(problem(window).contains(QStringLiteral("size of the detector's pixels")),
                 qPrintable(problem(window)));
        QVERIFY(std::holds_alternative<engine::ParallelBeam>(window.scan()->geometry));
        enter<QDoubleSpinBox>(window, "pixelSize", 1500);
        QVERIFY2(showsImage(window), qPrintable(problem(window)));
        const auto* beam = std::get_if<engine::ConeBeam>(&window.scan()->geometry);
        QVERIFY(beam && beam->sourceAxisMm == 500 && beam->pixelUMm == 1.5);
        QVERIFY(std::abs(degreesOf(window)[1] - 6) < 1e-9);
        comesBack(window);
        // Interpreted as a parallel beam the scan has the same angles and rows, also when it is opened again.
        window.takeAsParallel();
        QVERIFY(showsImage(window));
        QVERIFY2(command(window).contains(QStringLiteral("--geometry parallel --geometry ")),
                 qPrintable(command(window)));
        comesBack(window);
    }

    void darksFlatsAndPixel()
    {
        Window window;
        open(window);
        engine::Volume flat(1, rows, bins);
        std::fill(flat.values.begin(), flat.values.end(), 2.0f);
        engine::writeTiffImage(m_folder.file(QStringLiteral("flat.tif")).toStdString(), flat, 0, true, {});
        type(window, "flats", m_folder.file(QStringLiteral("flat.tif")));
        QVERIFY2(showsImage(window), qPrintable(problem(window)));
        QCOMPARE(window.scan()->flatFrames, 1);
        QVERIFY(!window.scan()->pixelSizeMm());
        window.setSlice(3);
        QVERIFY(showsImage(window));
        enter<QDoubleSpinBox>(window, "pixelSize", 20);
        QVERIFY2(showsImage(window), qPrintable(window.message() + problem(window)));
        QCOMPARE(window.scan()->pixelSizeMm().value_or(0), 0.02);
        QCOMPARE(window.slice(), 3); // the same voxels, with another size
        QVERIFY2(command(window).contains(QStringLiteral("--pixel 0.02")), qPrintable(command(window)));
        comesBack(window);
        type(window, "darks", m_folder.file(QStringLiteral("nowhere.tif")));
        QVERIFY(settles(window));
        QVERIFY2(problem(window).contains(QStringLiteral("nowhere.tif")), qPrintable(problem(window)));
    }

    // A sinogram without a description of its dimensions.
    void transposedByAClick()
    {
        engine::Volume image(1, 60, 48);
        const engine::RawRows rows = smallScan(48, 60)->read({0, 1}, {});
        std::ranges::copy(rows.data.floats(), image.values.begin());
        const QString path = m_folder.file(QStringLiteral("sinogram.tif"));
        engine::writeTiffImage(path.toStdString(), image, 0, true, {});
        Window window;
        window.open(path, true);
        QVERIFY2(showsImage(window), qPrintable(window.message()));
        QVERIFY(window.scan()->projections() == 60 && window.scan()->bins() == 48);
        for (const int projections : {48, 60}) {
            child<QPushButton>(window, "transposeButton")->click();
            QVERIFY2(showsImage(window), qPrintable(window.message() + problem(window)));
            QCOMPARE(window.scan()->projections(), projections);
            QCOMPARE(window.scan()->bins(), 108 - projections);
        }
        Window other;
        QVERIFY(other.opensSmall());
        QVERIFY(!child<QPushButton>(other, "transposeButton")->isVisibleTo(&other));
    }

    // Lengths are typed over a field's number in any unit; a number alone is in µm.
    void lengthsHaveUnits()
    {
        Window window;
        open(window);
        const auto over = [&window](const char* name, const QString& text) {
            auto* box = child<QDoubleSpinBox>(window, name);
            box->setFocus();
            box->selectAll();
            QTest::keyClicks(box, text);
            QTest::keyClick(box, Qt::Key_Return);
            return showsImage(window);
        };
        const auto pixelMm = [&window] { return window.scan()->pixelSizeMm().value_or(0); };
        const auto bins = [&window] { return std::get<engine::ParallelBeam>(window.scan()->geometry).pixelBins; };
        QCOMPARE(child<QDoubleSpinBox>(window, "outputPixel")->suffix(), QStringLiteral(" bins"));
        for (const auto& [text, mm] : {std::pair("4", 0.004), std::pair("1.5um", 0.0015), std::pair("650 nm", 0.00065),
                                       std::pair("1,5", 0.0015), std::pair("0,75um", 0.00075), std::pair("0.2mm", 0.2),
                                       std::pair("0.3 mm", 0.3), std::pair("0.05cm", 0.5), std::pair("2", 0.002)}) {
            QVERIFY2(over("pixelSize", QLatin1String(text)), text);
            QVERIFY2(pixelMm() == mm, text);
        }
        QCOMPARE(child<QDoubleSpinBox>(window, "pixelSize")->text(), QStringLiteral("2 µm"));
        over("pixelSize", QStringLiteral("3 parsec"));
        QCOMPARE(child<QDoubleSpinBox>(window, "pixelSize")->text(), QStringLiteral("2 µm"));
        QTRY_VERIFY2(QToolTip::text().contains(QLatin1String("3 parsec")), qPrintable(QToolTip::text()));
        QVERIFY2(QToolTip::text().contains(QStringLiteral("2 µm stays")), qPrintable(QToolTip::text()));
        QCOMPARE(pixelMm(), 0.002);
        // Also for slices, now that the size of a bin is known.
        for (const auto& [text, size] :
             {std::pair("1", 0.5), std::pair("4 um", 2.0), std::pair("0.5 bins", 0.5), std::pair("3000nm", 1.5)}) {
            QVERIFY2(over("outputPixel", QLatin1String(text)), text);
            QVERIFY2(bins() == size, text);
        }
        QCOMPARE(child<QDoubleSpinBox>(window, "outputPixel")->text(), QStringLiteral("3 µm"));
    }

    // An undo restores how the scan was read, together with everything that is compared.
    void stepsBack()
    {
        Window window;
        open(window);
        engine::Marks marks = window.images().marks();
        marks.add(engine::Line{10, 12, 30, 33});
        window.images().editMarks(marks);
        const auto before = window.scan();
        chooseKind(window, QStringLiteral("even, over 360°"));
        QVERIFY(showsImage(window));
        QVERIFY(window.images().marks() == marks);
        trigger(window, QKeySequence::Undo);
        QVERIFY(showsImage(window));
        QCOMPARE(window.scan(), before);
        QCOMPARE(child<QComboBox>(window, "anglesKind")->currentText(), QStringLiteral("none: assumed"));
        trigger(window, QKeySequence::Redo);
        QVERIFY(showsImage(window));
        QVERIFY(std::abs(degreesOf(window)[1] - 6) < 1e-9);
    }

    // The command line of the window has the same options.
    void theCommandLine()
    {
        const auto parsed = parseCommandLine(
            {QStringLiteral("sinoscope"), m_path, QStringLiteral("--raw"), QStringLiteral("60x16x48"),
             QStringLiteral("--header"), QStringLiteral("64"), QStringLiteral("--type"), QStringLiteral("float32"),
             QStringLiteral("--angles"), QStringLiteral("0::3"), QStringLiteral("--pixel"), QStringLiteral("0.5")});
        QVERIFY(parsed.has_value());
        const engine::RawLayout layout{projections, rows, bins, "float32", false, headerBytes};
        QVERIFY(parsed->open.raw == layout && parsed->open.angleSteps.has_value());
        Window window;
        window.begin(*parsed);
        QVERIFY2(showsImage(window), qPrintable(window.message()));
        QCOMPARE(window.scan()->pixelSizeMm().value_or(0), 0.5);
        QVERIFY_EXCEPTION_THROWN(
            parseCommandLine({QStringLiteral("sinoscope"), QStringLiteral("--header"), QStringLiteral("64")}),
            engine::Error);
    }

  private:
    TemporaryFolder m_folder;
    QString m_path;
};

SINOSCOPE_TEST(ReadingTest, QApplication)
#include "reading_test.moc"
