// SPDX-License-Identifier: GPL-3.0-or-later
// A job that reconstructs three planes in a background thread; a new request replaces the previous one.
#pragma once

#include "engine/reconstruct/reconstruct.h"
#include "engine/request/keys.h"
#include "ui/background/comparison.h"
#include "ui/background/section_job.h"

#include <array>
#include <atomic>
#include <memory>
#include <optional>

namespace ui
{

// A request for the three planes of LinkedPlanes. A plane whose request has no scan isn't wanted.
struct PlaneRequest {
    std::array<engine::Request, 3> planes;
    bool isMoving = false; // during a drag: coarse images, unless full ones come as fast
    // If set, the rows of all projections don't fit into memory: images of these projections come first, and follow a
    // drag; then those of `planes`, whose rows are not kept.
    std::shared_ptr<const engine::Scan> some = {};
};

// The images that became ready together; null: that plane is as it was. An image of some projections has their scan.
struct PlaneImages {
    std::array<Image, 3> planes;
    std::array<QString, 3> refusals = {}; // why there is no image, a sentence; empty: there is one
};

// Caches the rows of the scan, or of some projections, and reconstructs only planes that have changed. The first images
// of a large scan are coarse ones from every eighth projection, so that they come before all are read.
class PlaneJob : public SectionJob
{
    Q_OBJECT
  public:
    explicit PlaneJob(QObject* parent = nullptr);
    ~PlaneJob() override; // cancels and waits

    // Stops the current request, but not a step that takes less than 100 ms: planes follow a drag.
    void start(const PlaneRequest& request);
    void forget(); // the next request computes all planes
    // Cancels, and frees the cached rows, in host memory and on GPUs, once the current step has stopped; the next
    // request reads them again. The future is ready when they are freed.
    std::future<void> release();
    void readFewFirst(double values); // of scans with so many values, for tests; call it before start()

  signals: // in the thread of this object
    void updated(const ui::PlaneImages& images);

  private:
    double m_readsFewFrom = 1 << 27; // values; smaller scans are read quickly
    std::atomic<bool> m_isForgotten = false;

    // Used only by the worker.
    struct PlaneState {
        std::optional<engine::ImageKey> shown; // coarse or full
        double seconds = -1;                   // of the last full image, with cached rows; negative: unknown
    };
    struct FoundAxis {
        engine::AxisKey of;
        engine::AxisSettings axis;
    };
    struct Few {
        std::shared_ptr<const engine::Scan> of, scan; // of some projections; null if it has no such scan
    };
    struct State {
        engine::Reconstructor reconstructor; // keeps rows
        engine::Reconstructor alone;         // for planes of all projections beside rows of some
        std::optional<FoundAxis> axis;       // in all projections; used for some of them
        std::array<PlaneState, 3> planes;
        std::optional<engine::Request> last;      // of any plane, to recognise another setting
        std::shared_ptr<const engine::Scan> read; // its rows were read
        Few few;                                  // read first
        int step = 0;                             // of coarse images, which should come quickly
        bool refusesCoarse = false;               // the method has no coarse planes
    };
    void work(const PlaneRequest& request, const Turn& turn);
    void workInParts(const PlaneRequest& request, const Turn& turn);
    void workOnKept(const PlaneRequest& request, const Turn& turn);
    void findAxis(const engine::Request& request, const Turn& turn);
    void beginSetting(const engine::Request& now);
    double expectedSeconds(const PlaneRequest& request) const;
    bool isDone(int k, const PlaneRequest& request) const;
    bool isShown(int k, const engine::Request& request) const;
    void showFew(const PlaneRequest& request, const Turn& turn);
    bool showCoarse(const PlaneRequest& request, const Turn& turn);
    void showFull(const PlaneRequest& request, const Turn& turn, bool together);
    Image run(const engine::Request& request, const Turn& turn,
              const std::shared_ptr<const engine::Scan>& shownAs = {});
    void show(const PlaneImages& images, const Turn& turn);

    std::unique_ptr<State> m_state = std::make_unique<State>();
};

} // namespace ui
