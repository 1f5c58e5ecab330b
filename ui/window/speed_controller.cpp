// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/speed_controller.h"

#include "ui/image/image_panel.h"
#include "ui/numbers/number_tabs.h"
#include "ui/settings/settings_panel.h"
#include "ui/speed/speed_panel.h"

#include <algorithm>

namespace ui
{

SpeedController::SpeedController(const Comparison& shown, SettingsPanel& settings, const ResultPanels& panels,
                                 std::function<bool()> isIdle, std::function<bool()> isAlone)
    : m_shown(shown), m_settings(settings), m_panels(panels), m_isIdle(std::move(isIdle)), m_isAlone(std::move(isAlone))
{
    connect(&m_meter, &SpeedMeter::finished, this, [this] { m_panels.numbers->setIdle(true); });
    connect(&m_meter, &SpeedMeter::measured, this, &SpeedController::take);
}

void SpeedController::runAgainWhenIdle()
{
    m_runsAgain = true;
}

void SpeedController::show()
{
    const TriedSettings& tried = m_panels.numbers->tried();
    if (!m_shown.a().isPreview())
        m_panels.speed->setRuns(tried.speeds(m_shown.a()), m_isAlone());
    m_settings.show(m_shown, [&tried](const Compared& one) { return tried.speeds(one).kernelGups; });
}

void SpeedController::measure()
{
    if (!m_shown.hasResult() || !m_isIdle())
        return;
    // As soon as one setting lacks runs, all are run again: speeds can be compared if they belong to the same minute.
    std::vector<MeterRequest> requests;
    bool isAnyNew = false;
    for (const Compared& one : m_shown.compared) {
        if (!m_runsAgain || !one.visible || !one.result || one.isPreview())
            continue;
        const Speeds known = m_panels.numbers->tried().speeds(one);
        MeterRequest wanted{one.request, one.result, known.kernelGups.count};
        wanted.isRepeated = one.result->timings.totalSeconds < SpeedMeter::mostSeconds;
        isAnyNew = isAnyNew || !known.limits || (wanted.isRepeated && wanted.runs < SpeedMeter::enoughRuns);
        requests.push_back(std::move(wanted));
    }
    const auto repeated = std::ranges::count_if(requests, &MeterRequest::isRepeated);
    for (MeterRequest& one : requests)
        one.runs = repeated > 1 ? 0 : one.runs;
    if (!isAnyNew)
        m_panels.numbers->setIdle(true);
    else
        m_meter.measure(std::move(requests));
}

void SpeedController::stop()
{
    m_meter.stop();
    m_panels.numbers->setIdle(false);
}

void SpeedController::take(const engine::Request& request, const IdleMeasurement& measured)
{
    m_panels.numbers->addRuns(request, measured);
    if (m_shown.hasResult()) {
        m_panels.numbers->show(m_shown, m_panels.images->marks());
        show();
    }
}

} // namespace ui
