// SPDX-License-Identifier: GPL-3.0-or-later
// Names of files where there is little room.
#pragma once

#include <QString>

namespace ui
{

// "tomopy_re…r_00040.tif": both ends of a long one, since numbers and suffixes tell them apart.
inline QString shortened(const QString& name)
{
    constexpr int head = 9, tail = 12;
    return name.size() <= head + tail + 1 ? name : name.left(head) + QChar(0x2026) + name.right(tail);
}

} // namespace ui
