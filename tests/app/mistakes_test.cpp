// SPDX-License-Identifier: GPL-3.0-or-later
// Every mistake on the command line gives status 2, a message that names it, and no file.
#include "engine/backends/cuda/parallel/tuning.h"
#include "engine/io/slices/slice_writer.h"
#include "tests/app/program.h"

#include <fstream>

using program::Result;

class MistakesTest : public QObject, private program::Folder
{
    Q_OBJECT

  private slots:
    void initTestCase()
    {
        const Result made = makeHead();
        QVERIFY2(made.status == 0, made.err.constData());
        QCOMPARE(run({"info", "head.h5", "--json", "report.json"}).status, 0);
        QCOMPARE(run({"compare", "head.tif", "head.tif", "--profile", "profile.csv"}).status, 0);
        std::ofstream(path("short.txt")) << "0\n1\n2\n";
        engine::writeTiffImage(path("small.tif"), engine::Volume(1, 4, 4), 0, true, {});
    }

    // A header asks for 20 GB. HDF5 leaks the object that it failed to open, and used to report that on every exit.
    void oneSentence()
    {
        if (fixtures::sanitized)
            QSKIP("a sanitizer takes 20 GB for a mistake");
        QVERIFY(
            QFile::copy(SINOSCOPE_SOURCE_DIR "/tests/fuzz/findings/hdf5/header-of-20-gigabytes", file("header.h5")));
        const Result result = run({"info", "header.h5"});
        QCOMPARE(result.status, 2);
        QVERIFY2(result.err.count('\n') == 1 && result.err.startsWith("sinoscope-cli: 'header.h5'"),
                 result.err.constData());
        QVERIFY(QFile::remove(file("header.h5")));
    }

    void mistakes_data()
    {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<QString>("message"); // part of standard error

        const auto row = [](const char* name, const char* words, const char* message) {
            QTest::newRow(name) << QString(words).split(' ', Qt::SkipEmptyParts) << message;
        };
        row("nine eighths", "reconstruct head.h5 -o bad.tif --texture-eighths 9", "not between 0 and 8");
        row("unknown tuning", "benchmark --alu-tuning fastest", "choose one of tuned, values");
        if (!engine::cuda::aluTuningsBuilt) {
            row("tuning not built", "benchmark --alu-tuning conversion", "-DSINOSCOPE_TUNINGS=ON");
            row("variant not built", "benchmark --variant conversion", "-DSINOSCOPE_TUNINGS=ON");
            row("tuning not built, verify", "verify --alu-tuning conversion", "-DSINOSCOPE_TUNINGS=ON");
        }
        row("unknown variant", "reconstruct head.h5 -o bad.tif --variant magic", "`hybrid` has 0/8");
        row("unknown variant, benchmark", "benchmark --variant magic", "values");
        row("another method's variant", "reconstruct head.h5 -o bad.tif --method exact --variant values", "has none");
        row("variant twice", "verify --variant values --alu-tuning values", "--variant");
        row("unknown steps", "benchmark --steps stairs", "steps-1");
        row("steps of other methods", "benchmark --steps ladder --methods cpu", "--steps chooses methods");
        row("no command", "", "choose one of");
        row("unknown command", "recontruct head.h5", "did you mean reconstruct?");
        row("unknown option", "reconstruct head.h5 --outptu bad.tif", "did you mean --output?");
        row("another program's option", "reconstruct head.h5 -o bad.tif --rotation-axis 3", "did you mean --axis?");
        row("another program's word", "reconstruct head.h5 -o bad.tif --algorithm fbp", "did you mean --method?");
        row("option like three", "reconstruct head.h5 -o bad.tif --slic 3", "did you mean --slice or --slices");
        row("option like none", "reconstruct head.h5 -o bad.tif --qqqqqqqqq",
            "'--qqqqqqqqq'; `sinoscope-cli reconstruct --help-all` lists all");
        row("choice misspelt", "reconstruct head.h5 -o bad.tif --filter ramlak",
            "did you mean ram-lak? All: ram-lak, ");
        row("choice cut short", "reconstruct head.h5 -o bad.tif --method tex", "did you mean texture?");
        row("choice of another program", "reconstruct head.h5 -o bad.tif --filter hanning", "did you mean hann?");
        row("values cut short", "info head.h5 --values negative", "did you mean negative-line-integrals?");
        row("choice like none", "reconstruct head.h5 -o bad.tif --filter qqqq", "unknown value 'qqqq'; choose one of ");
        row("no value", "reconstruct head.h5 -o bad.tif --rings", "--rings needs a value: off|");
        row("no scan", "reconstruct --output bad.tif", "SCAN");
        row("one word too many", "axis head.h5 head.h5", "too many");
        row("data sets of two files", "info head.h5 head.h5 --data-sets", "--data-sets");
        row("missing file", "reconstruct nowhere.h5 --output bad.tif", "nowhere.h5");
        row("not a scan", "info report.json", "report.json");
        row("slice out of range", "reconstruct head.h5 --output bad.tif --slice 5", "0 to 4");
        row("negative slice", "reconstruct head.h5 --output bad.tif --slice -1", "--slice");
        row("slices out of range", "reconstruct head.h5 --output bad --slices 3:6", "0 to 4");
        row("slices backwards", "reconstruct head.h5 --output bad --slices 3:3", "--slices");
        row("slice and slices", "reconstruct head.h5 --output bad --slice 1 --slices 1:3", "--slice");
        row("many slices in one image", "reconstruct head.h5 --output bad.tif --slices 1:3", "one slice");
        row("axis outside", "reconstruct head.h5 --output bad.tif --axis 200", "axis");
        row("axis outside, tomopy", "reconstruct head.h5 --output bad.tif --axis tomopy:-3", "axis");
        row("axis no number", "reconstruct head.h5 --output bad.tif --axis here", "--axis");
        row("no threads", "reconstruct head.h5 --output bad.tif --threads 0", "--threads");
        row("unknown method", "reconstruct head.h5 --output bad.tif --method magic", "exact");
        row("unknown interpolation", "reconstruct head.h5 --output bad.tif --interpolation lanczos", "cubic");
        row("oversampling", "reconstruct head.h5 --output bad.tif --interpolation oversampled:0", "--interpolation");
        row("unknown filter", "reconstruct head.h5 --output bad.tif --filter hanning", "hamming");
        row("unknown precision", "reconstruct head.h5 --output bad.tif --precision double", "--precision");
        row("cut-off", "reconstruct head.h5 --output bad.tif --cutoff 1.5", "--cutoff");
        row("cut-off that nothing passes", "reconstruct head.h5 --output bad.tif --cutoff 1e-300", "1e-09 and 1");
        row("pixel of no detector", "reconstruct head.h5 --output bad.tif --pixel 1e300", "1e-09 and 1e+09 mm");
        row("countless turns", "reconstruct head.h5 --output bad.tif --rotate 1e300", "-3600 and 3600");
        row("cut-off without a filter", "reconstruct head.h5 --output bad.tif --filter none --cutoff 0.5", "--cutoff");
        row("order too high", "reconstruct head.h5 --output bad.tif --filter butterworth --order 101",
            "between 1 and 100");
        row("raw type", "info head.h5 --raw 1x1x1 --type int4", "uint8, int8, uint16");
        row("order without Butterworth", "reconstruct head.h5 --output bad.tif --order 4", "butterworth");
        row("region outside", "reconstruct head.h5 --output bad.tif --region 90,0,10,10", "region");
        row("region of three", "reconstruct head.h5 --output bad.tif --region 1,2,3", "--region");
        row("unknown device", "reconstruct head.h5 --output bad.tif --device tpu", "--device");
        row("device twice", "reconstruct head.h5 --output bad.tif --device cpu,cpu", "names cpu more than once");
        row("GPU twice", "reconstruct head.h5 --output bad.tif --device cuda,cpu,cuda:0", "names cuda more than once");
        row("device of another kind", "reconstruct head.h5 --output bad.tif --device gpu", "cuda:N or cuda:all");
        row("other format", "reconstruct head.h5 --output bad.png", ".png files are not written");
        row("unknown format", "reconstruct head.h5 --output bad.nrrd", ".nrrd files are not written");
        row("standard output", "reconstruct head.h5 --output -", "standard output");
        row("angles that are neither", "reconstruct head.h5 --output bad.tif --angles 0:x", "neither FIRST:LAST");
        row("angles not a number", "reconstruct head.h5 --output bad.tif --angles 0:nan", "neither FIRST:LAST");
        QTest::newRow("empty output") << QStringList{"reconstruct", "head.h5", "--output", ""} << "--output";
        QTest::newRow("empty phantom") << QStringList{"phantom", "disc", "--output", ""} << "--output";
        QTest::newRow("empty report") << QStringList{"methods", "--json", ""} << "--json";
        QTest::newRow("empty scan") << QStringList{"info", ""} << "''";
        row("angle count", "reconstruct head.h5 --output bad.tif --angles short.txt", "151");
        row("no angle file", "reconstruct head.h5 --output bad.tif --angles none.txt", "none.txt");
        row("folder missing", "reconstruct head.h5 --output nowhere/bad.tif", "nowhere");
        row("unwritable", "reconstruct head.h5 --output /proc/bad.tif",
            "'/proc/bad.tif' can't be written: nothing can be created in its folder");
        row("unwritable folder", "reconstruct head.h5 --output /proc/bad/",
            "'/proc/bad' can't be created: nothing can be created in its folder");
        row("report is the output", "reconstruct head.h5 --output bad.tif --json ./bad.tif", "--json");
        row("report unwritable", "reconstruct head.h5 --output bad.tif --json /proc/bad.json", "/proc/bad.json");
        row("report folder missing", "info head.h5 --json nowhere/bad.json", "nowhere/bad.json");
        row("report on a full disk", "compare head.tif head.tif --json /dev/full", "/dev/full");
        row("raw shape", "info head.h5 --raw 3x4", "--raw");
        row("type without raw", "info head.h5 --type uint8", "--raw");
        row("phantom name", "phantom moon --output bad.h5", "shepp-logan");
        row("no projections", "phantom disc --projections 0 --output bad.h5", "--projections");
        row("phantom unwritable", "phantom disc --size 8 --projections 8 --output /proc/bad.h5", "/proc/bad.h5");
        row("sizes differ", "compare head.tif small.tif", "96 x 96");
        row("disc", "compare head.tif head.tif --disc 0", "--disc");
        row("area", "compare head.tif head.tif --area circle", "ellipse X,Y,RX,RY");
        row("no image", "compare head.tif none.tif", "none.tif");
        row("no TIFF", "compare head.tif head.h5", "head.h5");
        row("line", "compare head.tif head.tif --profile bad.csv --line 1,2,3", "--line");
        row("line of words", "compare head.tif head.tif --profile bad.csv --line 1,2,3,x", "--line");
        row("line without profile", "compare head.tif head.tif --line 1,2,3,4", "--profile");
        row("profile over a scan", "compare head.tif head.tif --profile head.h5", "not such a report");
        row("profile and report", "compare head.tif head.tif --profile ./bad.csv --json bad.csv", "--profile");
        row("two on standard output", "compare head.tif head.tif --profile - --json -", "standard output");
        row("negative seed", "phantom disc --output bad.h5 --seed -1", "--seed");
        row("seed too large", "phantom disc --output bad.h5 --seed 99999999999999999999", "--seed");
        row("phantom as a TIFF", "phantom disc --output bad.tif", "name F.h5");
        row("exact image as a PNG", "phantom disc --output bad.h5 --exact bad.png", "name F.tif");
        row("exact image as NeXus", "phantom disc --output bad.h5 --exact bad.nx", "name F.tif");
        for (const char* option : {"--angles", "--darks", "--flats"})
            QTest::newRow((std::string("empty ") + option).c_str())
                << QStringList{"reconstruct", "head.h5", "--output", "bad.tif", option, ""} << option;
        row("slices of nothing", "reconstruct head.h5 --output bad --slices :", "--slices");
        row("slices from beyond", "reconstruct head.h5 --output bad --slices 5:", "slices 5: are empty");
        row("region beyond the image", "compare head.tif head.tif --region 90,0,10,10", "beyond the image of 96 × 96");
        row("line beyond the image", "compare head.tif head.tif --profile bad.csv --line 0,0,200,50", "(200, 50)");
        row("eighths on processors", "reconstruct head.h5 -o bad.tif --device cpu --texture-eighths 3", "3/8");
        row("report is there", "info head.h5 --json report.json", "--overwrite");
        row("profile is there", "compare head.tif head.tif --profile profile.csv", "--overwrite");
        row("unknown benchmark method", "benchmark --methods cpu,magic", "magic");
        row("unknown shell", "completion powershell", "bash");
    }

    void mistakes()
    {
        QFETCH(const QStringList, arguments);
        QFETCH(const QString, message);
        const QStringList before = files();

        const Result result = run(arguments);
        QVERIFY2(result.status == 2, result.err.constData());
        QVERIFY2(result.out.isEmpty(), result.out.constData());
        QVERIFY2(result.err.startsWith("sinoscope-cli"), result.err.constData());
        QVERIFY2(result.err.contains(message.toUtf8()), result.err.constData());
        QCOMPARE(files(), before);
    }
};

SINOSCOPE_TEST(MistakesTest, QCoreApplication)
#include "mistakes_test.moc"
