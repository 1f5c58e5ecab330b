// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/folding_row.h"

#include "ui/widgets/boxes.h"

#include <QFrame>

namespace ui
{

namespace
{

QFrame* verticalLine()
{
    auto* line = new QFrame;
    line->setFrameShape(QFrame::VLine);
    line->setFrameShadow(QFrame::Plain);
    line->setForegroundRole(QPalette::Midlight);
    return line;
}

} // namespace

FoldingRow::FoldingRow(QWidget* left, QWidget* middle, QWidget* parent)
    : QWidget(parent), m_left(left), m_middle(middle), m_line(verticalLine())
{
    filled(new QHBoxLayout(this), {m_left, m_line, {m_middle, 1}}, flush);
}

void FoldingRow::setWanted(bool side)
{
    m_wanted = side;
    fold();
}

QSize FoldingRow::minimumSizeHint() const
{
    return {m_middle->minimumSizeHint().width(), layout()->minimumSize().height()};
}

void FoldingRow::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    fold();
}

void FoldingRow::fold()
{
    const int left = m_left->sizeHint().width() + m_line->sizeHint().width();
    const bool isShown = m_wanted && width() >= left + m_middle->minimumSizeHint().width();
    m_left->setVisible(isShown);
    m_line->setVisible(isShown);
    layout()->activate();
}

} // namespace ui
