// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/planes/plane_references.h"

#include "engine/base/error.h"
#include "engine/compare/reference_image.h"
#include "engine/stages/stages.h"
#include "ui/background/background_task.h"

#include <QSignalBlocker>

#include <utility>

#include <algorithm>
#include <cmath>

namespace ui
{

namespace
{

using Kind = ReferenceChoice::Kind;

constexpr int lateMs = 300;

// Returns the setting that the choice of the reference names; null if it names none.
const Compared* namedBy(const Comparison& settings)
{
    const bool isNamed = settings.against.kind == Kind::setting || settings.against.kind == Kind::exactOf;
    return isNamed ? settings.find(settings.against.id) : nullptr;
}

// Compares two images. RMSE and the largest difference leave out the pixels of gaps.
engine::Metrics metricsOfFinite(const engine::Volume& a, const engine::Volume& b)
{
    engine::Metrics metrics = engine::compareImages(a.values, b.values, a.width, a.height);
    if (metrics.notFinite == 0 || metrics.notFinite == metrics.pixels)
        return metrics;
    double squares = 0, most = 0;
    for (std::size_t k = 0; k < a.values.size(); ++k)
        if (const double difference = double(a.values[k]) - b.values[k]; std::isfinite(difference)) {
            squares += difference * difference;
            most = std::max(most, std::abs(difference));
        }
    metrics.rmse = std::sqrt(squares / static_cast<double>(metrics.pixels - metrics.notFinite));
    metrics.maximum = most;
    return metrics;
}

} // namespace

PlaneReferences::PlaneReferences(QObject* parent) : QObject(parent)
{
    m_late.setSingleShot(true);
    m_late.setInterval(lateMs);
    connect(&m_late, &QTimer::timeout, this, &PlaneReferences::showAll);
    connect(&m_job, &PlaneJob::updated, this, &PlaneReferences::take);
    connect(&m_job, &PlaneJob::failed, this, &PlaneReferences::failed);
    connect(&m_job, &PlaneJob::finished, this, [this] {
        const bool isOnlyReleased = std::exchange(m_isReleasing, false) && !m_isWaiting;
        if (!resume() && !isOnlyReleased)
            emit finished();
    });
    connect(&m_job, &PlaneJob::progressed, this, [this](const QString& stage, double fraction) {
        if (m_isPaused && !m_job.isReading()) {
            const bool isAwaited = m_isWaiting;
            if (!resume() && isAwaited)
                emit finished();
            return;
        }
        for (const int plane : {0, 1, 2}) // they are computed in this order
            if (isNeeded(plane))
                return emit progressed(tr("reference of %1: %2").arg(QLatin1Char("xyz"[plane])).arg(stage), fraction);
    });
}

void PlaneReferences::setComparison(const Comparison& settings, double keptBytes)
{
    if (settings.against != m_settings.against)
        m_refusals = {};
    m_settings = settings;
    m_keptBytes = keptBytes;
    m_objection.clear();
}

// Images of some of the projections have another scan.
bool PlaneReferences::isFull(const Image& image) const
{
    return image && image->request.place.previewStep == 1 && image->request.scan == m_settings.a().request.scan;
}

void PlaneReferences::refuse(const QString& why)
{
    stop();
    m_objection = why;
    showAll();
}

bool PlaneReferences::isSampled(const Image& image) const
{
    const Kind kind = m_settings.against.kind;
    return kind == Kind::file || (kind == Kind::phantom && image && image->request.scan->exactImage);
}

std::optional<engine::Request> PlaneReferences::requestFor(const Image& image) const
{
    if (isSampled(image))
        return std::nullopt;
    const Compared* named = namedBy(m_settings);
    engine::Request like = named ? named->request : image->request;
    like.place = image->request.place;
    like.place.previewStep = 1;
    like.resources.memoryLimitBytes = m_settings.a().request.resources.memoryLimitBytes;
    like.resources.memoryInUseBytes = m_keptBytes;
    if (named && m_settings.against.kind == Kind::setting)
        return like;
    engine::Request exact = engine::exactRequest(like, 0, *image);
    if (named && named->id != m_settings.a().id) // the image has the axis of another setting
        exact.setting.axis = like.setting.axis;
    return exact;
}

Image PlaneReferences::referenceOf(int plane) const
{
    const auto k = static_cast<std::size_t>(plane);
    const Image& image = m_images[k];
    if (isSampled(image)) {
        const Sampled& sampled = m_sampled[k];
        const bool isRight = sampled.like == image && sampled.of == m_settings.against && sampled.files.areUnchanged();
        return isRight ? sampled.image : nullptr;
    }
    const auto wanted = isFull(image) ? requestFor(image) : std::nullopt;
    if (!wanted)
        return nullptr;
    const engine::ImageKey key = engine::imageKey(*wanted);
    if (key == engine::imageKey(image->request))
        return image;
    return m_made[k] && m_made[k]->key == key ? m_made[k]->image : nullptr;
}

bool PlaneReferences::isNeeded(int plane) const
{
    const auto k = static_cast<std::size_t>(plane);
    return m_objection.isEmpty() && isFull(m_images[k]) && m_refusals[k].isEmpty() && requestFor(m_images[k]) &&
           !referenceOf(plane);
}

void PlaneReferences::pair(const Images& images, bool isMoving)
{
    for (std::size_t k = 0; k < images.size(); ++k)
        if (images[k] != m_images[k])
            m_refusals[k].clear();
    m_images = images;
    m_isMoving = isMoving;
    if (isMoving)
        pause();
    showAll();
}

void PlaneReferences::showAll()
{
    for (const int plane : {0, 1, 2})
        show(plane);
}

void PlaneReferences::show(int plane)
{
    const auto k = static_cast<std::size_t>(plane);
    PairedPlane pair{m_settings, missingText(plane)};
    if (!pair.comparison.compared.empty()) {
        Compared& chosen = pair.comparison.compared[std::min(m_settings.chosen, m_settings.compared.size() - 1)];
        chosen.result = m_images[k];
        chosen.reference = referenceOf(plane);
        const Measured& measured = m_measured[k];
        if (chosen.reference && measured.image == chosen.result && measured.reference == chosen.reference)
            chosen.metrics = measured.metrics;
    }
    emit paired(plane, pair);
}

QString PlaneReferences::missingText(int plane) const
{
    const auto k = static_cast<std::size_t>(plane);
    if (!m_images[k] || m_isMoving)
        return {};
    if (!m_refusals[k].isEmpty())
        return tr("There is no reference: %1").arg(m_refusals[k]);
    if (!isFull(m_images[k]) || referenceOf(plane) || isSampled(m_images[k])) // a sampled one comes quickly
        return {};
    if (!m_objection.isEmpty())
        return m_objection;
    return m_job.busy() && !m_late.isActive() ? tr("computing the reference…") : QString();
}

bool PlaneReferences::compute()
{
    m_isMoving = false;
    if (m_job.isReading()) {
        m_isPaused = m_isWaiting = true;
        m_late.start();
        return true;
    }
    PlaneRequest wanted;
    wanted.isReference = true;
    bool isAny = false;
    stop(); // images of older requests must not come any more
    for (const int plane : {0, 1, 2})
        if (isNeeded(plane)) {
            const auto k = static_cast<std::size_t>(plane);
            wanted.planes[k] = *requestFor(m_images[k]);
            isAny = true;
        }
    m_wanted = wanted.planes;
    if (isAny) {
        m_isReleasing = false;
        m_job.start(wanted);
        m_late.start();
    }
    sample();
    measure();
    return isAny;
}

// Samples phantoms and reads files for the planes that have none, and then computes their figures.
void PlaneReferences::sample()
{
    std::array<Sampled, 3> wanted;
    bool isAny = false;
    for (std::size_t k = 0; k < wanted.size(); ++k) {
        const Image& image = m_images[k];
        if (!isFull(image) || !isSampled(image) || !m_refusals[k].isEmpty() || referenceOf(static_cast<int>(k)))
            continue;
        wanted[k] = {image, nullptr, m_settings.against};
        isAny = true;
    }
    if (!isAny)
        return;
    m_sampling.ask([this, wanted]() mutable -> std::function<void()> {
        std::array<QString, 3> refusals;
        for (std::size_t k = 0; k < wanted.size(); ++k)
            if (Sampled& one = wanted[k]; one.like)
                try {
                    engine::FileImage made = one.of.kind == Kind::phantom
                                                 ? engine::FileImage{engine::phantomImage(*one.like, 0), {}}
                                                 : engine::filePlane(one.of.file, *one.like);
                    one.image = std::make_shared<const engine::Reconstruction>(std::move(made.image));
                    one.files = std::move(made.files);
                } catch (const engine::Error&) {
                    refusals[k] = messageOfCurrentException();
                }
        return [this, wanted, refusals] {
            for (const int plane : {0, 1, 2})
                if (const auto k = static_cast<std::size_t>(plane);
                    wanted[k].like && wanted[k].like == m_images[k] && wanted[k].of == m_settings.against) {
                    m_sampled[k] = wanted[k];
                    m_refusals[k] = refusals[k];
                    show(plane);
                }
            measure();
        };
    });
}

void PlaneReferences::take(const PlaneImages& images)
{
    for (const int plane : {0, 1, 2}) {
        const auto k = static_cast<std::size_t>(plane);
        if (!images.planes[k] && images.refusals[k].isEmpty())
            continue;
        if (images.planes[k])
            m_made[k] = {images.planes[k], engine::imageKey(m_wanted[k])};
        m_refusals[k] = images.refusals[k];
        show(plane);
    }
    measure();
}

// Computes the figures of all pairs that have none.
void PlaneReferences::measure()
{
    std::array<Measured, 3> pairs;
    bool isAny = false;
    for (const int plane : {0, 1, 2}) {
        const auto k = static_cast<std::size_t>(plane);
        const Image reference = referenceOf(plane);
        const Measured& known = m_measured[k];
        if (!reference || reference == m_images[k] || (known.image == m_images[k] && known.reference == reference))
            continue;
        pairs[k] = {m_images[k], reference, std::nullopt};
        isAny = true;
    }
    if (!isAny)
        return;
    m_measuring.ask([this, pairs]() mutable -> std::function<void()> {
        for (Measured& pair : pairs)
            if (pair.image) {
                const engine::Volume &a = pair.image->image, &b = pair.reference->image;
                pair.metrics = metricsOfFinite(a, b);
            }
        return [this, pairs] {
            for (const int plane : {0, 1, 2})
                if (const auto k = static_cast<std::size_t>(plane); pairs[k].image) {
                    m_measured[k] = pairs[k];
                    show(plane);
                }
        };
    });
}

void PlaneReferences::pause()
{
    if (!m_job.isReading())
        return stop();
    m_measuring.forget();
    m_sampling.forget();
    m_isPaused = true;
    m_isWaiting = false;
}

bool PlaneReferences::resume()
{
    const bool isWanted = m_isWaiting;
    if (m_isPaused)
        stop();
    return isWanted && compute();
}

void PlaneReferences::stop()
{
    m_isPaused = m_isWaiting = false;
    m_measuring.forget();
    m_sampling.forget();
    m_late.stop();
    if (m_isReleasing)
        return;
    const QSignalBlocker silent(m_job);
    m_job.cancel();
}

void PlaneReferences::release()
{
    stop();
    m_images = {};
    m_made = {};
    m_sampled = {};
    m_measured = {};
    m_refusals = {};
    m_isReleasing = true;
    m_job.start({});
}

} // namespace ui
