// The numbers of a cone beam with their units, in fields: lengths, pixels, angles, the direction, the volume.
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

namespace ui
{

class GeometryFields : public QWidget
{
    Q_OBJECT
  public:
    explicit GeometryFields(int labelWidth, QWidget* parent = nullptr);

    // beam: as it is; isBecoming: a parallel beam becomes a cone, and the user says what that needs. No signal.
    void show(const engine::ConeOptions& said, const engine::ConeBeam& beam, bool isBecoming);
    void showDirection(bool isClockwise);                            // no signal
    void setSaid(const engine::ConeOptions& said) { m_said = said; } // that the next field changes
    QStringList missing() const;                                     // labels of what a cone needs and nobody has said
    void focusFirst();

  signals: // by the user
    void changed(const engine::ConeOptions& said);
    void unsaid(); // a field was set to what stands for no number
    void directionChosen(bool isClockwise);

  private:
    struct Field {
        QDoubleSpinBox* box;
        QLabel* label;
        std::function<std::optional<double>(const engine::ConeOptions&, const engine::ConeBeam&)> get;
        std::function<void(engine::ConeOptions&, const engine::ConeBeam&, double)> set;
        QString tooltip;
        bool ofCircle = false; // which matrices say otherwise
        bool ofRows = false;   // of which a fan beam has one
        bool isNeeded = false; // by a cone
    };

    void addBeam(QGridLayout* grid);
    void addAngles(QGridLayout* grid);
    void addDirection(QGridLayout* grid);
    void addVolume(QGridLayout* grid);
    void add(QGridLayout* grid, const char* name, const QString& text, QDoubleSpinBox* box, const QString& unsaid,
             Field field);
    void take(const Field& field);

    std::vector<Field> m_fields;
    ChoiceCombo* m_direction = nullptr;
    engine::ConeOptions m_said;
    engine::ConeBeam m_beam;
};

} // namespace ui
