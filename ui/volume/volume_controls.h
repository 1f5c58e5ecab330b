// SPDX-License-Identifier: GPL-3.0-or-later
// Controls beside a stack: the view, which parts are drawn and how, the positions of the slices, and pictures of it.
#pragma once

#include "engine/reconstruct/reconstruction.h"
#include "ui/volume/picture_controls.h"
#include "ui/volume/stack_request.h"
#include "ui/volume/transfer_controls.h"
#include "ui/volume/volume_scene.h"

#include <QWidget>

#include <array>

class QCheckBox;
class QFormLayout;
class QLabel;
class QSlider;
class QVBoxLayout;

namespace ui
{

class VolumeControls : public QWidget
{
    Q_OBJECT
  public:
    VolumeControls(PictureControls::Draw draw, QWidget* parent);

    StackRequest* request() const { return m_request; }
    PictureControls* pictures() const { return m_pictures; }
    double threshold() const { return m_transfer->range().threshold; } // between background and object
    int position(Axis axis) const;
    void setPosition(Axis axis, int position);
    bool planesOn() const;
    void setPlanesOn(bool isOn);
    void showPlanesState(const QString& state); // what is done for the planes; empty: nothing

    // These functions emit no signals.
    void takeRange(const engine::Reconstruction& stack); // range of its values, for another scan or filter
    // Places the slices in the middle of the stack or, if `before` is given, where they were in it.
    void placeSlices(const engine::Reconstruction& stack, const engine::Reconstruction* before);
    void offer(const engine::Volume& volume);              // enables what is possible with it
    void offerPlanesOnly();                                // without a stack
    void showNumbers(const engine::Reconstruction& stack); // positions
    // Returns the look, without the colours of the window.
    VolumeLook look(const engine::Reconstruction& stack) const;

  signals:
    void changed();
    void dragged(bool isDragged); // a slider or a point: begins or ends
    void lookWanted(int axis, bool fromOtherSide);
    void fitWanted();
    void resetWanted();

  private:
    void addView(QFormLayout* form);
    void addParts(QFormLayout* form);
    void addLook(QFormLayout* form);
    void addPositions(QFormLayout* form);
    void addPictures(QVBoxLayout* column, PictureControls::Draw draw);

    QLabel *m_size, *m_note;
    QCheckBox *m_volumeOn, *m_slicesOn, *m_corner, *m_whole, *m_planesOn;
    TransferControls* m_transfer;
    std::array<QSlider*, 3> m_position{};
    std::array<QLabel*, 3> m_positionValue{};
    PictureControls* m_pictures;
    StackRequest* m_request;
};

} // namespace ui
