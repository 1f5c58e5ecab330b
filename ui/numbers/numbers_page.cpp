// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/numbers/numbers_page.h"

#include "ui/numbers/numbers_view.h"
#include "ui/numbers/table_text.h"

#include <QEvent>

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
