// SPDX-License-Identifier: GPL-3.0-or-later
// A numpy array as a scan, without copying it.
#pragma once

#include "engine/io/frames/open_options.h"
#include "engine/scan/scan.h"

#include <pybind11/numpy.h>

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace binding
{

namespace py = pybind11;

// A scan, and how it was opened.
struct PythonScan {
    std::shared_ptr<const engine::Scan> scan;
    engine::OpenOptions opened;
};

// Returns a scan whose projections are an array [projection][bin] or [projection][row][bin]; the array must not be
// changed while the scan is in use. Types of up to 16 bits and floats are used as they are, others become floats.
// values: what they are: line-integrals, transmission or counts. cone: geometry of a cone beam, by the names of
// ConeGeometry; empty: a parallel beam. Throws py::type_error, Error(badRequest).
PythonScan scanOf(const py::array& projections, const std::vector<double>& anglesRad, const std::string& values,
                  std::optional<double> axisBins, const std::map<std::string, double>& cone,
                  const std::optional<py::array>& darks, const std::optional<py::array>& flats);

} // namespace binding
