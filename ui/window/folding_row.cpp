// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/folding_row.h"

#include <QFrame>
#include <QHBoxLayout>

#include <algorithm>

namespace ui
{

namespace
{

// Minimum width of the views beside both panels: in less, three images would be smaller than the text about them.
constexpr int comfortableWidth = 560;

QFrame* verticalLine()
{
    auto* line = new QFrame;
    line->setFrameShape(QFrame::VLine);
    line->setFrameShadow(QFrame::Plain);
    line->setForegroundRole(QPalette::Midlight);
    return line;
}

} // namespace

FoldingRow::FoldingRow(QWidget* left, QWidget* middle, QWidget* right, QWidget* parent)
    : QWidget(parent), m_left(left), m_middle(middle), m_right(right), m_leftLine(verticalLine()),
      m_rightLine(verticalLine())
{
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(0);
    row->addWidget(m_left);
    row->addWidget(m_leftLine);
    row->addWidget(m_middle, 1);
    row->addWidget(m_rightLine);
    row->addWidget(m_right);
}

void FoldingRow::setWanted(bool sides)
{
    m_wanted = sides;
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
    const int least = m_middle->minimumSizeHint().width();
    const int left = m_left->sizeHint().width() + m_leftLine->sizeHint().width();
    const int right = m_right->sizeHint().width() + m_rightLine->sizeHint().width();
    const bool showsLeft = m_wanted && width() >= left + least;
    const bool showsRight = m_wanted && width() >= left + right + std::max(least, comfortableWidth);
    for (QWidget* each : {m_left, static_cast<QWidget*>(m_leftLine)})
        each->setVisible(showsLeft);
    for (QWidget* each : {m_right, static_cast<QWidget*>(m_rightLine)})
        each->setVisible(showsRight);
    layout()->activate();
}

} // namespace ui
