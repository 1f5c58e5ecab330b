// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/background/reconstruction_job.h"

#include "engine/backends/method.h"
#include "engine/base/error.h"

#include <algorithm>
#include <chrono>

namespace ui
{

namespace
{

using Clock = std::chrono::steady_clock;

constexpr double shortSeconds = 0.1; // shorter steps get no preview and aren't stopped
constexpr int coarseStep = 4;
constexpr double draggedSeconds = 0.03; // target duration of an image during a drag
constexpr int coarsestStep = 16;
constexpr double timeLeftAfterSeconds = 1;               // earlier estimates are unreliable
constexpr double unexpectedSeconds = 1.5 * shortSeconds; // a step that takes longer than expected can be stopped

double secondsSince(Clock::time_point began)
{
    return std::chrono::duration<double>(Clock::now() - began).count();
}

QString referenceShortName()
{
    return ReconstructionJob::tr("exact method");
}

} // namespace

ReconstructionJob::ReconstructionJob(QObject* parent) : SectionJob(parent)
{
    qRegisterMetaType<ui::Comparison>();
}

ReconstructionJob::~ReconstructionJob()
{
    end();
}

void ReconstructionJob::start(const JobRequest& request)
{
    begin([this, request](const Turn& turn) { work(request, turn); }, request.asked.a().request.scan.get());
}

Image ReconstructionJob::run(const engine::Request& request, const QString& what, const Turn& turn)
{
    const auto began = Clock::now();
    const auto reportStage = [&](engine::Stage stage, double fraction) {
        const double seconds = secondsSince(began);
        if (seconds > unexpectedSeconds)
            turn.giveWay();
        std::optional<double> left;
        if (stage == engine::Stage::backproject && fraction > 0 && seconds > timeLeftAfterSeconds)
            left = seconds * (1 - fraction) / fraction;
        report(turn, what, stage, fraction, left);
    };
    auto result = std::make_shared<engine::Reconstruction>(m_settings.run(request, reportStage, turn.stop));
    m_speeds.add(request, result->timings.backprojectSeconds);
    return result;
}

void ReconstructionJob::report(const Turn& turn, const QString& what, engine::Stage stage, double fraction,
                               std::optional<double> secondsLeft)
{
    if (turn.isReportDue())
        turn.post([=, this] { showProgress(what, stage, fraction, secondsLeft); });
}

// Runs in the owner's thread.
void ReconstructionJob::showProgress(const QString& what, engine::Stage stage, double fraction,
                                     std::optional<double> secondsLeft)
{
    if (progress().update(what, secondsLeft) && secondsLeft && what == referenceShortName())
        emit referenceExpected(progress().timeLeft());
    // Shows either the stage or the time left, to fit into a narrow panel.
    const QString& timeLeft = progress().timeLeft();
    emit progressed(what + " · " + (timeLeft.isEmpty() ? stageText(stage) : timeLeft), fraction);
}

Image ReconstructionJob::makeReference(const Comparison& now, const Compared& one, const Turn& turn)
{
    auto began = Clock::now();
    return m_references.compute(
        now, one,
        [&](std::optional<double> secondsLeft) {
            turn.beginStep(secondsLeft && *secondsLeft < shortSeconds);
            began = Clock::now();
        },
        [&](engine::Stage stage, double fraction, std::optional<double> secondsLeft) {
            if (secondsSince(began) > unexpectedSeconds)
                turn.giveWay();
            report(turn, referenceShortName(), stage, fraction, secondsLeft);
        },
        turn.stop);
}

void ReconstructionJob::preview(Comparison shown, const Turn& turn, Expected expected, int step)
{
    Compared& a = shown.compared[shown.chosen];
    engine::Request coarse = a.request;
    coarse.place.previewStep = step;
    turn.beginStep(expected.known && expected.seconds / (step * step) < shortSeconds);
    a.result = run(coarse, a.name, turn);
    m_references.findAll(shown);
    show(shown, turn);
}

// Shows an image that is coarse enough to follow the mouse. Declares the step short, so that the next movement
// doesn't stop it.
void ReconstructionJob::showDragged(const Comparison& now, const Turn& turn)
{
    const Expected expected = m_speeds.expected(now.compared[now.chosen].request);
    int step = coarseStep;
    while (step < coarsestStep && expected.seconds > draggedSeconds * step * step)
        step *= 2;
    preview(now, turn, {0, true}, step);
}

void ReconstructionJob::work(const JobRequest& request, const Turn& turn)
{
    m_unmeasured = nullptr;
    m_images.forget(request.asked);
    m_figures.letGo();
    Comparison now = m_images.fill(request.asked, request.again);
    now.chosen = std::min(now.chosen, now.compared.size() - 1);
    if (request.coarse)
        return showDragged(now, turn);
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
            const Expected expected = m_speeds.expected(one.request);
            if (k == now.chosen && expected.seconds > shortSeconds)
                preview(now, turn, expected, coarseStep);
            turn.beginStep(expected.known && expected.seconds < shortSeconds);
            one.result = m_images.keep(one.request, run(one.request, one.name, turn));
        }
        m_references.findAll(now);
        if (isMissing || k == now.chosen)
            show(now, turn);
    }
    for (const std::size_t k : order)
        if (!now.compared[k].reference) {
            now.compared[k].reference = makeReference(now, now.compared[k], turn);
            m_references.findAll(now);
            show(now, turn);
        }
    if (m_unmeasured)
        std::rethrow_exception(m_unmeasured);
}

void ReconstructionJob::show(Comparison& comparison, const Turn& turn)
{
    try {
        m_figures.measure(comparison);
    } catch (const engine::Error&) { // the area is outside the image; reported when all images are ready
        m_unmeasured = std::current_exception();
    }
    turn.post([this, comparison] { emit updated(comparison); });
}

} // namespace ui
