// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/side_area.h"

#include <QLayout>
#include <QScrollArea>
#include <QScrollBar>
#include <QStyle>

namespace ui
{

namespace
{

constexpr int betweenContentAndBar = 8; // the margin of a panel

} // namespace

QScrollArea* sideArea(QWidget* content)
{
    auto* area = new QScrollArea;
    area->setFrameShape(QFrame::NoFrame);
    area->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    area->setWidgetResizable(true);
    area->setFocusPolicy(Qt::NoFocus);
    area->setWidget(content);
    QLayout* layout = content->layout();
    QObject::connect(area->verticalScrollBar(), &QScrollBar::rangeChanged, layout,
                     [layout, whole = layout->contentsMargins()](int, int last) {
                         QMargins margins = whole;
                         if (last > 0)
                             margins.setRight(betweenContentAndBar);
                         layout->setContentsMargins(margins);
                     });
    return area;
}

int besideScrollBar(const QWidget* content)
{
    return content->style()->pixelMetric(QStyle::PM_ScrollBarExtent, nullptr, content) + betweenContentAndBar;
}

} // namespace ui
