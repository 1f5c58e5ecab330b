// SPDX-License-Identifier: GPL-3.0-or-later
// Decides whether a test can use a GPU: without one the test is visibly skipped, or fails under
// SINOSCOPE_REQUIRE_GPU=1.
#pragma once

#include "engine/backends/backend.h"
#include "engine/backends/cuda/cuda_session.h"
#include "engine/backends/cuda/device/devices.h"
#include "tests/fixtures.h"

#include <QTest>

#include <vector>

// Like fixtures::requestFor, but on any device.
inline engine::Request gpuRequestFor(std::shared_ptr<const engine::Scan> scan, const std::string& method,
                                     int slicesPerPass = 1)
{
    engine::Request request = fixtures::requestFor(std::move(scan), method);
    request.resources.device = {};
    request.setting.kernel.slicesPerPass = slicesPerPass;
    return request;
}

// Returns the methods on GPUs that can do the request.
inline std::vector<const engine::Method*> gpuMethodsFor(const engine::Request& request)
{
    std::vector<const engine::Method*> able;
    for (const engine::Method& method : engine::methods())
        if (method.backend == &engine::cudaBackend && !engine::refusalOf(method, request))
            able.push_back(&method);
    return able;
}

// Returns what the workspace keeps of planes on GPU 0.
inline engine::cuda::PlanePipeline& planesOf(engine::Workspace& workspace)
{
    return static_cast<engine::cuda::CudaSession&>(workspace.sessionOf(*engine::findMethod("texture"), 0)).planes();
}

#define SINOSCOPE_NEEDS_GPU()                                                                                          \
    do {                                                                                                               \
        const engine::Devices found = engine::cudaDevices();                                                           \
        if (found.devices.empty()) {                                                                                   \
            if (qEnvironmentVariableIntValue("SINOSCOPE_REQUIRE_GPU") == 1)                                            \
                QFAIL(qPrintable("no GPU: " + QString::fromStdString(found.reason)));                                  \
            QSKIP(qPrintable("no GPU: " + QString::fromStdString(found.reason)));                                      \
        }                                                                                                              \
    } while (false)
