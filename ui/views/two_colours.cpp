// SPDX-License-Identifier: GPL-3.0-or-later
// A and B over each other: A in one colour, B in the complementary one, so that equal pixels are grey. Orange and
// azure add up to white, and are told apart by colour-blind eyes.
#include "ui/views/compositions.h"
#include "ui/views/plate.h"

#include <QCoreApplication>
#include <QPainter>

namespace ui
{

namespace
{

const QColor orange(255, 128, 0), azure(0, 127, 255);

class TwoColours : public Composition
{
    Q_DECLARE_TR_FUNCTIONS(ui::TwoColours)
  public:
    std::optional<QColor> tintOfA() const override { return orange; }
    std::optional<QColor> tintOfB() const override { return azure; }

    void paint(QPainter& painter, const Canvas& stage) override
    {
        stage.a.paint(painter);
        painter.setCompositionMode(stage.a.isThere() ? QPainter::CompositionMode_Plus
                                                     : QPainter::CompositionMode_SourceOver);
        stage.b.paint(painter);
    }

    void decorate(QPainter& painter, const Canvas& stage) override
    {
        const QRectF room = stage.room.adjusted(8, 8, -8, -8);
        const QRectF first =
            drawPlate(painter, room, Qt::AlignTop, tr("brighter in %1").arg(planeA().title), stage.palette, orange);
        drawPlate(painter, room.adjusted(0, first.height() + 4, 0, 0), Qt::AlignTop,
                  tr("brighter in %1").arg(planeB().title), stage.palette, azure);
    }
};

} // namespace

std::unique_ptr<Composition> makeTwoColours()
{
    return std::make_unique<TwoColours>();
}

} // namespace ui
