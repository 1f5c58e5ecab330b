// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/planes/plane_references.h"

#include "engine/base/error.h"
#include "engine/resolve/resolve.h"
#include "engine/stages/stages.h"
#include "ui/background/background_task.h"

#include <algorithm>
#include <utility>

namespace ui
{

namespace
{

constexpr int lateMs = 300;

// Returns whether the error is one of a plane or a file, so that other planes can have references.
bool isRefusal(const engine::Error& error, const Comparison& now)
{
    using enum engine::ErrorKind;
    return error.kind() == badRequest || error.kind() == noMemory ||
           (error.kind() == badFile && now.against.kind == ReferenceChoice::Kind::file);
}

} // namespace

PlaneReferences::PlaneReferences(QObject* parent) : SectionJob(parent)
{
    m_late.setSingleShot(true);
    m_late.setInterval(lateMs);
    connect(&m_late, &QTimer::timeout, this, &PlaneReferences::showAll);
}

PlaneReferences::~PlaneReferences()
{
    end();
}

void PlaneReferences::setComparison(const Comparison& settings, double keptBytes)
{
    if (settings.against != m_settings.against)
        m_refusals = {};
    m_settings = settings;
    m_settings.chosen = std::min(m_settings.chosen, m_settings.compared.size() - 1);
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

Comparison PlaneReferences::comparisonOf(int plane) const
{
    Comparison now = m_settings;
    const Image& image = m_images[static_cast<std::size_t>(plane)];
    if (!image || now.compared.empty())
        return now;
    now.compared[now.chosen].request = image->request;
    now.compared[now.chosen].result = image;
    for (Compared& one : now.compared) {
        one.request.place = image->request.place;
        one.request.place.previewStep = 1;
        one.request.resources.memoryLimitBytes = m_settings.a().request.resources.memoryLimitBytes;
        one.request.resources.memoryInUseBytes = m_keptBytes;
    }
    return now;
}

Image PlaneReferences::referenceOf(int plane) const
{
    const auto k = static_cast<std::size_t>(plane);
    const Image& image = m_images[k];
    if (!isFull(image))
        return nullptr;
    const Comparison now = comparisonOf(plane);
    const Compared& made = m_made[k].a();
    const auto wanted = referenceRequest(now, now.a());
    if (!wanted)
        return made.result == image && m_made[k].against == now.against ? made.reference : nullptr;
    const engine::ImageKey key = engine::imageKey(*wanted);
    if (key == engine::imageKey(image->request))
        return image;
    const auto known = made.reference ? referenceRequest(m_made[k], made) : std::nullopt;
    return known && engine::imageKey(*known) == key ? made.reference : nullptr;
}

// A file may have changed.
bool PlaneReferences::isNeeded(int plane) const
{
    const auto k = static_cast<std::size_t>(plane);
    const Image& image = m_images[k];
    if (!m_objection.isEmpty() || !isFull(image) || !m_refusals[k].isEmpty())
        return false;
    const Compared& made = m_made[k].a();
    const Image reference = referenceOf(plane);
    return m_settings.against.kind == ReferenceChoice::Kind::file || !reference ||
           (reference != image && !(made.result == image && made.reference == reference && made.metrics));
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
    PairedPlane pair{comparisonOf(plane), missingText(plane)};
    if (Comparison& now = pair.comparison; !now.compared.empty()) {
        Compared& chosen = now.compared[now.chosen];
        const Compared& made = m_made[static_cast<std::size_t>(plane)].a();
        chosen.reference = referenceOf(plane);
        if (chosen.reference && made.result == chosen.result && made.reference == chosen.reference)
            chosen.metrics = made.metrics;
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
    const Comparison now = comparisonOf(plane);
    // One that is shared comes quickly.
    if (!isFull(m_images[k]) || referenceOf(plane) || hasSharedReference(now, now.a()))
        return {};
    if (!m_objection.isEmpty())
        return m_objection;
    return busy() && !m_late.isActive() ? tr("computing the reference…") : QString();
}

bool PlaneReferences::compute()
{
    m_isMoving = false;
    std::array<std::optional<Comparison>, 3> wanted;
    for (const int plane : {0, 1, 2})
        if (isNeeded(plane)) {
            Comparison& now = wanted[static_cast<std::size_t>(plane)].emplace(comparisonOf(plane));
            if (now.against.kind != ReferenceChoice::Kind::file)
                now.compared[now.chosen].reference = referenceOf(plane);
        }
    pause(); // what was requested before doesn't come any more
    if (std::ranges::none_of(wanted, [](const auto& one) { return one.has_value(); }))
        return false;
    begin([this, wanted](const Turn& turn) { work(wanted, turn); }, m_settings.a().request.scan.get());
    m_late.start();
    return true;
}

void PlaneReferences::work(std::array<std::optional<Comparison>, 3> wanted, const Turn& turn)
{
    m_figures.letGo();
    for (const int plane : {0, 1, 2})
        if (auto& now = wanted[static_cast<std::size_t>(plane)]) {
            QString refusal;
            try {
                complete(*now, plane, turn);
            } catch (const engine::Error& error) {
                if (!isRefusal(error, *now))
                    throw;
                refusal = messageOfCurrentException();
            }
            turn.post([this, plane, now = *now, refusal] { take(plane, now, refusal); });
        }
}

// Rows are read, prepared and filtered even if another request waits: it needs them, too.
void PlaneReferences::complete(Comparison& now, int plane, const Turn& turn)
{
    Compared& chosen = now.compared[now.chosen];
    const auto report = [&](engine::Stage stage, double fraction, std::optional<double>) {
        if (stage == engine::Stage::backproject)
            turn.giveWay();
        turn.report(tr("reference of %1: %2").arg(QLatin1Char("xyz"[plane])).arg(stageText(stage)), fraction);
    };
    if (!chosen.reference) {
        chosen.reference = m_references.compute(
            now, chosen, [&](std::optional<double>) { turn.beginStep(true); }, report, turn.stop);
        turn.post([this, plane, now] { take(plane, now, {}); });
    }
    turn.beginStep(false);
    m_figures.measure(now);
}

void PlaneReferences::take(int plane, const Comparison& made, const QString& refusal)
{
    const auto k = static_cast<std::size_t>(plane);
    m_made[k] = made;
    if (made.a().result == m_images[k] && made.against == m_settings.against)
        m_refusals[k] = refusal;
    show(plane);
}

void PlaneReferences::pause()
{
    m_late.stop();
    if (busy())
        replace([] {}, true);
}

void PlaneReferences::stop()
{
    m_late.stop();
    if (busy())
        replace([] {});
}

void PlaneReferences::release()
{
    m_late.stop();
    m_images = {};
    m_made = {};
    m_refusals = {};
    replace([this] {
        m_references = References(0);
        m_figures = {};
    });
}

} // namespace ui
