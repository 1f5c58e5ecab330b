// SPDX-License-Identifier: GPL-3.0-or-later
// Rows of an image processed on all cores: by the calling thread and the free threads of Qt's pool.
#pragma once

#include <functional>

namespace ui
{

// Calls work(begin, end) for bands that together cover 0…rows, several concurrently, and returns when all are done.
// The calling thread does small work alone (`cost`: about the number of pixels that are read). Rethrows the first
// exception of `work`.
void inParallel(int rows, double cost, const std::function<void(int begin, int end)>& work);

} // namespace ui
