// SPDX-License-Identifier: GPL-3.0-or-later
// The pixels that a view shows: one image, or two of them composed, and where both are the same.
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
    // True where something changed.
    bool setPixels(const Pixels& a, const Pixels& b);
    bool setColouring(const Colouring& a, const Colouring& b);
    void setComposition(Composition* composition); // of both; nullptr: the first one alone. Not owned
    void forgetSeen() { m_equalHere.reset(); }     // another part of them is seen

    const Pixels& pixels() const { return m_a.pixels(); }
    Composition* composition() const { return m_composition; }
    QString remark(const QRectF& seen) const; // "identical", where that part of both is
    QImage rendered() const;                  // the first one, one pixel a pixel

    // Stages without images.
    void paint(QPainter& painter, Stage stage);
    void drawValues(QPainter& painter, const Stage& stage) const; // of the pixels, where these are large enough

  private:
    Layer m_a, m_b; // b: only where there is a composition
    QPointer<Composition> m_composition;
    Pixels m_difference;                              // of both, plain
    mutable std::optional<bool> m_equal, m_equalHere; // once asked: all of it, and what is seen of it
};

} // namespace ui
