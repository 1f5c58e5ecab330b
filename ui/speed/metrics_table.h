// RMSE, maximum, PSNR and SSIM of A, and of B where it isn't the reference itself.
#pragma once

#include "ui/comparison.h"

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
        QLabel* a = nullptr;
        QLabel* b = nullptr;
    };
    void fill(const engine::Metrics* metrics, QLabel* Row::*column, const QString& which);

    QLabel* m_against = nullptr;
    QLabel* m_headA = nullptr;
    QLabel* m_headB = nullptr;
    std::vector<Row> m_rows; // as engine::metricRows()
};

} // namespace ui
