// SPDX-License-Identifier: GPL-3.0-or-later
// The dialog for a figure: what it shows, its size, and a preview.
#pragma once

#include "ui/widgets/drawing.h"

#include <QDialog>

class QCheckBox;
class QDoubleSpinBox;
class QLabel;
class QSpinBox;

namespace ui
{

class FigureDialog : public QDialog
{
    Q_OBJECT
  public:
    FigureDialog(const Drawing& drawing, const DrawingLook& look, QWidget* parent = nullptr);

    DrawingLook look() const;

  protected:
    void resizeEvent(QResizeEvent* event) override;

  private:
    void showPreview();

    const Drawing m_drawing;
    QDoubleSpinBox *m_width, *m_height;
    QSpinBox* m_resolution;
    QCheckBox *m_titles, *m_bars, *m_scale, *m_marks, *m_differences;
    QLabel *m_preview, *m_size;
};

} // namespace ui
