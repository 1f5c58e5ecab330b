// SPDX-License-Identifier: GPL-3.0-or-later
// Rows that the user marks on a projection, as a band over its whole width.
#pragma once

#include "engine/compare/marks.h"
#include "engine/scan/geometry.h"

#include <QObject>
#include <QSize>

#include <optional>

namespace ui
{

class ImageView;

// A drag with Ctrl draws the band, its handles change it, Ctrl and a click remove it.
class MarkedRows : public QObject
{
    Q_OBJECT
  public:
    explicit MarkedRows(ImageView& view); // of the projection

    void setDetector(const QSize& detector); // bins and rows; removes the band, emits no signal
    const std::optional<engine::RowRange>& rows() const { return m_rows; }

  signals:
    void changed();

  private:
    void take(const engine::Shape& shape);
    void clear();
    void show();

    ImageView& m_view;
    QSize m_detector;
    std::optional<engine::RowRange> m_rows;
};

} // namespace ui
