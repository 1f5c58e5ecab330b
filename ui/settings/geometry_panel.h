// SPDX-License-Identifier: GPL-3.0-or-later
// The panel that shows the geometry of the scan with units and allows the user to correct it.
#pragma once

#include "engine/scan/cone_options.h"
#include "engine/scan/scan.h"

#include <QString>
#include <QWidget>

class QLabel;
class QPushButton;

namespace ui
{

class FoldOut;
class GeometryFields;
class GeometrySketch;

// Folded to one line until the user unfolds it. An edit of a cone beam is requested immediately (signal
// coneWanted()). A parallel beam becomes a cone beam when the user has entered all required numbers and clicks the
// button.
class GeometryPanel : public QWidget
{
    Q_OBJECT
  public:
    explicit GeometryPanel(int labelWidth, QWidget* parent = nullptr);

    void setScan(const engine::Scan* scan);   // null: none; emits no signal
    void showProblem(const QString& message); // about the last request; the fields keep its values

  signals:
    void coneWanted(const engine::ConeOptions& options); // the direction is relative to the scan's angles
    void parallelWanted();

  private:
    enum class Kind { none, parallel, becoming, cone }; // becoming: the user is entering a cone beam

    void makeButtons();
    void arrange();
    void connectParts();
    void show();
    void take(const engine::ConeOptions& said);
    void takeDirection(bool isClockwise);
    void becomeCone();
    void becomeParallel();
    void restore();
    void showMissing(const QString& text);
    void offerCone();
    void showSketch();

    Kind m_kind = Kind::none;
    engine::ConeOptions m_held, m_said; // of the scan, and with the user's changes
    engine::ConeBeam m_beam;            // of the scan
    bool m_clockwise = false;
    FoldOut* m_fold;
    GeometrySketch* m_sketch;
    GeometryFields* m_fields;
    QLabel *m_taken, *m_problem, *m_missing;
    QPushButton *m_becomeCone, *m_takeCone, *m_takeParallel, *m_back;
};

} // namespace ui
