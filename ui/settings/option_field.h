// SPDX-License-Identifier: GPL-3.0-or-later
// A row of the window for an option of the engine's table: its field, which writes its value into a request.
#pragma once

#include "engine/options/options.h"

#include <QString>

#include <functional>
#include <string>

class QWidget;

namespace ui
{

struct OptionField {
    const engine::Option* option;
    QWidget* widget;                                  // stands in the row
    QWidget* focus;                                   // is entered by the row's label
    std::function<void(engine::Request&)> write;      // what it shows into the option's value
    std::function<void(const engine::Request&)> show; // no signal
};

// A list for Kind::choice, a number for Kind::whole and Kind::real, within the table's limits, a box to tick for
// Kind::boolean; `changed` is called when the user changes it. What the program may decide by itself has "automatic"
// too. Texts that need a field of their own throw std::logic_error.
OptionField fieldOf(const engine::Option& option, const std::function<void()>& changed);

// In GB; half of the machine's is what the program takes by itself.
OptionField memoryField(const engine::Option& option);

// Object name, accessible name and tooltip.
void describe(QWidget* field, const engine::Option& option);

// A label, summary or unit of the table in the user's language.
QString translated(const std::string& text);

} // namespace ui
