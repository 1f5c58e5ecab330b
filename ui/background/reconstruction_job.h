// SPDX-License-Identifier: GPL-3.0-or-later
// A job that reconstructs in a background thread; a new request replaces the previous one.
#pragma once

#include "engine/reconstruct/reconstruct.h"
#include "ui/background/comparison.h"
#include "ui/background/figure_cache.h"
#include "ui/background/references.h"
#include "ui/background/run_time_estimate.h"
#include "ui/background/section_job.h"
#include "ui/background/setting_images.h"

#include <exception>
#include <optional>

namespace ui
{

// A request for all images that the window shows.
struct JobRequest {
    Comparison asked;   // settings with their requests; the job fills in results and references
    bool again = false; // recompute (and time) even what is already there
    // Computes only a coarse image of the chosen setting, and shows it even if the next request comes soon: used
    // during a drag.
    bool coarse = false;
};

// Caches the last images, references and metrics, and the finished part of an incomplete reference, so that only what
// has changed is computed again: a change of the kernel reuses or continues the reference, and a changed setting
// reuses the images of all others. The chosen setting comes first, then a setting used as reference, then other
// visible ones, and other references last.
class ReconstructionJob : public SectionJob
{
    Q_OBJECT
  public:
    explicit ReconstructionJob(QObject* parent = nullptr);
    ~ReconstructionJob() override; // cancels and waits

    // Stops the current request. Its current step may still be shown if it takes less than 100 ms, so that the image
    // follows a slider during a drag.
    void start(const JobRequest& request);

  signals:                                          // in the thread of this object
    void updated(const ui::Comparison& comparison); // emitted for each new preview, image and reference
    // "12 s left", at most twice per second, while a reference is computed.
    void referenceExpected(const QString& timeLeft);

  private:
    void showProgress(const QString& what, engine::Stage stage, double fraction, std::optional<double> secondsLeft);

    // Used only by the worker. Progress is reported by any thread of the engine.
    void work(const JobRequest& request, const Turn& turn);
    void preview(Comparison shown, const Turn& turn, Expected expected, int step);
    void showDragged(const Comparison& now, const Turn& turn);
    Image run(const engine::Request& request, const QString& what, const Turn& turn);
    Image makeReference(const Comparison& now, const Compared& one, const Turn& turn);
    void report(const Turn& turn, const QString& what, engine::Stage stage, double fraction,
                std::optional<double> secondsLeft);
    void show(Comparison& comparison, const Turn& turn);

    engine::Reconstructor m_settings; // for all settings, which share the cached rows
    References m_references;
    SettingImages m_images;
    KeptFigures m_figures;
    std::exception_ptr m_unmeasured; // why the images of this request have no metrics
    KnownSpeeds m_speeds;
};

} // namespace ui
