// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/planes/plane_job.h"

#include "engine/base/error.h"
#include "engine/scan/some_projections.h"
#include "engine/stages/stages.h"
#include "ui/background/background_task.h"

#include <algorithm>
#include <chrono>

namespace ui
{

namespace
{

constexpr double liveSeconds = 0.05;     // full planes that come within this time are shown during a drag
constexpr double unstoppedSeconds = 0.1; // shorter steps get no preview, and aren't stopped
constexpr int leastStep = 2, usualStep = 4, mostStep = 16;
constexpr int fewStep = 8; // of the projections that are read first

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
        if (auto* of = std::get_if<engine::PlanePart>(&plane.place.part))
            of->othersFollow = true;
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

PlaneJob::PlaneJob(QObject* parent) : SectionJob(parent)
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
    begin([this, request](const Turn& turn) { work(request, turn); }, firstOf(request)->scan.get());
}

void PlaneJob::forget()
{
    m_isForgotten = true;
}

std::future<void> PlaneJob::release()
{
    cancel();
    forget(); // also if the next request comes before the worker frees the rows
    return replace([this] { m_state = std::make_unique<State>(); });
}

void PlaneJob::readFewFirst(double values)
{
    m_readsFewFrom = values;
}

void PlaneJob::show(const PlaneImages& images, const Turn& turn)
{
    turn.post([this, images] { emit updated(images); });
}

// Returns whether a plane isn't wanted, or its full image was shown.
bool PlaneJob::isDone(int k, const PlaneRequest& request) const
{
    const engine::Request& plane = request.planes[static_cast<std::size_t>(k)];
    return !plane.scan || isShown(k, plane);
}

bool PlaneJob::isShown(int k, const engine::Request& request) const
{
    return m_state->planes[static_cast<std::size_t>(k)].shown == engine::imageKey(request);
}

// Forgets what belongs to another setting.
void PlaneJob::beginSetting(const engine::Request& now)
{
    const bool isNew = m_isForgotten.exchange(false) || !m_state->last;
    if (!isNew && !sameButPlane(*m_state->last, now) && sameButAxis(*m_state->last, now)) {
        for (PlaneState& plane : m_state->planes)
            plane.shown.reset();
    } else if (isNew || !sameButPlane(*m_state->last, now)) {
        m_state->planes = {};
        m_state->step = usualStep;
        m_state->refusesCoarse = false;
    }
    m_state->last = now;
}

// Returns the time of the full planes that are to be computed; negative if it is unknown.
double PlaneJob::expectedSeconds(const PlaneRequest& request) const
{
    double sum = 0;
    for (int k = 0; k < 3; ++k) {
        const PlaneState& plane = m_state->planes[static_cast<std::size_t>(k)];
        if (isDone(k, request))
            continue;
        if (plane.seconds < 0)
            return -1;
        sum += plane.seconds;
    }
    return sum;
}

void PlaneJob::work(const PlaneRequest& request, const Turn& turn)
try {
    if (const engine::Request& first = *firstOf(request); first.place.othersFollow()) {
        m_state->axis.reset();
        beginSetting(first);
        workOnKept(request, turn);
    } else
        workInParts(request, turn);
} catch (const engine::Error& error) {
    if (error.kind() != engine::ErrorKind::cancelled)
        m_state->planes = {}; // the images are dimmed: the next request computes all
    throw;
} catch (...) {
    m_state->planes = {};
    throw;
}

// Shows planes whose rows don't all fit into memory. Those of all projections are stopped by the next request.
void PlaneJob::workInParts(const PlaneRequest& request, const Turn& turn)
{
    const engine::Request& first = *firstOf(request);
    if (request.some) {
        PlaneRequest some = ofSome(request);
        beginSetting(*firstOf(some));
        findAxis(first, turn);
        for (int k = 0; k < 3; ++k)
            if (isDone(k, request)) // its image is of all projections
                some.planes[static_cast<std::size_t>(k)].scan.reset();
        if (firstOf(some))
            workOnKept(some, turn);
    } else
        beginSetting(first);
    if (!request.isMoving)
        showFull(request, turn, false);
    m_state->alone = m_state->alone.beside(); // frees the last rows
}

// Finds the axis in all projections, as some of them may have another one.
void PlaneJob::findAxis(const engine::Request& request, const Turn& turn)
{
    const engine::AxisKey key = engine::axisKey(request);
    if (!searchesAxis(request) || (m_state->axis && m_state->axis->of == key))
        return searchesAxis(request) ? void() : m_state->axis.reset();
    m_state->axis.reset();
    const engine::VolumeSize volume = engine::volumeOf(*request.scan);
    engine::Request pixel = request;
    const engine::Plane middle = engine::planeAcross(engine::PlaneAxis::z, volume.slices / 2, volume);
    std::get<engine::PlanePart>(pixel.place.part).plane =
        engine::partOf(middle, volume.size / 2, volume.size / 2, 1, 1);
    turn.beginStep(true);
    try {
        m_state->axis = {key, {engine::AxisSettings::Mode::given, run(pixel, turn)->axisBins}};
    } catch (const engine::Error& error) {
        if (error.kind() == engine::ErrorKind::cancelled)
            throw;
    }
}

void PlaneJob::workOnKept(const PlaneRequest& request, const Turn& turn)
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
void PlaneJob::showFew(const PlaneRequest& request, const Turn& turn)
{
    const std::shared_ptr<const engine::Scan> all = firstOf(request)->scan;
    if (m_state->read == all || valuesOf(*all) < m_readsFewFrom)
        return;
    m_state->read.reset();
    if (m_state->few.of != all)
        m_state->few = {all, engine::withEvery(*all, fewStep)};
    if (!m_state->few.scan)
        return;
    turn.beginStep(true); // the next movement doesn't stop it
    PlaneImages images;
    try {
        for (std::size_t n = 0; n < 3; ++n) {
            if (!request.planes[n].scan)
                continue;
            engine::Request coarse = coarsened(request.planes[n], m_state->step);
            coarse.scan = m_state->few.scan;
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
bool PlaneJob::showCoarse(const PlaneRequest& request, const Turn& turn)
{
    if (m_state->refusesCoarse)
        return false;
    turn.beginStep(request.isMoving); // the next movement doesn't stop it
    PlaneImages images;
    const auto began = std::chrono::steady_clock::now();
    bool isReused = true;
    try {
        for (int k = 0; k < 3; ++k) {
            const auto n = static_cast<std::size_t>(k);
            const engine::Request coarse = coarsened(request.planes[n], m_state->step);
            if (isDone(k, request) || isShown(k, coarse))
                continue;
            images.planes[n] = run(coarse, turn);
            m_state->planes[n].shown = engine::imageKey(coarse);
            isReused = isReused && images.planes[n]->timings.read.reused && images.planes[n]->timings.filter.reused;
        }
    } catch (const engine::Error& error) {
        if (error.kind() != engine::ErrorKind::badRequest)
            throw;
        m_state->refusesCoarse = true;
        m_state->planes = {};
        return false;
    }
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
    if (isReused && seconds > 1.5 * liveSeconds)
        m_state->step = std::min(mostStep, 2 * m_state->step);
    else if (isReused && seconds < liveSeconds / 10)
        m_state->step = std::max(leastStep, m_state->step / 2);
    show(images, turn);
    return true;
}

// together: the images are shown when all are ready, and the next request doesn't stop them.
void PlaneJob::showFull(const PlaneRequest& request, const Turn& turn, bool together)
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
            if (request.planes[n].place.othersFollow())
                m_state->planes[n].seconds =
                    times.backprojectSeconds + (times.filter.reused ? 0 : times.filter.seconds);
            m_state->planes[n].shown = engine::imageKey(request.planes[n]);
        } catch (const engine::Error& error) {
            if (error.kind() != engine::ErrorKind::badRequest && error.kind() != engine::ErrorKind::noMemory)
                throw;
            images.refusals[n] = messageOfCurrentException();
            if (error.kind() == engine::ErrorKind::noMemory) // the limit may be raised
                m_state->planes[n] = {};
            else
                m_state->planes[n] = {engine::imageKey(request.planes[n]), 0};
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
Image PlaneJob::run(const engine::Request& request, const Turn& turn,
                    const std::shared_ptr<const engine::Scan>& shownAs)
{
    const bool isKept = request.place.othersFollow(),
               isAfterSome = !isKept && m_state->last && m_state->last->scan != request.scan;
    const auto report = [&](engine::Stage stage, double fraction) {
        turn.report(isAfterSome ? tr("final: %1").arg(stageText(stage)) : stageText(stage), fraction);
    };
    engine::Request launched = request;
    if (m_state->axis && isKept)
        launched.setting.axis = m_state->axis->axis;
    auto made = std::make_shared<engine::Reconstruction>(
        (isKept ? m_state->reconstructor : m_state->alone).run(launched, report, turn.stop));
    made->request.setting.axis = request.setting.axis;
    if (shownAs)
        made->request.scan = shownAs;
    else if (isKept)
        m_state->read = request.scan;
    return made;
}

} // namespace ui
