// SPDX-License-Identifier: GPL-3.0-or-later
// Unusual file names: bytes that are not UTF-8, and control characters that a terminal would obey. For every command,
// successful or not, the printed text is UTF-8 without control characters, and reports are valid JSON.
#include "tests/app/program.h"

#include <QStringDecoder>

using program::finished;
using program::Result;
namespace fs = std::filesystem;

namespace
{

const std::string hostile = "h\xE4\x1B[31m\nx"; // Latin-1 ä, the terminal's escape for red, and a line feed
const QByteArray shownAs = "h\\xE4\\x1B[31m\\x0Ax";

} // namespace

class NamesTest : public QObject, private program::Folder
{
    Q_OBJECT

    // Qt would change the bytes of an argument, so a shell produces them. NAME stands for the hostile name.
    Result runIn(const QString& command) const
    {
        QProcess process;
        process.setWorkingDirectory(folder());
        QString script = "name=$(printf 'h\\344\\033[31m\\nx'); exec \"$0\" " + command;
        script.replace("NAME", "\"$name\"");
        process.start("/bin/sh", {"-c", script, program::path});
        return finished(process);
    }

    static bool isSafe(const QByteArray& text)
    {
        QStringDecoder decoder(QStringDecoder::Utf8);
        const QString decoded = decoder(text);
        return !decoder.hasError() && std::ranges::all_of(decoded, [](QChar one) {
            return one == '\n' || one.category() != QChar::Other_Control;
        });
    }

  private slots:
    void initTestCase()
    {
        QCOMPARE(
            run({"phantom", "shepp-logan", "--size", "16", "--projections", "24", "--exact", "a.tif", "-o", "a.h5"})
                .status,
            0);
        for (const char* suffix : {".h5", ".tif"})
            fs::copy_file(path(QString("a") + suffix), path({}) / (hostile + suffix));
        std::ofstream(path({}) / (hostile + ".txt")) << "1\n2\n3\n";
        std::ofstream(path({}) / (hostile + ".json")) << "no";
        fs::create_directory(path({}) / hostile);
    }

    // Qt cannot remove files with such names.
    void cleanupTestCase() { fs::remove_all(path({})); }

    void commands_data()
    {
        QTest::addColumn<QString>("command");
        QTest::addColumn<int>("status");
        const auto row = [](int status, const char* command) { QTest::newRow(command) << QString(command) << status; };
        row(0, "info NAME.h5");
        row(0, "axis NAME.h5");
        row(0, "reconstruct NAME.h5 -o NAME.out.tif");
        row(0, "reconstruct NAME.h5 -o NAME.out/");
        row(0, "reconstruct NAME.h5 a.h5 -o NAME/");
        row(0, "reconstruct NAME.h5 -o NAME.out.h5 --plan");
        row(2, "reconstruct NAME.h5 -o NAME.tif");
        row(2, "reconstruct NAME.h5 -o x.tif --settings NAME.json");
        row(2, "reconstruct NAME.h5 -o x.tif --recipe NAME.missing");
        row(2, "reconstruct NAME.h5 -o x.tif --angles NAME.txt");
        row(2, "reconstruct NAME.h5 -o x.tif --geometry NAME.txt");
        row(2, "reconstruct NAME.h5 -o x.tif --NAME");
        row(2, "reconstruct NAME.missing a.h5 -o NAME/ --overwrite");
        row(2, "NAME");
        row(2, "info NAME");
        row(2, "info NAME.missing");
        row(2, "info NAME.h5 --json NAME.tif");
        row(0, "sinogram NAME.h5 -o NAME.sinogram.tif");
        row(2, "sinogram NAME.h5 -o NAME.tif");
        row(0, "phantom disc --size 8 --projections 8 -o NAME.disc.h5");
        row(0, "compare NAME.tif a.tif");
        row(2, "compare NAME.tif NAME.missing");
        row(2, "compare-settings NAME.json");
        row(2, "model --rates NAME.json");
    }
    void commands()
    {
        QFETCH(const QString, command);
        QFETCH(const int, status);
        const Result result = runIn(command);
        QVERIFY2(result.status == status, result.err);
        QVERIFY2(isSafe(result.out), result.out.toPercentEncoding(" "));
        QVERIFY2(isSafe(result.err), result.err.toPercentEncoding(" "));
        QVERIFY2(status == 0 || result.err.contains(shownAs) || result.out.contains(shownAs), result.err);
    }

    void reports_data()
    {
        QTest::addColumn<QString>("command");
        for (const char* command :
             {"info NAME.h5 --json -", "axis NAME.h5 --json -", "reconstruct NAME.h5 -o json.tif --json -",
              "reconstruct NAME.h5 a.h5 -o json/ --json -"})
            QTest::newRow(command) << QString(command);
    }
    void reports()
    {
        QFETCH(const QString, command);
        const Result result = runIn(command);
        QVERIFY2(result.status == 0, result.err);
        QVERIFY2(isSafe(result.out), result.out.toPercentEncoding(" "));
        QJsonParseError error;
        QJsonDocument::fromJson(result.out, &error);
        QVERIFY2(error.error == QJsonParseError::NoError, result.out);
    }
};

SINOSCOPE_TEST(NamesTest, QCoreApplication)
#include "names_test.moc"
