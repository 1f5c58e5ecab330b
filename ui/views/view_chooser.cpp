// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/view_chooser.h"

#include "ui/widgets/sketch_icon.h"

#include <QButtonGroup>
#include <QEvent>
#include <QHBoxLayout>
#include <QMenu>
#include <QToolButton>

namespace ui
{

namespace
{

constexpr int buttonsShown = 4; // the menu has all views

} // namespace

ViewChooser::ViewChooser(QWidget* parent) : QWidget(parent), m_buttons(new QButtonGroup(this)), m_more(new QToolButton)
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
    for (int k = buttonsShown; k < int(views().size()); ++k)
        m_buttons->button(k)->hide();
    row->addWidget(m_more);
    makeMore();
    makeIcons();
    connect(m_buttons, &QButtonGroup::idClicked, this, [this](int k) { emit chosen(views()[k]); });
}

void ViewChooser::makeMore()
{
    auto* menu = new QMenu(this);
    menu->setToolTipsVisible(true);
    for (int k = 0; k < int(views().size()); ++k) {
        const QString keys = views()[k].keys().toString(QKeySequence::NativeText);
        QAction* action = menu->addAction(QStringLiteral("%1\t%2").arg(views()[k].text(), keys));
        action->setToolTip(views()[k].description());
        connect(action, &QAction::triggered, this, [this, k] { emit chosen(views()[k]); });
    }
    m_more->setObjectName(QStringLiteral("moreViews"));
    m_more->setText(tr("Views"));
    m_more->setToolTip(tr("More views of image and reference"));
    m_more->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_more->setIconSize(sketchSize);
    m_more->setAutoRaise(true);
    m_more->setCheckable(true);
    m_more->setMenu(menu);
    m_more->setPopupMode(QToolButton::InstantPopup);
    connect(menu, &QMenu::aboutToHide, this, &ViewChooser::showChosen);
}

// The button of the menu shows the chosen view if that has no button of its own.
void ViewChooser::showChosen()
{
    const int chosen = m_buttons->checkedId();
    const bool isOther = chosen >= buttonsShown;
    m_more->setChecked(isOther);
    m_more->setIcon(sketchIcon(views()[isOther ? chosen : buttonsShown].sketch, palette()));
    m_more->setAccessibleName(isOther ? tr("More views, now %1").arg(views()[chosen].text()) : tr("More views"));
}

void ViewChooser::makeIcons()
{
    showChosen();
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
    showChosen();
}

} // namespace ui
