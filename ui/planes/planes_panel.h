// SPDX-License-Identifier: GPL-3.0-or-later
// The page Planes: three linked planes through a point, and what moves and turns them.
#pragma once

#include "ui/image/figure.h"
#include "ui/image/shapes.h"
#include "ui/planes/frame_rate.h"
#include "ui/planes/linked_planes.h"
#include "ui/planes/plane_colours.h"
#include "ui/planes/plane_job.h"
#include "ui/planes/plane_references.h"

#include <QElapsedTimer>
#include <QTimer>
#include <QWidget>

#include <array>

namespace ui
{

class AxisDrags;
class PlaneCell;
class PlaneSide;
class ProfilePanel;
struct View;

// It requests images by moved(), and shows what it is given.
class PlanesPanel : public QWidget
{
    Q_OBJECT
  public:
    explicit PlanesPanel(QWidget* parent = nullptr);

    // The point and the angles stay if the volume has the same size. Removes the images, unless the object is the same,
    // too, as when more projections have been recorded, and the page is visible; null: no scan.
    void setScan(const std::shared_ptr<const engine::Scan>& scan, bool isSameObject = false);
    void setColourMap(const QString& name);
    const LinkedPlanes& planes() const { return m_planes; }
    // Planes of the same volume; emits moved(). isMoving: more changes will follow.
    void setPlanes(const LinkedPlanes& planes, bool isMoving = false);
    const PlaneColours& colours() const { return m_colours; }
    int chosen() const { return m_chosen; } // plane that was used last: its command is copied, its image is saved
    void choose(int plane);
    PlaneCell& cell(int plane) const { return *m_cells[static_cast<std::size_t>(plane)]; }
    void setMarks(int plane, const engine::Marks& marks); // as of PlaneCell

    AxisDrags& axis() const;
    const ProfilePanel* profile() const;                         // of the chosen plane, if it is shown; else null
    std::array<Image, LinkedPlanes::count> images() const;       // on screen
    FigureImage figureImage(int plane, bool isDifference) const; // its difference only if the cell has one
    const View& view() const { return *m_view; }
    void setView(const View& view); // one of planeViews()
    Tool tool() const;
    void setTool(Tool tool);  // what the next drag draws
    bool isComparing() const; // a reference is shown, or measured with
    void showPair(int plane, const PairedPlane& pair);

    void showImages(const PlaneImages& images);
    void showBusy(const QString& stage, double fraction); // nothing is shown before the first image
    void showDone();
    void showMemory(const QString& note);     // what the memory limit changes; empty: nothing
    void showMessage(const QString& message); // instead of images that aren't there
    void showFailed(const QString& message);  // also dims images that are there
    void step(int voxels);                    // moves the chosen plane
    void release();                           // a drag has ended

  signals:
    void moved(bool isMoving); // the planes are others; isMoving: more changes will follow
    // Planes are turned, or all are moved to the middle, which can be undone; continues: part of the last turn.
    void turned(const ui::LinkedPlanes& before, bool continues);
    void marksEdited(int plane, const engine::Marks& before, bool continues);
    void seen(bool isSeen); // the page came to the front, or left it
    void coloured();        // the grey window or the colour map is another
    void viewChanged();
    void copyRequested(); // the command that repeats the chosen plane
    void saveRequested(); // its image

  protected:
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;
    void changeEvent(QEvent* event) override;

  private:
    void addCell(int plane);
    void connectSide();
    void connectMarks(int plane);
    void showMarked();
    void followMeasuring();
    void change(const LinkedPlanes& next, bool isMoving);
    bool continuesTurn(bool isMoving);
    void moveToMiddle();
    void rest();
    void showPlanes();
    void showTitles();
    void showColours();
    void countFrame(int plane);

    std::shared_ptr<const engine::Scan> m_scan;
    LinkedPlanes m_planes, m_atPress; // m_atPress: when the turn of a line began
    bool m_isTurning = false;         // the drag has turned a plane
    QElapsedTimer m_sinceTurn;        // by a number
    int m_chosen = 2;
    PlaneColours m_colours;
    const View* m_view;
    PlaneSide* m_side;
    std::array<bool, LinkedPlanes::count> m_isRefused{}; // the plane's view says why

    std::array<PlaneCell*, LinkedPlanes::count> m_cells{};
    QTimer m_rest; // until the pointer has rested
    bool m_isMoving = false;
    bool m_isFrameDue = false; // images came that weren't painted yet
    QElapsedTimer m_clock;
    FrameRate m_frames;
};

// Returns the colour of a plane's frame and lines, which is visible on dark and bright images.
QColor planeColour(int plane);

} // namespace ui
