// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/background/run_time_estimate.h"

#include "engine/backends/backend.h"
#include "engine/backends/method.h"
#include "engine/request/section.h"

namespace ui
{

namespace
{

constexpr double guessedGups = 0.5; // before a method has run: speed of a processor of a few years ago
constexpr double guessedExactGups = 0.05;

std::string speedKey(const engine::Request& request)
{
    return engine::labelOf(request.scan->geometry) + ' ' + request.setting.kernel.method + ' ' +
           engine::toText(request.setting.kernel.interpolation) + ' ' +
           engine::toText(request.setting.kernel.precision) + ' ' +
           std::to_string(request.setting.kernel.slicesPerPass) + ' ' + engine::toText(request.resources.device);
}

double updates(const engine::Request& request)
{
    const engine::SliceGrid grid = engine::sectionOf(request).grid;
    return double(grid.width) * grid.height * request.place.slices().count * request.scan->projections();
}

} // namespace

void KnownSpeeds::add(const engine::Request& request, double seconds)
{
    if (request.place.previewStep == 1 && seconds > 0)
        m_gups[speedKey(request)] = updates(request) / seconds / 1e9;
}

Expected KnownSpeeds::expected(const engine::Request& request) const
{
    const auto measured = m_gups.find(speedKey(request));
    const bool known = measured != m_gups.end();
    const engine::Method* method = engine::findMethod(request);
    const bool slow = method && method->yardstick && method->backend->isProcessor;
    const double guess = slow ? guessedExactGups : guessedGups;
    return {updates(request) / ((known ? measured->second : guess) * 1e9), known};
}

} // namespace ui
