// SPDX-License-Identifier: GPL-3.0-or-later
// The axis by eye in the real window: candidates, numbers of other programs, trial slices, and dragging on the slice
// and over two opposite views.
#include "engine/scan/axis_programs.h"
#include "tests/processor_time.h"
#include "tests/rolled_scan.h"
#include "tests/ui/fixtures.h"
#include "ui/axis/axis_panel.h"
#include "ui/axis/opposite_view.h"
#include "ui/axis/trial_strip.h"
#include "ui/image/image_panel.h"
#include "ui/image/image_view.h"
#include "ui/numbers/number_tabs.h"

#include <QClipboard>
#include <QDoubleSpinBox>
#include <QLabel>
#include <QSignalSpy>
#include <QTabWidget>
#include <QToolButton>

#include <cmath>

using namespace ui;
using namespace fixtures;

class AxisToolsTest : public QObject
{
    Q_OBJECT

  private slots:
    void init() { m_window = std::make_unique<Window>(); }
    void cleanup() { m_window.reset(); }

    void candidatesAreShownAndTaken()
    {
        QVERIFY(m_window->opensSimulation(head(128, 120)));
        unfold();
        auto* panel = m_window->findChild<AxisPanel*>();
        QVERIFY(comes([&] { return panel->candidates().has_value(); }));
        const engine::AxisCandidates& all = *panel->candidates();
        QVERIFY(std::abs(all.found.bins - (63.5 + offset)) < 0.25);
        QVERIFY(*all.found.confidence > 0.5);
        QVERIFY(child<QLabel>(*m_window, "axisTogether")->text().contains(QString::number(all.found.bins, 'f', 2)));
        QTest::mouseClick(child<QToolButton>(*panel, "take_fourier"), Qt::LeftButton);
        QVERIFY(showsImage(*m_window));
        const engine::Setting before = m_window->settings().list().chosen().setting;
        QCOMPARE(before.axis.mode, engine::AxisSettings::Mode::given);
        QCOMPARE(m_window->shown().a().result->axisBins, before.axis.bins);
        trigger(*m_window, QKeySequence::Undo);
        QVERIFY(showsImage(*m_window));
        QCOMPARE(m_window->settings().list().chosen().setting.axis.mode, engine::AxisSettings::Mode::automatic);
    }

    // Axis and tilt from several rows: one click uses both, one undo restores both.
    void tiltIsFoundAndTaken()
    {
        RolledScan rolled;
        rolled.tiltDeg = -0.7;
        AxisPanel panel;
        panel.setRequest(requestFor(rolled.scan()));
        QSignalSpy taken(&panel, &AxisPanel::chosenWithTilt);
        child<QToolButton>(panel, "findTilt")->click();
        QVERIFY(comes([&] { return panel.tilt().has_value() && !panel.busy(); }));
        const QString said = child<QLabel>(panel, "tiltText")->text();
        QVERIFY2(said.contains(QStringLiteral("tilt −0.7")) || said.contains(QStringLiteral("tilt −0.6")),
                 qPrintable(said));
        child<QToolButton>(panel, "takeTilt")->click();
        QCOMPARE(taken.count(), 1);
        QVERIFY(std::abs(taken[0][0].toDouble() - 49.25) < 0.1);
        QVERIFY2(std::abs(taken[0][1].toDouble() + 0.7) < 0.03, qPrintable(taken[0][1].toString()));
        QVERIFY(said.contains(QString::number(taken[0][0].toDouble(), 'f', 2))); // the text shows the value used

        QVERIFY(m_window->opensSmall());
        unfold();
        child<QToolButton>(*m_window, "findTilt")->click();
        QVERIFY(child<QToolButton>(*m_window, "findTilt")->text().contains("from 9 rows"));
        auto* own = m_window->findChild<AxisPanel*>();
        QVERIFY(comes([&] { return own->tilt().has_value() && !own->busy(); }));
        QVERIFY(std::abs(own->tilt()->tiltRad) < 0.3 * degree); // from only 16 rows
        child<QToolButton>(*m_window, "takeTilt")->click();
        QVERIFY(showsImage(*m_window));
        const engine::Setting setting = m_window->settings().list().chosen().setting;
        QCOMPARE(setting.axis.mode, engine::AxisSettings::Mode::given);
        QCOMPARE(setting.axis.bins, std::round(own->tilt()->bins * 100) / 100);
        trigger(*m_window, Qt::Key_1); // an action in between makes the next change a separate undo step
        m_window->settings().setAxis(23.5, 0.4);
        QVERIFY(showsImage(*m_window));
        QCOMPARE(m_window->shown().a().result->request.setting.preparation.values.at("axis-tilt"), 0.4);
        trigger(*m_window, QKeySequence::Undo);
        QVERIFY(showsImage(*m_window));
        QVERIFY(m_window->settings().list().chosen().setting == setting);
    }

    void tiltWantsRows()
    {
        QVERIFY(m_window->opensSimulation(head(64, 60)));
        unfold();
        QVERIFY(!child<QToolButton>(*m_window, "findTilt")->isEnabled());
        QVERIFY(child<QToolButton>(*m_window, "findTilt")->toolTip().contains("too few rows"));
    }

    void numbersOfOtherProgramsAreCopied()
    {
        QVERIFY(m_window->opensSimulation(head(128, 60)));
        unfold();
        for (const engine::AxisProgram& program : engine::axisPrograms()) {
            const QByteArray name = QByteArray("copyAxisOf_") + program.id;
            QTest::mouseClick(child<QToolButton>(*m_window, name.constData()), Qt::LeftButton);
            QCOMPARE(QApplication::clipboard()->text().toStdString(),
                     engine::axisTextOf(program, m_window->shown().a().result->axisBins, 128));
        }
    }

    // The copied numbers are those of the axis in use, and the label says so. An axis that was found is not in use
    // until the user takes it.
    void numbersOfOtherProgramsAreOfTheAxisInUse()
    {
        QVERIFY(m_window->opensSmall());
        m_window->settings().setAxis(20.5);
        QVERIFY(showsImage(*m_window));
        unfold();
        const auto* said = child<QLabel>(*m_window, "axisProgramsOf");
        auto* copy = child<QToolButton>(*m_window, "copyAxisOf_nabu");
        QVERIFY2(said->text().contains("in use, 20.50 bins") && !said->text().contains("aren't in use"),
                 qPrintable(said->text()));
        child<QToolButton>(*m_window, "findTilt")->click();
        auto* panel = m_window->findChild<AxisPanel*>();
        QVERIFY(comes([&] { return panel->tilt().has_value() && !panel->busy(); }));
        QVERIFY2(said->text().contains("aren't in use until you accept them"), qPrintable(said->text()));
        QVERIFY(said->text().contains("in use, 20.50 bins"));
        copy->click();
        QCOMPARE(QApplication::clipboard()->text(), QStringLiteral("rotation_axis_position = 20.5"));
        QVERIFY(copy->toolTip().contains(QApplication::clipboard()->text()));
        child<QToolButton>(*m_window, "takeTilt")->click();
        QVERIFY(showsImage(*m_window));
        const double taken = m_window->shown().a().result->axisBins;
        QVERIFY2(!said->text().contains("aren't in use"), qPrintable(said->text()));
        QVERIFY(said->text().contains(QString::number(taken, 'f', 2) + " bins"));
        copy->click();
        QCOMPARE(QApplication::clipboard()->text().section(' ', -1).toDouble(), taken);
        m_window->settings().setAxis(23.5, 0.4);
        QVERIFY(showsImage(*m_window));
        QVERIFY2(said->text().contains("23.50 bins in projections rotated by its tilt of 0.400°"),
                 qPrintable(said->text()));
    }

    // The sharpest trial slice is at the axis; a click on it uses its axis and halves the step.
    void trialSlices()
    {
        QVERIFY(m_window->opensSimulation(head(128, 120)));
        m_window->settings().setAxis(63.5 + offset - 2);
        QVERIFY(showsImage(*m_window));
        auto* strip = m_window->findChild<TrialStrip*>();
        child<ui::NumberTabs>(*m_window, "numberTabs")->showPage(strip);
        const auto complete = [&] {
            return std::ranges::all_of(strip->trials(), [](const TrialSlice& t) { return t.sharpness.has_value(); }) &&
                   strip->trials().size() == TrialStrip::count;
        };
        QVERIFY(comes(complete));
        const auto best = std::ranges::min_element(strip->trials(), {},
                                                   [](const TrialSlice& trial) { return trial.sharpness->entropy; });
        QVERIFY2(std::abs(best->axisBins - (63.5 + offset)) < 0.6, qPrintable(QString::number(best->axisBins)));
        const auto k = static_cast<int>(best - strip->trials().begin());
        const double axis = best->axisBins, step = strip->stepBins();
        auto* pictures = child<QWidget>(*strip, "trialPictures");
        const QPoint place{pictures->width() * (2 * k + 1) / (2 * TrialStrip::count), 20};
        // The slice pointed at is also shown large, over the images.
        point(pictures, place);
        const auto* large = child<QLabel>(*m_window, "largeTrial");
        QVERIFY(large->isVisible() && large->height() > 2 * pictures->height());
        QVERIFY(large->geometry().bottom() < pictures->mapTo(m_window.get(), QPoint()).y());
        pointElsewhere(pictures);
        QVERIFY(!m_window->findChild<QLabel*>(QStringLiteral("largeTrial")));
        QTest::mouseClick(pictures, Qt::LeftButton, {}, place);
        QCOMPARE(strip->stepBins(), 0.5);
        QVERIFY(showsImage(*m_window));
        QCOMPARE(m_window->shown().a().result->axisBins, axis);
        QVERIFY(comes([&] { return complete() && strip->trials()[TrialStrip::count / 2].axisBins == axis; }));
        const QString legend = child<QLabel>(*strip, "trialSaid")->text();
        for (const QString part : {"●</span>&nbsp;entropy", "●</span>&nbsp;gradient", "high is sharp"})
            QVERIFY2(legend.contains(part), qPrintable(legend));
        // One undo restores both, one redo repeats both.
        trigger(*m_window, QKeySequence::Undo);
        QVERIFY(showsImage(*m_window));
        QCOMPARE(strip->stepBins(), step);
        QCOMPARE(m_window->shown().a().result->axisBins, 63.5 + offset - 2);
        trigger(*m_window, QKeySequence::Redo);
        QVERIFY(showsImage(*m_window));
        QCOMPARE(strip->stepBins(), 0.5);
        QCOMPARE(m_window->shown().a().result->axisBins, axis);
        // The undo of other actions does not change the step.
        m_window->settings().addSetting();
        strip->setStep(4);
        trigger(*m_window, QKeySequence::Undo);
        QVERIFY(settles(*m_window));
        QCOMPARE(strip->stepBins(), 4.0);
    }

    // Whoever always clicks the sharpest trial slice arrives at the axis, also if it lies beyond the first ones.
    void clickingTheSharpestFindsTheAxis()
    {
        QVERIFY(m_window->opensSimulation(head(128, 120)));
        m_window->settings().setAxis(63.5 + offset - 6);
        QVERIFY(showsImage(*m_window));
        auto* strip = m_window->findChild<TrialStrip*>();
        child<ui::NumberTabs>(*m_window, "numberTabs")->showPage(strip);
        strip->setStep(0.2);
        auto* pictures = child<QWidget>(*strip, "trialPictures");
        double middle = 63.5 + offset - 6;
        bool saidEnd = false;
        for (int clicks = 0; clicks < 12; ++clicks) {
            QVERIFY(comes([&] {
                return strip->trials().size() == TrialStrip::count &&
                       std::abs(strip->trials()[TrialStrip::count / 2].axisBins - middle) < 1e-3 &&
                       std::ranges::all_of(strip->trials(),
                                           [](const TrialSlice& one) { return one.sharpness.has_value(); });
            }));
            saidEnd |= child<QLabel>(*strip, "trialSaid")->text().contains(QStringLiteral("at the end"));
            const auto best = std::ranges::min_element(strip->trials(), {},
                                                       [](const TrialSlice& one) { return one.sharpness->entropy; });
            const auto k = static_cast<int>(best - strip->trials().begin());
            middle = best->axisBins;
            QTest::mouseClick(pictures, Qt::LeftButton, {},
                              {pictures->width() * (2 * k + 1) / (2 * TrialStrip::count), 20});
            QVERIFY(showsImage(*m_window));
        }
        QVERIFY2(std::abs(middle - (63.5 + offset)) < 0.6, qPrintable(QString::number(middle)));
        QVERIFY(saidEnd);
        QVERIFY(strip->stepBins() < 0.5);
        m_window->settings().setAxis(80); // typed: the step is wide again
        QVERIFY(comes([&] { return strip->stepBins() == 1.0; }));
    }

    // Coarse images follow the drag, a full one comes at its end; the number shown is the axis used, and one undo
    // restores the state before the drag.
    void draggingOnTheSlice()
    {
        QVERIFY(m_window->opensSimulation(head(128, 120)));
        const engine::Setting before = m_window->settings().list().chosen().setting;
        m_window->images().setTool(Tool::axis);
        auto* view = m_window->images().findChild<ImageView*>();
        const double axis = m_window->shown().a().result->axisBins;
        QWidget* port = view->viewport();
        const QPoint from = port->rect().center();
        QTest::mousePress(port, Qt::LeftButton, {}, from);
        for (int k = 1; k <= 8; ++k) {
            point(port, from + QPoint(k, 0), Qt::LeftButton);
            QVERIFY(comes([&] { return !m_window->busy(); }));
            const engine::Reconstruction& shown = *m_window->shown().a().result;
            QVERIFY(shown.request.place.previewStep > 1);
            QVERIFY(std::abs(shown.axisBins - (axis + k / 4.0)) < 0.006);
            QVERIFY(std::abs(child<QDoubleSpinBox>(*m_window, "axisBins")->value() - shown.axisBins) < 1e-9);
        }
        QTest::mouseRelease(port, Qt::LeftButton, {}, from + QPoint(8, 0));
        QVERIFY(showsImage(*m_window));
        QVERIFY(std::abs(m_window->shown().a().result->axisBins - (axis + 2)) < 0.006);
        trigger(*m_window, QKeySequence::Undo);
        QVERIFY(showsImage(*m_window));
        QVERIFY(m_window->settings().list().chosen().setting == before);
        // With Shift, dragging moves the axis by a tenth.
        m_window->images().setTool(Tool::axis);
        drag(port, from, from + QPoint(-40, 0), Qt::ShiftModifier);
        QVERIFY(showsImage(*m_window));
        QVERIFY(std::abs(m_window->shown().a().result->axisBins - (axis - 1)) < 0.006);
    }

    void draggingOverOppositeViews()
    {
        QVERIFY(m_window->opensSimulation(head(128, 120)));
        unfold();
        auto* views = m_window->findChild<OppositeView*>();
        QVERIFY(comes([&] { return views->axisPerPixel() > 0; }));
        const double axis = m_window->shown().a().result->axisBins, perPixel = views->axisPerPixel();
        drag(views, {20, 20}, {40, 20});
        QVERIFY(showsImage(*m_window));
        QVERIFY(std::abs(m_window->shown().a().result->axisBins - (axis + 20 * perPixel)) < 0.01);
        trigger(*m_window, QKeySequence::Undo);
        QVERIFY(showsImage(*m_window));
        QCOMPARE(m_window->shown().a().result->axisBins, axis);
    }

    // Counts the images shown while two processors work for a second and the axis is dragged on an image of 1024²
    // pixels from 1024 projections.
    void imagesASecond()
    {
        if (sanitized)
            QSKIP("how fast it is, is another program's");
        QVERIFY(m_window->opensSimulation(head(1024, 1024)));
        engine::Request request = m_window->settings().request(0);
        request.resources.threads = 2;
        m_window->settings().setRequest(request);
        QVERIFY(settles(*m_window));
        m_window->images().setTool(Tool::axis);
        QWidget* port = m_window->images().findChild<ImageView*>()->viewport();
        const QPoint from = port->rect().center();
        QTest::mousePress(port, Qt::LeftButton, {}, from);
        Image shown;
        int images = 0, k = 0;
        const auto now = [] { return processor_time::ofThisProcess() / 2; };
        const double began = now();
        while (now() < began + 1) { // the mouse moves 60 times a second
            point(port, from + QPoint(++k % 100, 0), Qt::LeftButton);
            QCoreApplication::processEvents(); // the drag has started a computation
            QVERIFY(comes([&, until = now() + 0.016] { return now() > until || !m_window->busy(); }));
            if (m_window->shown().a().result != shown) {
                shown = m_window->shown().a().result;
                ++images;
            }
        }
        const double rate = images / (now() - began);
        QTest::mouseRelease(port, Qt::LeftButton, {}, from);
        qInfo("%.1f images a second, every %d-th pixel", rate, shown->request.place.previewStep);
        QVERIFY(rate >= 20); // about 130 are usual
        QVERIFY(showsImage(*m_window));
    }

  private:
    static constexpr double offset = 3.3;

    static engine::Simulation head(int size, int projections)
    {
        engine::Simulation simulation = simulationOf(engine::Phantom::sheppLogan, size, projections);
        simulation.axisOffsetBins = offset;
        return simulation;
    }
    void unfold() { QTest::mouseClick(child<QToolButton>(*m_window, "axisHeading"), Qt::LeftButton); }

    std::unique_ptr<Window> m_window;
};

SINOSCOPE_TEST(AxisToolsTest, QApplication)
#include "axis_tools_test.moc"
