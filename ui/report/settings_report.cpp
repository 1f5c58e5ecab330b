// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/report/settings_report.h"

#include "engine/backends/backend.h"
#include "engine/backends/devices.h"
#include "engine/backends/method.h"
#include "engine/base/error.h"
#include "engine/base/giga_updates.h"
#include "engine/compare/compare_settings.h"
#include "engine/compare/profile.h"
#include "engine/compare/reference_image.h"
#include "engine/io/files/protected_inputs.h"
#include "engine/reconstruct/reconstruct.h"
#include "engine/resolve/resolve.h"
#include "ui/image/shapes.h"
#include "ui/profile/profile_curves.h"
#include "ui/profile/profile_plot.h"
#include "ui/report/report_folder.h"
#include "ui/report/report_page.h"
#include "ui/widgets/displayed_number.h"
#include "ui/widgets/drawing.h"
#include "ui/widgets/save_file.h"

#include <QDateTime>
#include <QDir>
#include <QFileInfo>

#include <algorithm>
#include <chrono>

namespace ui
{

namespace
{

constexpr int mostRuns = 7; // counted runs per setting

// Replaces the kernel, apart from its variant, and chooses the device of its method.
engine::Request withKernelOf(const engine::Request& base, const engine::Method& method, const engine::Kernel& kernel)
{
    engine::Request request = base;
    request.setting.kernel = kernel;
    request.setting.kernel.method = method.id;
    request.setting.kernel.variant = base.setting.kernel.variant;
    request.resources.device = engine::deviceOf(method, base.resources.device);
    return request;
}

engine::Request exactly(const engine::Request& base)
{
    return withKernelOf(base, engine::yardstick(base.scan->geometry), {});
}

// Returns the exact method and the requested settings, with `auto` replaced by the method that it chooses.
std::vector<engine::Request> requestsAskedFor(const engine::Request& base, const std::vector<engine::Request>& asked)
{
    std::vector<engine::Request> requests = {exactly(base)};
    for (const engine::Request& one : asked) {
        engine::Request request = base;
        request.setting.kernel = one.setting.kernel;
        request = withKernelOf(base, *engine::resolve(request).method, one.setting.kernel);
        if (std::find(requests.begin(), requests.end(), request) == requests.end())
            requests.push_back(request);
    }
    return requests;
}

// Returns the exact method and every other method that works on the device. Methods on the processor that `auto`
// may choose appear with each interpolation. Methods that filter in single precision also appear with half precision.
std::vector<engine::Request> requestsFor(const engine::Request& base)
{
    using engine::Interpolation, engine::Precision;
    std::vector<std::pair<const engine::Method*, engine::Kernel>> wanted;
    for (const engine::Method* method : engine::methodsFor(base.scan->geometry)) {
        if (method->yardstick)
            continue;
        const bool everyMachines = method->backend->isProcessor && method->rank;
        wanted.push_back({method, {}});
        if (everyMachines)
            for (const auto interpolation : {Interpolation::nearest, Interpolation::oversampled, Interpolation::cubic})
                wanted.push_back({method, {.interpolation = interpolation}});
        if (method->filterPrecision == engine::FilterPrecision::float32)
            wanted.push_back({method, {.precision = Precision::half}});
    }
    std::vector<engine::Request> usable = {exactly(base)};
    const engine::DeviceSettings& device = base.resources.device;
    for (const auto& [method, kernel] : wanted) {
        // Some drivers are loaded only for users who choose such a device.
        const bool there = engine::mayUse(*method->backend, device);
        const engine::Request request = withKernelOf(base, *method, kernel);
        if (there && engine::refusalsOf(request).empty())
            usable.push_back(request);
    }
    return usable;
}

double median(std::vector<double> values)
{
    std::sort(values.begin(), values.end());
    const std::size_t middle = values.size() / 2;
    return values.size() % 2 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

// Runs once to warm up (files, caches, plans), then up to mostRuns times within the time.
ReportEntry measure(engine::Reconstructor& reconstructor, const engine::Request& request, const ReportOptions& options)
{
    ReportEntry entry;
    entry.compared.request = request;
    engine::Reconstruction result;
    std::vector<double> kernel, total;
    reconstructor.run(request, {}, options.stop);
    const auto begin = std::chrono::steady_clock::now();
    do {
        result = reconstructor.run(request, {}, options.stop);
        kernel.push_back(result.timings.kernelSeconds);
        total.push_back(result.timings.totalSeconds);
    } while (static_cast<int>(kernel.size()) < mostRuns &&
             std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count() <
                 options.secondsPerSetting);
    entry.runs = static_cast<int>(kernel.size());
    entry.kernelSeconds = median(kernel);
    entry.totalSeconds = median(total);
    const double voxels = static_cast<double>(result.image.values.size());
    const int projections = request.scan->projections();
    entry.kernelGups = engine::gigaUpdatesPerSecond(voxels, projections, entry.kernelSeconds);
    entry.totalGups = engine::gigaUpdatesPerSecond(voxels, projections, entry.totalSeconds);
    entry.compared.result = std::make_shared<const engine::Reconstruction>(std::move(result));
    entry.stem = QString(entry.compared.title())
                     .replace(QStringLiteral(" · "), QStringLiteral("-"))
                     .replace(QStringLiteral(" ×"), QStringLiteral("-x"))
                     .replace(QLatin1Char('/'), QLatin1Char('-'));
    return entry;
}

// Reconstructs and measures every setting, and compares it with the first one, the exact method.
void reconstructAll(ReportContents& contents, const ReportOptions& options)
{
    engine::Request base = options.base;
    base.scan = contents.scan;
    base.place.setSlices({contents.slice, 1});
    const std::vector<engine::Request> requests =
        options.settings.empty() ? requestsFor(base) : requestsAskedFor(base, options.settings);
    contents.mask.discRadius = ReportContents::discRadius;
    engine::Reconstructor reconstructor;
    for (std::size_t k = 0; k < requests.size(); ++k) {
        ReportEntry entry = measure(reconstructor, requests[k], options);
        const Image& made = entry.compared.result;
        if (k == 0 && contents.scan->exactImage)
            contents.phantom =
                std::make_shared<const engine::Reconstruction>(engine::phantomImage(*made, contents.slice));
        entry.againstExact =
            engine::measured(made.get(), k > 0 ? &contents.reference() : nullptr, contents.slice, contents.mask);
        entry.againstPhantom = engine::measured(made.get(), contents.phantom.get(), contents.slice, contents.mask);
        if (options.line)
            options.line(QStringLiteral("[%1/%2] %3: kernel %4 GU/s, total %5 GU/s%6")
                             .arg(k + 1)
                             .arg(requests.size())
                             .arg(entry.compared.title(), gupsText(entry.kernelGups), gupsText(entry.totalGups),
                                  entry.againstExact ? QStringLiteral(", RMSE ") + errorText(entry.againstExact->rmse)
                                                     : QString()));
        contents.entries.push_back(std::move(entry));
    }
    contents.window = greyWindowOf(contents.reference().image.slice(0));
}

void writePictures(ReportContents& contents, ReportFolder& folder)
{
    const auto reference = contents.reference().image.slice(0);
    for (std::size_t k = 0; k < contents.entries.size(); ++k) {
        ReportEntry& entry = contents.entries[k];
        const engine::Reconstruction& result = *contents.compared(k).result;
        const auto values = result.image.slice(0);
        const int width = result.grid.width, height = result.grid.height;
        folder.add(entry.stem + QStringLiteral(".png"), pngOf(greyImage(values, width, height, contents.window)));
        if (contents.isReference(k))
            continue;
        const engine::Values difference = engine::difference(values, reference);
        entry.differenceScale = differenceScaleOf(difference);
        folder.add(entry.stem + QStringLiteral("-difference.png"),
                   pngOf(differenceImage(difference, width, height, entry.differenceScale)));
    }
}

// Returns the profiles of all settings along the vertical line through the middle.
ProfileCurves profilesOf(const ReportContents& contents)
{
    const engine::Reconstruction& exact = contents.reference();
    const engine::PixelSides sides = engine::sectionOf(exact.request).pixel;
    const engine::Mark line{.shape = defaultLine(exact.grid.size)};
    ProfileCurves profile;
    profile.unit = QString::fromStdString(exact.unit);
    profile.referenceName = QStringLiteral("exact method");
    profile.positionUnit = sides.isInMm ? QStringLiteral("mm") : QStringLiteral("px");
    profile.pixelSize = sides.down; // the line is vertical
    profile.length = (exact.grid.size - 1) * profile.pixelSize;
    profile.lines = {{QStringLiteral("line"), line.shape, line.width, profile.length}};
    for (std::size_t k = 0; k < contents.entries.size(); ++k) {
        const Compared& one = contents.compared(k);
        Curve curve = curveAlong(planeOf(one.result, contents.slice, one.title()), line, sides);
        curve.role = contents.isReference(k) ? Curve::Role::reference : Curve::Role::other;
        curve.name = contents.isReference(k) ? profile.referenceName : one.title();
        curve.colour = static_cast<int>(k) - 1;
        if (!contents.isReference(k))
            curve.error = absoluteDifference(curve, profile.curves.front());
        profile.curves.push_back(std::move(curve));
    }
    return profile;
}

} // namespace

QString writeReport(const QString& folder, const std::shared_ptr<const engine::Scan>& scan,
                    const ReportOptions& options)
{
    if (!scan)
        throw engine::Error(engine::ErrorKind::badRequest, "no scan is open");
    const QString target = QDir::cleanPath(QFileInfo(folder).absoluteFilePath());
    ReportFolder files(target, engine::ProtectedInputs(*scan));

    ReportContents contents;
    contents.scan = scan;
    contents.slice = options.slice.value_or(scan->slices() / 2);
    contents.date = QDateTime::currentDateTimeUtc().toString(Qt::ISODate);
    reconstructAll(contents, options);
    writePictures(contents, files);
    const ProfileCurves profile = profilesOf(contents);
    for (const QString& name : {QStringLiteral("profile.png"), QStringLiteral("profile.pdf")})
        files.add(name, fileOf(name, drawingOf(profile, true), {.widthMm = 290, .heightMm = 170, .dotsPerInch = 192}));
    files.add(QStringLiteral("profile.csv"), profileCsv(profile).toUtf8());
    files.add(QStringLiteral("report.html"), reportHtml(contents));
    files.commit(reportJson(contents));
    return target + QStringLiteral("/report.html");
}

} // namespace ui
