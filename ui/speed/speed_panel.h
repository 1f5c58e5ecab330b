// SPDX-License-Identifier: GPL-3.0-or-later
// Current speed in GU/s, beside the profile; and a page with its history, seconds per stage, RMSE, PSNR and SSIM.
#pragma once

#include "ui/background/comparison.h"
#include "ui/numbers/tried_settings.h"
#include "ui/speed/speed_loop.h"

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

    void show(const Comparison& comparison); // ignores previews; adds a new result to the history
    // Runs of the shown setting in this session; may be empty. isAlone: false while something else is computed beside
    // it.
    void setRuns(const Speeds& speeds, bool isAlone = true);
    void clear();

    QWidget* details() const;  // the page; a child of this panel until it is placed elsewhere
    QString shortText() const; // "3.99 GU/s"

    void openOtherPrograms(); // speeds of other programs, here and elsewhere
    void openCard();          // measures the card of this machine
    void openBenchmark();     // measures every method, sizes or the steps of a paper
    void openTuning();        // measures the methods among which `auto` chooses

    void setLoop(LoopOver over); // that runs now
    void setLoopPossible(bool overSlices, bool overAxis);
    void addLoopRuns(const LoopTurns& turns); // at least one

    // Shows stage and fraction of current work, if it takes longer than a moment.
    void setBusy(bool busy, const QString& stage = {}, double fraction = 0);

  signals:
    void cancelRequested();
    void speedChanged();
    void loopRequested(ui::LoopOver over); // none: stop

  private:
    struct Impl;
    std::unique_ptr<Impl> m_impl;
};

} // namespace ui
