// SPDX-License-Identifier: GPL-3.0-or-later
// numpy arrays as the engine's values, and the engine's values as numpy arrays, without copying them where possible.
#pragma once

#include "engine/base/uninitialized.h"
#include "engine/scan/samples.h"

#include <pybind11/numpy.h>

#include <memory>
#include <string>
#include <vector>

namespace binding
{

namespace py = pybind11;

// Returns the bytes from one item to the next along each axis, in Python's order. All arrays are made with them:
// pybind11 before 2.12 can't read the size of an item from numpy 2, and would make strides of 0.
std::vector<py::ssize_t> stridesOf(const std::vector<py::ssize_t>& shape, py::ssize_t itemBytes);

// Returns an array that owns the values, without copying them.
py::array arrayOf(engine::Values&& values, const std::vector<py::ssize_t>& shape);
py::array arrayOf(const std::vector<double>& values); // copies them

std::string shapeText(const std::vector<py::ssize_t>& shape); // "3 × 4"

// An array of an engine's type in Python's order, which threads without Python's lock may read and drop.
class HeldArray
{
  public:
    // Other types of numbers become floats. Throws py::type_error.
    HeldArray(const py::array& array, const char* what);

    const engine::SampleType& type() const { return *m_type; }
    const std::vector<py::ssize_t>& shape() const { return m_shape; }
    const char* bytes() const { return m_bytes; }
    engine::Values toFloats() const;

  private:
    const engine::SampleType* m_type = nullptr;
    std::vector<py::ssize_t> m_shape;
    const char* m_bytes = nullptr;
    std::shared_ptr<py::array> m_array;
};

} // namespace binding
