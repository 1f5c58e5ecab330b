// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/reconstruction_controller.h"

#include "engine/backends/devices.h"
#include "engine/backends/method.h"
#include "engine/resolve/resolve.h"
#include "engine/stages/stages.h"
#include "engine/volume/fitting_alternatives.h"
#include "ui/axis/axis_panel.h"
#include "ui/axis/trial_strip.h"
#include "ui/image/image_panel.h"
#include "ui/numbers/number_tabs.h"
#include "ui/opening/reading_panel.h"
#include "ui/opening/scan_bar.h"
#include "ui/profile/profile_panel.h"
#include "ui/recorded/recorded_panel.h"
#include "ui/settings/settings_panel.h"
#include "ui/speed/speed_panel.h"
#include "ui/window/message_bar.h"
#include "ui/window/slice_bar.h"

#include <algorithm>

namespace ui
{

namespace
{

// Returns whether the preparation lacks the pixel size of a scan from a file, which the section "Reading" sets.
bool needsPixel(const engine::Request& request)
{
    const auto isPixel = [](const engine::Text::Part& part) {
        return part.kind == engine::Text::Kind::option && part.text == "pixel";
    };
    return !request.scan->path.empty() &&
           std::ranges::any_of(engine::refusalsOf(request), [&](const engine::Refusal& refusal) {
               return refusal.about == engine::Refusal::About::preparation &&
                      std::ranges::any_of(refusal.text.parts(), isPixel);
           });
}

} // namespace

ReconstructionController::ReconstructionController(const InputPanels& inputs, const ResultPanels& results,
                                                   MessageBar& messages, std::function<bool()> isIdle)
    : m_inputs(inputs), m_results(results), m_messages(messages), m_warnings(messages),
      m_speeds(
          m_shown, *inputs.settings, results,
          [this, isIdle] { return !busy() && !m_stack.busy() && !m_loop.isRunning() && isIdle(); },
          [this, isIdle] { return !m_stack.busy() && isIdle(); }),
      m_stack(*inputs.settings, *results.volume, messages), m_loop(m_shown, results)
{
    connect(inputs.settings, &SettingsPanel::changed, this,
            std::bind_front(&ReconstructionController::reconstruct, this, false, false));
    connect(inputs.settings, &SettingsPanel::dragged, this, [this] {
        m_inputs.axis->setAxis(m_inputs.settings->axisBins());
        reconstruct(false, true);
    });
    connect(results.sliceBar, &SliceBar::sliceChanged, this, [this](int slice) {
        m_inputs.scanBar->setSlice(slice);
        reconstruct();
    });
    connect(results.images, &ImagePanel::marksChanged, this, &ReconstructionController::changeMarks);
    connect(&m_warnings, &ResultWarnings::trialsWanted, this, [this] { m_results.numbers->showPage(m_inputs.trials); });
    connect(&m_warnings, &ResultWarnings::airWanted, inputs.settings, &SettingsPanel::setAir);
    connect(&m_warnings, &ResultWarnings::unitWanted, inputs.settings, &SettingsPanel::setReferenceUnit);
    connect(&m_warnings, &ResultWarnings::referenceWanted, inputs.settings, &SettingsPanel::setReference);
    connect(&m_stack, &StackController::started, &m_speeds, &SpeedController::stop);
    connect(&m_stack, &StackController::ended, &m_speeds, &SpeedController::measure);
    connectJob();
    connectLoop();
}

void ReconstructionController::connectLoop()
{
    connect(&m_stack, &StackController::started, &m_loop, &LoopController::stop);
    connect(&m_stack, &StackController::started, this, &ReconstructionController::stackStarts);
    connect(&m_loop, &LoopController::started, &m_speeds, &SpeedController::stop);
    connect(&m_loop, &LoopController::showing, this, [this](int slice, const Image& image) {
        m_inputs.scanBar->setSlice(slice);
        m_inputs.scanBar->showResult(*image);
    });
    connect(&m_loop, &LoopController::ended, this, [this](const QString& problem) {
        if (!problem.isEmpty())
            m_messages.showError(problem);
        if (!m_shown.hasResult())
            return;
        m_inputs.scanBar->setSlice(m_shown.slice);
        m_inputs.scanBar->showResult(*m_shown.a().result);
        m_results.images->show(m_shown);
        m_results.speed->show(m_shown);
        m_speeds.show();
        m_speeds.measure();
    });
}

void ReconstructionController::connectJob()
{
    ImagePanel* images = m_results.images;
    connect(&m_job, &ReconstructionJob::updated, this, &ReconstructionController::show);
    connect(&m_job, &ReconstructionJob::progressed, m_results.speed,
            [this](const QString& stage, double fraction) { m_results.speed->setBusy(true, stage, fraction); });
    connect(&m_job, &ReconstructionJob::referenceExpected, images, &ImagePanel::showExpected);
    connect(&m_job, &ReconstructionJob::cancelled, this,
            [this] { m_results.images->showStopped(tr("Cancelled. Press F5 to compute it."), isOutdated()); });
    connect(&m_job, &ReconstructionJob::failed, this, [this](const QString& message) {
        if (needsPixel(m_asked))
            fail(message, tr("Pixel size…"), [this] { m_inputs.reading->askForPixel(); });
        else
            fail(message);
    });
    connect(&m_job, &ReconstructionJob::misfit, this, &ReconstructionController::showMisfit);
    connect(&m_job, &ReconstructionJob::finished, this, [this] {
        m_results.speed->setBusy(false);
        emit finished();
    });
}

// Shows the error, with a button if there is a remedy.
void ReconstructionController::fail(const QString& message, const QString& remedy, const std::function<void()>& act)
{
    m_results.images->showStopped(tr("Not computed: see the message. Press F5 to try again."), isOutdated());
    m_messages.failRequest(message);
    if (!remedy.isEmpty())
        m_messages.showError(message, remedy, act);
}

// Offers slices of the reference's size. Those of a simulated parallel beam have as many pixels as the detector.
void ReconstructionController::showMisfit(const QString& message, const QSize& ofFile)
{
    const bool isCone = engine::takesConeBeam(m_scan->geometry);
    if (ofFile.width() != ofFile.height())
        return fail(tr("%1 Slices are square here: enlarge or cut the images of the file to a square of that size.")
                        .arg(message));
    if (!isCone && m_scan->path.empty())
        return fail(tr("%1 The slices of this simulated scan have as many pixels as its detector.").arg(message));
    const QString place = isCone ? tr("“Size” in the section “Geometry”") : tr("“Slice” in the section “Reading”");
    const int pixels = ofFile.width();
    fail(tr("%1 Or reconstruct slices of %2 × %2 pixels (%3); the size of a pixel stays.")
             .arg(message, QString::number(pixels), place),
         tr("Reconstruct %1 × %1").arg(pixels), [this, pixels] { emit sliceSizeWanted(pixels); });
}

void ReconstructionController::findDevices()
{
    m_devices.start([](std::stop_token, const BackgroundTask::Progress&) { engine::findAutomaticDevices(); },
                    [this] {
                        for (const engine::Backend* backend : engine::backends())
                            if (backend->isAutomatic)
                                m_inputs.settings->setDevices(*backend, backend->devices());
                    });
    connect(m_inputs.settings, &SettingsPanel::devicesWanted, this, &ReconstructionController::findOthers);
}

// Loads drivers that nobody needs who doesn't choose their devices. It can take a second.
void ReconstructionController::findOthers(const engine::Backend* backend)
{
    m_otherDevices.start([backend](std::stop_token, const BackgroundTask::Progress&) { backend->devices(); },
                         [this, backend] {
                             const engine::Devices& found = backend->devices();
                             m_inputs.settings->setDevices(*backend, found);
                             if (found.devices.empty())
                                 m_messages.showError(tr("No %1 can be used: %2. Device is “Automatic” again.")
                                                          .arg(QString::fromUtf8(backend->deviceLabel),
                                                               QString::fromStdString(found.reason)));
                         });
}

void ReconstructionController::setScan(std::shared_ptr<const engine::Scan> scan)
{
    m_stack.cancel(); // of the previous scan
    m_loop.stop();
    m_scan = std::move(scan);
    m_shown = {};
}

void ReconstructionController::reconstruct(bool again, bool coarse)
{
    if (!m_scan)
        return;
    JobRequest request{m_inputs.settings->comparison(m_results.sliceBar->slice()), again, coarse};
    request.asked.mask = m_askedMask = m_results.images->marks().mask();
    request.asked.areaName = areaName();
    m_asked = request.asked.a().request;
    emit changed(coarse);
    if (coarse ? !m_results.images->isVisible() : isTooLarge(m_asked))
        return;
    m_loop.stop();
    m_speeds.stop();
    m_results.images->showComputing();
    m_results.recorded->hold(request.asked);
    emit started();
    m_job.start(request);
    if (coarse)
        return;
    m_inputs.axis->setRequest(m_asked);
    m_inputs.trials->setRequest(m_asked);
}

void ReconstructionController::cancel()
{
    m_job.cancel();
    m_stack.cancel();
    m_loop.stop();
}

bool ReconstructionController::busy() const
{
    return m_job.busy();
}

// Returns whether the request doesn't fit into memory. If so, shows an error and offers the alternative with the
// least change.
bool ReconstructionController::isTooLarge(const engine::Request& request)
{
    const std::optional<std::string> objection = engine::memoryObjection(request);
    if (!objection)
        return false;
    const std::vector<engine::Fit> fits = engine::fitsForSlices(request);
    QString text = tr("A slice of this scan doesn't fit into memory: %1.").arg(QString::fromStdString(*objection));
    for (const engine::Fit& fit : fits)
        text += tr("\n%1: %2.").arg(tr(fit.label.c_str()), QString::fromStdString(fit.takes));
    if (fits.empty())
        m_messages.showError(text);
    else
        m_messages.showError(text, tr(fits.front().label.c_str()), [this, fit = fits.front()] { emit fitWanted(fit); });
    m_job.cancel();
    m_results.speed->setBusy(false);
    m_results.images->showStopped(tr("Not computed: see the message."), isOutdated());
    emit refused(text);
    return true;
}

bool ReconstructionController::isOutdated() const
{
    const engine::Request& there = m_shown.a().request;
    return m_shown.hasResult() && (there.scan != m_scan || !(engine::imageKey(there) == engine::imageKey(m_asked)));
}

void ReconstructionController::show(const Comparison& comparison)
{
    if (!comparison.hasResult() || comparison.a().result->request.scan != m_scan)
        return;
    m_messages.endRequestFailure();
    m_shown = comparison;
    const engine::Marks& marks = m_results.images->marks();
    m_results.images->show(m_shown);
    m_results.recorded->show(m_shown);
    m_results.profile->show(m_shown, marks);
    m_results.numbers->show(m_shown, marks);
    m_results.speed->show(m_shown);
    m_loop.showPossible();
    m_speeds.show();
    const engine::Reconstruction& a = *m_shown.a().result;
    m_inputs.scanBar->showResult(a);
    if (!m_shown.a().isPreview())
        m_warnings.warnOfScan(a);
    m_inputs.axis->showUsed(a);
    m_inputs.trials->showUsed(a);
    m_warnings.warnOfAxis(a);
    m_warnings.warnOfUnit(m_shown);
    m_warnings.warnOfHidden(m_shown);
}

void ReconstructionController::showMarks()
{
    if (!m_shown.hasResult())
        return;
    const engine::Marks& marks = m_results.images->marks();
    m_results.profile->show(m_shown, marks);
    m_results.numbers->showMarks(marks);
}

// Shows lines immediately. For another area, starts a job that computes its statistics.
void ReconstructionController::changeMarks()
{
    emit changed(false);
    const engine::Mask now = m_results.images->marks().mask();
    if (!m_shown.hasResult()) {
        if (m_askedMask != now)
            reconstruct();
        return;
    }
    showMarks();
    if (m_shown.mask != now || m_askedMask != now) {
        reconstruct();
    } else if (m_shown.areaName != areaName()) {
        m_shown.areaName = areaName();
        m_results.numbers->show(m_shown, m_results.images->marks());
        m_results.speed->show(m_shown);
    }
}

QString ReconstructionController::areaName() const
{
    const engine::Mark* area = m_results.images->marks().area();
    return area ? QString::fromStdString(area->name) : QString();
}

} // namespace ui
