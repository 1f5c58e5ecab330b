// SPDX-License-Identifier: GPL-3.0-or-later
// The only place where a reconstruction meets a thread: in the background, newest request wins.
#pragma once

#include "ui/background/comparison.h"

#include <QObject>

#include <memory>

namespace ui
{

// What one look at the window needs.
struct JobRequest {
    Comparison asked;   // settings with their requests; results and references are filled in
    bool again = false; // compute (and time) even what is already there
    // Of the chosen setting a coarse image alone, which is shown however soon the next request comes: something is
    // dragged.
    bool coarse = false;
};

// Keeps the last images, references and figures, and what is done of the reference under way, so that what did not
// change is not computed again: another kernel keeps the reference or goes on with it, and a changed setting all
// others. The chosen setting comes first, then the other visible ones, then what they are measured against.
class ReconstructionJob : public QObject
{
    Q_OBJECT
  public:
    explicit ReconstructionJob(QObject* parent = nullptr);
    ~ReconstructionJob() override; // cancels and waits

    // Stops the one under way. A step of it that takes less than 100 ms may still be shown first, so
    // that the image follows a slider that is dragged.
    void start(const JobRequest& request);
    void cancel();
    bool busy() const;

  signals:                                                  // all in the thread of this object
    void updated(const ui::Comparison& comparison);         // coarse preview, settings and references, as each is ready
    void progressed(const QString& stage, double fraction); // at most 20 a second
    void referenceExpected(const QString& timeLeft);        // "12 s left", at most twice a second, while it is computed
    void failed(const QString& message);
    void finished(); // done, failed or cancelled; not for a request that was replaced
    void cancelled();

  private:
    struct Impl;
    std::unique_ptr<Impl> m_impl;
};

} // namespace ui
