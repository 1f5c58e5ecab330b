// SPDX-License-Identifier: GPL-3.0-or-later
// Links between slice, sinogram and projection: what is pointed at in one is shown in the others.
#pragma once

#include "engine/scan/detector_mapping.h"
#include "ui/image/overlay.h"
#include "ui/recorded/projection_bar.h"
#include "ui/recorded/recorded_image.h"

#include <QObject>

#include <memory>
#include <optional>
#include <vector>

namespace ui
{

class RecordedLinks : public QObject
{
    Q_OBJECT
  public:
    // Links nothing while `panel` is hidden.
    RecordedLinks(RecordedImage& sinogram, RecordedImage& projection, const ProjectionBar& bar, const QWidget* panel);

    void setScan(const std::shared_ptr<const engine::Scan>& scan); // removes the points
    void setSlice(int slice) { m_slice = slice; }
    void setSight(const engine::Sight& sight) { m_sight = sight; } // geometry of the image that is shown
    void pointAt(const std::optional<QPointF>& position);          // on the slice; null keeps the last point
    void forgetPoint() { m_point.reset(); }
    void show();

    // Returns the detector row that sees the slice; for a cone beam, the one that sees its middle in the first
    // projection.
    int row() const;
    QString angleText(int projection) const;
    // Returns the slices whose middles are seen in these rows of the shown projection; empty until an image is shown.
    std::optional<engine::RowRange> slicesIn(const engine::RowRange& rows) const;

  signals:
    void sliceWanted(int slice);
    void guidesChanged(const std::vector<Guide>& guides);   // lines to draw over the slice
    void pointKept(const std::optional<QPointF>& position); // point on the slice, shown while the pointer is elsewhere
    void pointerMoved(const QString& text);

  private:
    void pointInSinogram(const QPointF& position);
    void pointInProjection(const QPointF& position);
    void pointNowhere();
    void askForSlice(const QPointF& inProjection);

    RecordedImage& m_sinogram;
    RecordedImage& m_projection;
    const ProjectionBar& m_bar;
    const QWidget* m_panel;
    std::shared_ptr<const engine::Scan> m_scan;
    std::optional<engine::Sight> m_sight;
    int m_slice = 0;
    std::optional<QPointF> m_point;                      // on the slice
    std::optional<QPointF> m_onSinogram, m_onProjection; // positions of the pointer
};

} // namespace ui
