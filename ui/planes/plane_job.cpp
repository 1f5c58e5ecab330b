// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/planes/plane_job.h"

#include "engine/base/error.h"
#include "engine/reconstruct/reconstruct.h"
#include "engine/scan/some_projections.h"
#include "engine/stages/stages.h"
#include "ui/background/background_task.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <optional>

namespace ui
{

namespace
{

constexpr double liveSeconds = 0.05;     // full planes that come within this time are shown during a drag
constexpr double unstoppedSeconds = 0.1; // shorter steps get no preview, and aren't stopped
constexpr int leastStep = 2, usualStep = 4, mostStep = 16;
constexpr int fewStep = 8;          // of the projections that are read first
constexpr double fewFrom = 1 << 27; // values; smaller scans are read quickly

engine::Request coarsened(engine::Request request, int step)
{
    request.place.previewStep = step;
    return request;
}

double valuesOf(const engine::Scan& scan)
{
    return static_cast<double>(scan.projections()) * scan.rows * scan.bins();
}

// Returns the request of a wanted plane, or null if there is none.
const engine::Request* firstOf(const PlaneRequest& request)
{
    const auto found = std::ranges::find_if(request.planes, [](const engine::Request& one) { return !!one.scan; });
    return found == request.planes.end() ? nullptr : &*found;
}

// Returns the request for images of some projections.
PlaneRequest ofSome(PlaneRequest request)
{
    for (engine::Request& plane : request.planes) {
        if (plane.scan)
            plane.scan = request.some;
        plane.place.readsAll = true;
        plane.resources.memoryInUseBytes = 0;
    }
    request.some.reset();
    return request;
}

bool searchesAxis(const engine::Request& request)
{
    using Mode = engine::AxisSettings::Mode;
    const Mode mode = request.setting.axis.mode;
    return mode == Mode::find || (mode == Mode::automatic && engine::axisBinsOf(request.scan->geometry).empty());
}

bool sameButPlane(engine::Request a, const engine::Request& b)
{
    a.place = b.place;
    return engine::imageKey(a) == engine::imageKey(b);
}

// Returns whether only the axis differs, and the filtered rows don't depend on it: images take as long.
bool sameButAxis(engine::Request a, const engine::Request& b)
{
    constexpr auto precision = engine::FilterPrecision::float32;
    if (a.scan != b.scan || engine::filteredKey(a, precision).axis != engine::filteredKey(b, precision).axis)
        return false;
    a.setting.axis = b.setting.axis;
    return sameButPlane(a, b);
}

} // namespace

struct PlaneJob::Impl {
    explicit Impl(PlaneJob* job) : owner(job) {}

    PlaneJob* owner;

    double readsFewFrom = fewFrom; // used only in the owner's thread
    std::atomic<bool> isForgotten = false;

    // Used only by the worker.
    struct PlaneState {
        std::optional<engine::ImageKey> shown; // coarse or full
        double seconds = -1;                   // of the last full image, with cached rows; negative: unknown
    };
    engine::Reconstructor reconstructor; // keeps rows
    engine::Reconstructor alone;         // for planes of all projections beside rows of some
    struct FoundAxis {
        engine::AxisKey of;
        engine::AxisSettings axis;
    };
    std::optional<FoundAxis> axis; // in all projections; used for some of them
    std::array<PlaneState, 3> planes;
    std::optional<engine::Request> last;      // of any plane, to recognise another setting
    std::shared_ptr<const engine::Scan> read; // its rows were read
    struct Few {
        std::shared_ptr<const engine::Scan> of, scan; // of every fewStep-th projection; null if it has no such scan
    } few;
    int step = usualStep;       // of coarse images: they should take less than liveSeconds
    bool refusesCoarse = false; // the method has no coarse planes

    void letGo();
    void work(const PlaneRequest& request, const Turn& turn);
    void workInParts(const PlaneRequest& request, const Turn& turn);
    void workOnKept(const PlaneRequest& request, const Turn& turn);
    void findAxis(const engine::Request& request, const Turn& turn);
    void begin(const engine::Request& now);
    double expectedSeconds(const PlaneRequest& request) const;
    bool isDone(int k, const PlaneRequest& request) const;
    bool isShown(int k, const engine::Request& request) const;
    void showFew(const PlaneRequest& request, const Turn& turn);
    bool showCoarse(const PlaneRequest& request, const Turn& turn);
    void showFull(const PlaneRequest& request, const Turn& turn, bool together);
    Image run(const engine::Request& request, const Turn& turn,
              const std::shared_ptr<const engine::Scan>& shownAs = {});
    void show(const PlaneImages& images, const Turn& turn);
};

PlaneJob::PlaneJob(QObject* parent) : SectionJob(parent), m_impl(std::make_unique<Impl>(this))
{
    // The worker takes images for shown that are dropped on their way.
    connect(this, &PlaneJob::cancelled, this, &PlaneJob::forget);
}

PlaneJob::~PlaneJob()
{
    end();
}

void PlaneJob::start(const PlaneRequest& request)
{
    begin([this, request](const Turn& turn) { m_impl->work(request, turn); }, firstOf(request)->scan.get());
}

void PlaneJob::forget()
{
    m_impl->isForgotten = true;
}

std::future<void> PlaneJob::release()
{
    cancel();
    forget(); // also if the next request comes before the worker frees the rows
    return replace([this] { m_impl->letGo(); });
}

void PlaneJob::readFewFirst(double values)
{
    m_impl->readsFewFrom = values;
}

void PlaneJob::Impl::show(const PlaneImages& images, const Turn& turn)
{
    turn.post([this, images] { emit owner->updated(images); });
}

// Returns whether a plane isn't wanted, or its full image was shown.
bool PlaneJob::Impl::isDone(int k, const PlaneRequest& request) const
{
    const engine::Request& plane = request.planes[static_cast<std::size_t>(k)];
    return !plane.scan || isShown(k, plane);
}

bool PlaneJob::Impl::isShown(int k, const engine::Request& request) const
{
    return planes[static_cast<std::size_t>(k)].shown == engine::imageKey(request);
}

void PlaneJob::Impl::letGo()
{
    reconstructor = engine::Reconstructor();
    alone = engine::Reconstructor();
    axis.reset();
    planes = {};
    last.reset();
    read.reset();
    few = {};
}

// Forgets what belongs to another setting.
void PlaneJob::Impl::begin(const engine::Request& now)
{
    const bool isNew = isForgotten.exchange(false) || !last;
    if (!isNew && !sameButPlane(*last, now) && sameButAxis(*last, now)) {
        for (PlaneState& plane : planes)
            plane.shown.reset();
    } else if (isNew || !sameButPlane(*last, now)) {
        planes = {};
        step = usualStep;
        refusesCoarse = false;
    }
    last = now;
}

// Returns the time of the full planes that are to be computed; negative if it is unknown.
double PlaneJob::Impl::expectedSeconds(const PlaneRequest& request) const
{
    double sum = 0;
    for (int k = 0; k < 3; ++k) {
        const PlaneState& plane = planes[static_cast<std::size_t>(k)];
        if (isDone(k, request))
            continue;
        if (plane.seconds < 0)
            return -1;
        sum += plane.seconds;
    }
    return sum;
}

void PlaneJob::Impl::work(const PlaneRequest& request, const Turn& turn)
try {
    if (const engine::Request& first = *firstOf(request); first.place.readsAll) {
        axis.reset();
        begin(first);
        workOnKept(request, turn);
    } else
        workInParts(request, turn);
} catch (const engine::Error& error) {
    if (error.kind() != engine::ErrorKind::cancelled)
        planes = {}; // the images are dimmed: the next request computes all
    throw;
} catch (...) {
    planes = {};
    throw;
}

// Shows planes whose rows don't all fit into memory. Those of all projections are stopped by the next request.
void PlaneJob::Impl::workInParts(const PlaneRequest& request, const Turn& turn)
{
    const engine::Request& first = *firstOf(request);
    if (request.some) {
        PlaneRequest some = ofSome(request);
        begin(*firstOf(some));
        findAxis(first, turn);
        for (int k = 0; k < 3; ++k)
            if (isDone(k, request)) // its image is of all projections
                some.planes[static_cast<std::size_t>(k)].scan.reset();
        if (firstOf(some))
            workOnKept(some, turn);
    } else
        begin(first);
    if (!request.isMoving)
        showFull(request, turn, false);
    alone = alone.beside(); // frees the last rows
}

// Finds the axis in all projections, as some of them may have another one.
void PlaneJob::Impl::findAxis(const engine::Request& request, const Turn& turn)
{
    const engine::AxisKey key = engine::axisKey(request);
    if (!searchesAxis(request) || (axis && axis->of == key))
        return searchesAxis(request) ? void() : axis.reset();
    axis.reset();
    const engine::VolumeSize volume = engine::volumeOf(*request.scan);
    engine::Request pixel = request;
    pixel.place.plane = engine::planeAcross(engine::PlaneAxis::z, volume.slices / 2, volume);
    pixel.place.plane = engine::partOf(*pixel.place.plane, volume.size / 2, volume.size / 2, 1, 1);
    turn.beginStep(true);
    try {
        axis = {key, {engine::AxisSettings::Mode::given, run(pixel, turn)->axisBins}};
    } catch (const engine::Error& error) {
        if (error.kind() == engine::ErrorKind::cancelled)
            throw;
    }
}

void PlaneJob::Impl::workOnKept(const PlaneRequest& request, const Turn& turn)
{
    const double expected = expectedSeconds(request);
    const bool isLive = expected >= 0 && expected <= liveSeconds;
    const bool isShort = expected >= 0 && expected <= unstoppedSeconds;
    showFew(request, turn);
    if (!(request.isMoving ? isLive : isShort) && showCoarse(request, turn) && request.isMoving)
        return;
    showFull(request, turn, isShort || request.isMoving);
}

// Shows coarse images from some of the projections, if those of the scan have not been read.
void PlaneJob::Impl::showFew(const PlaneRequest& request, const Turn& turn)
{
    const std::shared_ptr<const engine::Scan> all = firstOf(request)->scan;
    if (read == all || valuesOf(*all) < readsFewFrom)
        return;
    read.reset();
    if (few.of != all)
        few = {all, engine::withEvery(*all, fewStep)};
    if (!few.scan)
        return;
    turn.beginStep(true); // the next movement doesn't stop it
    PlaneImages images;
    try {
        for (std::size_t n = 0; n < 3; ++n) {
            if (!request.planes[n].scan)
                continue;
            engine::Request coarse = coarsened(request.planes[n], step);
            coarse.scan = few.scan;
            images.planes[n] = run(coarse, turn, all);
        }
    } catch (const engine::Error& error) {
        if (error.kind() == engine::ErrorKind::cancelled)
            throw;
        return; // the images from all projections will have the same error, or none
    }
    show(images, turn);
}

// Returns false if the method has no coarse planes.
bool PlaneJob::Impl::showCoarse(const PlaneRequest& request, const Turn& turn)
{
    if (refusesCoarse)
        return false;
    turn.beginStep(request.isMoving); // the next movement doesn't stop it
    PlaneImages images;
    const auto began = std::chrono::steady_clock::now();
    bool isReused = true;
    try {
        for (int k = 0; k < 3; ++k) {
            const auto n = static_cast<std::size_t>(k);
            const engine::Request coarse = coarsened(request.planes[n], step);
            if (isDone(k, request) || isShown(k, coarse))
                continue;
            images.planes[n] = run(coarse, turn);
            planes[n].shown = engine::imageKey(coarse);
            isReused = isReused && images.planes[n]->timings.read.reused && images.planes[n]->timings.filter.reused;
        }
    } catch (const engine::Error& error) {
        if (error.kind() != engine::ErrorKind::badRequest)
            throw;
        refusesCoarse = true;
        planes = {};
        return false;
    }
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
    if (isReused && seconds > 1.5 * liveSeconds)
        step = std::min(mostStep, 2 * step);
    else if (isReused && seconds < liveSeconds / 10)
        step = std::max(leastStep, step / 2);
    show(images, turn);
    return true;
}

// together: the images are shown when all are ready, and the next request doesn't stop them.
void PlaneJob::Impl::showFull(const PlaneRequest& request, const Turn& turn, bool together)
{
    PlaneImages images;
    turn.beginStep(together);
    for (int k = 0; k < 3; ++k) {
        const auto n = static_cast<std::size_t>(k);
        if (isDone(k, request))
            continue;
        if (!together)
            turn.beginStep(false);
        try {
            images.planes[n] = run(request.planes[n], turn);
            const engine::Timings& times = images.planes[n]->timings;
            if (request.planes[n].place.readsAll)
                planes[n].seconds = times.backprojectSeconds + (times.filter.reused ? 0 : times.filter.seconds);
            planes[n].shown = engine::imageKey(request.planes[n]);
        } catch (const engine::Error& error) {
            if (error.kind() != engine::ErrorKind::badRequest && error.kind() != engine::ErrorKind::noMemory)
                throw;
            images.refusals[n] = messageOfCurrentException();
            if (error.kind() == engine::ErrorKind::noMemory) // the limit may be raised
                planes[n] = {};
            else
                planes[n] = {engine::imageKey(request.planes[n]), 0};
        }
        if (!together) {
            show(images, turn);
            images = {};
        }
    }
    if (together)
        show(images, turn);
}

// shownAs: the scan that the image is of, if it isn't the request's.
Image PlaneJob::Impl::run(const engine::Request& request, const Turn& turn,
                          const std::shared_ptr<const engine::Scan>& shownAs)
{
    const bool isKept = request.place.readsAll, isAfterSome = !isKept && last && last->scan != request.scan;
    const auto report = [&](engine::Stage stage, double fraction) {
        turn.report(isAfterSome ? tr("final: %1").arg(stageText(stage)) : stageText(stage), fraction);
    };
    engine::Request launched = request;
    if (axis && isKept)
        launched.setting.axis = axis->axis;
    auto made =
        std::make_shared<engine::Reconstruction>((isKept ? reconstructor : alone).run(launched, report, turn.stop));
    made->request.setting.axis = request.setting.axis;
    if (shownAs)
        made->request.scan = shownAs;
    else if (isKept)
        read = request.scan;
    return made;
}

} // namespace ui
