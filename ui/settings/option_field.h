// SPDX-License-Identifier: GPL-3.0-or-later
// The field of the window for one option of the engine's table. It shows the option's value and writes it into a
// request.
#pragma once

#include "engine/options/options.h"

#include <QString>

#include <functional>
#include <string>

class QWidget;

namespace ui
{

class ChoiceCombo;

struct OptionField {
    const engine::Option* option;
    QWidget* widget;                                  // in the row
    QWidget* focus;                                   // gets the focus from the row's label
    std::function<void(engine::Request&)> write;      // writes the shown value into the request
    std::function<void(const engine::Request&)> show; // shows the request's value; emits no signal
    ChoiceCombo* list = nullptr;                      // of choices, whose data are texts of values
};

// Creates a list for Kind::choice or values that depend on the request, a number field with the table's limits for
// Kind::whole and Kind::real, or a check box for Kind::boolean. Calls `changed` when the user changes the value. If the
// program may decide, "automatic" can be chosen. Throws std::logic_error for other kinds, which need special fields.
OptionField fieldOf(const engine::Option& option, const std::function<void()>& changed);

// A list, and the number of samples per bin for oversampled interpolation.
OptionField interpolationField(const engine::Option& option, const std::function<void()>& changed);

// A field in GB. Its default is half of the machine's memory, as the program uses without this option.
OptionField memoryField(const engine::Option& option, const std::function<void()>& changed);

// Shows what the scan knows in the field of a number that isn't given; blank if the scan doesn't know it. Only for
// options with `recorded`.
void showRecorded(const OptionField& field, const engine::Request& asked);

// Sets object name, accessible name and tooltip.
void describe(QWidget* field, const engine::Option& option);

// Translates a label, summary or unit of the table into the user's language.
QString translated(const std::string& text);

} // namespace ui
