// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/python/arrays.h"

#include <string_view>
#include <utility>

namespace binding
{

using namespace engine;

std::vector<py::ssize_t> stridesOf(const std::vector<py::ssize_t>& shape, py::ssize_t itemBytes)
{
    std::vector<py::ssize_t> strides(shape.size());
    for (std::size_t k = shape.size(); k-- > 0; itemBytes *= shape[k])
        strides[k] = itemBytes;
    return strides;
}

// Returns an array that owns the values, without copying them.
py::array arrayOf(Values&& values, const std::vector<py::ssize_t>& shape)
{
    auto* kept = new Values(std::move(values));
    const py::capsule owner(kept, [](void* memory) { delete static_cast<Values*>(memory); });
    return py::array(py::dtype::of<float>(), shape, stridesOf(shape, sizeof(float)), kept->data(), owner);
}

py::array arrayOf(const std::vector<double>& values)
{
    const std::vector<py::ssize_t> shape{static_cast<py::ssize_t>(values.size())};
    return py::array(py::dtype::of<double>(), shape, stridesOf(shape, sizeof(double)), values.data());
}

std::string shapeText(const std::vector<py::ssize_t>& shape)
{
    std::string text;
    for (const py::ssize_t size : shape)
        text += (text.empty() ? "" : " × ") + std::to_string(size);
    return text.empty() ? "a single number" : text;
}

HeldArray::HeldArray(const py::array& array, const char* what)
{
    const char kind = array.dtype().kind();
    if (std::string_view("iufb").find(kind) == std::string_view::npos)
        throw py::type_error(std::string(what) + ": an array of numbers is needed, not of " +
                             std::string(py::str(array.dtype())));
    const std::string name = py::str(array.dtype().attr("name"));
    m_type = findSampleType(name);
    const bool isKept = m_type && m_type->isKept && array.dtype().attr("isnative").cast<bool>();
    if (!isKept)
        m_type = &floatSamples();
    const py::dtype wanted = isKept ? array.dtype() : py::dtype::of<float>();
    py::array held = py::module_::import("numpy").attr("ascontiguousarray")(array, wanted);
    m_shape.assign(held.shape(), held.shape() + held.ndim());
    m_bytes = static_cast<const char*>(held.data());
    m_array = std::shared_ptr<py::array>(new py::array(std::move(held)), [](py::array* dropped) {
        const py::gil_scoped_acquire locked;
        delete dropped;
    });
}

Values HeldArray::toFloats() const
{
    std::size_t count = 1;
    for (const py::ssize_t size : m_shape)
        count *= static_cast<std::size_t>(size);
    Values values;
    values.resize(count);
    m_type->toFloats(m_bytes, count, values.data());
    return values;
}

} // namespace binding
