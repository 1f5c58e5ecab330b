// SPDX-License-Identifier: GPL-3.0-or-later
// The report of a session, by command and by the window: it contains the window's numbers, is complete, and
// overwrites none of the user's files.
#include "engine/base/error.h"
#include "engine/documents/session.h"
#include "tests/engine/io/full_disk.h"
#include "tests/ui/fixtures.h"
#include "ui/report/page.h"
#include "ui/report/report_command.h"
#include "ui/report/session_page.h"
#include "ui/report/session_report.h"

#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QPushButton>
#include <QRegularExpression>
#include <QSignalSpy>
#include <QTableView>
#include <QXmlStreamReader>

using namespace ui;
using namespace fixtures;

namespace
{

const QString nastyName = QStringLiteral("<b>&\"quick\"</b> %1 'x'");

// Returns a session with three different settings, the last one hidden.
engine::Session smallSession()
{
    engine::Session session;
    session.simulation = simulationOf(engine::Phantom::sheppLogan3d, 48, 60, 16);
    session.label = "head";
    session.slice = 7;
    session.list.settings.front().name = nastyName.toStdString();
    engine::Setting nearest;
    nearest.kernel.interpolation = engine::Interpolation::nearest;
    nearest.filter.window = engine::Window::hann;
    session.list.add(nearest, std::string(300, 'n'));
    engine::Setting cubic;
    cubic.kernel.interpolation = engine::Interpolation::cubic;
    session.list.add(cubic, "out of sight").visible = false;
    session.marks.add(engine::Area(engine::EllipseArea{24, 24, 9, 6}), "round <middle>");
    session.marks.add(engine::Area(engine::Region{8, 9, 20, 22}));
    session.marks.add(engine::Circle{24, 24, 8}, "ring");
    session.marks.add(engine::Line{1, 2, 30, 40.5}).width = 3;
    return session;
}

QString written(const TemporaryFolder& folder, const engine::Session& session)
{
    const QString file = folder.file(QStringLiteral("head.sinoscope"));
    engine::writeSession(session, file.toStdString(), true);
    return file;
}

void byCommand(const QString& report, const QString& session, const QStringList& more = {})
{
    const auto options =
        parseCommandLine(QStringList{QStringLiteral("sinoscope"), QStringLiteral("--report"), report, session} + more);
    runReport(options.value());
}

QJsonObject jsonOf(const QString& file)
{
    return QJsonDocument::fromJson(contentOf(file)).object();
}

// A report parsed as XML; the test fails if it is not well-formed.
struct ParsedPage {
    QList<QList<QStringList>> tables; // their bodies: rows of cells
    int pictures = 0;
    QString text;

    explicit ParsedPage(const QByteArray& html)
    {
        QXmlStreamReader xml(html);
        QString cell;
        bool isInCell = false, isInBody = false;
        while (!xml.atEnd()) {
            const auto token = xml.readNext();
            const QStringView name = xml.name();
            if (token == QXmlStreamReader::StartElement) {
                if (name == QLatin1String("tbody"))
                    tables.append(QList<QStringList>()), isInBody = true;
                else if (name == QLatin1String("tr") && isInBody)
                    tables.back().append(QStringList());
                else if (name == QLatin1String("td"))
                    cell.clear(), isInCell = true;
                else if (name == QLatin1String("small")) // the smaller text below the value
                    isInCell = false;
                else if (name == QLatin1String("img"))
                    ++pictures;
            } else if (token == QXmlStreamReader::EndElement && name == QLatin1String("td")) {
                tables.back().back() << cell;
                isInCell = false;
            } else if (token == QXmlStreamReader::EndElement && name == QLatin1String("tbody")) {
                isInBody = false;
            } else if (token == QXmlStreamReader::Characters) {
                text += xml.text();
                if (isInCell)
                    cell += xml.text();
            }
        }
        if (xml.hasError())
            QTest::qFail(qPrintable(xml.errorString()), __FILE__, __LINE__);
    }
};

int sheetsOf(const QByteArray& pdf)
{
    return static_cast<int>(QString::fromLatin1(pdf).count(QRegularExpression(QStringLiteral("/Type /Page\\s"))));
}

QString whatItThrows(const std::function<void()>& act)
{
    try {
        act();
    } catch (const engine::Error& error) {
        return QString::number(engine::exitStatus(error.kind())) + u' ' + QString::fromUtf8(error.what());
    }
    return QStringLiteral("nothing");
}

} // namespace

class SessionReportTest : public QObject
{
    Q_OBJECT

  private slots:
    void windowAndCommandSayTheSame()
    {
        const TemporaryFolder folder;
        const QString session = written(folder, smallSession());
        Window window;
        window.open(session);
        QVERIFY(showsImage(window));
        QSignalSpy saved(&window, &MainWindow::saved);
        for (const char* suffix : {"json", "html", "pdf"}) {
            const QString file = folder.file(QStringLiteral("window.") + QLatin1String(suffix));
            const auto before = saved.count();
            window.saveReport(file);
            QVERIFY2(comes([&] { return saved.count() > before; }), qPrintable(window.message()));
            QVERIFY(window.message().contains(file));
            byCommand(folder.file(QStringLiteral("command.") + QLatin1String(suffix)), session);
        }
        const QJsonObject one = jsonOf(folder.file(QStringLiteral("window.json")));
        const QJsonObject other = jsonOf(folder.file(QStringLiteral("command.json")));
        for (const char* key : {"slice", "against", "reference", "area", "unit", "lines", "areas", "hidden", "scan"})
            QCOMPARE(one[QLatin1String(key)], other[QLatin1String(key)]);
        QCOMPARE(one["hidden"].toArray(), QJsonArray{QStringLiteral("out of sight")});
        const QJsonArray settings = one["settings"].toArray(), others = other["settings"].toArray();
        QCOMPARE(settings.size(), 2);
        QCOMPARE(others.size(), 2);
        for (qsizetype k = 0; k < settings.size(); ++k) {
            const QJsonObject a = settings[k].toObject(), b = others[k].toObject();
            for (const char* key : {"id", "name", "metrics", "noise", "ran", "device", "axisBins", "description",
                                    "consistency", "fourierRingCorrelation"})
                QCOMPARE(a[QLatin1String(key)], b[QLatin1String(key)]);
            QVERIFY(a["consistency"]["residual"].toDouble(NAN) > 0);
            QVERIFY(a["fourierRingCorrelation"].isNull() || a["fourierRingCorrelation"]["correlation"].isArray());
            QVERIFY(a["metrics"].toObject()["rmse"].toDouble(NAN) == window.shown().compared[k].metrics->rmse);
            QVERIFY(a["noise"].toDouble(NAN) > 0);
            QVERIFY(b["runs"].toObject()["count"].toInt() >= 1);
            QVERIFY(b["runs"].toObject()["kernelGups"].toObject()["median"].toDouble(NAN) > 0);
        }
        comparePages(window, contentOf(folder.file(QStringLiteral("window.html"))),
                     contentOf(folder.file(QStringLiteral("command.html"))));
        QVERIFY(!QFileInfo::exists(folder.file(QStringLiteral("window.sinoscope")))); // not requested
    }

    void pdfIsWhole()
    {
        const TemporaryFolder folder;
        const QString file = folder.file(QStringLiteral("a.pdf"));
        byCommand(file, written(folder, smallSession()));
        const QByteArray pdf = contentOf(file);
        QVERIFY(pdf.startsWith("%PDF"));
        QVERIFY(pdf.trimmed().endsWith("%%EOF"));
        QVERIFY2(sheetsOf(pdf) >= 3 && sheetsOf(pdf) <= 8, qPrintable(QString::number(sheetsOf(pdf))));
        QVERIFY(pdf.count("/Subtype /Image") >= 5); // at least two settings with differences, and the reference
    }

    void phantomAndSettingAsReference()
    {
        const TemporaryFolder folder;
        engine::Session session = smallSession();
        session.list.reference = {engine::ReferenceChoice::Kind::phantom, 0};
        const QString file = folder.file(QStringLiteral("a.html"));
        byCommand(file, written(folder, session));
        ParsedPage page(contentOf(file));
        QVERIFY(page.text.contains(QStringLiteral("the phantom itself")));
        QCOMPARE(page.pictures, 5 + 3); // two settings and differences, phantom; two profiles, speed and quality
        QVERIFY(page.text.contains(QStringLiteral("out of sight")));
        session.list.reference = {engine::ReferenceChoice::Kind::setting, session.list.settings[2].id}; // a hidden one
        byCommand(file, written(folder, session), {QStringLiteral("--overwrite")});
        page = ParsedPage(contentOf(file));
        QCOMPARE(page.tables.front().size(), 3);
        QVERIFY(page.tables.front()[2].contains(QStringLiteral("the reference")));
        QCOMPARE(page.pictures, 5 + 3);
        QVERIFY(!page.text.contains(QStringLiteral("Hidden in the session")));
    }

    void commandsRepeatIt()
    {
        const QString program = QStringLiteral(SINOSCOPE_BIN_DIR "/sinoscope-cli");
        if (!QFile::exists(program))
            QSKIP("sinoscope-cli is not built");
        const TemporaryFolder folder;
        const QString file = folder.file(QStringLiteral("a.html"));
        byCommand(file, written(folder, smallSession()));
        QStringList commands;
        QXmlStreamReader xml(contentOf(file));
        while (!xml.atEnd())
            if (xml.readNext() == QXmlStreamReader::StartElement && xml.name() == QLatin1String("pre"))
                commands << xml.readElementText();
        QCOMPARE(commands.size(), 4); // comparison, phantom, two images
        QProcess shell;
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert(QStringLiteral("PATH"), QStringLiteral(SINOSCOPE_BIN_DIR ":") + environment.value("PATH"));
        shell.setProcessEnvironment(environment);
        shell.setWorkingDirectory(folder.file({}));
        for (const QString& command : commands) {
            shell.start(QStringLiteral("/bin/sh"), {QStringLiteral("-c"), command});
            QVERIFY(shell.waitForFinished(patienceMs));
            QVERIFY2(shell.exitCode() == 0, qPrintable(command + shell.readAllStandardError()));
        }
        QCOMPARE(QDir(folder.file({})).entryList({QStringLiteral("*.tif")}).size(), 2);
    }

    void nothingIsWrittenOver()
    {
        const TemporaryFolder folder;
        const QString session = written(folder, smallSession());
        const QString file = folder.file(QStringLiteral("a.json"));
        QFile mine(file);
        QVERIFY(mine.open(QIODevice::WriteOnly) && mine.write("mine") == 4);
        mine.close();
        QVERIFY2(whatItThrows([&] { byCommand(file, session); }).contains(QStringLiteral("exists already")), "refused");
        QCOMPARE(contentOf(file), QByteArray("mine"));
        byCommand(file, session, {QStringLiteral("--overwrite")});
        QVERIFY(contentOf(file).startsWith('{'));
    }

    void mistakes()
    {
        const TemporaryFolder folder;
        const QString session = written(folder, smallSession());
        const auto said = [&](const QString& report, const QString& of) {
            return whatItThrows([&] { byCommand(report, of); });
        };
        const QString pdf = folder.file(QStringLiteral("a.pdf")), bad = folder.file(QStringLiteral("bad.sinoscope"));
        const QString missing = said(pdf, folder.file(QStringLiteral("none.sinoscope")));
        QVERIFY2(missing.startsWith(u'2') && missing.contains(QStringLiteral("can't be read: it isn't there")),
                 qPrintable(missing));
        QFile file(bad);
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write("{\"format\": \"other\"}") > 0);
        file.close();
        QVERIFY2(said(pdf, bad).startsWith(QStringLiteral("2 '")), qPrintable(said(pdf, bad)));
        const QString folderOfSession = said(folder.file(QStringLiteral("report")), session);
        QVERIFY2(folderOfSession.contains(QStringLiteral(".pdf, .html or .json")), qPrintable(folderOfSession));
        const QString nowhere = said(folder.file(QStringLiteral("none/a.pdf")), session);
        QVERIFY2(nowhere.startsWith(u'2') && nowhere.contains(QStringLiteral("a.pdf")), qPrintable(nowhere));
        QVERIFY(whatItThrows([&] {
                    byCommand(pdf, session, {QStringLiteral("--slice"), QStringLiteral("99")});
                }).contains(QStringLiteral("0 to 15")));
        QVERIFY(
            whatItThrows([] {
                parseCommandLine({QStringLiteral("sinoscope"), QStringLiteral("--report"), QStringLiteral("x.pdf")});
            }).contains(QStringLiteral("needs a session")));
        {
            const made::FullDisk full(4096);
            for (const char* suffix : {"pdf", "html"}) {
                const QString on = said(folder.file(QStringLiteral("full.") + QLatin1String(suffix)), session);
                QVERIFY2(on.startsWith(u'2') && on.contains(QStringLiteral("disk full")), qPrintable(on));
            }
        }
        QCOMPARE(entriesOf(folder),
                 (QStringList{QStringLiteral("bad.sinoscope"), QStringLiteral("head.sinoscope")})); // no other file
    }

    void windowAsksAndSays()
    {
        const TemporaryFolder folder;
        Window window;
        window.saveReport(folder.file(QStringLiteral("a.pdf")));
        QVERIFY(window.message().contains(QStringLiteral("computed"))); // no scan is open
        QVERIFY(window.opensSmall());
        bool isAsked = false;
        triggerAndLook(window, QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_R), [&](const QFileDialog& dialog) {
            isAsked = true;
            for (const char* suffix : {"*.pdf", "*.html", "*.json"})
                QVERIFY(dialog.nameFilters().join(u' ').contains(QLatin1String(suffix)));
        });
        QVERIFY(isAsked);
        window.saveReport(folder.file(QStringLiteral("a.txt")));
        QVERIFY2(window.message().contains(QStringLiteral(".pdf, .html or .json")), qPrintable(window.message()));
        QSignalSpy failed(&window, &MainWindow::failed);
        window.saveReport(folder.file(QStringLiteral("none/a.html")));
        QVERIFY(comes([&] { return failed.count() == 1; }));
        QCOMPARE(entriesOf(folder), QStringList());
        QSignalSpy saved(&window, &MainWindow::saved);
        window.saveReport(folder.file(QStringLiteral("a.html")));
        QVERIFY(comes([&] { return saved.count() == 1; }));
        QVERIFY2(window.message().contains(QStringLiteral("a.html")), qPrintable(window.message()));
        QCOMPARE(entriesOf(folder), QStringList{QStringLiteral("a.html")});
        QVERIFY(std::ranges::any_of(window.findChildren<QPushButton*>(), [](const QPushButton* button) {
            return button->isVisible() && button->text() == QStringLiteral("Open it");
        }));
    }

    // A page with extreme content: words longer than a line, tables wider and longer than a sheet.
    void anyPageFits()
    {
        Page page{QStringLiteral("a & b < c"), QString(600, u'w'), {}};
        Table table;
        for (int k = 0; k < 24; ++k)
            table.columns.push_back({QStringLiteral("column %1").arg(k), QStringLiteral("1/mm"), k < 2});
        for (int row = 0; row < 120; ++row) {
            TableRow made;
            for (int k = 0; k < 24; ++k)
                made.cells.push_back(
                    {k == 0 ? QString(90, u'n') : QStringLiteral("1.2345e−6"), QStringLiteral("n = 5")});
            table.rows.push_back(made);
        }
        page.blocks = {Heading{QStringLiteral("A table")}, table, Commands{{QString(20000, u'c')}},
                       Facts{{{QStringLiteral("name"), QString(20000, u'v')}}}};
        QVERIFY(sheetsOf(pdfOf(page)) > 4);
        ParsedPage parsed(htmlOf(page));
        QCOMPARE(parsed.tables.front().size(), 120);
    }

  private:
    // Compares all numbers, except those of runs, in both pages, and with the window's own table.
    void comparePages(Window& window, const QByteArray& one, const QByteArray& other)
    {
        ParsedPage a(one), b(other);
        QVERIFY(a.text.contains(nastyName));
        QVERIFY(!QString::fromUtf8(one).contains(nastyName));
        QCOMPARE(a.pictures, b.pictures);
        QVERIFY2(a.pictures >= 2 * 2 + 1 + 2, qPrintable(QString::number(a.pictures)));
        QCOMPARE(a.tables.size(), b.tables.size());
        QCOMPARE(a.tables[2], b.tables[2]); // the table of differences between the settings
        constexpr int firstOfRuns = 2, runs = 3;
        QCOMPARE(a.tables[0].size(), 2);
        child<QTabWidget>(window, "numberTabs")->setCurrentIndex(1);
        const QAbstractItemModel* shown = child<QTableView>(window, "numbers")->model();
        const int columns = shown->columnCount() - 1; // without edge widths, the last column
        const auto textAt = [&](int row, int column) { return shown->index(row, column).data().toString(); };
        const auto isAllThere = [&](int row) { // the columns are filled one after the other
            for (int column = 1; column < columns; ++column)
                if (textAt(row, column) != a.tables[0][row][column + 1])
                    return false;
            return true;
        };
        comes([&] { return isAllThere(0) && isAllThere(1); });
        for (int row = 0; row < 2; ++row) {
            const QStringList x = a.tables[0][row], y = b.tables[0][row];
            QCOMPARE(x.size(), columns + 1);
            for (int k = 0; k < x.size(); ++k)
                if (k < firstOfRuns || k >= firstOfRuns + runs)
                    QCOMPARE(x[k], y[k]);
            for (int column = 1; column < columns; ++column) // the report also has a column "ran"
                QCOMPARE(x[column + 1], textAt(row, column));
        }
    }
};

SINOSCOPE_TEST(SessionReportTest, QApplication)
#include "session_report_test.moc"
