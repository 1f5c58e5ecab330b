// SPDX-License-Identifier: GPL-3.0-or-later
// The row of a long task in the panels: it appears while the task runs, and its button cancels the task.
#include "tests/ui/jobs.h"
#include "ui/axis/axis_panel.h"
#include "ui/axis/trial_strip.h"
#include "ui/background/background_task.h"
#include "ui/background/task_row.h"

#include <QLabel>

#include <algorithm>

using namespace ui;
using namespace fixtures;

class TaskRowTest : public QObject
{
    Q_OBJECT

    static engine::Request requestOf(const jobs::Endless& endless)
    {
        engine::Request request;
        request.scan = endless.scan;
        request.setting.axis = {engine::AxisSettings::Mode::given, 15.5};
        return request;
    }
    // Waits until a row is shown.
    static TaskRow* shownRow(const QWidget& panel)
    {
        TaskRow* shown = nullptr;
        (void)comes([&] {
            for (TaskRow* row : panel.findChildren<TaskRow*>())
                if (row->isVisible())
                    shown = row;
            return shown != nullptr;
        });
        return shown;
    }

  private slots:
    void searchForTheAxis()
    {
        const NoWarnings noWarnings;
        const jobs::Endless endless;
        AxisPanel panel;
        panel.show();
        panel.setRequest(requestOf(endless));
        auto* heading = child<QToolButton>(panel, "axisHeading");
        for (int k = 0; k < 2; ++k) { // unfolding the section again repeats the search
            *endless.reading = false;
            heading->click();
            QVERIFY(comes([&] { return endless.reading->load(); }));
            TaskRow* row = shownRow(panel);
            QVERIFY(row && row->isBusy());
            QCOMPARE(row->text(), QStringLiteral("Looking for the axis"));
            child<QToolButton>(*row, "cancel")->click();
            QVERIFY(comes([&] { return !panel.busy(); }));
            QVERIFY(!row->isVisible() && !row->isBusy());
            const QString said = child<QLabel>(panel, "axisTogether")->text();
            QVERIFY2(said.startsWith(QStringLiteral("Cancelled")), qPrintable(said));
            heading->click();
        }
    }

    void trialSlices()
    {
        const NoWarnings noWarnings;
        const jobs::Endless endless;
        TrialStrip strip;
        strip.show();
        for (int k = 0; k < 2; ++k) { // the next request makes them again
            *endless.reading = false;
            strip.setRequest(requestOf(endless));
            QVERIFY(comes([&] { return endless.reading->load(); }));
            TaskRow* row = shownRow(strip);
            QVERIFY(row);
            QCOMPARE(row->text(), QStringLiteral("Trial slices"));
            child<QToolButton>(*row, "cancel")->click();
            QVERIFY(comes([&] { return !row->isBusy(); }));
            QVERIFY(!row->isVisible());
        }
    }

    // A volume that continues begins with the fraction that is kept, which took no time now.
    void timeLeftOfWorkThatContinues()
    {
        BackgroundTask task;
        TaskRow row(task, QString(), new QLabel);
        row.begin(QStringLiteral("Saving"));
        const auto showsTimeLeft = [&row] {
            return std::ranges::any_of(row.findChildren<QLabel*>(), [](const QLabel* label) {
                return label->text().contains(QStringLiteral("left"));
            });
        };
        emit task.progressed(0.9);
        QVERIFY(comes([&] { // estimates are shown after two seconds
            emit task.progressed(0.95);
            return showsTimeLeft();
        }));
        emit task.progressed(0.902);
        QVERIFY(!showsTimeLeft()); // 2 % of what was to be made: too little for an estimate
    }
};

SINOSCOPE_TEST(TaskRowTest, QApplication)
#include "task_row_test.moc"
