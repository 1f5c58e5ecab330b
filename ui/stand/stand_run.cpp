// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/stand/stand_run.h"

#include "engine/backends/method.h"
#include "engine/compare/metrics.h"
#include "ui/settings/presets.h"
#include "ui/speed/speed_loop.h"

#include <algorithm>
#include <chrono>

namespace ui
{

namespace
{

QString textOf(const engine::Setting& setting, const engine::Geometry& geometry)
{
    using engine::Interpolation;
    if (setting.kernel.precision == engine::Precision::half)
        return StandRun::tr("The filtered projections are stored in 16 bits instead of 32: half the memory to read.");
    if (setting.kernel.interpolation == Interpolation::nearest)
        return StandRun::tr("Takes the nearest bin instead of interpolating between two: fast, and coarse.");
    if (setting.kernel.interpolation == Interpolation::oversampled)
        return StandRun::tr("Takes the nearest of several values per bin, which were interpolated before.");
    const engine::Method* method = engine::findMethod(setting.kernel.method, geometry);
    return method ? QString::fromUtf8(method->summary)
                  : StandRun::tr("The fastest method of this machine for floats and linear interpolation.");
}

constexpr std::size_t mostOthers = 5;

bool isExact(const engine::Setting& setting)
{
    return std::ranges::any_of(engine::methods(), [&setting](const engine::Method& method) {
        return setting.kernel.method == method.id && method.filterPrecision == engine::FilterPrecision::float64;
    });
}

} // namespace

std::vector<StandStep> standSteps(const engine::Request& chosen)
{
    engine::Request base = chosen;
    base.setting.kernel = {};
    std::vector<StandStep> steps;
    for (const Preset& preset : presets()) {
        const std::string id = preset.id;
        if (id != "kernels" && id != "interpolations" && id != "half")
            continue;
        std::vector<engine::NamedSetting> settings = preset.make(base, 0).settings;
        std::erase_if(settings, [](const engine::NamedSetting& one) { return isExact(one.setting); });
        if (id == "kernels" && settings.size() < 2)
            continue; // the only one is what the other steps use
        for (const engine::NamedSetting& one : settings)
            if (std::ranges::find(steps, one.setting, &StandStep::setting) == steps.end())
                steps.push_back(
                    {QString::fromStdString(one.name), textOf(one.setting, base.scan->geometry), one.setting});
    }
    return steps;
}

std::vector<engine::PublishedSpeed> standOthers(const engine::PublishedGroup& group)
{
    std::vector<engine::PublishedSpeed> others; // the group is ordered by speed
    for (const engine::PublishedSpeed& one : group.speeds)
        if (!one.isOurs && std::ranges::count(others, one.program, &engine::PublishedSpeed::program) == 0)
            others.push_back(one);
    if (others.size() > mostOthers)
        others.resize(mostOthers);
    return others;
}

const engine::PublishedGroup& standGroup(const engine::Reconstruction& made)
{
    const bool onGpu = made.texelsPerSecond > 0;
    const bool isCone = std::holds_alternative<engine::ConeBeam>(made.request.scan->geometry);
    const std::vector<engine::PublishedGroup>& groups = engine::publishedGroups();
    const auto fitting = std::ranges::find_if(groups, [&](const engine::PublishedGroup& group) {
        return group.isOfGpu == onGpu && (!onGpu || (group.isCone == isCone && !group.hasFilter));
    });
    return fitting == groups.end() ? groups.front() : *fitting;
}

StandRun::StandRun(const engine::Request& request, double secondsPerStep, QObject* parent)
    : QObject(parent), m_request(request), m_secondsPerStep(secondsPerStep), m_steps(standSteps(request)),
      m_task(BackgroundTask::Priority::normal)
{
    m_state.speeds.resize(m_steps.size());
    connect(&m_task, &BackgroundTask::failed, this, [this](const QString& message) {
        const std::lock_guard guard(m_mutex);
        m_state.problem = message;
    });
    if (m_steps.empty())
        m_state.problem = tr("This machine has no kernel for this scan.");
    else
        m_task.start([this](const std::stop_token& stop, const BackgroundTask::Progress&) { work(stop); }, [] {});
}

StandState StandRun::state() const
{
    const std::lock_guard guard(m_mutex);
    return m_state;
}

void StandRun::work(const std::stop_token& stop)
{
    engine::Reconstructor reconstructor;
    for (std::size_t step = 0; !stop.stop_requested(); step = (step + 1) % m_steps.size())
        runStep(step, reconstructor, stop);
}

// The first run is not counted: it reads and filters. The error is that of the middle slice.
void StandRun::runStep(std::size_t step, engine::Reconstructor& reconstructor, const std::stop_token& stop)
{
    using Clock = std::chrono::steady_clock;
    engine::Request request = m_request;
    request.setting = m_steps[step].setting;
    const auto show = [&](const Image& made, bool isCounted, double error) {
        const std::lock_guard guard(m_mutex);
        m_state.step = step;
        StandState::Speed& speed = m_state.speeds[step];
        const auto keep = [](std::vector<double>& runs, double gups) {
            runs.push_back(gups);
            if (runs.size() > keptRuns)
                runs.erase(runs.begin());
        };
        if (isCounted) {
            keep(speed.kernelGups, made->kernelGups);
            keep(speed.totalGups, made->totalGups);
        }
        if (error >= 0)
            speed.error = error;
        m_state.image = made;
    };
    const auto run = [&](const engine::Request& one) {
        return std::make_shared<engine::Reconstruction>(reconstructor.run(one, {}, stop));
    };
    request.place.setSlices({request.scan->slices() / 2, 1});
    const Image first = run(request);
    if (m_exact.image.values.empty()) {
        show(first, false, -1); // the exact method may take seconds
        engine::Request exact = request;
        exact.setting.kernel = {};
        exact.setting.kernel.method = "exact";
        exact.resources.device = {};
        m_exact = reconstructor.run(exact, {}, stop);
    }
    engine::Mask disc;
    disc.discRadius = 0.9;
    const engine::Metrics metrics = engine::compareImages(first->image.slice(0), m_exact.image.slice(0),
                                                          first->image.width, first->image.height, disc);
    show(first, false, metrics.referenceRange > 0 ? metrics.rmse / metrics.referenceRange : -1);
    const auto end = Clock::now() + std::chrono::duration<double>(m_secondsPerStep);
    for (int turn = 0; Clock::now() < end; ++turn)
        show(run(loopRequest(*first, LoopOver::slices, turn)), true, -1);
}

} // namespace ui
