// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/measure/phantom_errors.h"

#include "engine/backends/support.h"
#include "engine/base/error.h"
#include "engine/compare/metrics.h"
#include "engine/simulate/phantom.h"

#include <algorithm>

namespace engine
{

namespace
{

constexpr int sizeForError = 256, coneSizeForError = 64;

Simulation phantomFor(const std::string& geometry)
{
    Simulation simulation;
    simulation.counts = false;
    simulation.size = simulation.projections = sizeForError;
    if (!std::holds_alternative<ConeBeam>(geometryKind(geometry).example))
        return simulation;
    simulation.phantom = Phantom::sheppLogan3d;
    simulation.size = simulation.projections = simulation.slices = coneSizeForError;
    simulation.arcDeg = 360;
    simulation.cone.emplace();
    simulation.cone->sourceAxisMm = 6.0 * coneSizeForError; // a cone of ±5°, as in the benchmark
    simulation.cone->sourceDetectorMm = 9.0 * coneSizeForError;
    simulation.cone->pixelUMm = 1.5;
    return simulation;
}

} // namespace

PhantomErrors::PhantomErrors(const std::string& geometry, const Resources& resources, const std::stop_token& stop)
{
    m_request.scan = simulate(phantomFor(geometry));
    m_request.place.setSlices({0, m_request.scan->slices()});
    m_request.setting.axis.mode = AxisSettings::Mode::middle;
    m_request.setting.kernel.method = "exact";
    m_request.resources.threads = resources.threads;
    m_exact = m_reconstructor.run(m_request, {}, stop).image;
    m_request.resources = resources;
    m_disc.discRadius = 0.9;
}

double PhantomErrors::of(const BenchmarkRow& row, const std::stop_token& stop)
{
    Kernel& kernel = m_request.setting.kernel;
    kernel.method = row.method;
    kernel.interpolation = row.interpolation;
    kernel.oversampling = row.oversampling;
    kernel.precision = row.precision;
    kernel.slicesPerPass = row.slicesPerPass;
    kernel.variant = row.variant;
    const auto known = std::ranges::find(m_known, kernel, &std::pair<Kernel, double>::first);
    if (known != m_known.end())
        return known->second;
    return m_known.emplace_back(kernel, measured(stop)).second;
}

double PhantomErrors::measured(const std::stop_token& stop)
try {
    const Reconstruction made = m_reconstructor.run(m_request, {}, stop);
    if (made.method != m_request.setting.kernel.method)
        return 0;
    const int middle = m_exact.slices / 2;
    const Metrics metrics =
        compareImages(made.image.slice(middle), m_exact.slice(middle), m_exact.width, m_exact.height, m_disc);
    return metrics.rmse / metrics.referenceRange;
} catch (const Error& error) {
    if (error.kind() == ErrorKind::cancelled)
        throw;
    return 0; // the speeds that were measured stay
}

} // namespace engine
