// SPDX-License-Identifier: GPL-3.0-or-later
// Fields for the pixel size of the detector and for the slices: their size, pixel size and rotation.
#pragma once

#include "ui/opening/open_row.h"
#include "ui/widgets/length_box.h"
#include "ui/widgets/measure_box.h"

#include <QObject>

#include <optional>

namespace ui
{

// The widgets belong to the layout that they are added to.
class SliceFields : public QObject
{
    Q_OBJECT
  public:
    SliceFields();

    LabelledField pixel() const { return {m_pixelLabel, m_pixel}; }
    LabelledField size() const { return {m_sizeLabel, m_size}; }
    LabelledField outputPixel() const { return {m_outputPixelLabel, m_outputPixel}; }
    LabelledField rotation() const { return {m_rotationLabel, m_rotation}; }

    // scan: nullptr if it isn't open. Emits no signal.
    void show(const engine::OpenOptions& said, const engine::Scan* scan);

  signals:
    void changed(const OpenChange& change); // by the user

  private:
    void describe();
    void connectFields();
    void showOutputPixel(std::optional<double> bins, double binMm); // binMm 0: not known

    LengthBox* m_pixel; // pixel size of the detector as recorded
    MeasureBox* m_size;
    LengthBox* m_outputPixel;
    MeasureBox* m_rotation;
    QLabel *m_pixelLabel, *m_sizeLabel, *m_outputPixelLabel, *m_rotationLabel;
    bool m_isOutputInUm = false; // otherwise in bins
};

} // namespace ui
