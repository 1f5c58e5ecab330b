// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/background/reconstruction_job.h"

#include "engine/backproject/method.h"
#include "engine/base/error.h"
#include "engine/base/start_thread.h"
#include "engine/io/slices/stored_slices.h"
#include "engine/reconstruct/reconstruct.h"
#include "ui/background/background_task.h"
#include "ui/background/figure_cache.h"
#include "ui/background/job_progress.h"
#include "ui/background/references.h"
#include "ui/background/request_slot.h"
#include "ui/background/run_time_estimate.h"
#include "ui/background/setting_images.h"

#include <algorithm>
#include <chrono>
#include <exception>
#include <thread>

namespace ui
{

namespace
{

using Clock = std::chrono::steady_clock;
using Result = Image;

constexpr double shortSeconds = 0.1; // shorter steps get no preview and aren't stopped
constexpr int coarseStep = 4;
constexpr double draggedSeconds = 0.03; // target duration of an image during a drag
constexpr int coarsestStep = 16;
constexpr double timeLeftAfterSeconds = 1; // earlier estimates are unreliable

QString stageText(engine::Stage stage)
{
    switch (stage) {
    case engine::Stage::read:
        return ReconstructionJob::tr("reading");
    case engine::Stage::prepare:
        return ReconstructionJob::tr("flat field and log");
    case engine::Stage::axis:
        return ReconstructionJob::tr("finding the axis");
    case engine::Stage::filter:
        return ReconstructionJob::tr("filtering");
    case engine::Stage::backproject:
        break;
    }
    return ReconstructionJob::tr("back-projecting");
}

QString referenceShortName()
{
    return ReconstructionJob::tr("exact method");
}

} // namespace

struct ReconstructionJob::Impl {
    explicit Impl(ReconstructionJob* job) : owner(job) {}

    ReconstructionJob* owner;

    // Used only in the owner's thread.
    std::uint64_t newest = 0;  // id of the last request
    std::uint64_t dropped = 0; // results up to this id are not shown
    bool busy = false;
    const engine::Scan* scan = nullptr; // of the last request
    JobProgress progress;               // isDue() may be called in any thread

    RequestSlot<JobRequest> slot;

    // Used only by the worker. Progress is reported by any thread of the engine.
    engine::Reconstructor settings; // for all settings, which share the cached rows
    References references;
    SettingImages images;
    KeptFigures figures;
    std::exception_ptr unmeasured; // why the images of this request have no metrics
    KnownSpeeds speeds;

    std::jthread worker; // declared last: destroyed first

    void loop(std::stop_token quit);
    void work(const JobRequest& request, std::uint64_t id, const std::stop_token& token);
    void preview(Comparison shown, std::uint64_t id, const std::stop_token& token, Expected expected,
                 int step = coarseStep);
    void showDragged(const Comparison& now, std::uint64_t id, const std::stop_token& token);
    void beginStep(Expected expected, const std::stop_token& token);
    Result run(const engine::Request& request, const QString& what, std::uint64_t id, const std::stop_token& token);
    Result makeReference(const Comparison& now, const Compared& one, std::uint64_t id, const std::stop_token& token);
    void giveWay(Clock::time_point began);
    void report(std::uint64_t id, const QString& what, engine::Stage stage, double fraction,
                std::optional<double> secondsLeft);
    void showProgress(const QString& what, engine::Stage stage, double fraction, std::optional<double> secondsLeft);
    void show(Comparison& comparison, std::uint64_t id);
    void post(std::uint64_t id, std::function<void()> deliver);
};

ReconstructionJob::ReconstructionJob(QObject* parent) : QObject(parent), m_impl(std::make_unique<Impl>(this))
{
    qRegisterMetaType<ui::Comparison>();
    m_impl->worker = engine::startThread([impl = m_impl.get()](std::stop_token quit) { impl->loop(quit); });
}

ReconstructionJob::~ReconstructionJob()
{
    m_impl->slot.clear();
    m_impl->worker.request_stop();
    m_impl->worker.join();
}

void ReconstructionJob::start(const JobRequest& request)
{
    const engine::Scan* scan = request.asked.a().request.scan.get();
    if (scan != m_impl->scan) // results of the previous scan are not shown
        m_impl->dropped = m_impl->newest;
    m_impl->scan = scan;
    m_impl->busy = true;
    m_impl->progress.restart();
    const std::uint64_t id = ++m_impl->newest;
    m_impl->slot.put(request, id, m_impl->dropped + 1 == id);
}

void ReconstructionJob::cancel()
{
    if (!m_impl->busy)
        return;
    m_impl->slot.clear();
    m_impl->dropped = m_impl->newest;
    m_impl->busy = false;
    emit cancelled();
    emit finished();
}

bool ReconstructionJob::busy() const
{
    return m_impl->busy;
}

void ReconstructionJob::Impl::loop(std::stop_token quit)
{
    giveWayToTheWindow();
    while (true) {
        std::uint64_t id = 0;
        QString message;
        QSize misfit; // of the reference's slices
        bool stopped = false;
        try {
            const auto taken = slot.take(quit);
            if (!taken)
                return;
            id = taken->id;
            work(taken->request, id, taken->stop);
        } catch (const engine::SizeMisfit& error) {
            misfit = {error.ofFile().width, error.ofFile().height};
            message = messageOfCurrentException();
        } catch (const engine::Error& error) {
            stopped = error.kind() == engine::ErrorKind::cancelled;
            message = messageOfCurrentException();
        } catch (...) {
            message = messageOfCurrentException();
        }
        deliver(owner, [this, id, message, misfit, stopped] {
            if (id <= dropped || id != newest || stopped) // cancel() or the newer request emits the signals
                return;
            busy = false;
            if (!misfit.isEmpty())
                emit owner->misfit(message, misfit);
            else if (!message.isEmpty())
                emit owner->failed(message);
            emit owner->finished();
        });
    }
}

// Calls `deliver` in the owner's thread, unless the user has cancelled meanwhile.
void ReconstructionJob::Impl::post(std::uint64_t id, std::function<void()> deliver)
{
    QMetaObject::invokeMethod(
        owner,
        [this, id, deliver = std::move(deliver)] {
            if (id > dropped)
                deliver();
        },
        Qt::QueuedConnection);
}

void ReconstructionJob::Impl::beginStep(Expected expected, const std::stop_token& token)
{
    slot.beginStep(expected.known && expected.seconds < shortSeconds, token);
}

Result ReconstructionJob::Impl::run(const engine::Request& request, const QString& what, std::uint64_t id,
                                    const std::stop_token& token)
{
    const auto began = Clock::now();
    const auto reportStage = [&](engine::Stage stage, double fraction) {
        giveWay(began);
        const double seconds = std::chrono::duration<double>(Clock::now() - began).count();
        std::optional<double> left;
        if (stage == engine::Stage::backproject && fraction > 0 && seconds > timeLeftAfterSeconds)
            left = seconds * (1 - fraction) / fraction;
        report(id, what, stage, fraction, left);
    };
    auto result = std::make_shared<engine::Reconstruction>(settings.run(request, reportStage, token));
    speeds.add(request, result->timings.backprojectSeconds);
    return result;
}

// If the step has already taken longer than expected, lets a newer request stop it.
void ReconstructionJob::Impl::giveWay(Clock::time_point began)
{
    if (std::chrono::duration<double>(Clock::now() - began).count() > 1.5 * shortSeconds)
        slot.giveWay();
}

void ReconstructionJob::Impl::report(std::uint64_t id, const QString& what, engine::Stage stage, double fraction,
                                     std::optional<double> secondsLeft)
{
    if (progress.isDue())
        post(id, [=, this] { showProgress(what, stage, fraction, secondsLeft); });
}

// Runs in the owner's thread.
void ReconstructionJob::Impl::showProgress(const QString& what, engine::Stage stage, double fraction,
                                           std::optional<double> secondsLeft)
{
    if (progress.update(what, secondsLeft) && secondsLeft && what == referenceShortName())
        emit owner->referenceExpected(progress.timeLeft());
    // Shows either the stage or the time left, to fit into a narrow panel.
    const QString& timeLeft = progress.timeLeft();
    emit owner->progressed(what + " · " + (timeLeft.isEmpty() ? stageText(stage) : timeLeft), fraction);
}

Result ReconstructionJob::Impl::makeReference(const Comparison& now, const Compared& one, std::uint64_t id,
                                              const std::stop_token& token)
{
    auto began = Clock::now();
    return references.compute(
        now, one,
        [&](std::optional<double> secondsLeft) {
            beginStep({secondsLeft.value_or(0), secondsLeft.has_value()}, token);
            began = Clock::now();
        },
        [&](engine::Stage stage, double fraction, std::optional<double> secondsLeft) {
            giveWay(began);
            report(id, referenceShortName(), stage, fraction, secondsLeft);
        },
        token);
}

void ReconstructionJob::Impl::preview(Comparison shown, std::uint64_t id, const std::stop_token& token,
                                      Expected expected, int step)
{
    Compared& a = shown.compared[shown.chosen];
    engine::Request coarse = a.request;
    coarse.place.previewStep = step;
    beginStep({expected.seconds / (step * step), expected.known}, token);
    a.result = run(coarse, a.name, id, token);
    references.findAll(shown);
    show(shown, id);
}

// Shows an image that is coarse enough to follow the mouse. Declares the step short, so that the next movement
// doesn't stop it.
void ReconstructionJob::Impl::showDragged(const Comparison& now, std::uint64_t id, const std::stop_token& token)
{
    const Expected expected = speeds.expected(now.compared[now.chosen].request);
    int step = coarseStep;
    while (step < coarsestStep && expected.seconds > draggedSeconds * step * step)
        step *= 2;
    preview(now, id, token, {0, true}, step);
}

void ReconstructionJob::Impl::work(const JobRequest& request, std::uint64_t id, const std::stop_token& token)
{
    unmeasured = nullptr;
    images.forget(request.asked);
    figures.letGo();
    Comparison now = images.fill(request.asked, request.again);
    now.chosen = std::min(now.chosen, now.compared.size() - 1);
    if (request.coarse)
        return showDragged(now, id, token);
    // The chosen setting first, with a preview meanwhile; then the setting that others are compared with.
    std::vector<std::size_t> order{now.chosen};
    const auto isAsked = [&](std::size_t k) {
        return k != now.chosen && (now.compared[k].visible || now.compared[k].id == now.against.id);
    };
    for (std::size_t k = 0; k < now.compared.size(); ++k)
        if (isAsked(k))
            order.insert(now.compared[k].id == now.against.id ? order.begin() + 1 : order.end(), k);
    for (const std::size_t k : order) {
        Compared& one = now.compared[k];
        const bool isMissing = !one.result;
        if (isMissing) {
            const Expected expected = speeds.expected(one.request);
            if (k == now.chosen && expected.seconds > shortSeconds)
                preview(now, id, token, expected);
            beginStep(expected, token);
            one.result = images.keep(one.request, run(one.request, one.name, id, token));
        }
        references.findAll(now);
        if (isMissing || k == now.chosen)
            show(now, id);
    }
    for (const std::size_t k : order)
        if (!now.compared[k].reference) {
            now.compared[k].reference = makeReference(now, now.compared[k], id, token);
            references.findAll(now);
            show(now, id);
        }
    if (unmeasured)
        std::rethrow_exception(unmeasured);
}

void ReconstructionJob::Impl::show(Comparison& comparison, std::uint64_t id)
{
    try {
        figures.measure(comparison);
    } catch (const engine::Error&) { // the area is outside the image; reported when all images are ready
        unmeasured = std::current_exception();
    }
    post(id, [this, comparison] { emit owner->updated(comparison); });
}

} // namespace ui
