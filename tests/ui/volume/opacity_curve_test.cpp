// SPDX-License-Identifier: GPL-3.0-or-later
// Opacity over values: its presets, and its editor by mouse and keyboard.
#include "tests/ui/fixtures.h"
#include "ui/volume/transfer_editor.h"

#include <QSignalSpy>

#include <limits>
#include <random>

using namespace ui;

namespace
{

// Returns the range of a stack of air, a soft and a dense material, with some noise.
StackValues threeMaterials()
{
    std::mt19937 random(1);
    std::normal_distribution<float> noise(0, 0.02F);
    std::vector<float> values(100000);
    for (std::size_t i = 0; i < values.size(); ++i)
        values[i] = (i % 20 == 0 ? 1.0F : i % 3 == 0 ? 0.2F : 0.0F) + noise(random);
    return stackValuesOf(values);
}

void pressAt(TransferEditor& editor, const OpacityPoint& point, Qt::MouseButton button = Qt::LeftButton)
{
    QTest::mouseClick(&editor, button, {}, editor.positionOf(point).toPoint());
}

} // namespace

class OpacityCurveTest : public QObject
{
    Q_OBJECT

  private slots:
    void thresholdsSeparateThreeMaterials()
    {
        const StackValues range = threeMaterials();
        QVERIFY2(range.threshold > 0.05 && range.threshold < 0.16, qPrintable(QString::number(range.threshold)));
        QVERIFY2(range.dense > 0.3 && range.dense < 0.9, qPrintable(QString::number(range.dense)));
    }

    void histogramCountsAllValues()
    {
        const StackValues range = threeMaterials();
        QCOMPARE(std::accumulate(range.counts.begin(), range.counts.end(), 0), 100000);
        QVERIFY(range.least < range.low && range.most > range.high);
    }

    void presetsAreCurves()
    {
        const std::vector<float> constant(1000, -2.5F), none;
        for (const StackValues& range : {threeMaterials(), stackValuesOf(constant), stackValuesOf(none)})
            for (const OpacityPreset& preset : opacityPresets()) {
                const OpacityCurve curve = preset.curve(range);
                QVERIFY(curve.size() >= 2);
                for (std::size_t k = 0; k < curve.size(); ++k) {
                    QVERIFY(curve[k].opacity >= 0 && curve[k].opacity <= 1);
                    QVERIFY2(k == 0 || curve[k].value > curve[k - 1].value, preset.label);
                }
            }
    }

    void presetsShowTheirParts()
    {
        const StackValues range = threeMaterials();
        const auto at = [&range](int preset, double value) {
            return opacityAt(opacityPresets()[preset].curve(range), value);
        };
        QCOMPARE(at(0, 0), 0.0); // object: not the air
        QVERIFY(at(0, 0.2) > 0.1 && at(0, 1) > 0.8);
        QVERIFY(at(1, 0) > 0);     // everything
        QCOMPARE(at(2, 0.2), 0.0); // dense parts
        QVERIFY(at(2, 1) > 0.5);
        QCOMPARE(at(3, 0.2), 0.0); // surfaces: neither material
        QCOMPARE(at(3, 1), 0.0);
        QVERIFY(at(3, range.threshold) > 0.3 && at(3, range.dense) > 0.9);
        QVERIFY(at(4, 0.2) > 0.01 && at(4, 0.2) < 0.1); // soft and dense
        QVERIFY(at(4, 1) > 0.9);
    }

    void valuesBelowTheFirstOpacityAreClear()
    {
        QCOMPARE(clearBelow({{1, 0}, {2, 0}, {3, 0.5}}), 2.0);
        QCOMPARE(clearBelow({{1, 0.1}, {2, 1}}), -std::numeric_limits<double>::infinity());
        QCOMPARE(clearBelow({{1, 0}, {2, 0}}), std::numeric_limits<double>::infinity());
        QCOMPARE(opacityAt({{1, 0}, {3, 1}}, 2.5), 0.75);
        QCOMPARE(opacityAt({{1, 0.2}, {3, 1}}, -5), 0.2);
        QCOMPARE(opacityAt({{1, 0.2}, {3, 1}}, 5), 1.0);
    }

    void pointsStayInOrder()
    {
        const OpacityCurve curve = {{0, 0}, {1, 0.5}, {2, 1}};
        const OpacityCurve moved = withPointMoved(curve, 1, {7, 3});
        QVERIFY(moved[1].value > 1.9 && moved[1].value < 2);
        QCOMPARE(moved[1].opacity, 1.0);
        QVERIFY(withPointMoved(curve, 1, {-7, -3})[1].value > 0);
        QCOMPARE(withPointRemoved({{0, 0}, {1, 1}}, 0).size(), std::size_t(2));
        QCOMPARE(withPointRemoved(curve, 0).front().value, 1.0);
        QCOMPARE(withPointAdded(curve, {1.5, 0.1})[2].opacity, 0.1);
    }

    void mouseDragsAddsAndRemoves()
    {
        TransferEditor editor;
        prepare(editor);
        QSignalSpy edited(&editor, &TransferEditor::curveEdited);
        fixtures::drag(&editor, editor.positionOf({0.5, 0.5}).toPoint(), editor.positionOf({0.5, 0.2}).toPoint());
        QVERIFY(!edited.isEmpty());
        QVERIFY(std::abs(editor.curve()[1].opacity - 0.2) < 0.02);
        QCOMPARE(editor.chosen(), std::size_t(1));
        pressAt(editor, {0.7, 0.9});
        QCOMPARE(editor.curve().size(), std::size_t(4));
        QVERIFY(std::abs(editor.curve()[2].value - 0.7) < 0.02 && std::abs(editor.curve()[2].opacity - 0.9) < 0.02);
        QCOMPARE(editor.chosen(), std::size_t(2));
        const OpacityCurve before = editor.curve();
        pressAt(editor, {0.3, 0.9}, Qt::RightButton);
        QCOMPARE(editor.curve(), before);
        QTest::mouseDClick(&editor, Qt::LeftButton, {}, editor.positionOf(editor.curve()[2]).toPoint());
        QCOMPARE(editor.curve().size(), std::size_t(3));
    }

    void keysDoTheSame()
    {
        TransferEditor editor;
        prepare(editor);
        QTest::keyClick(&editor, Qt::Key_End);
        QCOMPARE(editor.chosen(), std::size_t(1));
        const OpacityPoint before = editor.curve()[1];
        QTest::keyClick(&editor, Qt::Key_Right);
        QVERIFY(editor.curve()[1].value > before.value);
        const OpacityPoint right = editor.curve()[1];
        QTest::keyClick(&editor, Qt::Key_Left, Qt::ShiftModifier); // fine
        QVERIFY(editor.curve()[1].value < right.value && editor.curve()[1].value > before.value);
        QTest::keyClick(&editor, Qt::Key_Up);
        QVERIFY(std::abs(editor.curve()[1].opacity - 0.55) < 1e-9);
        QTest::keyClick(&editor, Qt::Key_Insert);
        QCOMPARE(editor.curve().size(), std::size_t(4));
        QCOMPARE(editor.chosen(), std::size_t(2));
        QTest::keyClick(&editor, Qt::Key_Delete);
        QCOMPARE(editor.curve().size(), std::size_t(3));
        for (int k = 0; k < 5; ++k)
            QTest::keyClick(&editor, Qt::Key_Delete);
        QCOMPARE(editor.curve().size(), std::size_t(2)); // two are always left
        QTest::keyClick(&editor, Qt::Key_Home);
        QCOMPARE(editor.chosen(), std::size_t(0));
    }

    // Delete removes a point here, not the chosen line of the images.
    void keysComeBeforeTheMenus()
    {
        TransferEditor editor;
        prepare(editor);
        for (const Qt::Key key : {Qt::Key_Delete, Qt::Key_Home}) {
            QKeyEvent event(QEvent::ShortcutOverride, key, Qt::NoModifier);
            event.ignore();
            QApplication::sendEvent(&editor, &event);
            QVERIFY(event.isAccepted());
        }
        QKeyEvent event(QEvent::ShortcutOverride, Qt::Key_Delete, Qt::ControlModifier);
        event.ignore();
        QApplication::sendEvent(&editor, &event);
        QVERIFY(!event.isAccepted());
    }

    void isosurfaceIsMoved()
    {
        TransferEditor editor;
        prepare(editor);
        editor.setIsosurface(0.5);
        QSignalSpy edited(&editor, &TransferEditor::isosurfaceEdited);
        pressAt(editor, {0.25, 0.5});
        QVERIFY(std::abs(*editor.isosurface() - 0.25) < 0.02);
        QTest::keyClick(&editor, Qt::Key_Right);
        QVERIFY(*editor.isosurface() > 0.25);
        QCOMPARE(edited.count(), 2);
        QCOMPARE(editor.curve().size(), std::size_t(3)); // untouched
    }

  private:
    static void prepare(TransferEditor& editor)
    {
        StackValues range;
        range.counts.assign(256, 3);
        editor.setRange(range);
        editor.setCurve({{0.1, 0}, {0.5, 0.5}, {0.9, 1}});
        editor.resize(220, 110);
        editor.show();
        QVERIFY(fixtures::isExposed(&editor));
    }
};

SINOSCOPE_TEST(OpacityCurveTest, QApplication)
#include "opacity_curve_test.moc"
