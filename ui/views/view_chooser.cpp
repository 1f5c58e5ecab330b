// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/view_chooser.h"

#include "ui/widgets/sketch_icon.h"

#include <QButtonGroup>
#include <QEvent>
#include <QHBoxLayout>
#include <QToolButton>

namespace ui
{

ViewChooser::ViewChooser(QWidget* parent) : QWidget(parent), m_buttons(new QButtonGroup(this))
{
    setObjectName(QStringLiteral("viewChooser"));
    setAccessibleName(tr("Which images are shown"));
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 4, 2);
    row->setSpacing(0);
    for (int k = 0; k < int(views().size()); ++k) {
        const QString text = views()[k].text();
        auto* button = new QToolButton;
        button->setText(text);
        button->setIconSize(sketchSize);
        button->setCheckable(true);
        button->setAutoRaise(true);
        const QString keys = views()[k].keys().toString(QKeySequence::NativeText);
        button->setToolTip(keys.isEmpty() ? tr("%1: %2").arg(text, views()[k].description())
                                          : tr("%1: %2 (key %3)").arg(text, views()[k].description(), keys));
        button->setAccessibleName(tr("Show %1").arg(text));
        button->setChecked(k == 0);
        m_buttons->addButton(button, k);
        row->addWidget(button);
    }
    makeIcons();
    connect(m_buttons, &QButtonGroup::idClicked, this, [this](int k) { emit chosen(views()[k]); });
}

void ViewChooser::makeIcons()
{
    for (int k = 0; k < int(views().size()); ++k)
        m_buttons->button(k)->setIcon(sketchIcon(views()[k].sketch, palette()));
}

void ViewChooser::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        makeIcons();
}

void ViewChooser::setView(const View& view)
{
    m_buttons->button(int(&view - views().data()))->setChecked(true);
}

} // namespace ui
