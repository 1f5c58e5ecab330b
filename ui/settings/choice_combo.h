// SPDX-License-Identifier: GPL-3.0-or-later
// A combo box with entries that can be disabled and then show the reason.
#pragma once

#include <QComboBox>

#include <optional>
#include <string>

namespace ui
{

class ChoiceCombo : public QComboBox
{
    Q_OBJECT
  public:
    explicit ChoiceCombo(QWidget* parent = nullptr);

    void addChoice(const QString& label, const QVariant& data, const QString& tooltip = {});
    // Disables an entry and shows the reason as its tooltip; without a reason, enables it with its own tooltip.
    void setImpossible(int index, const std::optional<QString>& reason);
    bool isPossible(int index) const;
    QString reason(int index) const;   // empty if the entry is possible
    bool select(const QVariant& data); // emits no signal; returns false if there is no such entry
};

} // namespace ui
