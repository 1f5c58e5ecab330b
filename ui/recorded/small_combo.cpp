// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/recorded/small_combo.h"

#include "ui/settings/choice_combo.h"

namespace ui
{

QComboBox* smallCombo(const char* name, const QString& accessible)
{
    auto* combo = new ChoiceCombo;
    combo->setObjectName(QLatin1String(name));
    combo->setAccessibleName(accessible);
    combo->setToolTip(accessible);
    combo->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    return combo;
}

} // namespace ui
