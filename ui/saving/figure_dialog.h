// SPDX-License-Identifier: GPL-3.0-or-later
// The dialog for a figure: what it shows, its size, and a preview.
#pragma once

#include "ui/widgets/drawing.h"

#include <QDialog>

#include <vector>

class QCheckBox;
class QComboBox;
class QDoubleSpinBox;
class QLabel;
class QSpinBox;

namespace ui
{

// What a figure can show: "Image | reference".
struct FigureChoice {
    QString label;
    Drawing drawing;
    QString settings = {}; // that it shows, for the name of a file: "A B C"
};

class FigureDialog : public QDialog
{
    Q_OBJECT
  public:
    FigureDialog(const Drawing& drawing, const DrawingLook& look, QWidget* parent = nullptr);
    // choices: at least one; chosen: the first one to show
    FigureDialog(std::vector<FigureChoice> choices, std::size_t chosen, const DrawingLook& look,
                 QWidget* parent = nullptr);

    DrawingLook look() const;
    const FigureChoice& choice() const;

  protected:
    void resizeEvent(QResizeEvent* event) override;

  private:
    void showPreview();

    const std::vector<FigureChoice> m_choices;
    QComboBox* m_choice;
    QDoubleSpinBox *m_width, *m_height;
    QSpinBox* m_resolution;
    QCheckBox *m_titles, *m_bars, *m_scale, *m_marks, *m_differences;
    QLabel *m_preview, *m_size;
};

} // namespace ui
