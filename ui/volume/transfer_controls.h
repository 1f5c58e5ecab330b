// SPDX-License-Identifier: GPL-3.0-or-later
// How a stack is drawn: its colours, and as a volume with an opacity for each value or as an isosurface.
#pragma once

#include "ui/volume/opacity_curve.h"

#include <QWidget>

class QComboBox;
class QFormLayout;
class QSlider;
class QSpinBox;

namespace ui
{

class TransferEditor;
class ValueSpinBox;
struct VolumeLook;

class TransferControls : public QWidget
{
    Q_OBJECT
  public:
    explicit TransferControls(QWidget* parent);

    // These functions emit no signals.
    void takeRange(const StackValues& range, const QString& unit); // of another scan or filter
    void apply(VolumeLook& look) const;                            // sets grey window, colours, opacity, isosurface

    const StackValues& range() const { return m_range; }

  signals:
    void changed();
    void dragged(bool isDragged); // begins or ends

  private:
    void addFields(QFormLayout* form);
    void connectFields();
    bool isSurface() const;
    void choosePreset(int index);
    void showEdited(); // the curve is no preset any more
    void showPoint();
    void takeValue();
    void movePoint(const OpacityPoint& to);

    StackValues m_range;
    QComboBox *m_kind, *m_preset;
    TransferEditor* m_editor;
    ValueSpinBox* m_value;
    QSpinBox* m_opacityOfPoint;
    QSlider* m_opacity;
    QComboBox* m_colours;
    double m_surface = 0; // value of the isosurface
};

} // namespace ui
