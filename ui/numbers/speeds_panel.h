// SPDX-License-Identifier: GPL-3.0-or-later
// Bars of the kernel speeds of all settings in the list, as multiples of the first one, with the errors of their
// images; for the steps of a paper, beside the multiples that the paper measured.
#pragma once

#include "engine/measure/paper_steps.h"
#include "ui/numbers/tried_settings.h"
#include "ui/widgets/drawing.h"

#include <QWidget>

#include <optional>
#include <vector>

class QLabel;

namespace ui
{

struct SpeedBar {
    QString name;
    int id = 0, colour = 0;
    engine::Spread speed;                   // GU/s; count 0: not measured yet
    std::optional<double> factor = {};      // of the first bar's speed
    std::optional<double> paperFactor = {}; // of the paper's first step
    std::optional<double> paperFactorOpenMp = {};
    std::optional<double> error = {}; // as errorOf()
};

struct SpeedBars {
    std::vector<SpeedBar> bars;                      // of the visible settings, in their order
    const engine::PaperSequence* sequence = nullptr; // whose steps the settings are
};

// The settings are the steps of a sequence if the first one is its first step and another one is a later step.
SpeedBars speedBarsOf(const Comparison& comparison, const TriedSettings& tried);

class SpeedBarChart;

class SpeedsPanel : public QWidget, public DrawnPage
{
    Q_OBJECT
  public:
    explicit SpeedsPanel(QWidget* parent = nullptr);

    void show(const Comparison& comparison, const TriedSettings& tried);
    void clear();
    const SpeedBars& bars() const { return m_bars; }
    Drawing drawing() const override;
    QString values() const override;

  private:
    SpeedBars m_bars;
    QLabel* m_source;
    SpeedBarChart* m_chart;
};

} // namespace ui
