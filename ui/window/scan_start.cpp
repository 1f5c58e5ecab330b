// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/scan_start.h"

#include "engine/prepare/steps.h"
#include "ui/settings/settings_panel.h"
#include "ui/window/message_bar.h"
#include "ui/window/session_panels.h"
#include "ui/window/slice_bar.h"

#include <QObject>

#include <utility>

namespace ui
{

ScanStart::ScanStart(const InputPanels& inputs, const ResultPanels& results, MessageBar& messages)
    : m_inputs(inputs), m_results(results), m_messages(messages)
{
}

void ScanStart::set(const StartOptions& options)
{
    m_options = options;
    if (options.hasRequest)
        takeRequests(options);
}

void ScanStart::setSession(const engine::Session& session)
{
    m_options = {};
    setAxis({}, 0);
    m_options.session = session;
}

void ScanStart::setSlice(int slice)
{
    if (m_options.session)
        m_options.session->slice = slice;
    else
        m_options.slice = slice;
}

void ScanStart::setAxis(std::optional<double> bins, double tiltDeg)
{
    m_axisBins = bins;
    m_axisTiltDeg = tiltDeg;
}

void ScanStart::forgetPlace()
{
    m_options.session.reset();
    m_options.slice.reset();
    setAxis({}, 0);
}

bool ScanStart::allowsOutside() const
{
    return m_options.open.allowOutside;
}

// Shows one setting, or two if there is a second one to compare with.
void ScanStart::takeRequests(const StartOptions& options)
{
    SettingsPanel* settings = m_inputs.settings;
    settings->setList({});
    settings->setRequest(options.request);
    if (!options.second)
        return;
    engine::Request second = options.request;
    second.setting.kernel = options.second->setting.kernel;
    SettingList list = settings->list();
    list.reference = {ReferenceChoice::Kind::setting, list.add(second.setting).id};
    settings->setList(list);
}

// Applies settings again: a slice and a given axis are meaningful only with a scan.
void ScanStart::apply(const engine::Scan& scan)
{
    const StartOptions options = std::exchange(m_options, {});
    const std::optional<double> axisBins = std::exchange(m_axisBins, {});
    const double axisTiltDeg = std::exchange(m_axisTiltDeg, 0);
    m_inputs.settings->showCarriedOver(!options.session && !options.hasRequest);
    if (options.session)
        return showSession(*options.session, scan, m_inputs, m_results, m_messages);
    if (options.hasRequest)
        takeRequests(options);
    if (axisBins || axisTiltDeg != 0) {
        SettingList list = m_inputs.settings->list();
        engine::Setting& setting = list.chosen().setting;
        if (axisBins)
            setting.axis = {engine::AxisSettings::Mode::given, *axisBins};
        engine::setValue(*engine::findParameter("axis-tilt").parameter, axisTiltDeg, setting.preparation);
        m_inputs.settings->setList(list);
    }
    if (!options.slice)
        return;
    if (*options.slice < scan.slices())
        m_results.sliceBar->setSlice(*options.slice);
    else
        m_messages.fail(QObject::tr("Slice %1 is not in the scan, which has slices 0 to %2.")
                            .arg(*options.slice)
                            .arg(scan.slices() - 1));
}

} // namespace ui
