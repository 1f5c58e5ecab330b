// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/image/image_layers.h"

#include "ui/image/pixel_scale.h"
#include "ui/views/plate.h"
#include "ui/widgets/displayed_number.h"

#include <algorithm>
#include <utility>

namespace ui
{

bool ImageLayers::setPixels(const Pixels& a, const Pixels& b)
{
    const bool changedA = m_a.setPixels(a), changedB = m_b.setPixels(b);
    if (!changedA && !changedB)
        return false;
    m_difference = b ? Pixels::difference(a, b) : a;
    m_equal.reset();
    m_equalHere.reset();
    return true;
}

bool ImageLayers::setColouring(const Colouring& a, const Colouring& b)
{
    const bool changedA = m_a.setColouring(a), changedB = m_b.setColouring(b);
    return changedA || changedB;
}

void ImageLayers::setComposition(Composition* composition)
{
    m_composition = composition;
    m_a.setTint(composition ? composition->tintOfA() : std::nullopt);
    m_b.setTint(composition ? composition->tintOfB() : std::nullopt);
}

QString ImageLayers::remark(const QRectF& seen) const
{
    if (!m_difference)
        return {};
    if (!m_equal)
        m_equal = m_difference.isZero(m_difference.area());
    if (!m_equalHere)
        m_equalHere = *m_equal || m_difference.isZero(seen);
    return *m_equal ? tr("identical") : *m_equalHere ? tr("identical here") : QString();
}

QImage ImageLayers::rendered() const
{
    return shade(m_a.pixels(), m_a.colouring().window, m_a.colouring().colours);
}

void ImageLayers::paint(QPainter& painter, Canvas stage)
{
    if (!m_composition && !m_a.pixels())
        return;
    if (m_a.pixels())
        stage.a = m_a.onScreen(stage.toScreen, stage.room.size(), stage.ratio);
    if (m_b.pixels())
        stage.b = m_b.onScreen(stage.toScreen, stage.room.size(), stage.ratio);
    if (m_composition)
        m_composition->paint(painter, stage);
    else
        stage.a.paint(painter);
}

void ImageLayers::drawValues(QPainter& painter, const Canvas& stage) const
{
    if (std::min(stage.toScreen.m11(), stage.toScreen.m22()) < pixelsShownFrom)
        return;
    const ValueForm form = valueForm(m_a.colouring().window);
    const auto valuesAt = [&](const QPointF& position) {
        using Shown = Composition::Shown;
        const Shown shown = m_composition ? m_composition->shownAt(stage.toScreen.map(position), stage) : Shown::a;
        QStringList values;
        for (const auto& [layer, other] : {std::pair(&m_a, Shown::b), std::pair(&m_b, Shown::a)})
            if (const std::optional<float> value = shown == other ? std::nullopt : layer->pixels().at(position))
                values << form.text(*value);
        return values;
    };
    drawPixels(painter, stage.room, stage.toScreen, pixels(), valuesAt);
    if (form.exponent != 0)
        drawPlate(painter, stage.room.adjusted(8, 8, -8, -8), Qt::AlignRight | Qt::AlignTop,
                  tr("values × %1").arg(powerOfTenText(form.exponent)), stage.palette);
}

} // namespace ui
