#include "ui/image/layer.h"

namespace ui
{

bool Layer::setPixels(const Pixels& pixels)
{
    if (m_pixels.sameValues(pixels))
        return false;
    m_pixels = pixels;
    forgetFrame();
    return true;
}

bool Layer::setColouring(const Colouring& colouring)
{
    if (m_colouring == colouring)
        return false;
    m_colouring = colouring;
    m_shownValid = false;
    return true;
}

bool Layer::setTint(const std::optional<QColor>& tint)
{
    if (m_tint == tint)
        return false;
    m_tint = tint;
    m_shownValid = false;
    return true;
}

void Layer::forgetFrame()
{
    m_frameValid = m_shownValid = false;
}

const Stage::Layer& Layer::onScreen(const QTransform& toScreen, QSizeF screen, double ratio)
{
    if (!m_frameValid)
        m_frame = resample(m_pixels, toScreen.m11() * ratio, QPointF(toScreen.dx(), toScreen.dy()) * ratio,
                           (screen * ratio).toSize());
    if (!m_shownValid) {
        m_shown.image = shade(m_frame, m_colouring.window, m_tint ? shadesOf(*m_tint) : m_colouring.colours);
        m_shown.image.setDevicePixelRatio(ratio);
        m_shown.origin = QPointF(m_frame.origin) / ratio;
    }
    m_frameValid = m_shownValid = true;
    return m_shown;
}

} // namespace ui
