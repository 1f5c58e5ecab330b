// SPDX-License-Identifier: GPL-3.0-or-later
// A window that runs the benchmark: methods of one size, sizes or the steps of a paper, beside another report.
#pragma once

#include "engine/measure/benchmark.h"
#include "ui/speed/measuring_dialog.h"

#include <QString>

#include <memory>
#include <vector>

namespace ui
{

// Something that the window can measure.
struct BenchmarkKind {
    QString label;
    std::string geometry;   // id of engine::geometryKinds()
    bool overSizes = false; // BenchmarkOptions::Kind::sizes
    std::string steps = {}; // of a paper; else empty
};
std::vector<BenchmarkKind> benchmarkKinds();

class BenchmarkDialog : public MeasuringDialog
{
    Q_OBJECT
  public:
    explicit BenchmarkDialog(QWidget* parent = nullptr);
    ~BenchmarkDialog() override;

    void compareWith(const QString& path); // a report of `benchmark`; an error is shown

  signals:
    void measured(); // the rows are complete

  private:
    void begin();
    void add(int run, const engine::BenchmarkRow& row);

    struct Impl;
    std::unique_ptr<Impl> m_impl;
};

} // namespace ui
