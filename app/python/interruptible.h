// SPDX-License-Identifier: GPL-3.0-or-later
// Calls of the engine that release Python's lock, and that Ctrl+C stops.
#pragma once

#include <pybind11/pybind11.h>

#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <type_traits>
#include <utility>

namespace binding
{

namespace py = pybind11;

// Reports a stage of the work, and the fraction done of it.
using Report = std::function<void(const std::string& stage, double fraction)>;

// Runs work in another thread without Python's lock, while this thread looks for Ctrl+C and reports progress.
// progress: None, or called with a stage and its fraction. Throws what `work` or `progress` throws, and
// KeyboardInterrupt after Ctrl+C.
void runInterruptibly(const py::object& progress,
                      const std::function<void(const std::stop_token&, const Report&)>& work);

// As runInterruptibly(), and returns what `work` returns.
template <typename Work>
auto interruptibly(const py::object& progress, const Work& work)
{
    std::optional<std::invoke_result_t<Work, const std::stop_token&, const Report&>> result;
    runInterruptibly(progress,
                     [&](const std::stop_token& stop, const Report& report) { result.emplace(work(stop, report)); });
    return std::move(*result);
}

} // namespace binding
