// SPDX-License-Identifier: GPL-3.0-or-later
// Lengths as users write them, with and without a unit, wherever an option takes one.
#include "engine/base/number_text.h"
#include "engine/base/units.h"
#include "engine/io/files/output_format.h"
#include "engine/io/open/open_fields.h"
#include "engine/io/open/open_scan.h"
#include "engine/io/slices/write_scan.h"
#include "engine/options/options.h"
#include "engine/scan/cone_fields.h"
#include "tests/engine/io/files.h"
#include "tests/fixtures.h"

using namespace engine;
using namespace fixtures;

namespace
{

ConeOptions withWord(const std::string& id, const std::string& text)
{
    ConeOptions options;
    for (const ConeField& field : coneFields())
        if (field.id == id)
            field.set(options, text);
    return options;
}

} // namespace

class LengthsTest : public QObject
{
    Q_OBJECT

  private slots:
    void texts()
    {
        for (const auto& [text, mm] :
             {std::pair("4", 4.0), std::pair("1.5um", 0.0015), std::pair("1.5 µm", 0.0015), std::pair("1.5μm", 0.0015),
              std::pair("650nm", 0.00065), std::pair("2 cm", 20.0), std::pair("0.3m", 300.0),
              std::pair("1e-3 mm", 0.001), std::pair("-2mm", -2.0), std::pair("7 UM", 0.007)})
            QVERIFY2(lengthFromText(text, "pixel", "mm") == mm, text);
        QCOMPARE(lengthFromText("0.65", "pixel", "µm"), 0.65);
        QCOMPARE(lengthFromText("0.0013mm", "pixel", "µm"), 1.3);
        for (const char* text : {"", "um", "1.5 parsec", "1.5 u", "um 1", "1.5um2", "x", "1,5um", " "})
            QVERIFY_EXCEPTION_THROWN(lengthFromText(text, "pixel", "mm"), Error);
    }

    // A length with a unit gives exactly the same double as one without, and thus identical images.
    void wordsOfTheGeometry()
    {
        QVERIFY(withWord("pixel", "12.5um") == withWord("pixel", "0.0125"));
        QVERIFY(withWord("pixel", "12.5um,0.02mm") == withWord("pixel", "0.0125,0.02"));
        QVERIFY(withWord("source-axis", "12.3cm") == withWord("source-axis", "123"));
        QVERIFY(withWord("source-detector", "1.25 m") == withWord("source-detector", "1250"));
        QVERIFY(withWord("detector-offset", "-150um,2") == withWord("detector-offset", "-0.15,2"));
        QVERIFY(withWord("voxel", "700nm") == withWord("voxel", "0.0007"));
        QVERIFY(withWord("output-pixel", "2um").voxelMm == 0.002 && withWord("output-pixel", "0.5").voxelBins == 0.5);
        for (const char* id : {"pixel", "source-axis", "voxel", "output-pixel", "detector-offset"})
            QVERIFY_EXCEPTION_THROWN(withWord(id, "3 inches"), Error);
    }

    void optionsOfSteps()
    {
        Request request;
        setField(option("phase"), request, "paganin");
        setField(option("phase-distance"), request, "5cm");
        setField(option("phase-pixel"), request, "650nm");
        QCOMPARE(option("phase-distance").get(request), std::string("50"));
        QCOMPARE(option("phase-pixel").get(request), std::string("0.65"));
        QVERIFY_EXCEPTION_THROWN(setField(option("phase-energy"), request, "20mm"), Error);
    }

    // Numbers that no scan can have are refused with the range, whichever table the option is in.
    void everyNumberHasARange()
    {
        const auto check = [](const auto& table, const auto& owner, const std::vector<std::string>& skipped) {
            for (const auto& field : table) {
                const bool isNumber =
                    field.kind == FieldKind::whole || field.kind == FieldKind::real || field.kind == FieldKind::length;
                if (!isNumber || std::ranges::find(skipped, field.id) != skipped.end())
                    continue;
                QVERIFY2(field.most > field.least, field.id);
                const bool isWhole = field.kind == FieldKind::whole;
                for (const std::string text :
                     {isWhole ? "1000000000000000000" : "1e300", isWhole ? "-1000000000000000000" : "-1e300",
                      isWhole ? "-1" : "1e-300"}) {
                    if ((text == "-1" || text == "1e-300") && field.least <= 0 && field.leastIncluded)
                        continue;
                    auto one = owner;
                    QVERIFY2(fails(ErrorKind::badRequest, {"value " + text, numberToText(field.most)},
                                   [&] { setField(field, one, text); }),
                             (std::string(field.id) + " " + text).c_str());
                    QVERIFY(one == owner);
                }
            }
        };
        check(options(), Request(), {});
        check(openFields(), OpenOptions(), {});
        check(coneFields(), ConeOptions(), {"output-pixel"}); // of two units
        for (const char* text : {"1e300", "1e-300", "1e300mm", "-1", "1e-12 mm"})
            QVERIFY2(fails(ErrorKind::badRequest, {"output pixel", "from 0.01 to 1000"},
                           [&] { withWord("output-pixel", text); }),
                     text);
        for (const char* text : {"0:1e300", "0::1e300", "0::1:1e300"}) {
            OpenOptions opened;
            QVERIFY2(fails(ErrorKind::badRequest, {"1e+300", "1e+09 degrees"},
                           [&] { setField(findField(openFields(), "angles"), opened, text); }),
                     text);
        }
        for (const auto& [id, text] : {std::pair("plane", "centre=1e300,0,0;u=1,0,0;v=0,0,1;width=2;height=2"),
                                       std::pair("plane", "x=1e300"), std::pair("plane", "z=1;pixel=1e-300"),
                                       std::pair("slab", "1,1,1e300,2,2"), std::pair("memory-limit", "1000000000T")}) {
            Request request;
            QVERIFY2(fails(ErrorKind::badRequest, {"between"}, [&] { setField(option(id), request, text); }), text);
        }
        QVERIFY(fails(ErrorKind::badRequest, {"between"}, [] { valueRangeFromText("0:1e300"); }));
        Json json = {{"sourceAxisMm", 1e300}};
        QVERIFY(
            fails(ErrorKind::badRequest, {"\"sourceAxisMm\" is 1e+300", "between"}, [&] { takeConeOptions(json); }));
        json = {{"pixelUMm", 1e-300}};
        QVERIFY(fails(ErrorKind::badRequest, {"\"pixelUMm\" is 1e-300", "between"}, [&] { takeConeOptions(json); }));
    }

    // A pixel size in micrometres that was given as millimetres.
    void widePixelsAreDoubted()
    {
        const TemporaryFolder folder;
        const auto path = folder / "scan.h5";
        writeScan(*smallScan(24, 30), nullptr, ScanFormat::dxchange, path, false);
        OpenOptions options;
        const auto isDoubted = [&](double mm) {
            options.cone.pixelUMm = mm;
            return mentions(openScan(path, options)->notes, "mm wide, which is rare for a parallel beam");
        };
        QVERIFY(isDoubted(4) && isDoubted(0.51) && !isDoubted(0.5) && !isDoubted(0.004));
        QVERIFY(mentions(openScan(path, options)->notes, "µm") == false);
        options.cone.pixelUMm = 1.5;
        QVERIFY(mentions(openScan(path, options)->notes, "If it is 1.5 µm, correct it (--pixel 1.5um)"));
        options.cone.sourceAxisMm = 100;
        options.cone.sourceDetectorMm = 200;
        QVERIFY(!isDoubted(4)); // not for a cone beam
    }
};

SINOSCOPE_TEST(LengthsTest, QCoreApplication)
#include "lengths_test.moc"
