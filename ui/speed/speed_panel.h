// SPDX-License-Identifier: GPL-3.0-or-later
// Live GU/s, large; its history; seconds per stage; RMSE, PSNR and SSIM.
#pragma once

#include "ui/background/comparison.h"
#include "ui/numbers/tried_settings.h"

#include <QWidget>

#include <memory>

namespace ui
{

class SpeedPanel : public QWidget
{
    Q_OBJECT
  public:
    explicit SpeedPanel(QWidget* parent = nullptr);
    ~SpeedPanel() override;

    void show(const Comparison& comparison); // previews change nothing here; a new result joins the history
    void setRuns(const Speeds& speeds);      // of what is shown, in this session; without any: none is said
    void clear();

    // Work under way: stage and fraction; shown only when it lasts, nothing jumps.
    void setBusy(bool busy, const QString& stage = {}, double fraction = 0);

  signals:
    void cancelRequested();

  private:
    struct Impl;
    std::unique_ptr<Impl> m_impl;
};

} // namespace ui
