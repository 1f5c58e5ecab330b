// SPDX-License-Identifier: GPL-3.0-or-later
// The cross-hairs over the image of a plane: the lines of the other planes, which can be dragged and turned.
#pragma once

#include "ui/views/composition.h"

#include <optional>
#include <vector>

namespace ui
{

// The image of one plane, or a composition of two, with the lines in which others cut it. Positions are in pixels of
// the image.
class CrossHairs : public Composition
{
    Q_OBJECT
  public:
    struct Line {
        int plane = 0;     // that cuts the image
        QPointF direction; // of length 1
        QColor colour;
    };

    explicit CrossHairs(QObject* parent = nullptr) : Composition(parent) {}

    void setColour(const QColor& colour);                                // of the frame
    void setChosen(bool chosen);                                         // a wide frame
    void setLines(const QPointF& point, const std::vector<Line>& lines); // point: where they meet
    void setImageSize(const QSize& size);                                // empty: there is no image
    void setUnder(Composition* composition);                             // under the lines; null: one image. Not owned
    bool isDragged() const { return m_isMoved || m_turned.has_value(); }
    QPointF handleOf(const Line& line, int end, const Canvas& stage) const; // on the screen; end: 0 or 1

    void paint(QPainter& painter, const Canvas& stage) override;
    void decorate(QPainter& painter, const Canvas& stage) override;
    std::optional<QColor> tintOfA() const override { return m_under ? m_under->tintOfA() : std::nullopt; }
    std::optional<QColor> tintOfB() const override { return m_under ? m_under->tintOfB() : std::nullopt; }
    Shown shownAt(const QPointF& position, const Canvas& stage) const override
    {
        return m_under ? m_under->shownAt(position, stage) : Shown::a;
    }
    bool press(const QPointF& position, const Canvas& stage) override;
    void drag(const QPointF& position, const Canvas& stage) override;
    void release() override;
    bool wheel(const QPointF& position, double doublings, const Canvas& stage) override;
    bool keyPress(const QKeyEvent& event, const Canvas& stage) override;
    bool keyRelease(const QKeyEvent& event) override { return m_under && m_under->keyRelease(event); }
    std::optional<Qt::CursorShape> cursorAt(const QPointF& position, const Canvas& stage) const override;
    QString keys() const override;
    QString said() const override { return m_under ? m_under->said() : QString(); }

  signals:
    void framePressed();
    void moved(const QPointF& pixel);       // the point, during a drag or by a click
    void turning(int plane);                // a drag of that plane's line begins
    void turned(int plane, double degrees); // since the drag began, clockwise
    void released();                        // the drag has ended
    void stepped(int voxels);               // along the plane's normal
    void nudged(int right, int down);       // pixels
    void painted();

  private:
    struct Turn {
        int plane = 0;
        double lastDeg = 0, sumDeg = 0; // of the pointer about the point
    };
    const Line* lineAt(const QPointF& position, const Canvas& stage) const; // whose handle is there
    QPointF onImage(const QPointF& position, const Canvas& stage) const;

    QColor m_colour;
    bool m_isChosen = false;
    QPointF m_point;
    std::vector<Line> m_lines;
    QSize m_size;
    Composition* m_under = nullptr;
    bool m_isUnderDragged = false;
    bool m_isMoved = false;
    std::optional<Turn> m_turned;
    double m_wheel = 0; // turned by less than a voxel
};

} // namespace ui
