// SPDX-License-Identifier: GPL-3.0-or-later
// Progress of a reconstruction.
#pragma once

#include "engine/request/setting.h"

#include <functional>

namespace engine
{

// Called often, from the thread that calls run(). fraction: of the stage, in [0, 1].
using Progress = std::function<void(Stage, double fraction)>;

inline void report(const Progress& progress, Stage stage, double fraction)
{
    if (progress)
        progress(stage, fraction);
}

} // namespace engine
