// SPDX-License-Identifier: GPL-3.0-or-later
// Every row of the table of methods against the exact one, on random data.
#pragma once

#include "engine/backproject/method.h"

#include <functional>
#include <stop_token>
#include <string>
#include <vector>

namespace engine
{

struct VerifyCase {
    std::string method;
    std::string geometry, detail; // "cone beam", "tilted"
    Interpolation interpolation = Interpolation::linear;
    Precision precision = Precision::single;
    int slicesPerPass = 1;
    int size = 0;
    int projections = 0;
    double axisBins = 0;
    double error = 0;    // ‖image − exact‖ / ‖exact‖ over all slices, NaN when a pixel was not written
    double bound = 0;    // see errorBound
    bool passed = false; // error ≤ bound; false for NaN
};

struct VerifyOptions {
    DeviceSettings device; // automatic: all that are there
    std::vector<int> sizes = {1, 7, 64, 65, 129};
    std::vector<int> projections = {1, 7, 61};
    int mostSlicesPerPass = 1 << 30; // slice modes beyond it are left out
    // Of one case more, with up to 4 slices a pass, from 30 projections; 0: none. Large enough that each
    // multiprocessor of a GPU gets several blocks, which `hybrid` sends both ways.
    int largeSize = 519;
    std::vector<std::string> methods; // empty: all rows
    std::string geometry;             // id of geometryKinds(): only rows that take it; empty: all
    std::string variant;              // of the methods that have it, where it is in the build; see Kernel
    int threads = 0;
    unsigned seed = 1;
};

// Relative error allowed against `exact` with the same interpolation, with the reason beside it.
// size: pixels and bins along a side of the case; projections: of it.
double errorBound(const Method& method, Interpolation interpolation, Precision precision, int size, int projections);

std::vector<VerifyCase> verifyMethods(const VerifyOptions& options = {},
                                      const std::function<void(const VerifyCase&)>& onCase = {},
                                      std::stop_token stop = {});

} // namespace engine
