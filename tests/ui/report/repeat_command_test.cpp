// SPDX-License-Identifier: GPL-3.0-or-later
// "Copy the command line" and the command line of the window: they contain every option that determines the image.
#include "engine/backends/method.h"
#include "engine/backends/support.h"
#include "engine/base/error.h"
#include "engine/documents/repeat_command.h"
#include "engine/options/options.h"
#include "engine/simulate/phantom.h"
#include "tests/test_program.h"
#include "ui/report/command_line.h"

using namespace ui;

namespace
{

engine::Reconstruction shown()
{
    auto scan = std::make_shared<engine::Scan>();
    scan->path = "/data/a scan.raw";
    scan->rows = 5;
    engine::Reconstruction made;
    made.request.scan = std::move(scan);
    made.request.place.setSlices({3, 1});
    made.method = "cpu";
    made.axisBins = 295.82031251;
    made.axisSource = "automatic";
    return made;
}

QString repeatCommand(const engine::Reconstruction& made, const engine::OpenOptions& opened = {},
                      const std::optional<engine::Simulation>& simulation = {})
{
    return QString::fromStdString(engine::repeatCommand(made, opened, simulation, "slice"));
}

StartOptions parsed(const QStringList& words)
{
    return parseCommandLine(QStringList{QStringLiteral("sinoscope")} + words).value();
}

} // namespace

class RepeatCommandTest : public QObject
{
    Q_OBJECT
  private slots:
    void everyOptionIsSaid();
    void howTheScanWasOpened();
    void simulations();
    void windowTakesEveryOption();
    void windowNamesABadOption();
};

void RepeatCommandTest::everyOptionIsSaid()
{
    engine::Reconstruction made = shown();
    made.method = "alu";
    const QList<std::pair<const char*, const char*>> given = {{"interpolation", "oversampled:7"},
                                                              {"precision", "half"},
                                                              {"slices-per-pass", "8"},
                                                              {"device", "cuda:1"},
                                                              {"threads", "3"},
                                                              {"memory-limit", "3G"},
                                                              {"filter", "butterworth"},
                                                              {"cutoff", "0.37"},
                                                              {"order", "9"},
                                                              {"pad", "edge"},
                                                              {"region", "1,2,30,40"}};
    for (const auto& [id, text] : given)
        engine::setField(engine::option(id), made.request, text);
    const QString command = repeatCommand(made, {}, {});
    for (const auto& [id, text] : given) {
        const QString word = QStringLiteral(" --%1 %2").arg(QLatin1String(id), QLatin1String(text));
        QVERIFY2(command.contains(word) ||
                     command.contains(QString(word).replace(text, QStringLiteral("'%1'").arg(text))),
                 qPrintable(word + QStringLiteral(" is not in ") + command));
    }
    // Where the processor took over from the device, the command names the processor.
    made.method = "cpu";
    const QString byProcessor = repeatCommand(made, {}, {});
    QVERIFY2(byProcessor.contains(QStringLiteral("--method cpu")) &&
                 byProcessor.contains(QStringLiteral("--device cpu")),
             qPrintable(byProcessor));
    // Variants of the methods that have them.
    for (const engine::Method& method : engine::methods())
        for (const engine::Variant& variant : engine::variantsOf(method)) {
            engine::Reconstruction other = made;
            const auto kinds = engine::geometryKinds();
            const auto taken = std::ranges::find_if(
                kinds, [&](const engine::GeometryKind& kind) { return method.takes(kind.example); });
            auto scan = std::make_shared<engine::Scan>(*made.request.scan);
            scan->geometry = taken->example;
            other.request.scan = scan;
            other.method = other.request.setting.kernel.method = method.id;
            other.request.setting.kernel.variant = variant.id;
            const QString said = QStringLiteral(" --variant ") + QString::fromStdString(variant.id) + QLatin1Char(' ');
            QVERIFY2(repeatCommand(other, {}, {}).contains(said), qPrintable(said));
            other.method = other.request.setting.kernel.method = "exact"; // which has no variants
            QVERIFY(!repeatCommand(other, {}, {}).contains(QLatin1String("--variant")));
        }
    QVERIFY(command.contains(QStringLiteral(" --method alu")));
    QVERIFY(command.contains(QStringLiteral(" --axis 295.82031251"))); // the axis found, with all its digits
    QVERIFY(command.contains(QStringLiteral(" --slice 3 ")));
    // The order contains only the steps that are switched on.
    engine::Reconstruction ordered = shown();
    engine::setField(engine::option("zingers"), ordered.request, "square");
    engine::setField(engine::option("step-order"), ordered.request, "zingers,flat-field,tilt,rings");
    const QString inOrder = repeatCommand(ordered, {}, {});
    QVERIFY2(inOrder.contains(QStringLiteral(" --step-order 'zingers,flat-field' ")), qPrintable(inOrder));
    // Options with their default value are left out.
    const QString plain = repeatCommand(shown(), {}, {});
    for (const char* word :
         {"--cutoff", "--order", "--pad", "--device", "--threads", "--memory", "--region", "--alu", "--variant"})
        QVERIFY2(!plain.contains(QLatin1String(word)), qPrintable(plain));
}

void RepeatCommandTest::howTheScanWasOpened()
{
    engine::OpenOptions opened;
    opened.anglesFile = "my angles.txt";
    opened.darks = "d.tif";
    opened.flats = "flats";
    opened.values = engine::Quantity::transmission;
    opened.raw = engine::RawLayout{7, 5, 11, "int8", true, 512};
    opened.geometryFile = "geo metry.xml";
    opened.cone.pixelUMm = 0.2;
    opened.cone.offsetVMm = -1.5;
    opened.cone.direction = engine::AngleDirection::clockwise;
    const QString command = repeatCommand(shown(), opened, {});
    for (const char* words :
         {"reconstruct '/data/a scan.raw'", "--angles 'my angles.txt'", "--darks d.tif", "--flats flats",
          "--values transmission", "--raw 7x5x11", "--type int8", "--big-endian", "--header 512",
          "--geometry 'geo metry.xml'", "--pixel 0.2", "--detector-offset '0,-1.5'", "--direction clockwise"})
        QVERIFY2(command.contains(QLatin1String(words)), qPrintable(QLatin1String(words) + " is not in " + command));
}

void RepeatCommandTest::simulations()
{
    engine::Simulation simulation;
    simulation.attenuation = 1;
    simulation.counts = false;
    simulation.sampling = engine::Sampling::binMean;
    simulation.axisOffsetBins = 0.1;
    const QString command = repeatCommand(shown(), {}, simulation);
    for (const char* words : {"--attenuation 1", "--line-integrals", "--bin-mean", "--axis-offset 0.1 "})
        QVERIFY2(command.contains(QLatin1String(words)), qPrintable(command));
}

void RepeatCommandTest::windowTakesEveryOption()
{
    const StartOptions options =
        parsed({"--method",  "cpu",  "--filter",       "butterworth", "--order",  "60",
                "--cutoff",  "0.02", "--pad",          "edge",        "--axis",   "tomopy-iterative:10",
                "--threads", "2",    "--memory-limit", "2G",          "--values", "counts",
                "--report",  "r"});
    QCOMPARE(options.request.setting.filter.order, 60);
    QCOMPARE(options.request.setting.filter.cutoff, 0.02);
    QVERIFY(options.request.setting.filter.padMode == engine::PadMode::edge);
    QCOMPARE(options.request.setting.axis.bins, 9.5);
    QCOMPARE(options.request.resources.threads, 2);
    QCOMPARE(options.request.resources.memoryLimitBytes, 2e9);
    QVERIFY(options.open.values == engine::Quantity::counts);
    const engine::OpenOptions open =
        parsed({"--geometry", "cone", "--source-axis", "100", "--detector-offset", "-1,2", "--roll", "0.5"}).open;
    QVERIFY(open.beam == engine::BeamKind::cone && open.geometryFile.empty());
    QCOMPARE(open.cone.sourceAxisMm.value_or(0), 100.0);
    QCOMPARE(open.cone.offsetUMm.value_or(0), -1.0);
    QVERIFY(!parsed({"--geometry", "g.xml"}).open.beam && parsed({"--geometry", "g.xml"}).open.geometryFile == "g.xml");
    QVERIFY(options.given.contains(QStringLiteral("method")) && !options.given.contains(QStringLiteral("device")));
}

void RepeatCommandTest::windowNamesABadOption()
{
    for (const QStringList& words : {QStringList{"--order", "101"},
                                     {"--cutoff", "0"},
                                     {"--filter", "hanning"},
                                     {"--threads", "x"},
                                     {"--method", "magic"},
                                     {"--values", "photons"}}) {
        QString message;
        try {
            parsed(words);
        } catch (const engine::Error& error) {
            message = QString::fromUtf8(error.what());
        }
        QVERIFY2(message.contains(words[1]), qPrintable(words[0] + ": " + message));
    }
}

SINOSCOPE_TEST(RepeatCommandTest, QCoreApplication)
#include "repeat_command_test.moc"
