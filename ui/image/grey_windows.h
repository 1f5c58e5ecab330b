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
    bool setShared(bool shared); // true: they weren't, or were

    // Takes those that were given for it, else the automatic one of the first image.
    void beginScan(const Pixels& a, bool isPreview);
    // The first full image after a coarse preview, and the first reference, have their automatic windows. True where
    // that of the image is another one.
    bool follow(const Pixels& a, bool isPreview, const Pixels& b);
    void setAutomatic(const Pixels& a, const Pixels& b);                     // from all of them
    void setAutomatic(const Pixels& a, const Pixels& b, const QRectF& part); // from that part of the slice
    void set(Image image, const GreyWindow& window);                         // by the user

    // As JSON of the session; those that are set are for the scan that begins next.
    void addTo(QJsonObject& json, bool isImageThere) const;
    void give(const QJsonObject& json);

  private:
    GreyWindow m_a, m_b;
    bool m_bKnown = false;
    bool m_ofPreview = false; // m_a was taken from a coarse preview, and nobody has chosen another
    bool m_shared = true;
    std::optional<GreyWindow> m_givenA, m_givenB; // before the first image of a scan
};

} // namespace ui
