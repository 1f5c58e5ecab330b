// SPDX-License-Identifier: GPL-3.0-or-later
// A field with its label; the label's mnemonic moves the focus to the field.
#pragma once

#include <QGridLayout>
#include <QLabel>

namespace ui
{

struct LabelledField {
    QLabel* label;
    QWidget* field;

    void setVisible(bool visible) const
    {
        label->setVisible(visible);
        field->setVisible(visible);
    }
    void addTo(QGridLayout* grid, int row, int column) const // the field goes into the next column
    {
        grid->addWidget(label, row, column);
        grid->addWidget(field, row, column + 1);
    }
};

inline LabelledField labelled(const QString& text, QWidget* field)
{
    auto* label = new QLabel(text);
    label->setBuddy(field);
    return {label, field};
}

} // namespace ui
