// SPDX-License-Identifier: GPL-3.0-or-later
// A sketch of the geometry beside its fields: source, object, axis and detector from the side, and the detector as the
// source sees it.
#pragma once

#include "engine/scan/cone_beam.h"
#include "engine/scan/cone_fields.h"

#include <QWidget>

namespace ui
{

// What the sketch shows. In mm and radians; values that are not given are 0.
struct SketchedGeometry {
    bool isCone = false;
    bool hasRows = true;                 // false: a fan beam, seen from above instead of from the side
    double axisPart = 0;                 // distance of the axis from the source over that of the detector; 0: not known
    double widthMm = 0, heightMm = 0;    // of the detector
    double offsetUMm = 0, offsetVMm = 0; // as in ConeOptions, as are the angles
    double tiltRad = 0, rollRad = 0;
    bool operator==(const SketchedGeometry&) const = default;
};

// beam: of the scan; while the user enters a cone beam, only its numbers of bins and rows are known.
SketchedGeometry sketchedGeometry(const engine::ConeOptions& options, const engine::ConeBeam& beam, bool isCone);

class GeometrySketch : public QWidget
{
    Q_OBJECT
  public:
    explicit GeometrySketch(QWidget* parent = nullptr);

    void show(const SketchedGeometry& geometry);
    using QWidget::show;
    void emphasise(const engine::ConeNumber* number); // of the table of fields; null: none
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

  protected:
    void paintEvent(QPaintEvent* event) override;

  private:
    void describe();

    SketchedGeometry m_geometry;
    const engine::ConeNumber* m_emphasised = nullptr;
};

} // namespace ui
