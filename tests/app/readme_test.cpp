// SPDX-License-Identifier: GPL-3.0-or-later
// The commands in the README and in each page of the manual, run in an empty folder as a user would type them: each
// succeeds. Every link has a target.
#include "tests/app/program.h"

#include <QDir>
#include <QFileInfo>
#include <QRegularExpression>

using program::finished;
using program::Result;

namespace
{

const QDir source(QStringLiteral(SINOSCOPE_SOURCE_DIR));
const QString prompt = QStringLiteral("sinoscope-cli ");

QString textOf(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
}

// Returns the indented lines of the README; of a manual page, the lines of its "sh" blocks.
QStringList commandsIn(const QString& path)
{
    QStringList commands;
    bool isRun = false;
    const bool isPage = !path.endsWith(QLatin1String("README.md"));
    for (const QString& line : textOf(path).split('\n')) {
        if (isPage && line.startsWith(QLatin1String("```")))
            isRun = line == QLatin1String("```sh");
        else if (isPage ? isRun : line.startsWith("    " + prompt))
            commands << line.trimmed();
    }
    return commands;
}

QStringList documents()
{
    QStringList paths{source.filePath("README.md")};
    for (const QString& name : QDir(source.filePath("resources/manual")).entryList({"*.md"}))
        paths << source.filePath("resources/manual/" + name);
    return paths;
}

} // namespace

class ReadmeTest : public QObject, private program::Folder
{
    Q_OBJECT

  private slots:
    void commandsRunAsTheyStand_data()
    {
        QTest::addColumn<QString>("path");
        for (const QString& path : documents())
            QTest::newRow(qPrintable(QFileInfo(path).fileName())) << path;
        QVERIFY(documents().size() > 15);
    }
    void commandsRunAsTheyStand()
    {
        QFETCH(const QString, path);
        const QStringList commands = commandsIn(path);
        QVERIFY2(!path.endsWith("README.md") || commands.size() >= 5, qPrintable(commands.join('\n')));
        const QString own = folder() + '/' + QFileInfo(path).baseName();
        QVERIFY(QDir().mkpath(own));
        for (const QString& command : commands) {
            QVERIFY2(command.startsWith(prompt), qPrintable(command));
            QProcess shell;
            shell.setWorkingDirectory(own);
            shell.start("/bin/sh", {"-c", '"' + program::path + "\" " + command.mid(prompt.size())});
            const Result result = finished(shell);
            QVERIFY2(result.status == 0 && !result.err.contains("warning"),
                     (command.toUtf8() + '\n' + result.err).constData());
        }
    }

    void linksLeadSomewhere()
    {
        static const QRegularExpression link(R"(\]\(([^)#]+)(#[^)]*)?\))");
        int links = 0;
        for (const QString& path : documents()) {
            const QString text = textOf(path);
            for (auto found = link.globalMatch(text); found.hasNext();) {
                const QString to = found.next().captured(1);
                if (to.startsWith("https://"))
                    continue;
                ++links;
                QVERIFY2(QFileInfo::exists(QFileInfo(path).dir().filePath(to)), qPrintable(path + ": " + to));
            }
        }
        QVERIFY(links > 60);
    }

    // Each page is listed in the contents, and in the resources of the window.
    void pagesAreListed()
    {
        const QString contents = textOf(source.filePath("resources/manual/index.md"));
        const QString resources = textOf(source.filePath("resources/sinoscope.qrc"));
        for (const QString& path : documents()) {
            const QString name = QFileInfo(path).fileName();
            if (name == "README.md")
                continue;
            QVERIFY2(name == "index.md" || contents.contains('(' + name + ')'), qPrintable(name));
            QVERIFY2(resources.contains("<file>manual/" + name + "</file>"), qPrintable(name));
        }
    }

    // The pages equal the current output of the programs; packaging/write_reference.sh updates them.
    void generatedPagesAreNew_data()
    {
        QTest::addColumn<QStringList>("words");
        const QStringList pages = textOf(source.filePath("packaging/generated.txt")).split('\n', Qt::SkipEmptyParts);
        QCOMPARE(pages.size(), qsizetype(2));
        for (const QString& page : pages)
            QTest::newRow(qPrintable(page)) << page.split(' ');
    }
    void generatedPagesAreNew()
    {
        QFETCH(QStringList, words);
#if SINOSCOPE_SECOND_GEOMETRY
        QSKIP("this build has a reader and a geometry of the tests' own");
#endif
        const QString file = words.takeFirst(), printer = QStringLiteral(SINOSCOPE_BIN_DIR "/") + words.takeFirst();
        if (!QFileInfo(printer).isExecutable())
            QSKIP("this program isn't built");
        QProcess process;
        process.start(printer, words);
        const Result printed = finished(process);
        QCOMPARE(printed.status, 0);
        const QStringList lines = textOf(source.filePath("resources/" + file)).split('\n'),
                          now = QString::fromUtf8(printed.out).split('\n');
        for (qsizetype k = 0; k < std::min(lines.size(), now.size()); ++k)
            QCOMPARE(lines[k], now[k]);
        QCOMPARE(lines.size(), now.size());
        QVERIFY(lines.size() > 20);
    }

    void readmeIsShort()
    {
        QVERIFY(textOf(source.filePath("README.md")).size() <= 7000);
    }
};

SINOSCOPE_TEST(ReadmeTest, QCoreApplication)
#include "readme_test.moc"
