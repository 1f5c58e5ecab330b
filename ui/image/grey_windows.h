// SPDX-License-Identifier: GPL-3.0-or-later
// The grey windows of an image and its reference: one for both, or one each.
#pragma once

#include "ui/image/shading.h"

#include <QJsonObject>

#include <optional>

namespace ui
{

class GreyWindows
{
  public:
    enum class Image { a, b };

    const GreyWindow& a() const { return m_a; }
    const GreyWindow& b() const { return m_shared ? m_a : m_b; }
    const GreyWindow& of(Image image) const { return image == Image::a ? a() : b(); }
    bool isShared() const { return m_shared; }
    bool setShared(bool shared); // returns true if it changed

    // Uses the windows that give() has set for this scan, else the automatic window of its first image.
    void beginScan(const Pixels& a, bool isPreview);
    // Sets the automatic windows of the first full image after a coarse preview and of the first reference. Returns
    // true if it set that of the image.
    bool follow(const Pixels& a, bool isPreview, const Pixels& b);
    void setAutomatic(const Pixels& a, const Pixels& b);                     // from all pixels
    void setAutomatic(const Pixels& a, const Pixels& b, const QRectF& part); // from a part of the slice
    void set(Image image, const GreyWindow& window);                         // by the user

    // Write and read the windows as JSON of the session. give() sets the windows of the scan that begins next.
    void addTo(QJsonObject& json, bool isImageThere) const;
    void give(const QJsonObject& json);

  private:
    GreyWindow m_a, m_b;
    bool m_bKnown = false;
    bool m_ofPreview = false; // m_a comes from a coarse preview, and the user has not chosen another
    bool m_shared = true;
    std::optional<GreyWindow> m_givenA, m_givenB; // set before the scan's first image
};

} // namespace ui
