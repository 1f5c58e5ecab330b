// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/view_chooser.h"

#include "ui/widgets/sketch_icon.h"

#include <QButtonGroup>
#include <QEvent>
#include <QHBoxLayout>
#include <QMenu>
#include <QToolButton>

#include <algorithm>

namespace ui
{

namespace
{

constexpr int buttonsOfAll = 4;

std::vector<const View*> allViews()
{
    std::vector<const View*> all;
    for (const View& view : views())
        all.push_back(&view);
    return all;
}

} // namespace

ViewChooser::ViewChooser(QWidget* parent) : ViewChooser(allViews(), buttonsOfAll, true, parent) {}

ViewChooser::ViewChooser(const std::vector<const View*>& offered, QWidget* parent)
    : ViewChooser(offered, int(offered.size()), false, parent)
{
}

ViewChooser::ViewChooser(const std::vector<const View*>& offered, int buttonsShown, bool hasKeys, QWidget* parent)
    : QWidget(parent), m_offered(offered), m_buttonsShown(buttonsShown), m_buttons(new QButtonGroup(this))
{
    setObjectName(QStringLiteral("viewChooser"));
    setAccessibleName(tr("Which images are shown"));
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 4, 2);
    row->setSpacing(0);
    for (int k = 0; k < int(m_offered.size()); ++k) {
        const View& view = *m_offered[k];
        auto* button = new QToolButton;
        button->setText(view.text());
        button->setIconSize(sketchSize);
        button->setCheckable(true);
        button->setAutoRaise(true);
        const QString keys = hasKeys ? view.keys().toString(QKeySequence::NativeText) : QString();
        button->setToolTip(keys.isEmpty() ? tr("%1: %2").arg(view.text(), view.description())
                                          : tr("%1: %2 (key %3)").arg(view.text(), view.description(), keys));
        button->setAccessibleName(tr("Show %1").arg(view.text()));
        button->setChecked(k == 0);
        m_buttons->addButton(button, k);
        row->addWidget(button);
    }
    for (int k = m_buttonsShown; k < int(m_offered.size()); ++k)
        m_buttons->button(k)->hide();
    if (m_buttonsShown < int(m_offered.size())) {
        m_more = new QToolButton;
        row->addWidget(m_more);
        makeMore();
    }
    makeIcons();
    connect(m_buttons, &QButtonGroup::idClicked, this, [this](int k) { emit chosen(*m_offered[k]); });
}

void ViewChooser::describe(const View& view, const QString& summary)
{
    const auto place = std::ranges::find(m_offered, &view) - m_offered.begin();
    if (QAbstractButton* button = m_buttons->button(int(place)))
        button->setToolTip(tr("%1: %2").arg(view.text(), summary));
}

void ViewChooser::makeMore()
{
    auto* menu = new QMenu(this);
    menu->setToolTipsVisible(true);
    for (const View* view : m_offered) {
        const QString keys = view->keys().toString(QKeySequence::NativeText);
        QAction* action = menu->addAction(QStringLiteral("%1\t%2").arg(view->text(), keys));
        action->setToolTip(view->description());
        connect(action, &QAction::triggered, this, [this, view] { emit chosen(*view); });
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
    if (!m_more)
        return;
    const int chosen = m_buttons->checkedId();
    const bool isOther = chosen >= m_buttonsShown;
    m_more->setChecked(isOther);
    m_more->setIcon(sketchIcon(m_offered[isOther ? chosen : m_buttonsShown]->sketch, palette()));
    m_more->setAccessibleName(isOther ? tr("More views, now %1").arg(m_offered[chosen]->text()) : tr("More views"));
}

void ViewChooser::makeIcons()
{
    showChosen();
    for (int k = 0; k < int(m_offered.size()); ++k)
        m_buttons->button(k)->setIcon(sketchIcon(m_offered[k]->sketch, palette()));
}

void ViewChooser::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        makeIcons();
}

void ViewChooser::setView(const View& view)
{
    const auto place = std::ranges::find(m_offered, &view) - m_offered.begin();
    if (QAbstractButton* button = m_buttons->button(int(place)))
        button->setChecked(true);
    showChosen();
}

} // namespace ui
