// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/numbers/numbers_page.h"

#include "ui/numbers/numbers_view.h"
#include "ui/numbers/table_text.h"

#include <QEvent>
#include <QVBoxLayout>

namespace ui
{

QLabel* quietLine(const QString& name, const QString& label, bool isWrapped)
{
    auto* line = new QLabel;
    line->setObjectName(name);
    line->setAccessibleName(label);
    line->setWordWrap(isWrapped);
    line->setForegroundRole(QPalette::PlaceholderText);
    line->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
    line->setContentsMargins(8, 3, 4, 3);
    return line;
}

void sayQuietly(QLabel* line, const QString& text)
{
    line->setText(text);
    line->setToolTip(text); // the whole text
}

void stack(QWidget* page, std::initializer_list<QWidget*> widgets, int main)
{
    auto* layout = new QVBoxLayout(page);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    for (QWidget* widget : widgets)
        layout->addWidget(widget);
    layout->setStretch(main, 1);
}

QWidget* beside(QWidget* left, QWidget* right, int margin)
{
    auto* made = new QWidget;
    auto* row = new QHBoxLayout(made);
    row->setContentsMargins(0, 0, margin, 0);
    row->addWidget(left, 1);
    row->addWidget(right);
    return made;
}

void NumbersPage::show(const Comparison& comparison)
{
    m_shown = comparison;
    refresh();
}

void NumbersPage::refresh()
{
    if (!isVisible())
        return;
    want();
    fill();
}

void NumbersPage::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    refresh();
}

void NumbersPage::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        fill();
}

NumbersTable TablePage::table() const
{
    return m_view->table();
}

QString TablePage::values() const
{
    const NumbersTable shown = table();
    return shown.rows.empty() ? QString() : csvText(shown);
}

} // namespace ui
