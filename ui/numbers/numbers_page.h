// SPDX-License-Identifier: GPL-3.0-or-later
// What the pages under the images have in common: a line above the figures, which are computed while the page is
// visible.
#pragma once

#include "ui/background/comparison.h"
#include "ui/numbers/numbers_table.h"
#include "ui/widgets/boxes.h"
#include "ui/widgets/plot_drawing.h"

#include <QLabel>

#include <memory>

namespace ui
{

class NumbersView;

// Creates the line that describes a page. A long text never widens the window: it is wrapped, or else cut.
QLabel* quietLine(const QString& name, const QString& label, bool isWrapped = false);
void sayQuietly(QLabel* line, const QString& text);

class NumbersPage : public QWidget, public DrawnPage
{
  protected:
    using QWidget::QWidget;

    void show(const Comparison& comparison);
    void refresh();          // unless the page is hidden: the figures are computed when it is shown
    virtual void want() = 0; // requests the figures
    virtual void fill() = 0; // shows the figures that are known
    void showEvent(QShowEvent* event) override;
    void changeEvent(QEvent* event) override;

    Comparison m_shown;
};

// A page with a table.
class TablePage : public NumbersPage
{
  public:
    NumbersTable table() const; // with its rows in the order on screen
    Drawing drawing() const override { return {}; }
    bool isTable() const override { return true; }
    QString values() const override;

  protected:
    TablePage(NumbersView* view, QWidget* parent) : NumbersPage(parent), m_view(view) {}

    NumbersView* m_view;
};

// A page with a plot, whose object name is that of the drawing.
template <typename Plot>
class PlotPage : public NumbersPage
{
  public:
    using NumbersPage::show;

    const auto& curves() const { return m_plot->curves(); }
    QString values() const override { return csvText(curves()); }
    Drawing drawing() const override
    {
        if (curves().empty())
            return {};
        const auto plot = std::make_shared<Plot>();
        styleForPaper(*plot);
        if constexpr (requires { plot->isLogarithmic(); })
            plot->setLogarithmic(m_plot->isLogarithmic());
        return drawingOf(plot->objectName(), plot,
                         [plot = plot.get(), curves = curves()] { plot->setCurves(curves, {}); });
    }

  protected:
    using NumbersPage::NumbersPage;

    Plot* m_plot = new Plot;
};

} // namespace ui
