// SPDX-License-Identifier: GPL-3.0-or-later
// The rows (label and field) for the options of the engine's table.
#pragma once

#include "engine/reconstruct/reconstruction.h"
#include "ui/settings/axis_edit.h"
#include "ui/settings/device_combo.h"
#include "ui/settings/option_field.h"
#include "ui/settings/step_order_list.h"

#include <QObject>

#include <map>
#include <optional>
#include <string>
#include <vector>

class QGridLayout;
class QHBoxLayout;
class QLabel;

namespace ui
{

class OptionRows : public QObject
{
    Q_OBJECT
  public:
    enum class Part { kernel, preparation, otherOfSetting, shared };

    explicit OptionRows(QObject* parent = nullptr);

    QWidget* make(Part part); // call once per part; the caller owns the widget
    static int labelWidth();  // of the kernel's rows; those of other parts are aligned with them
    AxisEdit& axis() { return *m_axis; }
    DeviceCombo& device() { return *m_device; }
    const DeviceCombo& device() const { return *m_device; }

    // Shows the request's values in the fields of the setting, or in those shared by all settings. Emits no signal.
    void showSetting(const engine::Request& request);
    void showShared(const engine::Request& request);
    // Writes the values of these fields into the request.
    void applySetting(engine::Request& request) const;
    void applyShared(engine::Request& request) const;
    // Disables choices that the scan or the device doesn't support, each with the reason, and disables or hides fields
    // without effect on the request.
    void offer(const engine::Request& asked);

  signals:
    void changed();                       // by the user
    void memoryChanged();                 // by the user: no image depends on it
    void lookWanted(const QString& step); // asks to show the scan before and after a step of preparation
    void stepChosen(const QString& step); // in the list of steps

  private:
    struct Row {
        OptionField field;
        QLabel* label = nullptr; // null for fields beside another field or over the whole width
    };

    std::optional<OptionField> fieldFor(const engine::Option& option);
    OptionField stepOrderField(const engine::Option& option);
    OptionField axisField(const engine::Option& option);
    OptionField deviceField(const engine::Option& option);
    void add(const engine::Option& option, QGridLayout* grid);
    void show(const engine::Request& request, bool ofSetting);
    void apply(engine::Request& request, bool ofSetting) const;

    std::vector<Row> m_rows;
    std::map<std::string, QHBoxLayout*> m_shared; // rows of several fields, by the option of the first one
    StepOrderList* m_steps;
    AxisEdit* m_axis;
    DeviceCombo* m_device;
};

} // namespace ui
