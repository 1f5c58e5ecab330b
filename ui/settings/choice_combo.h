// SPDX-License-Identifier: GPL-3.0-or-later
// A combo box whose entries can be impossible, and then say why.
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
    // Disabled with the reason as its tooltip, or enabled with its own tooltip.
    void setImpossible(int index, const std::optional<QString>& reason);
    bool isPossible(int index) const;
    QString reason(int index) const;   // empty when possible
    bool select(const QVariant& data); // no signal; false when there is no such entry
};

} // namespace ui
