// SPDX-License-Identifier: GPL-3.0-or-later
// How the scan was taken: read with units, and corrected.
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

// Folded to one line until it is asked for. A correction of a cone is said at once; a parallel beam becomes a cone when
// the user has said enough for one.
class GeometryPanel : public QWidget
{
    Q_OBJECT
  public:
    explicit GeometryPanel(int labelWidth, QWidget* parent = nullptr);

    void setScan(const engine::Scan* scan);   // null: none; no signal
    void showProblem(const QString& message); // of what was asked for last, which the fields go on showing

  signals:
    void coneWanted(const engine::ConeOptions& options); // angles counted as the scan has them, or the other way
    void parallelWanted();

  private:
    enum class Kind { none, parallel, becoming, cone }; // becoming: the user says what a cone needs

    void makeButtons();
    void arrange();
    void connectParts();
    void show();
    void take(const engine::ConeOptions& said);
    void takeDirection(bool isClockwise);
    void becomeCone();
    void becomeParallel();
    void restore();
    void offerCone();

    Kind m_kind = Kind::none;
    engine::ConeOptions m_held, m_said; // as it is, and with what the user says otherwise
    engine::ConeBeam m_beam;            // as it is
    bool m_clockwise = false;
    FoldOut* m_fold;
    GeometryFields* m_fields;
    QLabel *m_taken, *m_problem, *m_missing;
    QPushButton *m_becomeCone, *m_takeCone, *m_takeParallel, *m_back;
};

} // namespace ui
