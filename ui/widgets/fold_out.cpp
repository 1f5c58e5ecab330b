// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/fold_out.h"

#include "ui/widgets/boxes.h"

#include <QScrollArea>
#include <QTimer>
#include <QToolButton>

#include <algorithm>

namespace ui
{

namespace
{

constexpr int leastBelow = 80; // pixels: enough of a section to see that it has opened

} // namespace

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
    connect(m_heading, &QToolButton::clicked, this, &FoldOut::unfoldInPlace);
    filled(new QVBoxLayout(this), {m_heading, m_contents}, {QMargins(), 4});
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
    showContents(unfolded);
    if (unfolded && isVisible())
        comeIntoView();
}

void FoldOut::showContents(bool unfolded)
{
    m_heading->setChecked(unfolded);
    m_heading->setArrowType(unfolded ? Qt::DownArrow : Qt::RightArrow);
    m_contents->setVisible(unfolded);
}

void FoldOut::unfoldInPlace(bool unfolded)
{
    const QScrollArea* around = area();
    const int below =
        around ? around->viewport()->height() - m_heading->mapTo(around->viewport(), QPoint(0, m_heading->height())).y()
               : leastBelow;
    if (below < leastBelow)
        unfold(unfolded);
    else
        showContents(unfolded);
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

QScrollArea* FoldOut::area() const
{
    for (QWidget* around = parentWidget(); around; around = around->parentWidget())
        if (auto* scrolled = qobject_cast<QScrollArea*>(around))
            return scrolled;
    return nullptr;
}

void FoldOut::comeIntoView()
{
    if (QScrollArea* around = area())
        QTimer::singleShot(0, this, [this, around] {
            around->ensureWidgetVisible(this, 0, 4);
            around->ensureWidgetVisible(m_heading, 0, 4);
        });
}

} // namespace ui
