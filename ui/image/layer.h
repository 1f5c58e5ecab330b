// An image as it lies on a screen: values are resampled when the view moves, colours follow the grey window.
#pragma once

#include "ui/image/shading.h"
#include "ui/views/composition.h"

namespace ui
{

class Layer
{
  public:
    // True where something changed.
    bool setPixels(const Pixels& pixels);
    bool setColouring(const Colouring& colouring);
    // Instead of its colour map: from black to that colour.
    bool setTint(const std::optional<QColor>& tint);
    void forgetFrame(); // the view moved

    const Pixels& pixels() const { return m_pixels; }
    const Colouring& colouring() const { return m_colouring; }
    // `toScreen`: from pixels of the slice to device-independent ones of a screen of that size.
    const Stage::Layer& onScreen(const QTransform& toScreen, QSizeF screen, double ratio);

  private:
    Pixels m_pixels;
    Colouring m_colouring;
    std::optional<QColor> m_tint;
    Frame m_frame;
    Stage::Layer m_shown;
    bool m_frameValid = false, m_shownValid = false;
};

} // namespace ui
