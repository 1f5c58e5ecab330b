// SPDX-License-Identifier: GPL-3.0-or-later
// File names shortened for little room.
#pragma once

#include <QString>

namespace ui
{

// Keeps both ends of a long name, which usually differ in numbers and suffix: "tomopy_re…r_00040.tif".
inline QString shortened(const QString& name)
{
    constexpr int head = 9, tail = 12;
    return name.size() <= head + tail + 1 ? name : name.left(head) + QChar(0x2026) + name.right(tail);
}

} // namespace ui
