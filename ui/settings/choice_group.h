// SPDX-License-Identifier: GPL-3.0-or-later
// The four main choices of a setting: kernel, interpolation, precision, and the number of slices per pass; and the
// variant of the kernel.
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
    std::string variant = {};
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
    void setChoices(const Choices& choices); // emits no signal
    int labelWidth() const { return m_labelWidth; }
    // Shows the choices of `base`. Omits choices that the geometry of its scan doesn't have; disables those that the
    // scan or the device doesn't support, each with the reason. Replaces unsupported selections; returns true if it
    // had to.
    bool offer(const engine::Request& base);

  signals:
    void changed();

  private:
    void fill(const engine::Geometry& geometry);
    void fillVariants();
    void addRow(QGridLayout* grid, const QString& label, QWidget* field, const QString& name, const QString& tooltip,
                QWidget* beside = nullptr);

    std::vector<const engine::Method*> m_methods; // the methods in the list
    int m_labelWidth = 0;
    ChoiceCombo* m_kernel;
    ChoiceCombo* m_variant;
    ChoiceCombo* m_interpolation;
    QSpinBox* m_oversampling;
    ChoiceCombo* m_precision;
    ChoiceCombo* m_slices;
};

// Returns for the user why this request can't be done, or nothing if it can.
std::optional<QString> impossible(const engine::Request& request);

} // namespace ui
