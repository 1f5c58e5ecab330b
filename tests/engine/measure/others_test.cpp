// SPDX-License-Identifier: GPL-3.0-or-later
// Other programs on the same sinogram: their images must agree, and whatever they do ends in a sentence.
#include "engine/base/error.h"
#include "engine/measure/others.h"
#include "engine/reconstruct/reconstruct.h"
#include "engine/simulate/phantom.h"
#include "tests/engine/io/files.h"
#include "tests/fixtures.h"

#include <QProcess>

#include <filesystem>
#include <fstream>

using namespace engine;
using namespace fixtures;

class OthersTest : public QObject
{
    Q_OBJECT

    static constexpr int size = 63, projections = 99;
    TemporaryFolder m_folder;

    // Returns a program that stands for Python: the script's arguments are $4 (its folder), $5 …
    std::string pythonThat(const std::string& does)
    {
        const std::filesystem::path path = m_folder.file(QStringLiteral("python.sh")).toStdString();
        std::ofstream(path) << "#!/bin/sh\n" << does << '\n';
        std::filesystem::permissions(path, std::filesystem::perms::owner_all);
        return path.string();
    }

    static OthersOptions optionsFor(const std::string& python)
    {
        OthersOptions options;
        options.python = python;
        options.size = size;
        options.projections = projections;
        options.repeat = 2;
        options.threads = 1;
        return options;
    }

    // Returns Sinoscope's image of the same slice, by the processor, as with one thread.
    static Volume image()
    {
        Simulation simulation;
        simulation.size = size;
        simulation.projections = projections;
        simulation.counts = false;
        Request request;
        request.scan = simulate(simulation);
        request.setting.axis.mode = AxisSettings::Mode::middle;
        request.resources.device.backend = "cpu";
        return Reconstructor().run(request).image;
    }

  private slots:
    // A program may number its rows from the other side: the image is turned before it is compared.
    void imageThatAgrees()
    {
        Volume mirrored = image();
        for (int y = 0; y < size; ++y)
            std::reverse(mirrored.values.begin() + std::ptrdiff_t(y) * size,
                         mirrored.values.begin() + std::ptrdiff_t(y + 1) * size);
        const std::string file = m_folder.file(QStringLiteral("image.f32")).toStdString();
        std::ofstream(file, std::ios::binary)
            .write(reinterpret_cast<const char*>(mirrored.values.data()),
                   static_cast<std::streamsize>(mirrored.values.size() * sizeof(float)));
        const auto made = measureOthers(optionsFor(pythonThat(
            "echo 'a package prints this'; cp '" + file +
            "' $4/image_0.f32\n"
            R"(echo '{"name": "other 1.0", "device": "one core", "seconds": [0.5, 0.25, 4], "image": "image_0.f32"}')")));
        QCOMPARE(made.size(), std::size_t(2));
        QVERIFY(made[0].isOurs && made[0].seconds > 0 && made[0].gups > 0 && made[0].problem.empty());
        QVERIFY(!made[1].isOurs && made[1].name == "other 1.0" && made[1].device == "one core");
        QVERIFY2(made[1].problem.empty(), made[1].problem.c_str());
        QCOMPARE(made[1].seconds, 0.5);
        QVERIFY(std::abs(made[1].gups - 1e-9 * size * size * projections / 0.5) < 1e-12);
        QCOMPARE(made[1].timesAsLong, made[1].seconds / made[0].seconds);
        QVERIFY(made[1].difference < 1e-9 && std::abs(made[1].rmse - made[0].rmse) < 1e-9);
        QVERIFY(made[0].rmse > 0);
    }

    void imageThatDisagrees()
    {
        const std::string zeros = "dd if=/dev/zero of=$4/image_0.f32 bs=4 count=$(($5 * $5)) 2>/dev/null\n";
        const std::string says = R"(echo '{"name": "zeros", "seconds": [1], "image": "image_0.f32"}')";
        const auto made = measureOthers(optionsFor(pythonThat(zeros + says)));
        QCOMPARE(made.back().problem, std::string("its image disagrees"));
        QVERIFY(made.back().difference > 0);
    }

    void shareOfTheRuns()
    {
        std::vector<double> shares;
        const auto seen = [this](const char* share) { return m_folder.file(QLatin1String(share)).toStdString(); };
        const auto untilSeen = [&](const char* share) { // the program waits until its share is reported
            return "until [ -e '" + seen(share) + "' ]; do sleep 0.01; done\n";
        };
        measureOthers(optionsFor(pythonThat("echo '{\"turns\": 4}'; echo '{\"turn\": 0}'\n" + untilSeen("0.25") +
                                            "echo '{\"turn\": 1}'\n" + untilSeen("0.5"))),
                      [&](double share) {
                          shares.push_back(share);
                          if (share > 0)
                              std::ofstream(seen(share == 0.25 ? "0.25" : "0.5"));
                      });
        QVERIFY(std::ranges::is_sorted(shares));
        QVERIFY(std::ranges::find(shares, 0.25) != shares.end());
        QCOMPARE(shares.back(), 0.5);
    }

    void badOutput()
    {
        const auto last = [this](const std::string& does) {
            return measureOthers(optionsFor(pythonThat(does))).back();
        };
        QCOMPARE(last(R"(echo '{"name": "none", "seconds": [1], "image": "../image.f32"}')").problem,
                 std::string("it returned no image of this size"));
        QCOMPARE(last(R"(touch $4/a.f32; echo '{"name": 3, "seconds": ["x", -1], "image": "a.f32"}')").problem,
                 std::string("it returned no image of this size"));
        QCOMPARE(last(R"(echo '{"name": "lame", "problem": "it failed: no memory"}')").problem,
                 std::string("it failed: no memory"));
        QVERIFY(last("echo '[1, 2'; echo true").isOurs); // nothing of use
    }

    void whatIsNoPython()
    {
        const auto refused = [](const OthersOptions& options) {
            try {
                measureOthers(options);
            } catch (const Error& error) {
                return error.kind() == ErrorKind::badRequest ? QString::fromStdString(error.what()) : QString();
            }
            return QString();
        };
        QVERIFY(refused(optionsFor("/no/such/python")).contains(QStringLiteral("/no/such/python")));
        QVERIFY(refused(optionsFor(pythonThat("exit 3"))).contains(QStringLiteral("status 3")));
        QVERIFY(refused(optionsFor(pythonThat("kill -KILL $$"))).contains(QStringLiteral("status 137")));
        QVERIFY(refused(optionsFor(pythonThat("true"))).contains(QStringLiteral("is it a Python 3?")));
        QVERIFY(refused(optionsFor(pythonThat(R"(echo '{"fatal": "it has no numpy"}')")))
                    .contains(QStringLiteral("it has no numpy")));
        OthersOptions even = optionsFor("true");
        even.size = 64;
        QVERIFY(refused(even).contains(QStringLiteral("64")));
    }

    void scikitImage()
    {
        QProcess python;
        python.start(QStringLiteral("python3"), {QStringLiteral("-c"), QStringLiteral("import skimage")});
        if (!python.waitForFinished(60000) || python.exitCode() != 0)
            QSKIP("python3 has no scikit-image");
        const auto made = measureOthers(optionsFor("python3"));
        const auto other =
            std::ranges::find_if(made, [](const OtherProgram& one) { return one.name.starts_with("scikit-image"); });
        QVERIFY(other != made.end());
        QVERIFY2(other->problem.empty(), other->problem.c_str());
        QVERIFY(other->difference < 0.01 * other->rmse); // the same method and the same interpolation
    }
};

SINOSCOPE_TEST(OthersTest, QCoreApplication)
#include "others_test.moc"
