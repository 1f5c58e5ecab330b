// SPDX-License-Identifier: GPL-3.0-or-later
// The four choices of the papers: kernel, interpolation, precision, slices at once.
#pragma once

#include "engine/backproject/method.h"
#include "ui/settings/choice_combo.h"

#include <QWidget>

#include <vector>

class QGridLayout;
class QSpinBox;

namespace ui
{

struct Choices {
    std::string method = "auto";
    engine::Interpolation interpolation = engine::Interpolation::linear;
    int oversampling = 4;
    engine::Precision precision = engine::Precision::single;
    int slicesPerPass = 1;
    bool operator==(const Choices&) const = default;

    static Choices of(const engine::Request& request);
    void applyTo(engine::Request& request) const;
};

class ChoiceGroup : public QWidget
{
    Q_OBJECT
  public:
    explicit ChoiceGroup(QWidget* parent = nullptr);

    Choices choices() const;
    void setChoices(const Choices& choices); // no signal
    int labelWidth() const { return m_labelWidth; }
    // Shows the choices of `base`; those that its scan's geometry doesn't have aren't there, and those that scan or
    // device can't do are disabled, each with its reason. Replaces what is impossible; true when it had to.
    bool offer(const engine::Request& base);

  signals:
    void changed();

  private:
    void fill(const engine::Geometry& geometry);
    void addRow(QGridLayout* grid, const QString& label, QWidget* field, const QString& name, const QString& tooltip,
                QWidget* beside = nullptr);

    std::vector<const engine::Method*> m_methods; // that are offered
    int m_labelWidth = 0;
    ChoiceCombo* m_kernel;
    ChoiceCombo* m_interpolation;
    QSpinBox* m_oversampling;
    ChoiceCombo* m_precision;
    ChoiceCombo* m_slices;
};

// Why this request can't be done, in words for the user; nothing when it can.
std::optional<QString> impossible(const engine::Request& request);

} // namespace ui
