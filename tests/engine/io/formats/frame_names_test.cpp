// SPDX-License-Identifier: GPL-3.0-or-later
// What the names of TIFFs say.
#include "engine/io/formats/frame_names.h"
#include "tests/fixtures.h"

using namespace engine;

namespace
{

std::vector<FrameKind> kinds(const std::vector<std::filesystem::path>& names)
{
    return kindsOf(names);
}

} // namespace

class FrameNamesTest : public QObject
{
    Q_OBJECT

  private slots:
    void wordsAnywhere()
    {
        using enum FrameKind;
        QCOMPARE(kinds({"tilt_0001.tif", "tilt_Flat_0001.tif", "tilt-dark-1.tif"}),
                 (std::vector{projection, flat, dark}));
        QCOMPARE(
            kinds({"scan_1.tif", "ref_1.tif", "bg_1.tif", "bright_1.tif", "ob2.tif", "open_beam_3.tif", "dc_1.tif"}),
            (std::vector{projection, side, side, flat, flat, flat, dark}));
        QCOMPARE(kinds({"disc_0001.tif", "offset_1.tif", "refined_1.tif"}),
                 (std::vector{projection, projection, projection}));
        QCOMPARE(kinds({"a_0001.tif", "a__Spr.tif", "a_180deg.tif"}), (std::vector{projection, other, other}));
    }

    void wordsOfTheSample()
    {
        using enum FrameKind;
        QCOMPARE(kinds({"white_stone_1.tif", "white_stone_2.tif", "white_stone_flat_1.tif"}),
                 (std::vector{projection, projection, flat}));
        QCOMPARE(kinds({"dark_1.tif", "dark_2.tif"}), (std::vector{dark, dark})); // nothing but darks
    }

    void foldersOfOthers()
    {
        QCOMPARE(kindOf("Flat_Before"), FrameKind::flat);
        QCOMPARE(kindOf("Open_Beam"), FrameKind::flat);
        QCOMPARE(kindOf("bg"), FrameKind::side);
        QCOMPARE(kindOf("darks2"), FrameKind::dark);
        QCOMPARE(kindOf("white_stone"), FrameKind::projection);
        QCOMPARE(kindOf("ref_sample"), FrameKind::projection);
        QCOMPARE(kindOf("disc"), FrameKind::projection);
    }

    void order()
    {
        QCOMPARE(orderOf("Flat_Before"), -1);
        QCOMPARE(orderOf("flat_post_1"), 1);
        QCOMPARE(orderOf("flat"), 0);
    }

    void angles()
    {
        QCOMPARE(anglesInNames({"t_-90.0.tif", "t_0.5.tif", "t_10.tif"}).value(), (std::vector<double>{-90, 0.5, 10}));
        QVERIFY(!anglesInNames({"t-001.tif", "t-002.tif"}));     // numbers after a sign
        QVERIFY(!anglesInNames({"t_001.tif", "t_002.tif"}));     // counted
        QVERIFY(!anglesInNames({"a_1.5.tif", "b_2.5.tif"}));     // unlike names
        QVERIFY(!anglesInNames({"t_1.5_1.tif", "t_2.5_2.tif"})); // two numbers
        QVERIFY(!anglesInNames({"t_1.5.tif", "t_1.50.tif"}));    // the same angle twice
    }
};

SINOSCOPE_TEST(FrameNamesTest, QCoreApplication)
#include "frame_names_test.moc"
