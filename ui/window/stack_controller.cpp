// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/stack_controller.h"

#include "ui/background/volume_preview.h"
#include "ui/settings/settings_panel.h"
#include "ui/volume/volume_panel.h"
#include "ui/window/message_bar.h"

#include <QDir>

#include <memory>

namespace ui
{

StackController::StackController(const SettingsPanel& settings, VolumePanel& volume, MessageBar& messages)
    : m_settings(settings), m_volume(volume), m_messages(messages)
{
    connect(&volume, &VolumePanel::reconstructStackRequested, this, &StackController::reconstruct);
    connect(&volume, &VolumePanel::saved, this, [this](const QString& path, const QString& remark) {
        const QString text = tr("Saved %1").arg(QDir::toNativeSeparators(path));
        if (remark.isEmpty())
            m_messages.showInformation(text);
        else
            m_messages.showHint(text + QStringLiteral(". ") + remark, {}, {});
    });
    connect(&volume, &VolumePanel::failed, &messages, &MessageBar::fail);
    connect(&m_task, &BackgroundTask::succeeded, this, &StackController::ended);
    connect(&m_task, &BackgroundTask::failed, this, [this](const QString& message) {
        emit ended();
        m_messages.fail(message);
    });
    connect(&m_task, &BackgroundTask::cancelled, this, &StackController::ended);
}

void StackController::cancel()
{
    m_task.cancel();
}

bool StackController::busy() const
{
    return m_task.busy();
}

void StackController::reconstruct(int step)
{
    const engine::Request request = m_settings.request(0);
    if (!request.scan)
        return m_messages.fail(tr("Open a scan first."));
    auto result = std::make_shared<std::shared_ptr<const engine::Reconstruction>>();
    emit started();
    m_messages.showProgress(m_task, tr("Reconstructing the stack"));
    m_task.start(
        [result, request, step](std::stop_token stop, const BackgroundTask::Progress& progress) {
            *result = reconstructStack(request, step, progress, stop);
        },
        [this, result] { m_volume.setVolume(*result); });
}

} // namespace ui
