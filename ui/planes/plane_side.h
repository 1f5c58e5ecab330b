// SPDX-License-Identifier: GPL-3.0-or-later
// The part of the page Planes beside the images: the view, the fields of the planes, buttons and figures.
#pragma once

#include "ui/planes/linked_planes.h"
#include "ui/planes/plane_references.h"
#include "ui/views/views.h"

#include <QWidget>

class QBoxLayout;
class QLabel;
class QProgressBar;
class QPushButton;

namespace ui
{

class PlaneFields;
class ViewChooser;

class PlaneSide : public QWidget
{
    Q_OBJECT
  public:
    explicit PlaneSide(QWidget* parent = nullptr);

    // None of these functions emits a signal.
    void showPlanes(const LinkedPlanes& planes, const std::optional<double>& pixelSizeMm);
    void showChosen(int plane);
    void setView(const View& view);
    void showAgainst(const QString& reference); // empty: nothing is compared
    void showFigures(const PlaneReferences::Images& images);
    void showRate(double perSecond); // of painted images; 0: unknown
    void showProgress(const QString& stage, double fraction);
    void hideProgress();

  signals: // actions of the user
    void viewChosen(const ui::View& view);
    void edited(const ui::LinkedPlanes& planes);
    void middleWanted();
    void windowWanted(); // an automatic one
    void copyRequested();
    void saveRequested();

  private:
    QWidget* makeViews();
    QLayout* makeButtons();
    QLayout* makeFileButtons();
    QPushButton* makeButton(const QString& name, const QString& text, const QString& tip);
    void addFigures(QBoxLayout* column);

    ViewChooser* m_views = nullptr;
    QLabel* m_against = nullptr;
    PlaneFields* m_fields = nullptr;
    QLabel* m_figures = nullptr;
    QLabel* m_rate = nullptr;
    QProgressBar* m_progress = nullptr;
    QPushButton *m_copy = nullptr, *m_save = nullptr;
};

// Returns the views of a comparison that planes can show.
const std::vector<const View*>& planeViews();

} // namespace ui
