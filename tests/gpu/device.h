// Whether a test can use a GPU: skipped visibly without one, failed under SINOSCOPE_REQUIRE_GPU=1.
#pragma once

#include "engine/cuda/devices.h"
#include "tests/fixtures.h"

#include <QTest>

// fixtures::requestFor where a GPU may do it.
inline engine::Request gpuRequestFor(std::shared_ptr<const engine::Scan> scan, const std::string& method,
                                     int slicesPerPass = 1)
{
    engine::Request request = fixtures::requestFor(std::move(scan), method);
    request.resources.device = {};
    request.setting.kernel.slicesPerPass = slicesPerPass;
    return request;
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
