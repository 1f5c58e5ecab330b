// SPDX-License-Identifier: GPL-3.0-or-later
// The steps of preparation in the window: the active steps are listed, buttons and keys move them within the possible
// order, and their effect can be viewed.
#include "engine/prepare/step_order.h"
#include "engine/stages/recorded_images.h"
#include "tests/ui/fixtures.h"
#include "ui/image/image_header.h"
#include "ui/image/image_view.h"
#include "ui/recorded/recorded_panel.h"
#include "ui/settings/step_order_list.h"

#include <QListWidget>
#include <QSignalSpy>
#include <QToolButton>

using namespace fixtures;

namespace
{

QStringList stepsShown(const QWidget& window)
{
    QStringList ids;
    const auto* rows = child<QListWidget>(window, "stepRows");
    for (int k = 0; k < rows->count(); ++k)
        ids << rows->item(k)->data(Qt::UserRole).toString();
    return ids;
}

void chooseStep(const QWidget& window, const QString& id)
{
    child<QListWidget>(window, "stepRows")->setCurrentRow(static_cast<int>(stepsShown(window).indexOf(id)));
}

void ask(Window& window, const std::map<std::string, QString>& choices)
{
    for (const auto& [id, choice] : choices)
        chooseValue(child<QComboBox>(window, id.c_str()), choice);
}

std::string orderOf(Window& window)
{
    return engine::orderToText(window.settings().list().chosen().setting.preparation.order);
}

void click(const QWidget& window, const char* button)
{
    child<QToolButton>(window, button)->click();
}

std::vector<float> shownIn(const ui::ImageView* view)
{
    std::vector<float> values, buffer;
    for (int row = 0; row < view->pixels().height(); ++row) {
        const float* line = view->pixels().row(row, buffer);
        values.insert(values.end(), line, line + view->pixels().width());
    }
    return values;
}

} // namespace

class StepOrderListTest : public QObject
{
    Q_OBJECT

  private slots:
    void stepsThatAreOnAreMoved()
    {
        Window window;
        QVERIFY(window.opensSmall());
        click(window, "preparationHeading");
        QCOMPARE(stepsShown(window), QStringList({"flat-field", "logarithm", "dead-values"}));
        QVERIFY(!child<QToolButton>(window, "stepEarlier")->isEnabled()); // no step is chosen
        ask(window, {{"zingers", "square"}, {"rings", "sorting"}});
        QCOMPARE(stepsShown(window), QStringList({"flat-field", "zingers", "logarithm", "dead-values", "rings"}));
        chooseStep(window, "zingers");
        click(window, "stepEarlier");
        QVERIFY(showsImage(window));
        QCOMPARE(orderOf(window), std::string("zingers,flat-field"));
        QCOMPARE(stepsShown(window).first(), QStringLiteral("zingers"));
        QCOMPARE(child<QListWidget>(window, "stepRows")->currentRow(), 0); // the step stays chosen
        QVERIFY(!child<QToolButton>(window, "stepEarlier")->isEnabled());
        QVERIFY(window.shown().a().result->request.setting.preparation ==
                window.settings().list().chosen().setting.preparation);
        QVERIFY(child<QToolButton>(window, "preparationHeading")->text().contains("changed"));

        chooseStep(window, "rings"); // moves with the step that it requires
        click(window, "stepEarlier");
        QVERIFY(showsImage(window));
        QCOMPARE(stepsShown(window), QStringList({"zingers", "flat-field", "dead-values", "rings", "logarithm"}));
        trigger(window, Qt::Key_1); // an action in between makes the next change a separate undo step
        click(window, "usualOrder");
        QVERIFY(showsImage(window));
        QCOMPARE(orderOf(window), std::string());
        QCOMPARE(stepsShown(window), QStringList({"flat-field", "zingers", "logarithm", "dead-values", "rings"}));
        QVERIFY(!child<QToolButton>(window, "usualOrder")->isEnabled());
        trigger(window, QKeySequence::Undo);
        QVERIFY(showsImage(window));
        QVERIFY(!orderOf(window).empty());
    }

    void byKeys()
    {
        Window window;
        QVERIFY(window.opensSmall());
        click(window, "preparationHeading");
        ask(window, {{"zingers", "square"}});
        chooseStep(window, "zingers");
        auto* rows = child<QListWidget>(window, "stepRows");
        QTest::keyClick(rows, Qt::Key_Up, Qt::ControlModifier);
        QCOMPARE(orderOf(window), std::string("zingers,flat-field"));
        QTest::keyClick(rows, Qt::Key_Up, Qt::ControlModifier); // it is already the first
        QCOMPARE(orderOf(window), std::string("zingers,flat-field"));
        QTest::keyClick(rows, Qt::Key_Down, Qt::ControlModifier);
        QCOMPARE(orderOf(window), std::string());
        QVERIFY(settles(window));
    }

    void whatMakesNoSenseSaysWhy()
    {
        Window window;
        QVERIFY(window.opensSmall());
        click(window, "preparationHeading");
        chooseStep(window, "flat-field");
        const auto* later = child<QToolButton>(window, "stepLater");
        QVERIFY(!later->isEnabled());
        QVERIFY2(later->toolTip().contains("takes transmission") && later->toolTip().contains("\"Flat field\"") &&
                     !later->toolTip().contains("flat-field"),
                 qPrintable(later->toolTip()));
        QCOMPARE(child<QToolButton>(window, "stepEarlier")->toolTip(), QStringLiteral("It is the first step."));
    }

    // The view of the scan shows the input of a step, its output, or their difference.
    void aStepIsLookedAt()
    {
        Window window;
        QVERIFY(window.opensSmall());
        click(window, "preparationHeading");
        ask(window, {{"rings", "sorting"}});
        QVERIFY(showsImage(window));
        chooseStep(window, "rings");
        click(window, "lookAtStep");
        auto* panel = child<ui::RecordedPanel>(window, "recorded");
        QVERIFY(panel->isVisible());
        auto* how = child<QComboBox>(window, "recordedShown");
        auto* step = child<QComboBox>(window, "recordedStep");
        QVERIFY(step->isVisible());
        QCOMPARE(step->currentData().toString(), QStringLiteral("rings"));
        const auto* sinogram = child<ui::ImageView>(window, "sinogram");
        const engine::Request request = window.settings().request(window.slice());
        const auto shows = [&](const engine::Look& look) {
            return comes([&] {
                return !panel->busy() && sinogram->pixels() &&
                       std::ranges::equal(shownIn(sinogram), engine::sinogramOf(request, look, window.slice()).values);
            });
        };
        using engine::Shown;
        QVERIFY(shows({Shown::difference, "rings"})); // the effect of the step
        // Choosing another step keeps the kind of view, if that step has a difference.
        for (const char* other : {"logarithm", "flat-field", "dead-values"}) {
            const bool hasDifference = other != std::string("flat-field");
            chooseStep(window, other);
            QCOMPARE(step->currentData().toString(), QLatin1String(other));
            QVERIFY2(shows({hasDifference ? Shown::difference : Shown::after, other}), other);
        }
        chooseStep(window, "rings");
        choose(how, how->findData(int(Shown::after)));
        QVERIFY(shows({Shown::after, "rings"}));
        choose(how, how->findData(int(Shown::before)));
        QVERIFY(shows({Shown::before, "rings"}));
        choose(how, how->findData(int(Shown::difference)));
        QVERIFY(shows({Shown::difference, "rings"}));
        QVERIFY2(child<ui::ImageHeader>(window, "sinogramHeader")->note().startsWith(u'±'),
                 qPrintable(child<ui::ImageHeader>(window, "sinogramHeader")->note()));
        QVERIFY(!child<ui::ImageView>(window, "projection")->pixels()); // rings exist only in sinograms
        QSignalSpy said(panel, &ui::RecordedPanel::pointerMoved);
        point(sinogram->viewport(), sinogram->toViewport({20, 30}));
        QVERIFY2(said.last().first().toString().contains(QStringLiteral("Δ line integral")),
                 qPrintable(said.last().first().toString()));
        choose(step, step->findData(QStringLiteral("logarithm")));
        choose(how, how->findData(int(Shown::before)));
        QVERIFY(shows({Shown::before, "logarithm"}));
        point(sinogram->viewport(), sinogram->toViewport({20, 30}));
        QVERIFY(said.last().first().toString().contains(QStringLiteral("transmission")));
        QVERIFY(comes([&] { return bool(child<ui::ImageView>(window, "projection")->pixels()); }));
        choose(step, step->findData(QStringLiteral("flat-field")));
        QVERIFY(shows({Shown::before, "flat-field"}));
        point(sinogram->viewport(), sinogram->toViewport({20, 30}));
        QVERIFY(said.last().first().toString().contains(QStringLiteral("counts")));

        choose(step, step->findData(QStringLiteral("rings"))); // the chosen step is switched off
        ask(window, {{"rings", "off"}});
        QVERIFY(showsImage(window));
        QVERIFY(comes([&] { return !panel->busy() && step->findData(QStringLiteral("rings")) < 0; }));
        choose(how, how->findData(int(Shown::raw)));
        QVERIFY(!step->isVisible());
        QVERIFY(comes([&] { return !panel->busy(); }));
    }
};

SINOSCOPE_TEST(StepOrderListTest, QApplication)
#include "step_order_list_test.moc"
