// SPDX-License-Identifier: GPL-3.0-or-later
// The window about other programs: what was measured here, what elsewhere, and what a wrong Python says.
#include "tests/ui/fixtures.h"
#include "ui/speed/other_programs.h"
#include "ui/widgets/displayed_number.h"

#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>

#include <csignal>
#include <filesystem>
#include <fstream>

using namespace fixtures;

class OtherProgramsTest : public QObject
{
    Q_OBJECT

    TemporaryFolder m_folder;

    static std::vector<engine::OtherProgram> programs()
    {
        engine::OtherProgram ours, slow;
        ours.name = "Sinoscope, cpu";
        ours.device = "2 threads";
        ours.isOurs = true;
        ours.seconds = 0.01;
        ours.gups = 20;
        slow.name = "slow 1.0";
        slow.device = "one core";
        slow.seconds = 1;
        slow.gups = 0.2;
        slow.timesAsLong = 50;
        slow.difference = 1e-6;
        engine::OtherProgram wrong = slow, none;
        wrong.name = "wrong 1.0";
        wrong.timesAsLong = 100;
        wrong.problem = "its image disagrees";
        none.name = "lame";
        none.problem = "it failed: no memory";
        return {ours, slow, wrong, none};
    }

    // Presses Measure with a program that stands for Python.
    QString messageOf(ui::OtherPrograms& window, const QString& python)
    {
        child<QLineEdit>(window, "otherPython")->setText(python);
        auto* measure = child<QPushButton>(window, "measureOthers");
        measure->click();
        [&] { QTRY_VERIFY_WITH_TIMEOUT(measure->isEnabled(), 60000); }();
        auto* message = child<QLabel>(window, "othersMessage");
        return message->isHidden() ? QString() : message->text();
    }

  private slots:
    void barsOfMeasuredPrograms()
    {
        const auto rows = ui::otherProgramRows(programs());
        QCOMPARE(rows.size(), std::size_t(4));
        QCOMPARE(rows[0].share, 1.0);
        QVERIFY(!rows[0].isQuiet && rows[1].isQuiet);
        QCOMPARE(rows[1].share, 0.01);
        QCOMPARE(rows[1].label, QStringLiteral("slow 1.0 · one core"));
        QCOMPARE(rows[1].value, QStringLiteral("0.20 GU/s · 1/50"));
        QVERIFY(rows[1].explanation.contains(QStringLiteral("50.0 times as fast")));
        QVERIFY(rows[2].value.endsWith(QStringLiteral("its image disagrees")));
        QVERIFY(rows[3].share < 0);
        QCOMPARE(rows[3].value, QStringLiteral("it failed: no memory"));
        const ui::OtherSpeed slowest = ui::slowestOther(programs());
        QCOMPARE(slowest.name, QStringLiteral("slow 1.0"));
        QCOMPARE(slowest.timesAsLong, 50.0);
        const QString words = ui::speedInWords({100, 100, 100}, 20, 10, slowest);
        QVERIFY2(words.endsWith(QStringLiteral("On one core of this machine, Sinoscope is 50 times as fast as slow 1.0 "
                                               "(a slice of 511 × 511 pixels).")),
                 qPrintable(words));
        QCOMPARE(ui::slowestOther({programs()[0], programs()[2]}).timesAsLong, 0.0);
    }

    // The longest bar is the fastest program's, and every group names one of ours.
    void barsOfPublishedSpeeds()
    {
        QVERIFY(engine::publishedGroups().size() >= 4);
        for (const engine::PublishedGroup& group : engine::publishedGroups()) {
            const auto rows = ui::publishedRows(group);
            QCOMPARE(rows.size(), group.speeds.size());
            QCOMPARE(std::ranges::count_if(rows, [](const ui::BarRow& row) { return row.share == 1; }), 1);
            QVERIFY(std::ranges::any_of(rows, [](const ui::BarRow& row) { return !row.isQuiet; }));
            QVERIFY(std::ranges::is_sorted(group.speeds, std::ranges::greater{}, &engine::PublishedSpeed::gups));
            QVERIFY(!group.source.empty() && group.date.size() == 10);
        }
    }

    void whatCannotBeMeasured()
    {
        ui::OtherPrograms window;
        QVERIFY(messageOf(window, QStringLiteral("/no/such/python")).contains(QStringLiteral("/no/such/python")));
        const std::filesystem::path path = m_folder.file(QStringLiteral("python.sh")).toStdString();
        std::ofstream(path) << "#!/bin/sh\necho '{\"turns\": 0}'\n";
        std::filesystem::permissions(path, std::filesystem::perms::owner_all);
        QSignalSpy measured(&window, &ui::OtherPrograms::measured);
        QVERIFY(messageOf(window, QString::fromStdString(path.string())).contains(QStringLiteral("has none of")));
        QCOMPARE(measured.count(), 1);
        QVERIFY(
            child<QWidget>(window, "othersHere")->accessibleDescription().startsWith(QStringLiteral("Sinoscope, ")));
    }

    // Closing the window ends a Python that ignores SIGTERM.
    void closedWhileItMeasures()
    {
        const std::filesystem::path path = m_folder.file(QStringLiteral("busy.sh")).toStdString();
        const QString pid = m_folder.file(QStringLiteral("pid"));
        std::ofstream(path) << "#!/bin/sh\ntrap '' TERM\necho $$ >'" << pid.toStdString()
                            << "'\nwhile :; do sleep 1; done\n";
        std::filesystem::permissions(path, std::filesystem::perms::owner_all);
        ui::OtherPrograms window;
        window.show();
        child<QLineEdit>(window, "otherPython")->setText(QString::fromStdString(path.string()));
        child<QPushButton>(window, "measureOthers")->click();
        const auto written = [&] {
            QFile file(pid);
            return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
        };
        QTRY_VERIFY_WITH_TIMEOUT(written().endsWith('\n'), 60000);
        const pid_t busy = written().trimmed().toInt();
        QCOMPARE(::kill(busy, 0), 0);
        window.close();
        QTRY_VERIFY_WITH_TIMEOUT(::kill(busy, 0) != 0, 60000);
    }
};

SINOSCOPE_TEST(OtherProgramsTest, QApplication)
#include "other_programs_test.moc"
