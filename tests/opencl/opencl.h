// SPDX-License-Identifier: GPL-3.0-or-later
// Decides whether a test can use an OpenCL device: without one the test is visibly skipped, or fails under
// SINOSCOPE_REQUIRE_OPENCL=1. Debian's pocl-opencl-icd makes one of the processor.
#pragma once

#include "engine/backends/opencl/device/devices.h"
#include "tests/fixtures.h"

#include <QTest>

#define SINOSCOPE_NEEDS_OPENCL()                                                                                       \
    do {                                                                                                               \
        const engine::Devices& found = engine::openClDevices();                                                        \
        if (found.devices.empty() || !found.devices.front().unusable.empty()) {                                        \
            const std::string reason = found.devices.empty() ? found.reason : found.devices.front().unusable;          \
            if (qEnvironmentVariableIntValue("SINOSCOPE_REQUIRE_OPENCL") == 1)                                         \
                QFAIL(qPrintable("no OpenCL: " + QString::fromStdString(reason)));                                     \
            QSKIP(qPrintable("no OpenCL: " + QString::fromStdString(reason)));                                         \
        }                                                                                                              \
    } while (false)
