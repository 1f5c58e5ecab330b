#include "ui/reconstruction_job.h"

#include "engine/backproject/method.h"
#include "engine/error.h"
#include "engine/reconstruct.h"
#include "engine/kept.h"
#include "engine/stages.h"
#include "ui/opening/background_task.h"
#include "ui/reference.h"
#include "ui/number_text.h"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <map>
#include <mutex>
#include <thread>

namespace ui
{

namespace
{

using Clock = std::chrono::steady_clock;
using Result = std::shared_ptr<const engine::Reconstruction>;

constexpr double keptBytes = 256 << 20; // of images
constexpr double shortSeconds = 0.1;    // no preview below, and not worth stopping
constexpr int coarseStep = 4;
constexpr double guessedGups = 0.5; // before a method has run: a processor of a few years ago
constexpr double guessedExactGups = 0.05;
constexpr double timeLeftEverySeconds = 0.5; // a number that changes more often can't be read
constexpr double timeLeftAfterSeconds = 1;   // what a first guess is worth nothing for

QString settingText(const std::string& method, const engine::Request& request)
{
    QString text = QString::fromStdString(method) + " · " +
                   QString::fromStdString(engine::toText(request.setting.kernel.interpolation));
    if (request.setting.kernel.interpolation == engine::Interpolation::oversampled)
        text += QStringLiteral(" ×%1").arg(request.setting.kernel.oversampling);
    text += " · " + QString::fromStdString(engine::toText(request.setting.kernel.precision));
    if (request.setting.kernel.slicesPerPass > 1)
        text += " · " + ReconstructionJob::tr("%1 slices").arg(request.setting.kernel.slicesPerPass);
    return text;
}

Plane planeOf(const Result& result, int slice, const QString& title)
{
    Plane plane;
    plane.title = title;
    if (!result)
        return plane;
    plane.volume = {result, &result->image};
    plane.index = slice - result->request.place.slices.first;
    plane.grid = result->grid;
    plane.unit = QString::fromStdString(result->unit);
    return plane;
}

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

QString referenceName()
{
    return ReconstructionJob::tr("exact, double precision");
}

QString referenceShortName()
{
    return ReconstructionJob::tr("exact");
}

QString referenceExplanation()
{
    const engine::Method& method = engine::referenceMethod();
    return ReconstructionJob::tr("The reference, with linear interpolation and the filter and axis of A.\n%1: %2")
        .arg(QString::fromUtf8(method.label), QString::fromUtf8(method.summary));
}

std::string speedKey(const engine::Request& request)
{
    return request.setting.kernel.method + ' ' + engine::toText(request.setting.kernel.interpolation) + ' ' +
           engine::toText(request.setting.kernel.precision) + ' ' +
           std::to_string(request.setting.kernel.slicesPerPass) + ' ' + engine::toText(request.resources.device);
}

double updates(const engine::Request& request)
{
    const engine::SliceGrid grid = engine::gridOf(request);
    return double(grid.width) * grid.height * request.place.slices.count * request.scan->projections();
}

[[noreturn]] void throwCancelled()
{
    throw engine::Error(engine::ErrorKind::cancelled, "cancelled");
}

} // namespace

struct ReconstructionJob::Impl {
    struct Expected {
        double seconds = 1;
        bool known = false; // from the last run of the same setting, not from its size alone
    };

    explicit Impl(ReconstructionJob* job) : owner(job) {}

    ReconstructionJob* owner;

    // In the owner's thread only.
    std::uint64_t newest = 0;  // id of the last request
    std::uint64_t dropped = 0; // nothing up to this id is shown any more
    bool busy = false;
    const engine::Scan* scan = nullptr; // of the last request
    QString timeLeft;                   // as last said, of the image `timeLeftOf`
    QString timeLeftOf;
    Clock::time_point timeLeftSaid;

    // Shared, under the mutex.
    std::mutex mutex;
    std::condition_variable_any wake;
    std::optional<JobRequest> waiting;
    std::uint64_t waitingId = 0;
    std::stop_source stop;      // of the request under way
    bool letStepFinish = false; // the step under way is known to be short

    // In the worker only (progress: from any thread of the engine).
    engine::Reconstructor settings; // A and B: the same rows
    Reference reference;
    engine::Kept<engine::ImageKey, Result> images{keptBytes}; // of A and B
    std::shared_ptr<const engine::Volume> phantom;
    const void* phantomScan = nullptr;
    int phantomRow = -1;
    engine::SliceGrid phantomGrid;
    std::map<std::string, double> gups; // of the last run with the same setting: for the expected time
    std::atomic<std::int64_t> lastProgressMs = 0;

    std::jthread worker; // last: the first to go

    void loop(std::stop_token quit);
    void work(const JobRequest& request, std::uint64_t id, const std::stop_token& token);
    void beginStep(Expected expected, const std::stop_token& token);
    Result run(engine::Reconstructor& with, const engine::Request& request, const QString& what, std::uint64_t id,
               const std::stop_token& token);
    Result referenceFor(const JobRequest& request, const engine::Reconstruction& a, std::uint64_t id,
                        const std::stop_token& token, bool compute);
    Result keep(const engine::Request& request, Result made);
    void giveWay(Clock::time_point began);
    void report(std::uint64_t id, const QString& what, engine::Stage stage, double fraction,
                std::optional<double> secondsLeft);
    void sayTimeLeft(const QString& what, std::optional<double> secondsLeft);
    void findPhantom(const JobRequest& request, const engine::Reconstruction& a, const std::stop_token& token);
    Expected expectedTime(const engine::Request& request) const;
    void measure(Comparison& comparison, const engine::Mask& mask) const;
    void show(Comparison comparison, const JobRequest& request, std::uint64_t id);
    void post(std::uint64_t id, std::function<void()> deliver);
};

ReconstructionJob::ReconstructionJob(QObject* parent) : QObject(parent), m_impl(std::make_unique<Impl>(this))
{
    qRegisterMetaType<ui::Comparison>();
    m_impl->worker = std::jthread([impl = m_impl.get()](std::stop_token quit) { impl->loop(quit); });
}

ReconstructionJob::~ReconstructionJob()
{
    {
        const std::lock_guard lock(m_impl->mutex);
        m_impl->waiting.reset();
        m_impl->stop.request_stop();
    }
    m_impl->worker.request_stop();
    m_impl->worker.join();
}

void ReconstructionJob::start(const JobRequest& request)
{
    if (request.a.scan.get() != m_impl->scan) // nothing of the scan before is shown any more
        m_impl->dropped = m_impl->newest;
    m_impl->scan = request.a.scan.get();
    m_impl->busy = true;
    m_impl->timeLeftOf.clear();
    {
        const std::lock_guard lock(m_impl->mutex);
        m_impl->waiting = request;
        m_impl->waitingId = ++m_impl->newest;
        if (!m_impl->letStepFinish || m_impl->dropped + 1 == m_impl->newest)
            m_impl->stop.request_stop();
    }
    m_impl->wake.notify_one();
}

void ReconstructionJob::cancel()
{
    if (!m_impl->busy)
        return;
    {
        const std::lock_guard lock(m_impl->mutex);
        m_impl->waiting.reset();
        m_impl->stop.request_stop();
    }
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
        JobRequest request;
        std::uint64_t id = 0;
        std::stop_token token;
        {
            std::unique_lock lock(mutex);
            if (!wake.wait(lock, quit, [this] { return waiting.has_value(); }))
                return;
            request = std::move(*waiting);
            waiting.reset();
            id = waitingId;
            stop = std::stop_source();
            token = stop.get_token();
            letStepFinish = false;
        }
        QString message;
        bool stopped = false;
        try {
            work(request, id, token);
        } catch (const engine::Error& error) {
            stopped = error.kind() == engine::ErrorKind::cancelled;
            message = messageOfCurrentException();
        } catch (...) {
            message = messageOfCurrentException();
        }
        post(id, [this, id, message, stopped] {
            if (id != newest || stopped) // replaced or cancelled: already said, or for the newer one to say
                return;
            busy = false;
            if (!message.isEmpty())
                emit owner->failed(message);
            emit owner->finished();
        });
    }
}

// Delivers in the owner's thread, unless the user cancelled in the meantime.
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
    const std::lock_guard lock(mutex);
    if (waiting || token.stop_requested())
        throwCancelled();
    letStepFinish = expected.known && expected.seconds < shortSeconds;
}

ReconstructionJob::Impl::Expected ReconstructionJob::Impl::expectedTime(const engine::Request& request) const
{
    const auto measured = gups.find(speedKey(request));
    const bool known = measured != gups.end();
    const engine::Method* method = engine::findMethod(request.setting.kernel.method);
    const double guess = method && method->yardstick ? guessedExactGups : guessedGups;
    return {updates(request) / ((known ? measured->second : guess) * 1e9), known};
}

Result ReconstructionJob::Impl::run(engine::Reconstructor& with, const engine::Request& request, const QString& what,
                                    std::uint64_t id, const std::stop_token& token)
{
    const auto began = Clock::now();
    const auto progress = [&](engine::Stage stage, double fraction) {
        giveWay(began);
        const double seconds = std::chrono::duration<double>(Clock::now() - began).count();
        std::optional<double> left;
        if (stage == engine::Stage::backproject && fraction > 0 && seconds > timeLeftAfterSeconds)
            left = seconds * (1 - fraction) / fraction;
        report(id, what, stage, fraction, left);
    };
    auto result = std::make_shared<engine::Reconstruction>(with.run(request, progress, token));
    const double seconds = result->timings.backprojectSeconds;
    if (request.place.previewStep == 1 && seconds > 0)
        gups[speedKey(request)] = updates(request) / seconds / 1e9;
    return result;
}

Result ReconstructionJob::Impl::keep(const engine::Request& request, Result made)
{
    const double bytes = sizeof(float) * static_cast<double>(made->image.values.size());
    return images.keep(engine::imageKey(request), std::move(made), bytes);
}

// A step that was thought short and isn't gives way all the same.
void ReconstructionJob::Impl::giveWay(Clock::time_point began)
{
    if (std::chrono::duration<double>(Clock::now() - began).count() <= 1.5 * shortSeconds)
        return;
    const std::lock_guard lock(mutex);
    letStepFinish = false;
    if (waiting)
        stop.request_stop();
}

void ReconstructionJob::Impl::report(std::uint64_t id, const QString& what, engine::Stage stage, double fraction,
                                     std::optional<double> secondsLeft)
{
    const auto now = Clock::now().time_since_epoch();
    const auto ms = std::chrono::duration_cast<std::chrono::milliseconds>(now).count();
    auto last = lastProgressMs.load();
    if (ms - last < 50 || !lastProgressMs.compare_exchange_strong(last, ms))
        return;
    post(id, [this, what, stage, fraction, secondsLeft] {
        sayTimeLeft(what, secondsLeft);
        // One of the two, so that it can be read in a narrow panel.
        emit owner->progressed(what + " · " + (timeLeft.isEmpty() ? stageText(stage) : timeLeft), fraction);
    });
}

// In the owner's thread.
void ReconstructionJob::Impl::sayTimeLeft(const QString& what, std::optional<double> secondsLeft)
{
    const auto now = Clock::now();
    const bool another = what != timeLeftOf;
    if (!another && (!secondsLeft || std::chrono::duration<double>(now - timeLeftSaid).count() < timeLeftEverySeconds))
        return;
    timeLeftOf = what;
    timeLeftSaid = now;
    timeLeft = secondsLeft ? timeLeftText(*secondsLeft) : QString();
    if (secondsLeft && what == referenceShortName())
        emit owner->referenceExpected(timeLeft);
}

Result ReconstructionJob::Impl::referenceFor(const JobRequest& request, const engine::Reconstruction& a,
                                             std::uint64_t id, const std::stop_token& token, bool compute)
{
    const engine::Request wanted = Reference::requestFor(request.a, request.slice, a);
    if (!compute)
        return reference.find(wanted);
    auto began = Clock::now();
    return reference.compute(
        wanted,
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

void ReconstructionJob::Impl::findPhantom(const JobRequest& request, const engine::Reconstruction& a,
                                          const std::stop_token& token)
{
    if (phantom && phantomScan == request.a.scan.get() && phantomRow == request.slice && phantomGrid == a.grid)
        return;
    beginStep({}, token);
    engine::Volume image = request.a.scan->exactImage(request.slice, a.grid);
    const auto& pixelSizeMm = request.a.scan->pixelSizeMm();
    if (a.unit == "1/mm" && pixelSizeMm)
        for (float& value : image.values)
            value = static_cast<float>(value / *pixelSizeMm);
    phantom = std::make_shared<const engine::Volume>(std::move(image));
    phantomScan = request.a.scan.get();
    phantomRow = request.slice;
    phantomGrid = a.grid;
}

void ReconstructionJob::Impl::work(const JobRequest& request, std::uint64_t id, const std::stop_token& token)
{
    Comparison now;
    now.slice = request.slice;
    const auto keptOf = [this, &request](const engine::Request& wanted) -> Result {
        const Result* kept = request.again ? nullptr : images.find(engine::imageKey(wanted));
        return kept ? *kept : nullptr;
    };
    now.a = keptOf(request.a);
    if (request.b)
        now.b = keptOf(*request.b);

    if (!now.a) {
        const Impl::Expected expected = expectedTime(request.a);
        if (expected.seconds > shortSeconds) {
            engine::Request coarse = request.a;
            coarse.place.previewStep = coarseStep;
            beginStep({expected.seconds / (coarseStep * coarseStep), expected.known}, token);
            Comparison preview = now;
            preview.a = run(settings, coarse, QStringLiteral("A"), id, token);
            preview.preview = true;
            preview.exact = referenceFor(request, *preview.a, id, token, false);
            show(preview, request, id);
        }
        beginStep(expected, token);
        now.a = keep(request.a, run(settings, request.a, QStringLiteral("A"), id, token));
    }
    now.exact = referenceFor(request, *now.a, id, token, false);
    const bool hasPhantom = bool(request.a.scan->exactImage);
    const bool phantomThere = hasPhantom && phantom && phantomScan == request.a.scan.get() &&
                              phantomRow == request.slice && phantomGrid == now.a->grid;
    if (phantomThere)
        now.phantom = phantom;
    show(now, request, id);

    if (request.b && !now.b) {
        beginStep(expectedTime(*request.b), token);
        now.b = keep(*request.b, run(settings, *request.b, QStringLiteral("B"), id, token));
        show(now, request, id);
    }
    if (hasPhantom && !phantomThere) {
        findPhantom(request, *now.a, token);
        now.phantom = phantom;
        show(now, request, id);
    }
    if (!now.exact) {
        now.exact = referenceFor(request, *now.a, id, token, true);
        show(now, request, id);
    }
}

void ReconstructionJob::Impl::measure(Comparison& comparison, const engine::Mask& mask) const
{
    if (comparison.preview)
        return;
    std::span<const float> truth;
    if (comparison.phantom)
        truth = comparison.phantom->slice(0);
    else if (comparison.exact)
        truth = comparison.planeExact.values();
    if (truth.empty())
        return;
    comparison.referenceIsPhantom = comparison.phantom != nullptr;
    comparison.mask = mask;
    const auto against = [&](const Plane& plane) -> std::optional<engine::Metrics> {
        if (!plane || plane.values().size() != truth.size())
            return std::nullopt;
        return engine::compareImages(plane.values(), truth, plane.grid.width, plane.grid.height, mask);
    };
    comparison.metricsA = against(comparison.planeA);
    if (comparison.b || comparison.phantom) // the exact image against itself says nothing
        comparison.metricsB = against(comparison.planeB);
}

void ReconstructionJob::Impl::show(Comparison comparison, const JobRequest& request, std::uint64_t id)
{
    comparison.planeA = planeOf(comparison.a, comparison.slice,
                                QStringLiteral("A · ") + settingText(comparison.a->method, comparison.a->request));
    comparison.planeExact = planeOf(comparison.exact, comparison.slice, referenceShortName());
    if (!request.b) {
        comparison.planeB = planeOf(comparison.exact, comparison.slice, QStringLiteral("B · ") + referenceName());
        comparison.planeB.explanation = referenceExplanation();
    } else if (comparison.b)
        comparison.planeB = planeOf(comparison.b, comparison.slice,
                                    QStringLiteral("B · ") + settingText(comparison.b->method, comparison.b->request));
    else
        comparison.planeB.title = QStringLiteral("B · ") + settingText(request.b->setting.kernel.method, *request.b);
    measure(comparison, request.mask);
    post(id, [this, comparison = std::move(comparison)] { emit owner->updated(comparison); });
}

} // namespace ui
