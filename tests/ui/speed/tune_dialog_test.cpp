// SPDX-License-Identifier: GPL-3.0-or-later
// The window that measures what `auto` should take: its table, and that the speeds are kept.
#include "engine/backends/measured_speeds.h"
#include "tests/ui/fixtures.h"
#include "ui/speed/tune_dialog.h"

#include <QLabel>
#include <QSignalSpy>

using namespace fixtures;

class TuneDialogTest : public QObject
{
    Q_OBJECT

    TemporaryFolder m_folder;

    static engine::BenchmarkOptions smallOptions()
    {
        engine::BenchmarkOptions options;
        options.device.backend = "cpu";
        options.size = 16;
        options.projections = 4;
        options.repeat = 1;
        return options;
    }

  private slots:
    void initTestCase() { qputenv("XDG_CACHE_HOME", m_folder.file(QStringLiteral("cache")).toLocal8Bit()); }

    void gainsAreShown()
    {
        engine::TunedChoice choice{
            engine::Interpolation::linear, engine::Precision::half, 4, "texture", "alu", 100, 125};
        const QString table = ui::tunedTable({choice});
        for (const char* text : {"linear", "half", "texture", "alu", "125", "× 1.25"})
            QVERIFY2(table.contains(QString::fromUtf8(text)), text);
        choice.beforeGups = 0;
        QVERIFY(!ui::tunedTable({choice}).contains(QStringLiteral("×")));
    }

    void speedsAreKept()
    {
        ui::TuneDialog dialog(smallOptions());
        QSignalSpy kept(&dialog, &ui::TuneDialog::kept);
        QVERIFY(kept.wait(60000));
        QVERIFY(child<QLabel>(dialog, "tunedTable")->text().contains(QStringLiteral("cpu")));
        QVERIFY(child<QLabel>(dialog, "tuneMessage")->text().contains(QStringLiteral("kept")));
        QVERIFY(std::filesystem::exists(engine::measuredSpeedsFile()));
        QVERIFY(!engine::measuredSpeeds()->empty());
        QVERIFY(engine::forgetMeasuredSpeeds());
    }

    void closingCancels()
    {
        {
            const ui::TuneDialog dialog(smallOptions());
        }
        QVERIFY(!std::filesystem::exists(engine::measuredSpeedsFile()));
    }

    void folderThatCannotBeWritten()
    {
        QFile file(m_folder.file(QStringLiteral("file")));
        QVERIFY(file.open(QIODevice::WriteOnly));
        qputenv("XDG_CACHE_HOME", file.fileName().toLocal8Bit());
        ui::TuneDialog dialog(smallOptions());
        auto* message = child<QLabel>(dialog, "tuneMessage");
        QTRY_VERIFY_WITH_TIMEOUT(message->text().contains(QStringLiteral("speeds.json")), 60000);
    }
};

SINOSCOPE_TEST(TuneDialogTest, QApplication)
#include "tune_dialog_test.moc"
