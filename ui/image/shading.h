// SPDX-License-Identifier: GPL-3.0-or-later
// From values to colours: resampling to the pixels of the screen, and the grey window.
#pragma once

#include "ui/image/colour_map.h"
#include "ui/image/pixels.h"

#include <QImage>

#include <memory>
#include <optional>

namespace ui
{

struct GreyWindow {
    double low = 0, high = 1;
    bool operator==(const GreyWindow&) const = default;
};

struct Colouring {
    GreyWindow window;
    ColourTable colours{};
    bool operator==(const Colouring&) const = default;
};

// Values at screen pixels. `origin`: position of the first one, in device pixels.
struct Frame {
    QPoint origin;
    int width = 0, height = 0;
    std::vector<float> values;
};

// Which image pixels make up each column of a screen: for frames that are above each other.
class ColumnTaps
{
  public:
    // Column p of the slice appears at `scale` · p + `offset`, in device pixels.
    ColumnTaps(const Pixels& pixels, double scale, double offset, int width);

    struct Impl;

  private:
    friend Frame resample(const Pixels& pixels, const ColumnTaps& columnTaps, double scale, double offset, int height,
                          Frame reused);
    std::shared_ptr<const Impl> m_impl; // null: the image reaches no column
};

// Resamples to a screen of `size`. Position p of the slice appears at `scale` · p + `offset`, in device pixels, with
// one scale per axis. Magnified: the nearest pixel. Reduced: the mean over the area of a device pixel, NaN if a NaN
// lies in it. `reused`: frame whose memory is used again.
Frame resample(const Pixels& pixels, QPointF scale, QPointF offset, QSize size, Frame reused = {});
// The same with the columns given; scale, offset and height are those of the rows.
Frame resample(const Pixels& pixels, const ColumnTaps& columnTaps, double scale, double offset, int height,
               Frame reused);
inline Frame resample(const Pixels& pixels, double scale, QPointF offset, QSize size, Frame reused = {})
{
    return resample(pixels, QPointF(scale, scale), offset, size, std::move(reused));
}

QImage shade(const Frame& frame, const GreyWindow& window, const ColourTable& colours, QImage reused = {});
QImage shade(const Pixels& pixels, const GreyWindow& window, const ColourTable& colours); // one image pixel per pixel

// Returns a picture of the first slice in grey, one image pixel per pixel. window: without one, all but 1 % of the
// values are used, and it is set.
QImage greyPicture(const std::shared_ptr<const engine::Volume>& volume, std::optional<GreyWindow>& window);

} // namespace ui
