// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/volume/view_buttons.h"

#include "ui/widgets/flat_button.h"

#include <QGuiApplication>
#include <QHBoxLayout>

namespace ui
{

ViewButtons::ViewButtons(QWidget* parent) : QWidget(parent)
{
    auto* const row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(2);
    const auto add = [row](const char* name, const QString& text, const QString& tip) {
        QToolButton* const button = flatButton(QLatin1String(name), text, tip);
        button->setAutoRaise(false);
        button->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
        row->addWidget(button);
        return button;
    };
    for (int axis = 0; axis < 3; ++axis) {
        const QString letter(QChar(u'x' + axis));
        QToolButton* const button =
            add("lookAlong", letter,
                tr("Look along %1 (%2); with Shift from the other side").arg(letter, letter.toUpper()));
        connect(button, &QToolButton::clicked, this, [this, axis] {
            emit lookWanted(axis, QGuiApplication::keyboardModifiers().testFlag(Qt::ShiftModifier));
        });
    }
    connect(add("fitObject", tr("Fit"), tr("Fit the object into the view (F)")), &QToolButton::clicked, this,
            &ViewButtons::fitWanted);
    connect(add("resetView", tr("Reset"), tr("Look from the front, as at first (R)")), &QToolButton::clicked, this,
            &ViewButtons::resetWanted);
}

} // namespace ui
