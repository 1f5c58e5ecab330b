// SPDX-License-Identifier: GPL-3.0-or-later
// The slice, under the images.
#pragma once

#include <QWidget>

class QLabel;
class QSlider;
class QSpinBox;

namespace ui
{

// Slices count from 0, as on the command line and in file names.
class SliceBar : public QWidget
{
    Q_OBJECT
  public:
    explicit SliceBar(QWidget* parent = nullptr);

    void setRange(int slices); // selects the middle slice; emits no signal
    void setSlice(int slice);
    void step(int by);
    int slice() const;

  signals:
    void sliceChanged(int slice);

  private:
    QSlider* m_slider;
    QSpinBox* m_number;
    QLabel* m_last;
};

} // namespace ui
