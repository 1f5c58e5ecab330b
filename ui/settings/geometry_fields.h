// SPDX-License-Identifier: GPL-3.0-or-later
// Fields with units for the numbers of a cone beam, from the engine's table, and for the direction of the angles.
#pragma once

#include "engine/scan/cone_fields.h"
#include "engine/scan/scan.h"
#include "ui/settings/choice_combo.h"

#include <QString>
#include <QWidget>

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

    // beam: of the scan. isBecoming: the scan has a parallel beam, and the user is entering a cone beam. Emits no
    // signal.
    void show(const engine::ConeOptions& options, const engine::ConeBeam& beam, bool isBecoming);
    void showDirection(bool isClockwise);                                        // emits no signal
    void setOptions(const engine::ConeOptions& options) { m_options = options; } // for the next edit to change
    QStringList missing() const; // labels of the required fields without a value
    void focusFirst();

  signals: // emitted after actions of the user
    void changed(const engine::ConeOptions& options);
    void cleared(); // a field was set to its "no value"
    void directionChosen(bool isClockwise);
    // The number whose field is under the pointer, else has the focus; null: none.
    void pointedAt(const engine::ConeNumber* number);

  protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    struct Box {
        const engine::ConeField* field;
        const engine::ConeNumber* number;
        QDoubleSpinBox* box;
        QLabel* label;
    };

    void add(QGridLayout* grid, const engine::ConeField& field, const engine::ConeNumber& number);
    void addDirection(QGridLayout* grid);
    double shown(const Box& box) const; // in the unit of the box; the box's minimum if there is no value
    void take(const Box& box);

    std::vector<Box> m_boxes;
    ChoiceCombo* m_direction = nullptr;
    const engine::ConeNumber *m_focused = nullptr, *m_hovered = nullptr;
    engine::ConeOptions m_options;
    engine::ConeBeam m_beam;
};

} // namespace ui
