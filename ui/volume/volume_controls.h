// SPDX-License-Identifier: GPL-3.0-or-later
// Controls beside a stack: which parts of it are drawn, its colours, threshold and opacity, and the positions of the
// slices.
#pragma once

#include "engine/reconstruct/reconstruction.h"
#include "ui/volume/stack_request.h"
#include "ui/volume/value_range.h"
#include "ui/volume/volume_scene.h"

#include <QWidget>

#include <array>

class QCheckBox;
class QComboBox;
class QFormLayout;
class QLabel;
class QSlider;

namespace ui
{

class VolumeControls : public QWidget
{
    Q_OBJECT
  public:
    explicit VolumeControls(QWidget* parent);

    StackRequest* request() const { return m_request; }
    int position(Axis axis) const;
    void setPosition(Axis axis, int position);

    // These functions emit no signals.
    void takeRange(const engine::Reconstruction& stack); // range of its values, for another scan or filter
    // Places the slices in the middle of the stack or, if `before` is given, where they were in it.
    void placeSlices(const engine::Reconstruction& stack, const engine::Reconstruction* before);
    void offer(const engine::Volume& volume);              // enables what is possible with it
    void showNumbers(const engine::Reconstruction& stack); // positions and threshold
    // Returns the look, without the colours of the window.
    VolumeLook look(const engine::Reconstruction& stack) const;

  signals:
    void changed();
    void resetRequested();

  private:
    void addSizes(QFormLayout* form);
    void addParts(QFormLayout* form);
    void addLooks(QFormLayout* form);
    void addPositions(QFormLayout* form);
    QSlider* makeSlider(const QString& name);
    double threshold() const;

    QLabel *m_size, *m_note;
    QCheckBox *m_volumeOn, *m_slicesOn, *m_corner;
    QComboBox* m_colours;
    QSlider *m_threshold, *m_opacity;
    QLabel* m_thresholdValue;
    std::array<QSlider*, 3> m_position{};
    std::array<QLabel*, 3> m_positionValue{};
    StackRequest* m_request;
    ValueRange m_range;
};

} // namespace ui
