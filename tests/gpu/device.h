// SPDX-License-Identifier: GPL-3.0-or-later
// Decides whether a test can use a GPU: without one the test is visibly skipped, or fails under
// SINOSCOPE_REQUIRE_GPU=1.
#pragma once

#include "engine/cuda/devices.h"
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
        if (method.device == engine::DeviceSettings::Kind::cuda && !engine::refusalOf(method, request))
            able.push_back(&method);
    return able;
}

#define SINOSCOPE_NEEDS_GPU()                                                                                          \
    do {                                                                                                               \
        const engine::CudaDevices found = engine::cudaDevices();                                                       \
        if (found.devices.empty()) {                                                                                   \
            if (qEnvironmentVariableIntValue("SINOSCOPE_REQUIRE_GPU") == 1)                                            \
                QFAIL(qPrintable("no GPU: " + QString::fromStdString(found.reason)));                                  \
            QSKIP(qPrintable("no GPU: " + QString::fromStdString(found.reason)));                                      \
        }                                                                                                              \
    } while (false)
