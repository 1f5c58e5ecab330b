// SPDX-License-Identifier: GPL-3.0-or-later
// Plots and charts as vectors, for figures and reports.
#pragma once

#include "ui/widgets/drawing.h"
#include "ui/widgets/plot_style.h"

#include <QPicture>

#include <functional>
#include <memory>

namespace ui
{

// Gives a widget the colours and the letters of a figure. Call it before the plot is filled.
void styleForPaper(QWidget& widget);

// Records a plot of that size, in its pixels. fill: sets the curves; it is called twice, as labels depend on the room,
// and the room on the labels.
QPicture recorded(Plot& plot, const QSize& size, const std::function<void()>& fill);

// The plot, or the widget that paints itself, has the style for paper, and belongs to the drawing alone. A widget has
// the height of its size hint.
Drawing drawingOf(const QString& name, const std::shared_ptr<Plot>& plot, const std::function<void()>& fill);
Drawing drawingOf(const QString& name, const std::shared_ptr<QWidget>& widget);

} // namespace ui
