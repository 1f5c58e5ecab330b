// SPDX-License-Identifier: GPL-3.0-or-later
// The reconstructed stack in three dimensions: volume rendering, three orthogonal slices, and the planes of the page
// Planes, which are also shown without a stack (VTK).
#pragma once

#include "ui/image/colour_map.h"
#include "ui/image/grey_windows.h"
#include "ui/planes/plane_job.h"

#include <QImage>
#include <QWidget>

#include <memory>

namespace ui
{

struct LinkedPlanes;

class VolumePanel : public QWidget
{
    Q_OBJECT
  public:
    explicit VolumePanel(QWidget* parent = nullptr);
    ~VolumePanel() override;

    // Proposes a resolution for the stacks of the scan, and shows how large they are at each.
    void setScan(const std::shared_ptr<const engine::Scan>& scan);
    // Shares the buffer. Camera, slices and opacity stay while the scan is the same, at any resolution.
    void setVolume(std::shared_ptr<const engine::Reconstruction> reconstruction);
    void clear(const QString& message = {});
    void setPlanes(const LinkedPlanes& planes);
    void showPlaneImages(const PlaneImages& images);
    void showPlanesState(const QString& state); // what is done for them; empty: nothing
    // Of the planes while there is no stack, whose colours they have otherwise.
    void setPlaneColours(const GreyWindow& window, const ColourTable& colours);
    bool showsPlanes() const; // on the screen
    // Returns what the view shows, in this size in pixels. Null if it has shown nothing yet.
    QImage picture(const QSize& size) const;
    void setFolder(const QString& folder); // where dialogs for pictures and films start
    QWidget* side() const;                 // the controls beside the view
    bool available() const;                // false if OpenGL ≥ 3.2 is missing; the panel shows the reason itself

  signals:
    void reconstructStackRequested(int step); // the user asks for the whole stack, every step-th pixel and slice
    void saved(const QString& path, const QString& remark); // a picture or a film; remark: what is missing, or empty
    void failed(const QString& message);                    // it could not be saved
    void planesSeen(bool areSeen);                          // showsPlanes() has changed
    void planesDragged(const ui::LinkedPlanes& planes);     // by the user, in one step of a drag
    void planesReleased();                                  // the drag has ended

  protected:
    void showEvent(QShowEvent* event) override; // the first time creates the view
    void hideEvent(QHideEvent* event) override;
    void changeEvent(QEvent* event) override;

  private:
    struct Impl;
    std::unique_ptr<Impl> m_impl;
};

} // namespace ui
