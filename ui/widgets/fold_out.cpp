// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/fold_out.h"

#include <QScrollArea>
#include <QTimer>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace ui
{

FoldOut::FoldOut(const char* name, const QString& tooltip, QWidget* parent)
    : QWidget(parent), m_heading(new QToolButton), m_contents(new QWidget), m_body(new QVBoxLayout(m_contents))
{
    QFont bold = font();
    bold.setBold(true);
    m_heading->setFont(bold);
    m_heading->setObjectName(QLatin1String(name));
    m_heading->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_heading->setAutoRaise(true);
    m_heading->setCheckable(true);
    m_heading->setToolTip(tooltip);
    connect(m_heading, &QToolButton::toggled, this, &FoldOut::unfold);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(4);
    layout->addWidget(m_heading);
    layout->addWidget(m_contents);
    m_body->setContentsMargins(0, 0, 0, 0);
    m_body->setSpacing(6);
    unfold(false);
}

void FoldOut::setTitle(const QString& title)
{
    m_heading->setText(title);
    m_heading->setAccessibleName(title);
}

void FoldOut::unfold(bool unfolded)
{
    m_heading->setChecked(unfolded);
    m_heading->setArrowType(unfolded ? Qt::DownArrow : Qt::RightArrow);
    m_contents->setVisible(unfolded);
    if (unfolded && isVisible())
        comeIntoView();
}

bool FoldOut::isUnfolded() const
{
    return m_heading->isChecked();
}

QString FoldOut::name() const
{
    return m_heading->objectName();
}

QSize FoldOut::minimumSizeHint() const
{
    const QSize now = QWidget::minimumSizeHint();
    return {std::max(now.width(), m_contents->minimumSizeHint().width()), now.height()};
}

void FoldOut::comeIntoView()
{
    for (QWidget* area = parentWidget(); area; area = area->parentWidget())
        if (auto* scrolled = qobject_cast<QScrollArea*>(area))
            return QTimer::singleShot(0, this, [this, scrolled] {
                scrolled->ensureWidgetVisible(this, 0, 4);
                scrolled->ensureWidgetVisible(m_heading, 0, 4);
            });
}

} // namespace ui
