// SPDX-License-Identifier: GPL-3.0-or-later
// Variants of a kernel in the window, and the steps of a paper as a preset with the speeds of the paper.
#include "tests/ui/fixtures.h"
#include "ui/numbers/speed_bar_chart.h"
#include "ui/numbers/speeds_panel.h"
#include "ui/settings/choice_combo.h"

#include <QLabel>
#include <QTabWidget>

#include <algorithm>

using namespace ui;
using namespace fixtures;

namespace
{

QStringList idsOf(const QComboBox& box)
{
    QStringList ids;
    for (int k = 0; k < box.count(); ++k)
        ids << box.itemData(k).toString();
    return ids;
}

} // namespace

class SpeedsTest : public QObject
{
    Q_OBJECT

    static engine::Kernel& kernelOf(Window& window)
    {
        static engine::Kernel kernel;
        kernel = window.settings().list().chosen().setting.kernel;
        return kernel;
    }

  private slots:
    void kernelsHaveVariants()
    {
        Window window;
        QVERIFY(window.opensSimulation(coneOf(32, 16, 32)));
        auto* variant = child<ChoiceCombo>(window, "variant");
        QVERIFY(!variant->isEnabled()); // `auto`
        chooseValue(child<QComboBox>(window, "method"), "ladder");
        QVERIFY(settles(window));
        QVERIFY(variant->isEnabled());
        QStringList expected{QString()};
        for (const engine::Variant& one : engine::variantsOf(*engine::findMethod("ladder", engine::ConeBeam{})))
            expected << QString::fromStdString(one.id);
        QCOMPARE(idsOf(*variant), expected);
        QVERIFY(variant->itemData(variant->findData(QStringLiteral("share")), Qt::ToolTipRole)
                    .toString()
                    .contains(QStringLiteral("Listing 5")));
        chooseValue(variant, "share");
        QVERIFY(settles(window));
        QCOMPARE(window.shown().a().result->request.setting.kernel.variant, std::string("share"));

        // A variant of one kernel is none of another.
        chooseValue(child<QComboBox>(window, "method"), "exact");
        QVERIFY(settles(window));
        QCOMPARE(kernelOf(window).variant, std::string());
        QVERIFY(!variant->isEnabled());
    }

    void theLadderInTwoClicks()
    {
        Window window;
        QVERIFY(window.opensSimulation(coneOf(32, 16, 32)));
        QVERIFY(!presetAction(window, "steps-1")->isEnabled()); // of parallel beams
        QVERIFY(!presetAction(window, "steps-1")->toolTip().isEmpty());
        QAction* ladder = presetAction(window, "ladder");
        QVERIFY(ladder->isEnabled());
        ladder->trigger();
        QVERIFY(settles(window));
        const engine::PaperSequence& sequence = engine::sequenceOf("ladder");
        const SettingList& list = window.settings().list();
        QCOMPARE(list.settings.size(), sequence.steps.size());
        QCOMPARE(child<QTabWidget>(window, "numberTabs")->currentWidget(), window.findChild<SpeedsPanel*>());
        const SpeedBars made = window.findChild<SpeedsPanel*>()->bars();
        QCOMPARE(made.sequence, &sequence);
        for (std::size_t k = 0; k < made.bars.size(); ++k) {
            const SpeedBar& bar = made.bars[k];
            QCOMPARE(bar.name, QString::fromUtf8(sequence.steps[k].name));
            QVERIFY(bar.speed.count > 0);
            QVERIFY(qFuzzyCompare(*bar.factor, bar.speed.median / made.bars[0].speed.median));
            QCOMPARE(bar.paperFactor.has_value(), sequence.steps[k].printed > 0);
            QCOMPARE(bar.paperFactorOpenMp.has_value(), sequence.steps[k].printedOpenMp > 0);
            QVERIFY(bar.error && *bar.error > 0 && *bar.error < 1e-5);
        }
        QVERIFY(qAbs(*made.bars[3].paperFactor - 5.64 / 1.30) < 1e-9);
        QVERIFY(child<QLabel>(window, "speedsSource")->text().contains(QString::fromUtf8(sequence.source)));
        auto* chart = child<SpeedBarChart>(window, "speedBars");
        QVERIFY(chart->textOf(made.bars[3]).endsWith(QStringLiteral("paper × 4.34, OpenMP × 1.29")));
        QVERIFY(chart->accessibleDescription().contains(QStringLiteral("; error ")));
        QCOMPARE(chart->accessibleDescription().count(u'\n'), qsizetype(made.bars.size()) - 1);

        // Without its first step, the list isn't the sequence of the paper.
        window.settings().choose(list.settings.front().id);
        window.settings().removeChosen();
        QVERIFY(settles(window));
        QVERIFY(!window.findChild<SpeedsPanel*>()->bars().sequence);
    }
};

SINOSCOPE_TEST(SpeedsTest, QApplication)
#include "speeds_test.moc"
