// The README's commands, as a user types them in an empty folder: each runs as it stands.
#include "tests/app/program.h"

using program::finished;
using program::Result;

namespace
{

// Of files that a user brings, of minutes, or of GPUs.
const QStringList notHere{"tooth.", "scan.raw", "tiffs/", ".xtekct", "benchmark", "verify", "cuda"};

QStringList commandsOfReadme()
{
    QFile readme(QStringLiteral(SINOSCOPE_SOURCE_DIR "/README.md"));
    QStringList simulations, others;
    if (!readme.open(QIODevice::ReadOnly))
        return {};
    const QString begin = QStringLiteral("    sinoscope-cli ");
    for (const QString& line : QString::fromUtf8(readme.readAll()).split('\n')) {
        const auto isIn = [&line](const QString& word) { return line.contains(word); };
        if (line.startsWith(begin) && std::ranges::none_of(notHere, isIn))
            (line.startsWith(begin + "phantom") ? simulations : others) << line.mid(begin.size());
    }
    return simulations + others; // scans first
}

} // namespace

class ReadmeTest : public QObject, private program::Folder
{
    Q_OBJECT

  private slots:
    void commandsRunAsTheyStand()
    {
        const QStringList commands = commandsOfReadme();
        QVERIFY2(commands.size() >= 18, qPrintable(commands.join('\n')));
        for (const QString& command : commands) {
            QProcess shell;
            shell.setWorkingDirectory(folder());
            shell.start("/bin/sh", {"-c", '"' + program::path + "\" " + command});
            const Result result = finished(shell);
            QVERIFY2(result.status == 0 && !result.err.contains("warning"),
                     (command.toUtf8() + '\n' + result.err).constData());
        }
    }
};

SINOSCOPE_TEST(ReadmeTest, QCoreApplication)
#include "readme_test.moc"
