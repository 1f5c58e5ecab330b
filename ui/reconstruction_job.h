// The only place where the window meets a thread: reconstructs in the background, newest wins.
#pragma once

#include "engine/request.h"
#include "ui/comparison.h"

#include <QObject>

#include <memory>
#include <optional>

namespace ui {

// What one look at the window needs.
struct JobRequest {
    engine::Request a;
    std::optional<engine::Request> b; // none: B is the reference
    int slice = 0;                    // row of the scan to show; within a.slices
    engine::Mask mask;                // for the metrics
};

class ReconstructionJob : public QObject {
    Q_OBJECT
  public:
    explicit ReconstructionJob(QObject* parent = nullptr);
    ~ReconstructionJob() override; // cancels and waits

    void start(const JobRequest& request); // stops the one under way
    void cancel();
    bool busy() const;

  signals: // all in the thread of this object
    void updated(const ui::Comparison& comparison); // coarse preview, A, B and the reference, as each is ready
    void progressed(const QString& stage, double fraction);
    void failed(const QString& message);
    void finished();  // done, failed or cancelled; not for a request that was replaced
    void cancelled();

  private:
    struct Impl;
    std::unique_ptr<Impl> m_impl;
};

} // namespace ui
