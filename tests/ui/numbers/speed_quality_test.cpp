// SPDX-License-Identifier: GPL-3.0-or-later
// Speed and quality: each setting tried stays as a dot, is named under the pointer and is restored by a click.
#include "tests/ui/fixtures.h"
#include "ui/numbers/speed_quality_panel.h"
#include "ui/widgets/log_ticks.h"

#include <QTabWidget>
#include <QToolButton>

#include <cmath>

using namespace ui;
using namespace fixtures;

class SpeedQualityTest : public QObject
{
    Q_OBJECT

    std::unique_ptr<Window> m_window;

    SpeedQualityPanel* panel() { return m_window->findChild<SpeedQualityPanel*>(); }
    QWidget* plot() { return child<QWidget>(*m_window, "speedQuality"); }
    // Finds a dot by name and by whether its setting is in the list.
    const TriedDot* dot(const QString& name, bool isListed)
    {
        for (const TriedDot& one : panel()->dots())
            if (one.name == name && (one.id != 0) == isListed)
                return &one;
        return nullptr;
    }
    void click(const TriedDot& at) { QTest::mouseClick(plot(), Qt::LeftButton, {}, panel()->positionOf(at).toPoint()); }

  private slots:
    // A was linear and is now nearest; B is half.
    void init()
    {
        m_window = std::make_unique<Window>();
        QVERIFY(m_window->opensSmall());
        child<QTabWidget>(*m_window, "numberTabs")->setCurrentWidget(panel());
        chooseValue(child<QComboBox>(*m_window, "interpolation"), "nearest");
        QVERIFY(settles(*m_window));
        child<QToolButton>(*m_window, "addSetting")->click();
        chooseValue(child<QComboBox>(*m_window, "precision"), "half");
        QVERIFY(settles(*m_window));
    }
    void cleanup() { m_window.reset(); }

    void everySettingThatWasTriedIsADot()
    {
        QCOMPARE(panel()->dots().size(), std::size_t(3)); // B first equalled A, which gives no dot of its own
    }

    void namesAreInsideThePlot()
    {
        for (const TriedDot& one : panel()->dots()) {
            const QPointF at = panel()->positionOf(one);
            QVERIFY(plot()->rect().contains(at.toPoint()));
            const QString text = panel()->textOf(one);
            QVERIFY2(text.contains(one.description) && text.contains(QStringLiteral("GU/s")), qPrintable(text));
            QCOMPARE(text.contains(QStringLiteral("brings it back")), one.id == 0);
        }
    }

    void aClickChoosesWhatIsListed()
    {
        const TriedDot* a = dot(QStringLiteral("A"), true);
        QVERIFY(a);
        QCOMPARE(a->label, QStringLiteral("A · float"));
        click(*a);
        QCOMPARE(m_window->settings().list().chosenId, 1);
        QCOMPARE(m_window->settings().list().settings.size(), std::size_t(2));
    }

    void aClickBringsBackWhatIsNot()
    {
        const TriedDot* before = dot(QStringLiteral("A"), false);
        QVERIFY(before && before->setting.kernel.interpolation == engine::Interpolation::linear);
        click(TriedDot(*before));
        QCOMPARE(m_window->settings().list().settings.size(), std::size_t(3));
        QCOMPARE(m_window->settings().list().chosen().setting.kernel.interpolation, engine::Interpolation::linear);
        QCOMPARE(m_window->settings().list().chosen().name, std::string("C")); // the name A belongs to another setting
        QVERIFY(settles(*m_window));
        QVERIFY(dot(QStringLiteral("C"), true));
        trigger(*m_window, QKeySequence::Undo);
        QCOMPARE(m_window->settings().list().settings.size(), std::size_t(2));
        QVERIFY(settles(*m_window));
        QVERIFY(dot(QStringLiteral("C"), false));
    }

    void anotherReferenceHasDotsOfItsOwn()
    {
        chooseValue(child<QComboBox>(*m_window, "reference"), "setting:1");
        QVERIFY(settles(*m_window));
        QCOMPARE(panel()->dots().size(), std::size_t(2));
        const TriedDot* a = dot(QStringLiteral("A"), true);
        QVERIFY(a && a->rmse == 0);
        QVERIFY(panel()->textOf(*a).contains(QStringLiteral("identical to A · float")));
        const TriedDot* b = dot(QStringLiteral("B"), true);
        QVERIFY(b && panel()->positionOf(*a).y() > panel()->positionOf(*b).y() + 5); // lies at the bottom
        QVERIFY(m_window->opensSimulation(simulationOf(engine::Phantom::disc, 64, 30)));
        for (const TriedDot& one : panel()->dots())
            QVERIFY(one.id != 0);
    }

    void ticksAreFewAndPlain()
    {
        QCOMPARE(logTicks(0.4, 11), QVector<double>({0.5, 1, 2, 5, 10}));
        QCOMPARE(logTicks(0.9e-9, 2e-5).size(), 5);
        QCOMPARE(logTicks(-1, 1).size(), 0);
        QCOMPARE(logTicks(1e-300, 1e300).size(), 7);
        QCOMPARE(logTickText(0.5, false), QStringLiteral("0.5"));
        QCOMPARE(logTickText(20, false), QStringLiteral("20"));
        QCOMPARE(logTickText(1e-6, true), QStringLiteral("10⁻⁶"));
        QCOMPARE(logTickText(5e-6, true), QStringLiteral("5·10⁻⁶"));
    }
};

SINOSCOPE_TEST(SpeedQualityTest, QApplication)
#include "speed_quality_test.moc"
