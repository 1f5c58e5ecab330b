// SPDX-License-Identifier: GPL-3.0-or-later
// A combo box that is as wide as its entries, with one text for its tooltip and for screen readers.
#pragma once

#include <QString>

class QComboBox;

namespace ui
{

QComboBox* smallCombo(const char* name, const QString& accessible);

} // namespace ui
