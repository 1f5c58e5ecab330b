// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/report/command_line.h"

#include "engine/base/error.h"
#include "engine/base/version.h"
#include "engine/documents/man_page.h"
#include "engine/documents/report.h"
#include "engine/io/open/open_fields.h"
#include "engine/io/open/readers.h"
#include "engine/options/options.h"
#include "engine/scan/cone_fields.h"
#include "ui/opening/sample_scans.h"
#include "ui/report/report_formats.h"

#include <QCommandLineParser>
#include <QFileInfo>

#include <algorithm>
#include <cstdio>
#include <iterator>

namespace ui
{

namespace
{

[[noreturn]] void bad(const QString& message)
{
    throw engine::Error(engine::ErrorKind::badRequest, message.toStdString());
}

int integer(const QString& option, const QString& text, int lowest)
{
    bool ok = false;
    const int value = text.toInt(&ok);
    if (!ok || value < lowest)
        bad(QStringLiteral("bad --%1 '%2'; give a whole number, at least %3").arg(option, text).arg(lowest));
    return value;
}

QSize sizeFromText(const QString& text)
{
    const QStringList parts = text.toLower().split('x');
    bool okWidth = false, okHeight = false;
    const QSize size = parts.size() == 2 ? QSize(parts[0].toInt(&okWidth), parts[1].toInt(&okHeight)) : QSize();
    if (!okWidth || !okHeight || size.width() < 640 || size.height() < 480)
        bad(QStringLiteral("bad --window-size '%1'; give WIDTHxHEIGHT, at least 640x480").arg(text));
    return size;
}

// Excludes `region`: a part of a slice is for files, not for the window.
bool ofTheWindow(const engine::Option& option)
{
    return std::string(option.id) != "region";
}

// Excludes `size`: the window has an option of that name.
bool ofTheWindow(const engine::ConeField& field)
{
    return std::string(field.id) != "size";
}

bool isFlag(const auto& field)
{
    return field.kind == engine::FieldKind::boolean;
}

QList<QCommandLineOption> startOptions()
{
    QList<QCommandLineOption> options;
    const auto add = [&options](const char* name, const char* value, const char* description) {
        options << QCommandLineOption(QString::fromLatin1(name), QString::fromUtf8(description),
                                      QString::fromUtf8(value));
    };
    const auto addField = [&](const auto& field) {
        if (isFlag(field))
            options << QCommandLineOption(QString::fromLatin1(field.id), QString::fromUtf8(field.summary));
        else
            add(field.id, engine::formOf(field).c_str(), field.summary);
    };
    for (const engine::Option& row : engine::options())
        if (ofTheWindow(row))
            addField(row);
    add("slice", "K", "Slice to show, counted from 0.");
    add("compare", "SETTING", "Second setting for B: METHOD[,INTERPOLATION[,PRECISION[,SLICES]]].");
    add("sample", "NAME", "Open a simulated scan instead of a file.");
    for (const engine::OpenField& field : engine::openFields())
        addField(field);
    for (const engine::ConeField& field : engine::coneFields())
        if (ofTheWindow(field))
            addField(field);
    add("theme", "NAME", "light, dark or system.");
    add("window-size", "WxH", "Size of the window.");
    add("size", "WxH", ""); // former name of --window-size
    options.back().setFlags(QCommandLineOption::HiddenFromHelp);
    add("report", "FOLDER|FILE",
        qPrintable(
            QStringLiteral("Reconstruct one slice with several settings, write a report into FOLDER and quit; no "
                           "window, no display needed. For a session (SCAN ends in .sinoscope), the report is the "
                           "file FILE, and its suffix selects %1.")
                .arg(reportSuffixes())));
    options << QCommandLineOption(QStringLiteral("overwrite"), QStringLiteral("Replace the FILE of --report."));
    add("screenshot", "FILE.png", "Save a picture of the finished window and quit.");
    options << QCommandLineOption(QStringLiteral("reference"),
                                  QStringLiteral("Print the views and keys of the window as Markdown and quit."));
    options << QCommandLineOption(QStringLiteral("man"), QStringLiteral("Print the manual page in roff and quit."));
    return options;
}

// The program's manual page.
std::string manPage(const QList<QCommandLineOption>& all)
{
    engine::ManPage page{.program = "sinoscope",
                         .meaning = "compare tomographic reconstructions in a window",
                         .synopsis = "[OPTIONS] [SCAN]",
                         .options = {{"SCAN", "", engine::scansInWords(false) + "; or a session (.sinoscope)"}},
                         .commands = {},
                         .examples =
                             "sinoscope scan.h5\nsinoscope scan.h5 --filter hann --compare texture,linear,half\n"
                             "sinoscope comparison.sinoscope --report comparison.html\n",
                         .seeAlso = {"sinoscope-cli", "sinoscope-mpi"}};
    for (const QCommandLineOption& option : all) {
        if (option.flags() & QCommandLineOption::HiddenFromHelp)
            continue;
        QStringList names;
        for (const QString& name : option.names())
            names << (name.size() == 1 ? QLatin1String("-") : QLatin1String("--")) + name;
        QString meaning = option.description();
        if (meaning.endsWith(QLatin1Char('.')))
            meaning.chop(1);
        page.options.push_back(
            {names.join(QLatin1String(", ")).toStdString(), option.valueName().toStdString(), meaning.toStdString()});
    }
    return engine::manPageText(page);
}

// Sets an option of the request to the text given with --name.
void take(const engine::Option& row, engine::Request& request, const QString& name, const QString& text)
{
    if (text.isEmpty())
        bad(QStringLiteral("bad --%1: the value is empty").arg(name));
    try {
        engine::setField(row, request, text.toStdString());
    } catch (const engine::Error& error) {
        bad(QStringLiteral("bad --%1: %2")
                .arg(name, QString::fromStdString(error.text().in(engine::commandLineStyle()))));
    }
}

engine::Request secondSetting(const QString& text)
{
    constexpr const char* inOrder[] = {"method", "interpolation", "precision", "slices-per-pass"};
    const QStringList parts = text.split(',');
    engine::Request request;
    for (int k = 0; k < std::min(int(parts.size()), int(std::size(inOrder))); ++k)
        take(engine::option(inOrder[k]), request, QStringLiteral("compare"), parts[k]);
    return request;
}

void readRequest(const QCommandLineParser& parser, StartOptions& options)
{
    for (const engine::Option& row : engine::options()) {
        const QString name = QString::fromLatin1(row.id);
        if (!ofTheWindow(row) || !parser.isSet(name))
            continue;
        take(row, options.request, name, isFlag(row) ? QStringLiteral("true") : parser.value(name));
        options.hasRequest = true;
        options.given << name;
    }
    if (parser.isSet(QStringLiteral("compare"))) {
        options.second = secondSetting(parser.value(QStringLiteral("compare")));
        options.hasRequest = true;
    }
}

void readOpened(const QCommandLineParser& parser, engine::OpenOptions& open)
{
    const auto take = [](const auto& field, auto& owner, const QString& text) {
        try {
            engine::setField(field, owner, text.toStdString());
        } catch (const engine::Error& error) {
            bad(QStringLiteral("bad --%1: %2")
                    .arg(QLatin1String(field.id), QString::fromStdString(error.text().in(engine::commandLineStyle()))));
        }
    };
    for (const engine::OpenField& field : engine::openFields()) {
        const QString name = QString::fromLatin1(field.id);
        if (!parser.isSet(name))
            continue;
        if (*field.needs && !parser.isSet(QLatin1String(field.needs)))
            bad(QStringLiteral("--%1 is for --%2; give both").arg(name, QLatin1String(field.needs)));
        for (const QString& text : isFlag(field) ? QStringList{QStringLiteral("true")} : parser.values(name))
            take(field, open, text);
    }
    for (const engine::ConeField& field : engine::coneFields())
        if (const QString name = QString::fromLatin1(field.id); ofTheWindow(field) && parser.isSet(name))
            take(field, open.cone, parser.value(name));
}

void checkReport(const StartOptions& options, bool isSession)
{
    const bool isFile = reportFormatOf(options.report) != nullptr;
    if (options.overwrite && !(isSession && isFile))
        bad(QStringLiteral("--overwrite is for the file of a session's --report; give both"));
    if (isSession && !options.report.isEmpty() && !isFile)
        bad(QStringLiteral("bad --report '%1'; the report of a session is a file, end its name in %2")
                .arg(options.report, reportSuffixes()));
    if (!isSession && isFile && !QFileInfo(options.report).isDir())
        bad(QStringLiteral("bad --report '%1'; a report in one file needs a session: give SESSION.sinoscope as SCAN, "
                           "or a FOLDER for the report")
                .arg(options.report));
}

void readScan(const QCommandLineParser& parser, StartOptions& options, bool isSession)
{
    // A missing session file is reported later, when the report reads the session.
    if (parser.isSet(QStringLiteral("screenshot")) || (!options.report.isEmpty() && !isSession))
        requireScan(options);
    options.sample = parser.value(QStringLiteral("sample"));
    readOpened(parser, options.open);
    if (options.sample.isEmpty())
        return;
    QStringList ids;
    for (const Sample& sample : samples())
        ids << sample.id;
    if (!ids.contains(options.sample))
        bad(QStringLiteral("unknown sample '%1'; choose one of %2")
                .arg(options.sample, ids.join(QStringLiteral(", "))));
    if (!options.scan.isEmpty())
        bad(QStringLiteral("both a SCAN and --sample were given; give one"));
}

void readLook(const QCommandLineParser& parser, StartOptions& options)
{
    if (parser.isSet(QStringLiteral("theme"))) {
        const QString theme = parser.value(QStringLiteral("theme"));
        if (theme != toText(themeFromText(theme)))
            bad(QStringLiteral("unknown theme '%1'; choose light, dark or system").arg(theme));
        options.theme = themeFromText(theme);
    }
    for (const QString& name : {QStringLiteral("size"), QStringLiteral("window-size")})
        if (parser.isSet(name))
            options.size = sizeFromText(parser.value(name));
    options.screenshot = parser.value(QStringLiteral("screenshot"));
    if (parser.isSet(QStringLiteral("screenshot")) &&
        !options.screenshot.endsWith(QLatin1String(".png"), Qt::CaseInsensitive))
        bad(QStringLiteral("bad --screenshot '%1'; the picture is a PNG: end its name in .png")
                .arg(options.screenshot));
}

} // namespace

void requireScan(const StartOptions& options)
{
    if (!options.scan.isEmpty() && !QFileInfo::exists(options.scan))
        throw engine::Error(engine::ErrorKind::badFile,
                            "there is no file or folder '" + options.scan.toStdString() + "'");
}

std::optional<StartOptions> parseCommandLine(const QStringList& arguments)
{
    QCommandLineParser parser;
    parser.setApplicationDescription(QStringLiteral("Sinoscope: tomographic reconstruction, compared and timed"));
    parser.addPositionalArgument(QStringLiteral("SCAN"),
                                 QString::fromStdString(engine::scansInWords(false)) + QLatin1Char('.'),
                                 QStringLiteral("[SCAN]"));
    const QCommandLineOption help = parser.addHelpOption();
    const QCommandLineOption version = parser.addVersionOption();
    const QList<QCommandLineOption> all = startOptions();
    parser.addOptions(all);
    if (!parser.parse(arguments))
        bad(parser.errorText() + QStringLiteral("; see --help"));
    if (parser.isSet(help)) {
        // Qt knows the program's name only once there is an application, which needs a display.
        std::fputs(qPrintable(parser.helpText().replace(QStringLiteral("<executable_name>"),
                                                        QFileInfo(arguments.value(0)).fileName())),
                   stdout);
        return std::nullopt;
    }
    if (parser.isSet(QStringLiteral("man"))) {
        std::fputs(manPage(QList<QCommandLineOption>{help, version} + all).c_str(), stdout);
        return std::nullopt;
    }
    if (parser.isSet(version)) {
        std::printf("%s\n", engine::versionText("Sinoscope").c_str());
        return std::nullopt;
    }
    StartOptions options;
    const QStringList scans = parser.positionalArguments();
    if (scans.size() > 1)
        bad(QStringLiteral("more than one SCAN given ('%1'); open one at a time")
                .arg(scans.join(QStringLiteral("', '"))));
    options.scan = scans.value(0);
    const bool isSession = options.scan.endsWith(QLatin1String(".sinoscope"), Qt::CaseInsensitive);
    options.report = parser.value(QStringLiteral("report"));
    options.overwrite = parser.isSet(QStringLiteral("overwrite"));
    options.reference = parser.isSet(QStringLiteral("reference"));
    checkReport(options, isSession);
    readScan(parser, options, isSession);
    readRequest(parser, options);
    if (isSession && options.hasRequest)
        bad(QStringLiteral("a session has settings of its own; give only --slice with it"));
    if (parser.isSet(QStringLiteral("slice")))
        options.slice = integer(QStringLiteral("slice"), parser.value(QStringLiteral("slice")), 0);
    readLook(parser, options);
    return options;
}

} // namespace ui
