// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/compare/run_sweep.h"

#include "engine/backends/backend.h"
#include "engine/backends/method.h"
#include "engine/base/error.h"
#include "engine/compare/reference_image.h"

#include <algorithm>
#include <cmath>
#include <future>
#include <memory>
#include <utility>

namespace engine
{

namespace
{

using Kind = ReferenceChoice::Kind;
using Image = std::shared_ptr<const Reconstruction>;

// The reference images of a sweep. Points with equal references share one.
class References
{
  public:
    References(const SweepTask& task, Reconstructor& reconstructor) : m_task(task), m_reconstructor(reconstructor) {}

    Image of(const SweepPoint& point, const Reconstruction& made, const std::stop_token& stop)
    {
        if (!m_task.reference)
            return nullptr;
        const ReferenceChoice& choice = *m_task.reference;
        if (choice.kind == Kind::exact)
            return exact(point.request, made, stop);
        if (!m_shared)
            m_shared = shared(choice, made, stop);
        return m_shared;
    }

  private:
    Image run(const Request& request, const std::stop_token& stop)
    {
        return std::make_shared<Reconstruction>(m_reconstructor.run(request, {}, stop));
    }

    Image exact(const Request& request, const Reconstruction& made, const std::stop_token& stop)
    {
        Request reference = exactRequest(request, m_task.slice, made, m_task.reference->interpolation);
        if (!m_exact || m_exactOf != reference) {
            m_exact = run(reference, stop);
            m_exactOf = std::move(reference);
        }
        return m_exact;
    }

    Image shared(const ReferenceChoice& choice, const Reconstruction& made, const std::stop_token& stop)
    {
        if (choice.kind == Kind::phantom)
            return std::make_shared<Reconstruction>(phantomImage(made, m_task.slice));
        if (choice.kind == Kind::file)
            return std::make_shared<Reconstruction>(made.request.place.plane()
                                                        ? filePlane(choice.file, made).image
                                                        : fileImage(choice.file, made, m_task.slice).image);
        const SweepPoint& like = m_task.sweep.points.at(static_cast<std::size_t>(choice.id - 1));
        Image image = run(like.request, stop);
        return choice.kind == Kind::setting ? image : exact(like.request, *image, stop);
    }

    const SweepTask& m_task;
    Reconstructor& m_reconstructor;
    Image m_shared, m_exact;
    Request m_exactOf;
};

void requireReference(const SweepTask& task)
{
    if (!task.reference)
        return;
    const ReferenceChoice& choice = *task.reference;
    require(choice.kind != Kind::phantom || static_cast<bool>(task.sweep.base.scan->exactImage),
            "only a simulated scan, read whole and without binning, has a phantom to measure against; choose another "
            "reference");
    if (choice.kind != Kind::setting && choice.kind != Kind::exactOf)
        return;
    const auto count = static_cast<int>(task.sweep.points.size());
    require(choice.id >= 1 && choice.id <= count,
            "the reference '" + toText(choice) + "' is none of the settings 1 to " + std::to_string(count));
    if (const auto& refusal = task.sweep.points[static_cast<std::size_t>(choice.id - 1)].refusal)
        throw Error(ErrorKind::badRequest,
                    "the reference '" + toText(choice) + "' can't be reconstructed: " + *refusal);
}

using OnImage = std::function<void(std::size_t point, const Reconstruction& made)>;

class SweepRun
{
  public:
    SweepRun(const SweepTask& task, const OnImage& onImage, const std::stop_token& stop)
        : m_task(task), m_onImage(onImage), m_stop(stop), m_all{std::vector<SweptPoint>(task.sweep.points.size())},
          m_references(task, m_reconstructor), m_scorer(task.sweep, task.slice, task.mask)
    {
    }

    // Reconstructs a point, and measures it while the next one is reconstructed. Returns false if the sweep is stopped.
    bool point(std::size_t k)
    {
        const SweepPoint& point = m_task.sweep.points[k];
        SweptPoint& swept = m_all.points[k];
        if (swept.failure = point.refusal; swept.failure)
            return true;
        Image reference;
        const bool isDone = guarded(k, [&] {
            swept.made = m_reconstructor.run(point.request, {}, m_stop);
            reference = m_references.of(point, *swept.made, m_stop);
        });
        if (!isDone || !finishLast())
            return false;
        if (!swept.made)
            return true;
        // A kernel on the processor has all cores for itself, so that its speed is true.
        const Method* method = methodOf(*swept.made);
        const bool sharesCores = !method || method->backend->isProcessor;
        m_last = k;
        m_measured = std::async(sharesCores ? std::launch::deferred : std::launch::async,
                                [this, k, reference = std::move(reference)] { measure(k, reference); });
        return !sharesCores || finishLast();
    }

    SweptAll take()
    {
        if (!m_all.isStopped)
            finishLast();
        return std::move(m_all);
    }

  private:
    void measure(std::size_t k, const Image& reference)
    {
        SweptPoint& swept = m_all.points[k];
        m_scorer.begin();
        for (const Score* score : m_task.wanted)
            swept.scores.push_back(
                score->measure(m_scorer, {m_task.sweep.points[k], *swept.made, reference.get(), m_stop}));
        if (m_onImage)
            m_onImage(k, *swept.made);
        swept.made->image.values = {};
    }

    bool finishLast()
    {
        return !m_measured.valid() || guarded(m_last, [this] { m_measured.get(); });
    }

    // Runs a step of a point, and stores why it fails. Returns false if the sweep is stopped.
    bool guarded(std::size_t k, const std::function<void()>& step)
    {
        try {
            step();
        } catch (const Error& error) {
            if (error.kind() == ErrorKind::output || error.kind() == ErrorKind::badFile)
                throw;
            m_all.points[k].scores.clear();
            m_all.points[k].made.reset();
            m_all.isStopped = error.kind() == ErrorKind::cancelled;
            if (!m_all.isStopped)
                m_all.points[k].failure = error.text();
        }
        return !m_all.isStopped;
    }

    const SweepTask& m_task;
    const OnImage& m_onImage;
    std::stop_token m_stop;
    SweptAll m_all;
    Reconstructor m_reconstructor;
    References m_references;
    Scorer m_scorer;
    std::size_t m_last = 0;       // the point that is measured
    std::future<void> m_measured; // waits when it is destroyed
};

} // namespace

std::optional<ReferenceChoice> usualReference(const Sweep& sweep)
{
    const bool isOfKernel = std::ranges::all_of(
        sweep.variations, [](const Variation& variation) { return variation.option->use.stage == Stage::backproject; });
    if (isOfKernel)
        return ReferenceChoice{Kind::exact};
    if (sweep.base.scan->exactImage)
        return ReferenceChoice{Kind::phantom};
    return {};
}

std::vector<const Score*> usualScores(const std::optional<ReferenceChoice>& reference)
{
    std::vector<const Score*> usual;
    for (const Score& score : scores())
        if (!score.isCostly && (reference || !score.needsReference))
            usual.push_back(&score);
    return usual;
}

std::optional<std::size_t> bestOf(const SweepTask& task, const SweptAll& all, const Score& score)
{
    const auto column = static_cast<std::size_t>(std::ranges::find(task.wanted, &score) - task.wanted.begin());
    std::optional<std::size_t> best;
    for (std::size_t k = 0; k < all.points.size(); ++k) {
        const std::vector<double>& figures = all.points[k].scores;
        if (column >= figures.size() || std::isnan(figures[column]))
            continue;
        if (!best || (score.isHighBest ? figures[column] > all.points[*best].scores[column]
                                       : figures[column] < all.points[*best].scores[column]))
            best = k;
    }
    return best;
}

SweptAll runSweep(const SweepTask& task,
                  const std::function<void(std::size_t point, const Reconstruction& made)>& onImage,
                  const std::function<void(double)>& progress, const std::stop_token& stop)
{
    requireReference(task);
    SweepRun run(task, onImage, stop);
    double done = 0;
    for (const std::size_t k : task.sweep.order) {
        if (progress)
            progress(done++ / static_cast<double>(task.sweep.order.size()));
        if (!run.point(k))
            break;
    }
    return run.take();
}

} // namespace engine
