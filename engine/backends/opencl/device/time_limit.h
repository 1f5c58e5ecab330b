// SPDX-License-Identifier: GPL-3.0-or-later
// A time limit for calls of a driver that might never return.
#pragma once

#include "engine/base/error.h"
#include "engine/base/start_thread.h"

#include <chrono>
#include <cstdlib>
#include <future>
#include <memory>
#include <string>
#include <thread>
#include <type_traits>
#include <utility>

namespace engine::opencl
{

// Returns the seconds that a driver may take: usually as many, or as the environment variable SINOSCOPE_OPENCL_SECONDS
// says.
inline double secondsAllowed(double usual)
{
    const char* given = std::getenv("SINOSCOPE_OPENCL_SECONDS");
    const double seconds = given ? std::atof(given) : 0;
    return seconds > 0 ? seconds : usual;
}

// Calls f on a thread of its own and returns its result, or throws its exception. If that takes longer than the limit,
// throws Error(device, message); the thread then stays behind, so f must own all that it uses.
template <typename F>
auto withinSeconds(double limit, const std::string& message, F f)
{
    using Result = std::invoke_result_t<F>;
    auto task = std::make_shared<std::packaged_task<Result()>>(std::move(f));
    std::future<Result> result = task->get_future();
    startThread([task] { (*task)(); }).detach();
    if (result.wait_for(std::chrono::duration<double>(limit)) != std::future_status::ready)
        throw Error(ErrorKind::device, message);
    return result.get();
}

} // namespace engine::opencl
