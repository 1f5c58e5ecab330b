// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/saved_volume.h"

#include "engine/base/error.h"
#include "engine/io/slices/volume_journal.h"
#include "ui/widgets/engine_text.h"

namespace ui
{

SavedVolume::SavedVolume(const engine::Request& request, const engine::OpenOptions& opened,
                         const engine::VolumeOutput& output)
    : m_request(request), m_opened(opened), m_output(output)
{
    m_output.keepsSlices = [this] {
        m_hasSlices = true;
        return m_keepsSlices.load();
    };
}

void SavedVolume::write(const std::stop_token& stop, const BackgroundTask::Progress& progress)
{
    try {
        m_written = engine::writeVolume(
            m_request, m_opened, m_output, [this](const engine::Text& text) { m_warnings << inWindow(text); },
            [&progress](double fraction, auto&&...) { progress(fraction); }, stop);
    } catch (const engine::OtherVolume&) {
        m_isOther = true;
        throw;
    }
    if (m_written.wasThere && !m_written.wasNamed)
        throw engine::Error(engine::ErrorKind::output, engine::fileText(m_output.path.string()) +
                                                           " exists already, with all slices of this volume.");
}

SavedNotice SavedVolume::notice() const
{
    if (m_written.wasNamed)
        return {QObject::tr(" · all slices were computed before")};
    SavedNotice notice = noticeOf(m_written);
    if (m_written.done > 0)
        notice.text += QObject::tr(" · %n slices were computed before", nullptr, m_written.done);
    notice.text += warnings();
    notice.warns = notice.warns || !m_warnings.isEmpty();
    return notice;
}

QString SavedVolume::warnings() const
{
    QString lines;
    for (const QString& warning : m_warnings)
        if (warning.toStdString() != m_written.note.text) // part of the notice
            lines += QLatin1Char('\n') + warning;
    return lines;
}

} // namespace ui
