// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/measure/machine_card.h"

#include "engine/backproject/gpu_choice.h"
#include "engine/base/json_text.h"
#include "engine/base/machine.h"
#include "engine/base/text.h"
#include "engine/base/version.h"
#include "engine/compare/metrics.h"
#include "engine/measure/limits.h"
#include "engine/reconstruct/reconstruct.h"
#include "engine/scan/phantom.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <ctime>
#include <limits>

namespace engine
{

namespace
{

constexpr int sizeOnGpu = 2048, sizeOnProcessor = 512, sizeForError = 256;

struct CardSetting {
    Interpolation interpolation;
    Precision precision;
};
constexpr CardSetting settings[] = {
    {Interpolation::linear, Precision::half},        {Interpolation::linear, Precision::single},
    {Interpolation::nearest, Precision::half},       {Interpolation::nearest, Precision::single},
    {Interpolation::oversampled, Precision::single}, {Interpolation::cubic, Precision::single},
};

std::string dateOfToday()
{
    const std::time_t now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
    std::tm local{};
    localtime_r(&now, &local);
    char text[16];
    return {text, std::strftime(text, sizeof text, "%Y-%m-%d", &local)};
}

// Reconstructs the phantom with one kernel after another, and compares with the exact method.
class PhantomErrors
{
  public:
    PhantomErrors(const DeviceSettings& device, const std::stop_token& stop)
    {
        Simulation simulation;
        simulation.size = sizeForError;
        simulation.projections = sizeForError;
        simulation.counts = false;
        m_request.scan = simulate(simulation);
        m_request.setting.axis.mode = AxisSettings::Mode::middle;
        m_request.setting.kernel.method = "exact";
        m_exact = m_reconstructor.run(m_request, {}, stop).image;
        m_request.resources.device = device;
        m_disc.discRadius = 0.9;
    }

    double of(const BenchmarkRow& row, const std::stop_token& stop)
    {
        Kernel& kernel = m_request.setting.kernel;
        kernel.method = row.method;
        kernel.interpolation = row.interpolation;
        kernel.oversampling = row.oversampling;
        kernel.precision = row.precision;
        kernel.slicesPerPass = row.slicesPerPass;
        const Volume image = m_reconstructor.run(m_request, {}, stop).image;
        const Metrics metrics = compareImages(image.slice(0), m_exact.slice(0), m_exact.width, m_exact.height, m_disc);
        return metrics.rmse / metrics.referenceRange;
    }

  private:
    Request m_request;
    Reconstructor m_reconstructor;
    Volume m_exact;
    Mask m_disc;
};

} // namespace

MachineCard measureCard(const CardOptions& options, const TuneProgress& progress, std::stop_token stop)
{
    const DeviceSettings device = tunedDevice(options.device);
    const bool onGpu = device.kind != DeviceSettings::Kind::cpu;
    MachineCard card;
    card.version = programVersion();
    card.date = dateOfToday();
    card.size = options.size > 0 ? options.size : onGpu ? sizeOnGpu : sizeOnProcessor;
    card.projections = card.size;
    card.volumeSeconds = std::numeric_limits<double>::infinity();
    card.command = ("sinoscope-cli benchmark " + optionName("card") + " " + optionName("device") + " " +
                    toText(device) + " " + optionName("size") + " " + std::to_string(card.size))
                       .in(commandLineStyle());
    BenchmarkOptions asked;
    asked.size = card.size;
    asked.projections = card.projections;
    asked.device = device;
    asked.threads = options.threads;
    asked.repeat = options.repeat;
    std::vector<BenchmarkRow> rows(std::size(settings)); // the fastest of each
    for (const BenchmarkRow& row : benchmarkAutomatic(asked, progress, stop)) {
        if (row.interpolation == Interpolation::linear)
            card.volumeSeconds = std::min(card.volumeSeconds, std::pow(2048.0, 4) * 1e-9 / row.totalGups);
        for (std::size_t k = 0; k < rows.size(); ++k)
            if (row.interpolation == settings[k].interpolation && row.precision == settings[k].precision &&
                row.kernelGups > rows[k].kernelGups)
                rows[k] = row;
    }
    std::erase_if(rows, [](const BenchmarkRow& row) { return row.method.empty(); }); // that no method can
    addLimits(rows);
    if (progress)
        progress(1, "errors beside `exact`");
    PhantomErrors errors(device, stop);
    for (const BenchmarkRow& row : rows)
        card.rows.push_back({row, errors.of(row, stop)});
    card.threads = rows.front().threads;
    card.device = onGpu ? measuredDevice(rows) : processorName() + ", " + threadsText(card.threads);
    return card;
}

std::string cardLabel(const CardRow& row)
{
    return toText(row.fastest.interpolation) + ", " + toText(row.fastest.precision);
}

std::string cardJson(const MachineCard& card)
{
    Json rows = Json::array();
    for (const CardRow& row : card.rows) {
        const BenchmarkRow& fastest = row.fastest;
        Json json = {{"interpolation", toText(fastest.interpolation)},
                     {"precision", toText(fastest.precision)},
                     {"method", fastest.method},
                     {"slicesPerPass", fastest.slicesPerPass},
                     {"kernelGups", fastest.kernelGups},
                     {"totalGups", fastest.totalGups},
                     {"relativeError", row.error}};
        if (!fastest.limits.empty()) {
            json["limit"] = fastest.limits.front().unit;
            json["limitGups"] = fastest.limits.front().gups;
        }
        rows.push_back(std::move(json));
    }
    return dumped({{"program", "Sinoscope"},
                   {"version", card.version},
                   {"date", card.date},
                   {"device", card.device},
                   {"threads", card.threads},
                   {"command", card.command},
                   {"size", card.size},
                   {"projections", card.projections},
                   {"rows", std::move(rows)},
                   {"secondsFor2048Cubed", card.volumeSeconds}});
}

} // namespace engine
