// SPDX-License-Identifier: GPL-3.0-or-later
// The program with the window, started with a limit of its address space (ulimit -v): it shows an image, or ends with
// a sentence.
#include "tests/ui/fixtures.h"

#include <QProcess>

#include <sys/resource.h>

using namespace fixtures;

class MemoryLimitTest : public QObject
{
    Q_OBJECT

  private slots:
    void showsAnImageOrEndsWithASentence()
    {
        const QString program = QStringLiteral(SINOSCOPE_BIN_DIR "/sinoscope");
        if (!QFile::exists(program))
            QSKIP("sinoscope is not built");
        if (sanitized)
            QSKIP("a sanitizer takes more address space than any limit");
        const TemporaryFolder folder;
        int images = 0, sentences = 0;
        for (int megabytes = 260; megabytes <= 1000; megabytes += megabytes < 500 ? 20 : 100) {
            const QString picture = folder.file(QString::number(megabytes) + QStringLiteral(".png"));
            QProcess process;
            process.setChildProcessModifier([megabytes] {
                const rlimit limit{rlim_t(megabytes) << 20, rlim_t(megabytes) << 20};
                setrlimit(RLIMIT_AS, &limit);
            });
            process.start(
                program, {QStringLiteral("--sample"), QStringLiteral("disc"), QStringLiteral("--screenshot"), picture});
            QVERIFY(process.waitForFinished(patienceMs));
            const QByteArray err = process.readAllStandardError();
            const bool isEnded = process.exitStatus() == QProcess::NormalExit;
            const bool hasImage = isEnded && process.exitCode() == 0 && !QImage(picture).isNull();
            const bool hasSentence = isEnded && process.exitCode() == 1 && err.contains("the memory limit (ulimit -v)");
            // The system may refuse to load the program at all.
            const bool isLoaded = !isEnded || !err.contains("error while loading shared libraries");
            QVERIFY2(hasImage || hasSentence || !isLoaded, qPrintable(QString::number(megabytes) + ": " + err));
            images += hasImage;
            sentences += hasSentence;
        }
        QVERIFY(images > 0 && sentences > 0);
    }
};

SINOSCOPE_TEST(MemoryLimitTest, QApplication)
#include "memory_limit_test.moc"
