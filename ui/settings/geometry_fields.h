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

    // beam: of the scan; isBecoming: the scan has a parallel beam, and the user enters what a cone needs. No signal.
    void show(const engine::ConeOptions& options, const engine::ConeBeam& beam, bool isBecoming);
    void showDirection(bool isClockwise);                                        // no signal
    void setOptions(const engine::ConeOptions& options) { m_options = options; } // which the next edit changes
    QStringList missing() const; // labels of the required fields without a value
    void focusFirst();

  signals: // by the user
    void changed(const engine::ConeOptions& options);
    void cleared(); // a field was set to its "no value"
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
    engine::ConeOptions m_options;
    engine::ConeBeam m_beam;
};

} // namespace ui
