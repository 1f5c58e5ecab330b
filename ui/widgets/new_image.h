// SPDX-License-Identifier: GPL-3.0-or-later
// Images that code of the window fills.
#pragma once

#include <QImage>

#include <new>

namespace ui
{

// Returns an image with room for its pixels, which are not set. Throws std::bad_alloc, where Qt returns a null image.
inline QImage newImage(int width, int height, QImage::Format format)
{
    QImage image(width, height, format);
    if (image.isNull() && width > 0 && height > 0)
        throw std::bad_alloc();
    return image;
}

} // namespace ui
