// How the scan was taken: read with units, and corrected.
#pragma once

#include "engine/scan/cone_options.h"
#include "engine/scan/scan.h"
#include "ui/settings/choice_combo.h"

#include <QString>
#include <QWidget>

#include <functional>
#include <optional>
#include <vector>

class QDoubleSpinBox;
class QGridLayout;
class QLabel;
class QPushButton;

namespace ui
{

class FoldOut;

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
    struct Field;
    enum class Kind { none, parallel, becoming, cone }; // becoming: the user says what a cone needs

    void addFields(QGridLayout* grid, int labelWidth);
    void addBeam(QGridLayout* grid);
    void addDirection(QGridLayout* grid);
    void addVolume(QGridLayout* grid);
    void add(QGridLayout* grid, const char* name, const QString& text, QDoubleSpinBox* box, const QString& unsaid,
             Field field);
    void show();
    void take(const Field& field);
    void offerCone();

    Kind m_kind = Kind::none;
    engine::ConeOptions m_held, m_said; // as it is, and with what the user says otherwise
    engine::ConeBeam m_beam;            // as it is
    bool m_clockwise = false;
    std::vector<Field> m_fields;
    ChoiceCombo* m_direction = nullptr;
    FoldOut* m_fold;
    QWidget* m_rows;
    QLabel *m_taken, *m_problem, *m_missing;
    QPushButton *m_becomeCone, *m_takeCone, *m_takeParallel, *m_back;
};

struct GeometryPanel::Field {
    QDoubleSpinBox* box;
    QLabel* label;
    std::function<std::optional<double>(const engine::ConeOptions&, const engine::ConeBeam&)> get;
    std::function<void(engine::ConeOptions&, const engine::ConeBeam&, double)> set;
    QString tooltip;
    bool ofCircle = false; // which matrices say otherwise
    bool ofRows = false;   // of which a fan beam has one
    bool isNeeded = false; // by a cone
};

} // namespace ui
