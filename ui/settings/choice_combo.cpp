// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/settings/choice_combo.h"

#include <QSignalBlocker>
#include <QStandardItemModel>

namespace ui
{

namespace
{
constexpr int ownTooltipRole = Qt::UserRole + 10;
constexpr int reasonRole = Qt::UserRole + 11;
} // namespace

ChoiceCombo::ChoiceCombo(QWidget* parent) : QComboBox(parent)
{
    setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    setMinimumContentsLength(6);
}

void ChoiceCombo::addChoice(const QString& label, const QVariant& data, const QString& tooltip)
{
    addItem(label, data);
    setItemData(count() - 1, tooltip, Qt::ToolTipRole);
    setItemData(count() - 1, tooltip, ownTooltipRole);
}

void ChoiceCombo::setImpossible(int index, const std::optional<QString>& reason)
{
    auto* items = qobject_cast<QStandardItemModel*>(model());
    QStandardItem* item = items->item(index);
    if (item->isEnabled() == !reason && itemData(index, reasonRole).toString() == reason.value_or(QString()))
        return;
    item->setEnabled(!reason);
    setItemData(index, reason ? *reason : itemData(index, ownTooltipRole), Qt::ToolTipRole);
    setItemData(index, reason.value_or(QString()), reasonRole);
}

bool ChoiceCombo::isPossible(int index) const
{
    return index >= 0 && (model()->flags(model()->index(index, 0)) & Qt::ItemIsEnabled);
}

QString ChoiceCombo::reason(int index) const
{
    return itemData(index, reasonRole).toString();
}

bool ChoiceCombo::select(const QVariant& data)
{
    const int index = findData(data);
    if (index < 0)
        return false;
    const QSignalBlocker blocker(this);
    setCurrentIndex(index);
    return true;
}

} // namespace ui
