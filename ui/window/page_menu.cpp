// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/page_menu.h"

#include "ui/background/application.h"
#include "ui/numbers/number_tabs.h"
#include "ui/widgets/drawing.h"

#include <QClipboard>
#include <QGuiApplication>

namespace ui
{

PageMenu::PageMenu(NumberTabs& pages, QAction* savePlot, QWidget* parent)
    : QMenu(parent), m_pages(pages), m_savePlot(savePlot)
{
    setObjectName(QStringLiteral("pageMenu"));
    const auto add = [this](const QString& text, auto act) {
        QAction* action = addAction(text);
        connect(action, &QAction::triggered, this, guarded(act));
        return action;
    };
    m_copyPlot = add(tr("&Copy plot"), [this] { copyPlot(); });
    m_save = add(tr("Save p&lot…"), [this] { emit saveRequested(Save::plot); });
    m_copyValues = add(tr("Copy &values (CSV)"), [this] { copyValues(); });
    connect(&m_pages, &NumberTabs::menuRequested, this, &PageMenu::showFor);
    connect(&m_pages, &NumberTabs::currentChanged, this, &PageMenu::offerPlot);
    connect(&m_pages, &NumberTabs::foldedChanged, this, &PageMenu::offerPlot);
    offerPlot();
}

void PageMenu::offerPlot()
{
    const DrawnPage* page = m_pages.drawnPage();
    const bool hasPlot = page && !page->isTable();
    m_savePlot->setEnabled(hasPlot);
    const QString folded = tr("The profile and the numbers are folded; show them again (F8)");
    const QString other = tr("The page %1 has no plot; turn to the profile or to another plot");
    m_savePlot->setToolTip(hasPlot              ? QString()
                           : m_pages.isFolded() ? folded
                                                : other.arg(m_pages.tabText(m_pages.currentIndex())));
}

void PageMenu::showFor(const QPoint& globalPosition)
{
    const DrawnPage* page = m_pages.drawnPage();
    if (!page)
        return;
    const bool hasPlot = static_cast<bool>(page->drawing());
    m_copyPlot->setEnabled(hasPlot);
    m_save->setEnabled(hasPlot);
    m_copyValues->setEnabled(!page->values().isEmpty());
    popup(globalPosition);
}

void PageMenu::copyPlot() const
{
    if (const DrawnPage* page = m_pages.drawnPage())
        if (const Drawing drawing = page->drawing())
            QGuiApplication::clipboard()->setImage(imageOf(drawing, {}));
}

void PageMenu::copyValues() const
{
    if (const DrawnPage* page = m_pages.drawnPage())
        QGuiApplication::clipboard()->setText(page->values());
}

} // namespace ui
