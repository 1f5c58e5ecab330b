// SPDX-License-Identifier: GPL-3.0-or-later
// The report: it contains every setting and file, follows the options given, and neither replaces the user's files
// nor leaves temporary ones.
#include "engine/backends/method.h"
#include "engine/base/error.h"
#include "tests/engine/io/full_disk.h"
#include "tests/ui/fixtures.h"
#include "ui/report/report_images.h"
#include "ui/report/settings_report.h"
#include "ui/widgets/save_file.h"

#include <QDir>
#include <QImage>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QRegularExpression>

#include <cmath>
#include <csignal>
#include <stdexcept>

using namespace fixtures;

namespace
{

ui::ReportOptions quick()
{
    ui::ReportOptions options;
    options.secondsPerSetting = 0.01;
    return options;
}

void put(const QString& path, const QByteArray& bytes)
{
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size())
        throw std::runtime_error("can't write " + path.toStdString());
}

QStringList sorted(QStringList names)
{
    names.sort();
    return names;
}

} // namespace

class ReportTest : public QObject
{
    Q_OBJECT
  private slots:
    void holdsEverySettingAndFile()
    {
        TemporaryFolder place;
        QStringList said;
        ui::ReportOptions options = quick();
        options.line = [&said](const QString& line) { said << line; };
        const QString page = ui::writeReport(place.file(QStringLiteral("report")), smallScan(96, 120), options);
        QCOMPARE(page, place.file(QStringLiteral("report/report.html")));
        const QDir folder(place.file(QStringLiteral("report")));
        const QString text = QString::fromUtf8(contentOf(page));
        int links = 0;
        QRegularExpression link(QStringLiteral("(?:src|href)=\"([^\"]+)\""));
        for (auto match = link.globalMatch(text); match.hasNext(); ++links)
            QVERIFY2(folder.exists(match.next().captured(1)), qPrintable(link.pattern()));
        QVERIFY(links >= 20);
        QVERIFY(!text.contains(QRegularExpression(QStringLiteral("%[0-9]|\\bnan\\b"))));
        for (const engine::MetricRow& row : engine::metricRows())
            QVERIFY2(text.contains(QString::fromUtf8(row.summary)), row.id);

        const QJsonObject json =
            QJsonDocument::fromJson(contentOf(folder.filePath(QStringLiteral("report.json")))).object();
        const QJsonArray settings = json[QStringLiteral("settings")].toArray();
        QVERIFY(settings.size() >= 6);
        QCOMPARE(said.size(), settings.size());
        QVERIFY(settings[0].toObject()[QStringLiteral("reference")].toBool());
        double linear = NAN, nearest = NAN, half = NAN;
        for (const auto& value : settings) {
            const QJsonObject setting = value.toObject();
            const QString title = setting[QStringLiteral("title")].toString();
            QVERIFY(setting[QStringLiteral("medianKernelGups")].toDouble() > 0);
            QVERIFY(setting[QStringLiteral("againstPhantom")].toObject()[QStringLiteral("rmse")].toDouble(NAN) < 0.1);
            const double rmse =
                setting[QStringLiteral("againstExact")].toObject()[QStringLiteral("rmse")].toDouble(NAN);
            linear = title == QStringLiteral("cpu · linear · float") ? rmse : linear;
            nearest = title == QStringLiteral("cpu · nearest · float") ? rmse : nearest;
            half = title == QStringLiteral("cpu · linear · half") ? rmse : half;
            const QImage image(folder.filePath(setting[QStringLiteral("image")].toString()));
            QCOMPARE(image.width(), 96);
        }
        QVERIFY(linear < 1e-6);
        QVERIFY(half > linear && half < nearest);
        // The values of the profile: a row for each pixel, below comments and the names of the columns.
        QStringList rows = QString::fromUtf8(contentOf(folder.filePath(QStringLiteral("profile.csv")))).split(u'\n');
        rows.removeIf([](const QString& row) { return row.isEmpty() || row.startsWith(u'#'); });
        QCOMPARE(rows.size(), 96 + 1);
        QVERIFY(rows.front().contains(QStringLiteral("cpu · linear · float")));
        QCOMPARE(rows.back().count(u','), rows.front().count(u','));
    }

    // Options given on the command line used to be ignored.
    void obeysWhatIsAskedFor()
    {
        TemporaryFolder place;
        ui::ReportOptions options = quick();
        options.base.setting.filter.window = engine::Window::butterworth;
        options.base.setting.filter.order = 5;
        options.base.setting.filter.cutoff = 0.37;
        options.base.setting.filter.padMode = engine::PadMode::edge;
        options.base.setting.kernel.variant = engine::variantsOf(*engine::findMethod("cpu")).back().id;
        options.base.setting.axis = {engine::AxisSettings::Mode::given, 47};
        options.base.resources.device.backend = "cpu";
        engine::Request first = options.base, second = options.base;
        first.setting.kernel.interpolation = engine::Interpolation::oversampled;
        first.setting.kernel.oversampling = 3;
        second.setting.kernel.method = "cpu";
        second.setting.kernel.precision = engine::Precision::half;
        options.settings = {first, second, second};
        const QString folder = place.file(QStringLiteral("report"));
        ui::writeReport(folder, smallScan(96, 120), options);
        const QJsonObject json = QJsonDocument::fromJson(contentOf(folder + QStringLiteral("/report.json"))).object();
        const QString variant = QString::fromStdString(options.base.setting.kernel.variant);
        QStringList titles;
        for (const auto& setting : json[QStringLiteral("settings")].toArray())
            titles << setting.toObject()[QStringLiteral("title")].toString();
        QCOMPARE(titles, (QStringList{QStringLiteral("exact · linear · double"),
                                      QStringLiteral("cpu · oversampled ×3 · float · ") + variant,
                                      QStringLiteral("cpu · linear · half · ") + variant}));
        const QString page = QString::fromUtf8(contentOf(folder + QStringLiteral("/report.html")));
        for (const char* fact : {"<dt>Filter</dt><dd>Butterworth</dd>", "<dt>Cut-off</dt><dd>0.37 × Nyquist</dd>",
                                 "<dt>Order</dt><dd>5</dd>", "<dt>Edges</dt><dd>Edge value</dd>"})
            QCOMPARE(page.count(QString::fromUtf8(fact)), 1);
        QVERIFY(page.contains(QStringLiteral("47.00")) || page.contains(QStringLiteral("47 ")));
    }

    void replacesAReportAndNothingElse()
    {
        TemporaryFolder place;
        const QString folder = place.file(QStringLiteral("report"));
        ui::writeReport(folder, smallScan(96, 120), quick());
        const QByteArray first = contentOf(folder + QStringLiteral("/report.json"));
        ui::writeReport(folder, smallScan(96, 120), quick());
        QVERIFY(!first.isEmpty() && contentOf(folder + QStringLiteral("/report.json")) != first);
        QCOMPARE(entriesOf(place), QStringList{QStringLiteral("report")});

        // A file of the user in the folder of a report used to be deleted together with the report.
        QFile notes(folder + QStringLiteral("/notes.txt"));
        QVERIFY(notes.open(QIODevice::WriteOnly) && notes.write("mine") == 4);
        notes.close();
        QVERIFY_THROWS_EXCEPTION(engine::Error, ui::writeReport(folder, smallScan(96, 120), quick()));
        QCOMPARE(contentOf(notes.fileName()), QByteArray("mine"));

        const QString other = place.file(QStringLiteral("thesis"));
        QVERIFY(QDir().mkpath(other));
        QFile file(other + QStringLiteral("/chapter.txt"));
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write("words") == 5);
        file.close();
        QVERIFY_THROWS_EXCEPTION(engine::Error, ui::writeReport(other, smallScan(96, 120), quick()));
        QCOMPARE(contentOf(file.fileName()), QByteArray("words"));
    }

    // What appears in the folder while the report is computed used to be deleted with the older report.
    void keepsWhatAppearsMeanwhile_data()
    {
        QTest::addColumn<bool>("isNew");
        QTest::addColumn<QString>("name");
        QTest::addRow("a file in a new report") << true << QStringLiteral("notes.txt");
        QTest::addRow("a file in an older one") << false << QStringLiteral("notes.txt");
        QTest::addRow("a changed page") << false << QStringLiteral("report.html");
        QTest::addRow("a changed list") << false << QStringLiteral("report.json");
    }

    void keepsWhatAppearsMeanwhile()
    {
        QFETCH(const bool, isNew);
        QFETCH(const QString, name);
        TemporaryFolder place;
        const QString folder = place.file(QStringLiteral("report"));
        if (!isNew)
            ui::writeReport(folder, smallScan(96, 120), quick());
        QStringList before = isNew ? QStringList() : QDir(folder).entryList(QDir::Files);
        ui::ReportOptions options = quick();
        options.line = [&](const QString&) { put(folder + u'/' + name, "mine"); };
        QVERIFY_THROWS_EXCEPTION(engine::Error, ui::writeReport(folder, smallScan(96, 120), options));
        QCOMPARE(contentOf(folder + u'/' + name), QByteArray("mine"));
        if (!before.contains(name))
            before << name;
        QCOMPARE(QDir(folder).entryList(QDir::Files | QDir::Hidden, QDir::Name), sorted(before));
        QCOMPARE(entriesOf(place), QStringList{QStringLiteral("report")});
    }

    // A list that names more than a report's files removes none of them; nor do folders and links count as its files.
    void trustsNoCraftedList()
    {
        TemporaryFolder place;
        const QString folder = place.file(QStringLiteral("report")), list = folder + QStringLiteral("/report.json");
        ui::writeReport(folder, smallScan(96, 120), quick());
        const QByteArray text = contentOf(list);
        const QString inner = folder + QStringLiteral("/photos"), photo = inner + QStringLiteral("/a.png");
        QVERIFY(QDir().mkpath(inner));
        put(photo, "mine");
        const auto isRefused = [&] {
            const QByteArray before = contentOf(list);
            bool refused = false;
            try {
                ui::writeReport(folder, smallScan(96, 120), quick());
            } catch (const engine::Error& error) {
                refused = error.kind() == engine::ErrorKind::output;
            }
            return refused && contentOf(list) == before;
        };
        for (const char* key : {"settings", "files"}) {
            QJsonObject json = QJsonDocument::fromJson(text).object();
            if (QByteArray(key) == "files") {
                QJsonObject files = json[QStringLiteral("files")].toObject();
                files[QStringLiteral("photos")] = 0;
                json[QStringLiteral("files")] = files;
            } else {
                QJsonArray settings = json[QStringLiteral("settings")].toArray();
                settings.append(QJsonObject{{"image", "photos"}});
                json[QStringLiteral("settings")] = settings;
            }
            put(list, QJsonDocument(json).toJson());
            QVERIFY2(isRefused(), key);
            QCOMPARE(contentOf(photo), QByteArray("mine"));
        }
        QVERIFY(QFile::remove(photo) && QDir().rmdir(inner));
        put(list, text);
        const QString page = folder + QStringLiteral("/report.html"), elsewhere = place.file(QStringLiteral("page"));
        QVERIFY(QFile::rename(page, elsewhere) && QFile::link(elsewhere, page)); // the same contents
        QVERIFY(isRefused());
        QVERIFY(contentOf(elsewhere).size() > 1000);
    }

    void followsALinkAndKeepsIt()
    {
        TemporaryFolder place;
        const QString mine = place.file(QStringLiteral("mine")), link = place.file(QStringLiteral("link"));
        QVERIFY(QDir().mkpath(mine) && QFile::link(mine, link));
        put(mine + QStringLiteral("/notes.txt"), "mine");
        QVERIFY_THROWS_EXCEPTION(engine::Error, ui::writeReport(link, smallScan(96, 120), quick()));
        QCOMPARE(QDir(mine).entryList(QDir::Files | QDir::Hidden), QStringList{QStringLiteral("notes.txt")});
        QVERIFY(QFile::remove(mine + QStringLiteral("/notes.txt")));
        for (int run = 0; run < 2; ++run)
            ui::writeReport(link, smallScan(96, 120), quick());
        QVERIFY(QFileInfo(link).isSymLink() && QFileInfo::exists(mine + QStringLiteral("/report.html")));
        QCOMPARE(entriesOf(place), (QStringList{QStringLiteral("link"), QStringLiteral("mine")}));
    }

    // Ctrl+C and termination end it with status 130, and leave no files; after a kill, the next run removes them.
    void endsOnSignals_data()
    {
        QTest::addColumn<int>("signal");
        for (const int signal : {SIGTERM, SIGINT, SIGHUP, SIGKILL})
            QTest::addRow("%d", signal) << signal;
    }

    void endsOnSignals()
    {
        QFETCH(const int, signal);
        std::signal(signal, SIG_DFL); // a shell may have set it to be ignored
        TemporaryFolder place;
        QProcess process;
        process.setWorkingDirectory(place.file({}));
        process.start(
            QStringLiteral(SINOSCOPE_BIN_DIR "/sinoscope"),
            {QStringLiteral("--report"), QStringLiteral("a/b"), QStringLiteral("--threads"), QStringLiteral("1")});
        QVERIFY(process.waitForReadyRead(patienceMs)); // the first setting is done
        QVERIFY(QFileInfo::exists(place.file(QStringLiteral("a/b"))));
        ::kill(pid_t(process.processId()), signal);
        QVERIFY(process.waitForFinished(patienceMs));
        const QString folder = place.file(QStringLiteral("a/b"));
        if (signal == SIGKILL) {
            ui::writeReport(folder, smallScan(96, 120), quick());
            QCOMPARE(QDir(folder).entryList({QStringLiteral(".*")}, QDir::Files | QDir::Hidden), QStringList());
            QCOMPARE(
                QDir(place.file(QStringLiteral("a"))).entryList(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot),
                QStringList{QStringLiteral("b")});
            return;
        }
        QCOMPARE(process.exitStatus(), QProcess::NormalExit);
        QCOMPARE(process.exitCode(), 130);
        QVERIFY(process.readAllStandardError().contains("cancelled"));
        QCOMPARE(entriesOf(place), QStringList());
    }

    void failsWithoutLeavingAnything()
    {
        TemporaryFolder place;
        ui::ReportOptions options = quick();
        options.slice = 99;
        QVERIFY_THROWS_EXCEPTION(engine::Error,
                                 ui::writeReport(place.file(QStringLiteral("r")), smallScan(96, 120), options));
        std::stop_source stop;
        stop.request_stop();
        options = quick();
        options.stop = stop.get_token();
        QVERIFY_THROWS_EXCEPTION(engine::Error,
                                 ui::writeReport(place.file(QStringLiteral("r")), smallScan(96, 120), options));
        QCOMPARE(entriesOf(place), QStringList());
        QVERIFY_THROWS_EXCEPTION(engine::Error,
                                 ui::writeReport(QStringLiteral("/proc/nowhere/r"), smallScan(96, 120), quick()));
    }

    // A full disk: the message has the system's reason and the folder that the user named, not the hidden one.
    void fullDisk()
    {
        const TemporaryFolder place;
        const QString report = place.file(QStringLiteral("r"));
        const made::FullDisk full(2048);
        const auto failed = errorOf([&] { ui::writeReport(report, smallScan(96, 120), quick()); });
        QVERIFY(failed && failed->kind() == engine::ErrorKind::output);
        const QString why = QString::fromStdString(failed->what());
        QVERIFY2(why.contains(report) && why.contains(QStringLiteral("File too large")) &&
                     !why.contains(QStringLiteral("/.r-")) && !why.contains(QStringLiteral("Unknown")),
                 qPrintable(why));
        const QString file = place.file(QStringLiteral("a.txt"));
        QCOMPARE(ui::saveFile(file, QByteArray(100000, 'x')), QStringLiteral("File too large"));
        QCOMPARE(ui::saveFile(file, QByteArray(5000, 'x')), QStringLiteral("File too large")); // in one buffer
        QVERIFY(!QFile::exists(file));
        QCOMPARE(ui::saveFile(file, QByteArray(100, 'x')), QString());
    }

    void coloursTellSignAndSize()
    {
        const QColor zero = ui::differenceColour(0), below = ui::differenceColour(-0.7),
                     above = ui::differenceColour(0.7);
        QVERIFY(zero.lightness() > 240);
        QVERIFY(below.blue() > below.red() + 60);
        QVERIFY(above.red() > above.blue() + 60);
        QVERIFY(ui::differenceColour(1) == ui::differenceColour(5));
        QVERIFY(QColor(ui::differenceColour(0.9)).lightness() < QColor(ui::differenceColour(0.4)).lightness());
        const std::vector<float> values = {0, 1, 2, NAN};
        const QImage image = ui::greyImage(values, 4, 1, {0, 2});
        QCOMPARE(qGray(image.pixel(0, 0)), 0);
        QCOMPARE(qGray(image.pixel(1, 0)), 128);
        QCOMPARE(qGray(image.pixel(2, 0)), 255);
        QCOMPARE(qGray(image.pixel(3, 0)), 0);
    }
};

SINOSCOPE_TEST(ReportTest, QApplication)
#include "report_test.moc"
