// SPDX-License-Identifier: GPL-3.0-or-later
// Rows of an image done by all cores: the window's thread and whatever threads of Qt's pool are free.
#pragma once

#include <functional>

namespace ui
{

// Calls work(begin, end) for bands that make up 0…rows, several at a time; returns when all are done. Little work
// (`cost`: about how many pixels are looked at in all) is done at once by the calling thread.
void inParallel(int rows, double cost, const std::function<void(int begin, int end)>& work);

} // namespace ui
