// SPDX-License-Identifier: GPL-3.0-or-later
// Comparison of every method in the table with the exact one, and of the filters of devices with that in double
// precision, on random data.
#pragma once

#include "engine/backends/method.h"

#include <functional>
#include <stop_token>
#include <string>
#include <vector>

namespace engine
{

struct VerifyCase {
    std::string method;
    std::string geometry, detail; // "cone beam", "tilted"; "filter cufft"
    bool ofFilter = false;        // the method filters, by the transform of the detail
    Interpolation interpolation = Interpolation::linear;
    Precision precision = Precision::single;
    int slicesPerPass = 1;
    int size = 0;
    int projections = 0;
    double axisBins = 0;
    // ‖image − exact‖ / ‖exact‖ over all slices, NaN when a pixel was not written. Filters: exact is the method's image
    // of rows that are filtered in double precision.
    double error = 0;
    double bound = 0;    // see errorBound
    bool passed = false; // error ≤ bound; false for NaN
};

struct VerifyOptions {
    DeviceSettings device; // automatic: all devices
    std::vector<int> sizes = {1, 7, 64, 65, 129};
    std::vector<int> projections = {1, 7, 61};
    int mostSlicesPerPass = 1 << 30; // larger numbers are skipped
    // Size of an additional case, with up to 4 slices per pass, from 30 projections; 0: none. Large enough that each
    // multiprocessor of a GPU gets several blocks, which `hybrid` divides between ALU and texture units.
    int largeSize = 519;
    std::vector<std::string> methods; // empty: all methods
    std::string geometry;             // id of geometryKinds(): only methods that take it; empty: all
    std::string variant;              // for methods that have it, if the build contains it; see Kernel
    int threads = 0;
    unsigned seed = 1;
};

// Returns the allowed relative error against `exact` with the same interpolation; comments in the .cpp give the
// reasons. size: pixels and bins along a side of the case; projections: of the case.
double errorBound(const Method& method, Interpolation interpolation, Precision precision, int size, int projections);

std::vector<VerifyCase> verifyMethods(const VerifyOptions& options = {},
                                      const std::function<void(const VerifyCase&)>& onCase = {},
                                      std::stop_token stop = {});

} // namespace engine
