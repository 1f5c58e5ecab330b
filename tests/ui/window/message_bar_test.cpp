// SPDX-License-Identifier: GPL-3.0-or-later
// Running tasks in the message bar: their progress and remaining time, beside messages, and their cancellation.
#include "tests/ui/fixtures.h"
#include "ui/background/background_task.h"
#include "ui/background/task_row.h"
#include "ui/window/message_bar.h"

#include <QLabel>
#include <QProgressBar>

#include <atomic>

using namespace ui;
using namespace fixtures;

class MessageBarTest : public QObject
{
    Q_OBJECT

    // Starts work that reports half of its progress and ends when it is told to, or cancelled.
    struct Work {
        BackgroundTask task;
        std::shared_ptr<std::atomic<bool>> ends = std::make_shared<std::atomic<bool>>(false);
        void start()
        {
            task.start(
                [ends = ends](std::stop_token stop, const BackgroundTask::Progress& progress) {
                    while (!stop.stop_requested() && !*ends) {
                        progress(0.5);
                        QThread::msleep(5);
                    }
                },
                {});
        }
    };

  private slots:
    void remainingTime()
    {
        QCOMPARE(timeLeftAt(0.25, 10), QStringLiteral("30 s left"));
        QCOMPARE(timeLeftAt(0.25, 1.9), QString()); // too early
        QCOMPARE(timeLeftAt(0.02, 10), QString());
        QCOMPARE(timeLeftAt(std::nan(""), 10), QString());
    }

    // A long message that takes the place of a short one is shown whole.
    void aLongerMessageMakesRoom()
    {
        QWidget window;
        window.resize(500, 400);
        auto* bar = new MessageBar(&window, 10);
        window.show();
        QVERIFY(isExposed(&window));
        bar->showInformation(QStringLiteral("Saved."));
        QVERIFY(isLaidOut(window));
        const int low = bar->height();
        bar->showError(QStringLiteral("If it is one sinogram, with a row per projection, open it as that; if it is one "
                                      "projection of many, open its folder, which has the others, too."),
                       QStringLiteral("Open as sinogram"), [] {});
        const QLabel* text = nullptr;
        for (const QLabel* label : bar->findChildren<QLabel*>())
            if (label->text() == bar->text())
                text = label;
        QVERIFY(text);
        QTRY_VERIFY(bar->height() > low && text->height() >= text->heightForWidth(text->width()));
    }

    // It leaves free what the panels show beside the images, as far as there is room.
    void neighboursStayVisible()
    {
        QWidget window;
        window.resize(1200, 400);
        QWidget inset(&window), panel(&window);
        inset.setGeometry(900, 0, 200, 200);
        panel.setGeometry(200, 0, 100, 300);
        auto* bar = new MessageBar(&window, 10);
        bar->keepLeftOf(&inset);
        bar->keepLeftOf(&panel); // leaves too little room
        window.show();
        QVERIFY(isExposed(&window));
        bar->showError(QStringLiteral("It is full."));
        QVERIFY2(bar->geometry().right() < 900 && bar->width() > 600, qPrintable(QString::number(bar->width())));
        inset.hide();
        QTRY_VERIFY(bar->geometry().right() > 900);
    }

    // A message is shown above the running tasks, and neither hides the other.
    void messagesAndTasksStandTogether()
    {
        const NoWarnings noWarnings;
        QWidget window;
        window.resize(900, 400);
        Work first, second; // destroyed before the bar
        auto* bar = new MessageBar(&window, 10);
        window.show();
        QVERIFY(isExposed(&window));
        QVERIFY(bar->isHidden() && bar->text().isEmpty());
        bar->showError(QStringLiteral("It is full."));
        const int height = bar->height();
        bar->showProgress(first.task, QStringLiteral("Saving a")); // a new action dismisses the message
        first.start();
        QCOMPARE(bar->text(), QStringLiteral("Saving a"));
        QVERIFY(!bar->isError());
        bar->showError(QStringLiteral("It is full."));
        QCOMPARE(bar->text(), QStringLiteral("It is full."));
        QVERIFY(bar->isError() && bar->height() > height);
        QVERIFY(comes([&] { return bar->findChild<QProgressBar*>()->value() == 500; }));
        QVERIFY(bar->findChild<QProgressBar*>()->isVisible());
        bar->showProgress(second.task, QStringLiteral("Saving b"));
        second.start();
        const auto rows = bar->findChildren<TaskRow*>();
        QCOMPARE(rows.size(), 2);
        bar->dismiss();
        QVERIFY(bar->isVisible() && rows[0]->isVisible() && rows[1]->isVisible());
        auto* cancel = child<QToolButton>(*rows[0], "cancel");
        QCOMPARE(cancel->accessibleName(), QStringLiteral("Cancel: ") + rows[0]->text());
        cancel->click();
        QVERIFY(comes([&] { return !first.task.busy(); }));
        QVERIFY(!rows[0]->isVisible() && rows[1]->isVisible() && second.task.busy());
        *second.ends = true;
        QVERIFY(comes([&] { return !second.task.busy(); }));
        QVERIFY(bar->isHidden() && bar->text().isEmpty());
    }
};

SINOSCOPE_TEST(MessageBarTest, QApplication)
#include "message_bar_test.moc"
