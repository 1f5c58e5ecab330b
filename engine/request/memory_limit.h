// SPDX-License-Identifier: GPL-3.0-or-later
// The memory that a request may use.
#pragma once

#include "engine/request/setting.h"

#include <string>

namespace engine
{

// Bytes of the program itself: libraries, blocks being read, the row used to find the axis.
constexpr double programBytes = 160 << 20;

// Returns the bytes that the process may use: those of the request, or half of the machine's.
double memoryLimitOf(const Resources& resources);

double memoryLeftOf(const Resources& resources); // the limit without what is in use

// Returns the limit as text, also as the user wrote it if that was in another unit: "1.02 kB (1KiB)".
std::string memoryLimitText(const Resources& resources);

std::string sizeAtLeast(double bytes); // "191 MB": three digits, rounded up

} // namespace engine
