#include "ui/report/report.h"

#include "engine/backproject/method.h"
#include "engine/compare/profile.h"
#include "engine/error.h"
#include "engine/io/inputs.h"
#include "engine/gups.h"
#include "engine/reconstruct.h"
#include "ui/profile/profile_curves.h"
#include "ui/profile/profile_plot.h"
#include "ui/report/report_page.h"
#include "ui/number_text.h"

#include <QDateTime>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>

#include <algorithm>
#include <chrono>

namespace ui
{

namespace
{

constexpr int mostRuns = 7; // counted, a setting

[[noreturn]] void fail(const QString& message)
{
    throw engine::Error(engine::ErrorKind::output, message.toStdString());
}

struct Setting {
    std::string method;
    engine::Interpolation interpolation = engine::Interpolation::linear;
    engine::Precision precision = engine::Precision::single;
    int oversampling = engine::Request{}.setting.kernel.oversampling;
    int slicesPerPass = 1;
    bool operator==(const Setting&) const = default;
};

engine::Request requestOf(const Setting& setting, const engine::Request& base)
{
    engine::Request request = base;
    request.setting.kernel.method = setting.method;
    request.setting.kernel.interpolation = setting.interpolation;
    request.setting.kernel.precision = setting.precision;
    request.setting.kernel.oversampling = setting.oversampling;
    request.setting.kernel.slicesPerPass = setting.slicesPerPass;
    if (const engine::Method* method = engine::findMethod(setting.method))
        request.resources.device.kind = method->device;
    return request;
}

// The exact method and the settings that were asked for, those of `auto` by the method that it takes.
std::vector<Setting> settingsAskedFor(const engine::Request& base, const std::vector<engine::Request>& asked)
{
    std::vector<Setting> settings = {{engine::yardstick().id}};
    for (const engine::Request& one : asked) {
        engine::Request request = base;
        request.setting.kernel.method = one.setting.kernel.method;
        request.setting.kernel.interpolation = one.setting.kernel.interpolation;
        request.setting.kernel.precision = one.setting.kernel.precision;
        request.setting.kernel.oversampling = one.setting.kernel.oversampling;
        request.setting.kernel.slicesPerPass = one.setting.kernel.slicesPerPass;
        const Setting setting{engine::methodFor(request).id, one.setting.kernel.interpolation,
                              one.setting.kernel.precision, one.setting.kernel.oversampling,
                              one.setting.kernel.slicesPerPass};
        if (std::find(settings.begin(), settings.end(), setting) == settings.end())
            settings.push_back(setting);
    }
    return settings;
}

// The exact method, the processor's choices one by one, and every other method that works on the device.
std::vector<Setting> settingsFor(const engine::Request& base)
{
    using engine::Interpolation, engine::Precision;
    std::vector<Setting> wanted;
    for (const engine::Method& method : engine::methods()) {
        if (method.yardstick)
            continue;
        const bool everyMachines = method.device == engine::DeviceSettings::Kind::cpu && method.rank;
        wanted.push_back({method.id});
        if (everyMachines)
            for (const auto interpolation : {Interpolation::nearest, Interpolation::oversampled, Interpolation::cubic})
                wanted.push_back({method.id, interpolation});
        if (method.filterPrecision == engine::FilterPrecision::float32)
            wanted.push_back({method.id, Interpolation::linear, Precision::half});
    }
    std::vector<Setting> usable = {{engine::yardstick().id}};
    const auto device = base.resources.device.kind;
    for (const Setting& setting : wanted) {
        const engine::Method* method = engine::findMethod(setting.method);
        const bool there = method && (device == engine::DeviceSettings::Kind::automatic || device == method->device);
        if (there && !engine::refusalOf(*method, requestOf(setting, base)))
            usable.push_back(setting);
    }
    return usable;
}

QString titleOf(const Setting& setting, const engine::Request& request)
{
    QString interpolation = QString::fromStdString(engine::toText(setting.interpolation));
    if (setting.interpolation == engine::Interpolation::oversampled)
        interpolation += QStringLiteral(" ×%1").arg(request.setting.kernel.oversampling);
    const QString slices =
        setting.slicesPerPass > 1 ? QStringLiteral(" · %1 slices").arg(setting.slicesPerPass) : QString();
    const engine::Method* method = engine::findMethod(setting.method);
    const bool inDouble = method && method->filterPrecision == engine::FilterPrecision::float64;
    const QString precision = inDouble && setting.precision == engine::Precision::single
                                  ? QStringLiteral("double")
                                  : QString::fromStdString(engine::toText(setting.precision));
    return QString::fromStdString(setting.method) + QStringLiteral(" · ") + interpolation + QStringLiteral(" · ") +
           precision + slices;
}

double median(std::vector<double> values)
{
    std::sort(values.begin(), values.end());
    const std::size_t middle = values.size() / 2;
    return values.size() % 2 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

// One run to warm up (files, caches, plans), then up to mostRuns within the time.
ReportEntry measure(engine::Reconstructor& reconstructor, const engine::Request& request, const ReportOptions& options)
{
    ReportEntry entry;
    std::vector<double> kernel, total;
    reconstructor.run(request, {}, options.stop);
    const auto begin = std::chrono::steady_clock::now();
    do {
        entry.result = reconstructor.run(request, {}, options.stop);
        kernel.push_back(entry.result.timings.kernelSeconds);
        total.push_back(entry.result.timings.totalSeconds);
    } while (static_cast<int>(kernel.size()) < mostRuns &&
             std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count() <
                 options.secondsPerSetting);
    entry.runs = static_cast<int>(kernel.size());
    entry.kernelSeconds = median(kernel);
    entry.totalSeconds = median(total);
    const double voxels = static_cast<double>(entry.result.image.values.size());
    const int projections = request.scan->projections();
    entry.kernelGups = engine::gigaUpdatesPerSecond(voxels, projections, entry.kernelSeconds);
    entry.totalGups = engine::gigaUpdatesPerSecond(voxels, projections, entry.totalSeconds);
    return entry;
}

void saveImage(const QImage& image, const QString& path)
{
    if (!image.save(path, "PNG"))
        fail(QStringLiteral("can't write the picture %1; is the disk full?").arg(path));
}

void saveBytes(const QByteArray& bytes, const QString& path)
{
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size() || !file.flush())
        fail(QStringLiteral("can't write %1: %2; is the disk full?").arg(path, file.errorString()));
}

engine::Volume phantomImage(const engine::Scan& scan, int slice, const engine::Reconstruction& like)
{
    engine::Volume image = scan.exactImage(slice, like.grid);
    if (like.unit == "1/mm" && scan.pixelSizeMm())
        for (float& value : image.values)
            value = static_cast<float>(value / *scan.pixelSizeMm());
    return image;
}

// Every setting, measured and compared with the first, the exact one.
void reconstructAll(ReportContents& contents, const ReportOptions& options)
{
    const auto say = [&options](const QString& text) {
        if (options.line)
            options.line(text);
    };
    engine::Request base = options.base;
    base.scan = contents.scan;
    base.place.slices = {contents.slice, 1};
    engine::Reconstructor reconstructor;
    engine::Mask mask;
    mask.discRadius = contents.discRadius;
    std::optional<engine::Volume> phantom;
    const std::vector<Setting> settings =
        options.settings.empty() ? settingsFor(base) : settingsAskedFor(base, options.settings);
    for (std::size_t k = 0; k < settings.size(); ++k) {
        const engine::Request request = requestOf(settings[k], base);
        ReportEntry entry = measure(reconstructor, request, options);
        entry.title = titleOf(settings[k], request);
        entry.stem = QString(entry.title)
                         .replace(QStringLiteral(" · "), QStringLiteral("-"))
                         .replace(QStringLiteral(" ×"), QStringLiteral("-x"));
        entry.isReference = k == 0;
        const engine::SliceGrid& grid = entry.result.grid;
        if (k == 0 && contents.scan->exactImage)
            phantom = phantomImage(*contents.scan, contents.slice, entry.result);
        if (k > 0)
            entry.againstExact = engine::compareImages(
                entry.result.image.slice(0), contents.entries[0].result.image.slice(0), grid.width, grid.height, mask);
        if (phantom)
            entry.againstPhantom =
                engine::compareImages(entry.result.image.slice(0), phantom->slice(0), grid.width, grid.height, mask);
        say(QStringLiteral("[%1/%2] %3: kernel %4 GU/s, total %5 GU/s%6")
                .arg(k + 1)
                .arg(settings.size())
                .arg(entry.title, gupsText(entry.kernelGups), gupsText(entry.totalGups),
                     entry.againstExact ? QStringLiteral(", RMSE ") + errorText(entry.againstExact->rmse) : QString()));
        contents.entries.push_back(std::move(entry));
    }
    contents.hasPhantom = phantom.has_value();
    contents.window = greyWindowOf(contents.entries[0].result.image.slice(0));
}

void writePictures(ReportContents& contents, const QDir& folder)
{
    const auto& exact = contents.entries[0].result;
    for (ReportEntry& entry : contents.entries) {
        const auto values = entry.result.image.slice(0);
        const int width = entry.result.grid.width, height = entry.result.grid.height;
        saveImage(greyImage(values, width, height, contents.window),
                  folder.filePath(entry.stem + QStringLiteral(".png")));
        if (entry.isReference)
            continue;
        const std::vector<float> difference = engine::difference(values, exact.image.slice(0));
        entry.differenceScale = differenceScaleOf(difference);
        saveImage(differenceImage(difference, width, height, entry.differenceScale),
                  folder.filePath(entry.stem + QStringLiteral("-difference.png")));
    }
}

// All settings along the vertical line through the middle.
ProfileCurves profilesOf(const ReportContents& contents)
{
    const engine::Reconstruction& exact = contents.entries[0].result;
    const std::optional<double> pixelSize = contents.scan->pixelSizeMm();
    const double middle = (exact.grid.size - 1) / 2.0;
    const engine::Line line{middle, 0, middle, exact.grid.size - 1.0};
    ProfileCurves profile;
    profile.unit = QString::fromStdString(exact.unit);
    profile.positionUnit = pixelSize ? QStringLiteral("mm") : QStringLiteral("px");
    profile.length = (exact.grid.size - 1) * pixelSize.value_or(1.0);
    for (const ReportEntry& entry : contents.entries) {
        // Views of the buffers that `contents` keeps; they end with this function.
        const std::shared_ptr<const engine::Volume> view(std::shared_ptr<void>(), &entry.result.image);
        Curve curve = curveAlong({view, 0, entry.result.grid, entry.title, profile.unit}, line, pixelSize);
        curve.role = entry.isReference ? Curve::Role::exact : Curve::Role::family;
        curve.name = entry.isReference ? QStringLiteral("exact") : entry.title;
        if (!entry.isReference)
            curve.error = absoluteDifference(curve, profile.curves.front());
        profile.curves.push_back(std::move(curve));
    }
    return profile;
}

// A report of ours and nothing else: what its own report.json names. Whatever the user has put beside it stays.
bool isReport(const QDir& folder)
{
    QFile file(folder.filePath(QStringLiteral("report.json")));
    if (!file.open(QIODevice::ReadOnly))
        return false;
    const QJsonObject json = QJsonDocument::fromJson(file.readAll()).object();
    if (json[QStringLiteral("program")].toString() != QStringLiteral("Sinoscope"))
        return false;
    QStringList ours{QStringLiteral("report.html"), QStringLiteral("report.json"), QStringLiteral("profile.png"),
                     QStringLiteral("profile.pdf"), QStringLiteral("profile.csv")};
    for (const auto& setting : json[QStringLiteral("settings")].toArray())
        for (const char* picture : {"image", "differenceImage"})
            ours << setting.toObject()[QLatin1String(picture)].toString();
    const QStringList there = folder.entryList(QDir::AllEntries | QDir::Hidden | QDir::System | QDir::NoDotAndDotDot);
    return std::all_of(there.begin(), there.end(), [&](const QString& name) { return ours.contains(name); });
}

// The finished folder takes its place; what was there goes only when that has worked.
void moveInto(const QString& finished, const QString& target)
{
    const QString aside = finished + QStringLiteral("-old");
    const bool replaces = QFileInfo::exists(target);
    if (replaces && !QDir().rename(target, aside))
        fail(QStringLiteral("can't replace the folder %1; choose another").arg(target));
    if (!QDir().rename(finished, target)) {
        if (replaces)
            QDir().rename(aside, target);
        fail(QStringLiteral("can't write the folder %1; choose another").arg(target));
    }
    if (replaces)
        QDir(aside).removeRecursively();
}

} // namespace

QString writeReport(const QString& folder, const std::shared_ptr<const engine::Scan>& scan,
                    const ReportOptions& options)
{
    if (!scan)
        throw engine::Error(engine::ErrorKind::badRequest, "no scan is open");
    const QFileInfo target(QDir::cleanPath(QFileInfo(folder).absoluteFilePath()));
    if (target.exists() &&
        (!target.isDir() || (!QDir(target.filePath()).isEmpty() && !isReport(QDir(target.filePath())))))
        fail(QStringLiteral("%1 exists and isn't a report alone; choose another folder").arg(target.filePath()));
    engine::Inputs(*scan).refuseFolder(target.filePath().toStdString());
    if (!QDir().mkpath(target.path()))
        fail(QStringLiteral("can't make the folder %1; choose another").arg(target.path()));
    QTemporaryDir work(target.path() + QStringLiteral("/.") + target.fileName() + QStringLiteral("-XXXXXX"));
    if (!work.isValid())
        fail(QStringLiteral("can't write in %1: %2; choose another folder").arg(target.path(), work.errorString()));

    ReportContents contents;
    contents.scan = scan;
    contents.slice = options.slice.value_or(scan->rows / 2);
    contents.date = QDateTime::currentDateTimeUtc().toString(Qt::ISODate);
    reconstructAll(contents, options);
    const QDir inside(work.path());
    writePictures(contents, inside);
    const ProfileCurves profile = profilesOf(contents);
    writeProfileImage(inside.filePath(QStringLiteral("profile.png")), profile, true, 1100, 640);
    writeProfileImage(inside.filePath(QStringLiteral("profile.pdf")), profile, true, 1100, 640);
    writeProfileCsv(inside.filePath(QStringLiteral("profile.csv")), profile);
    saveBytes(reportJson(contents), inside.filePath(QStringLiteral("report.json")));
    saveBytes(reportHtml(contents), inside.filePath(QStringLiteral("report.html")));
    // A temporary folder is its owner's alone; a report is for all who may read its parent.
    QFile::setPermissions(work.path(), QFile::permissions(target.path()));
    moveInto(work.path(), target.filePath());
    return target.filePath() + QStringLiteral("/report.html");
}

} // namespace ui
