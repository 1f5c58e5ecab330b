// SPDX-License-Identifier: GPL-3.0-or-later
// The pixels that a view shows: one image, or two composed ones, and whether both are identical.
#pragma once

#include "ui/image/layer.h"
#include "ui/views/composition.h"

#include <QCoreApplication>
#include <QPointer>

#include <optional>

namespace ui
{

class ImageLayers
{
    Q_DECLARE_TR_FUNCTIONS(ui::ImageLayers)
  public:
    // Return true if something changed.
    bool setPixels(const Pixels& a, const Pixels& b);
    bool setColouring(const Colouring& a, const Colouring& b);
    void setComposition(Composition* composition); // null: only the first image is shown. Not owned
    void forgetSeen() { m_equalHere.reset(); }     // another part of the images is visible now

    const Pixels& pixels() const { return m_a.pixels(); }
    Composition* composition() const { return m_composition; }
    QString remark(const QRectF& seen) const; // "identical", or "identical here" for the visible part
    QImage rendered() const;                  // first image, one image pixel per pixel

    // The layers of `stage` are empty; paint() fills them in.
    void paint(QPainter& painter, Canvas stage);
    void drawValues(QPainter& painter, const Canvas& stage) const; // pixel values, if pixels are large enough on screen

  private:
    Layer m_a, m_b; // b: only with a composition
    QPointer<Composition> m_composition;
    Pixels m_difference;                              // A − B; A alone without a B
    mutable std::optional<bool> m_equal, m_equalHere; // cached: of the whole image, and of its visible part
};

} // namespace ui
