// Whether a test can use a GPU: skipped visibly without one, failed under SINOSCOPE_REQUIRE_GPU=1.
#pragma once

#include "engine/cuda/devices.h"

#include <QTest>

#define SINOSCOPE_NEEDS_GPU()                                                                                          \
    do {                                                                                                               \
        const engine::CudaDevices found = engine::cudaDevices();                                                       \
        if (found.devices.empty()) {                                                                                   \
            if (qEnvironmentVariableIntValue("SINOSCOPE_REQUIRE_GPU") == 1)                                            \
                QFAIL(qPrintable("no GPU: " + QString::fromStdString(found.reason)));                                  \
            QSKIP(qPrintable("no GPU: " + QString::fromStdString(found.reason)));                                      \
        }                                                                                                              \
    } while (false)
