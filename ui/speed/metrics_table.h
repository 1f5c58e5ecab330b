// SPDX-License-Identifier: GPL-3.0-or-later
// A table with the RMSE, maximum, PSNR and SSIM of the chosen setting against the reference.
#pragma once

#include "ui/background/comparison.h"

#include <QWidget>

#include <vector>

class QLabel;

namespace ui
{

class MetricsTable : public QWidget
{
    Q_OBJECT
  public:
    explicit MetricsTable(QWidget* parent = nullptr);

    void show(const Comparison& comparison);
    void clear();

  private:
    struct Row {
        QLabel* name = nullptr;
        QLabel* value = nullptr;
    };
    void fill(const engine::Metrics* metrics);

    QLabel *m_heading = nullptr, *m_against = nullptr, *m_shared = nullptr;
    std::vector<Row> m_rows; // one per entry of engine::metricRows()
};

} // namespace ui
