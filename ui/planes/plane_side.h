// SPDX-License-Identifier: GPL-3.0-or-later
// The part of the page Planes beside the images: the view, the fields of the planes, buttons and figures; and for the
// chosen plane the profile along its line, and the figures of its areas.
#pragma once

#include "engine/request/section.h"
#include "ui/image/shapes.h"
#include "ui/planes/linked_planes.h"
#include "ui/planes/plane_references.h"
#include "ui/views/views.h"

#include <QWidget>

class QBoxLayout;
class QLabel;
class QProgressBar;
class QPushButton;
class QTabWidget;

namespace ui
{

class AreasPanel;
class AxisDrags;
class PlaneFields;
class ProfilePanel;
class ToolChooser;
class ViewChooser;

class PlaneSide : public QWidget
{
    Q_OBJECT
  public:
    explicit PlaneSide(QWidget* parent = nullptr);

    AxisDrags& axis() const { return *m_axis; }
    const ProfilePanel* profile() const; // of the chosen plane, if it is shown; else null

    // None of these functions emits a signal.
    void showPlanes(const LinkedPlanes& planes, const engine::VoxelSides& sides);
    void showChosen(int plane);
    bool isMeasuring() const;                                                  // the profile or the areas are shown
    void showMarked(const Comparison& comparison, const engine::Marks& marks); // of the chosen plane
    void pointFrom(const std::optional<QPointF>& pixel);                       // of the chosen plane
    void setTool(Tool tool);
    void showMarks(const engine::Shape& drawn); // shows the tab for that shape
    void setView(const View& view);
    void showAgainst(const QString& reference); // empty: nothing is compared
    // scan: a full image of another one is of fewer projections, whose number is shown.
    void showFigures(const PlaneReferences::Images& images, const engine::Scan* scan);
    void showMemory(const QString& note); // what the memory limit changes; empty: nothing
    void showRate(double perSecond);      // of painted images; 0: unknown
    void showProgress(const QString& stage, double fraction);
    void hideProgress();

  signals: // actions of the user
    void viewChosen(const ui::View& view);
    void edited(const ui::LinkedPlanes& planes);
    void middleWanted();
    void windowWanted(); // an automatic one
    void measuringChanged();
    void marksEdited(const engine::Marks& marks);
    void pointedAt(const std::optional<QPointF>& pixel); // on the profile
    void toolChosen(ui::Tool tool);
    void copyRequested();
    void saveRequested();

  private:
    QWidget* makeViews();
    QWidget* makePosition();
    void makeTabs();
    QLayout* makeButtons();
    QLayout* makeFileButtons();
    QPushButton* makeButton(const QString& name, const QString& text, const QString& tip);
    void addFigures(QBoxLayout* column);

    ViewChooser* m_views = nullptr;
    QLabel* m_against = nullptr;
    ToolChooser* m_tools = nullptr;
    QTabWidget* m_tabs = nullptr;
    ProfilePanel* m_profile = nullptr;
    AreasPanel* m_areas = nullptr;
    PlaneFields* m_fields = nullptr;
    AxisDrags* m_axis = nullptr;
    QLabel* m_figures = nullptr;
    QLabel* m_rate = nullptr;
    QLabel* m_memory = nullptr;
    QLabel* m_gaps = nullptr; // notes on rows that are missing
    QProgressBar* m_progress = nullptr;
    QPushButton *m_copy = nullptr, *m_save = nullptr;
};

// Returns the views of a comparison that planes can show.
const std::vector<const View*>& planeViews();

} // namespace ui
