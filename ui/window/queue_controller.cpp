// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/queue_controller.h"

#include "engine/base/error.h"
#include "engine/io/open/open_fields.h"
#include "ui/background/persistent_state.h"
#include "ui/queue/queue_dialog.h"
#include "ui/settings/settings_panel.h"
#include "ui/widgets/engine_text.h"
#include "ui/window/message_bar.h"
#include "ui/window/opening_controller.h"
#include "ui/window/saving_controller.h"

#include <QDir>
#include <QFileInfo>

namespace ui
{

QueueController::QueueController(QWidget& window, const PersistentState& state, SettingsPanel& settings,
                                 MessageBar& messages, const ScanController& scan, OpeningController& opening,
                                 const SavingController& saving)
    : m_window(window), m_settings(settings), m_messages(messages), m_scan(scan), m_opening(opening), m_saving(saving)
{
    if (QSettings* stored = state.settings())
        m_queue.keepIn(*stored);
    connect(&m_queue, &VolumeQueue::finished, this, &QueueController::announceEnd);
    connect(&m_queue, &VolumeQueue::pausedAtDoubt, this, [this](const QString& scan) {
        if (!m_dialog || !m_dialog->isVisible())
            m_messages.showHint(
                tr("The queue of volumes paused: %1 is done, but doubtful.").arg(QFileInfo(scan).fileName()),
                tr("Show it"), [this] { show(); });
    });
    connect(&saving, &SavingController::queueWanted, this, &QueueController::enqueue);
    connect(&saving, &SavingController::recipeWanted, this, &QueueController::saveRecipe);
}

engine::Recipe QueueController::recipeNow(std::vector<std::string>& leftOut) const
{
    engine::Recipe recipe;
    recipe.setting = m_settings.list().chosen().setting;
    recipe.choosesPasses = recipe.setting.kernel.method == "auto";
    recipe.opened = engine::withoutFiles(m_scan.opened().openedWith, leftOut);
    return recipe;
}

void QueueController::saveRecipe(const QString& path, const std::string& plane)
{
    try {
        std::vector<std::string> leftOut;
        engine::Recipe recipe = recipeNow(leftOut);
        recipe.plane = plane;
        engine::writeRecipe(recipe, path.toStdString(), true, m_scan.inputFiles());
        const QString text =
            (plane.empty() ? tr("Saved %1") : tr("Saved %1, with the plane")).arg(QDir::toNativeSeparators(path));
        if (leftOut.empty())
            m_messages.showInformation(text);
        else
            m_messages.showHint(text + QLatin1Char('\n') + inWindow(engine::leftOutText(leftOut)), {}, {});
        emit saved(path);
    } catch (...) {
        m_messages.fail(messageOfCurrentException());
    }
}

void QueueController::openRecipe(const QString& path)
{
    if (!m_scan.scan())
        return m_messages.fail(tr("Open a scan first; a recipe only describes how to reconstruct it."));
    try {
        const engine::Recipe recipe = engine::readRecipe(path.toStdString());
        const auto bring = [this, recipe, name = QFileInfo(path).completeBaseName()] {
            m_settings.bring(recipe.setting, name);
            if (!recipe.plane.empty())
                emit planeOpened(recipe.plane);
        };
        const engine::OpenOptions& openedWith = m_scan.opened().openedWith;
        const engine::OpenOptions wanted = engine::openedOver(openedWith, recipe.opened);
        if (m_scan.scan()->path.empty() || wanted == openedWith)
            return bring();
        m_opening.reopen(wanted, {}, bring);
    } catch (...) {
        m_messages.fail(messageOfCurrentException());
    }
}

// Returns the queue entry of a scan with the window's settings, but without files that belong to another scan.
engine::QueuedVolume QueueController::queuedAs(const QString& path) const
{
    const std::shared_ptr<const engine::Scan>& scan = m_scan.scan();
    std::vector<std::string> leftOut;
    engine::QueuedVolume volume{.scan = path.toStdString(),
                                .named = {},
                                .recipe = recipeNow(leftOut),
                                .opened = m_scan.opened().openedWith,
                                .resources = scan ? m_settings.request(0).resources : engine::Resources(),
                                .output = {.path = "volume.h5"}};
    volume.named = m_settings.list().chosen().name;
    if (!scan || scan->path != volume.scan) {
        volume.opened = volume.recipe.opened;
        volume.opened.allowOutside = false; // was allowed only for the open scan
    }
    volume.resources.threads = 0;
    if (m_saving.volumeChoice().kind == engine::OutputKind::folder)
        volume.output.path = "volume";
    volume.output.stored = m_saving.volumeChoice().stored;
    return volume;
}

void QueueController::enqueue(const engine::VolumeOutput& output)
{
    try {
        engine::QueuedVolume volume = queuedAs(QString::fromStdString(m_scan.scan()->path));
        volume.output = output;
        m_queue.add(std::move(volume));
        show();
    } catch (...) {
        m_messages.fail(messageOfCurrentException());
    }
}

void QueueController::announceEnd()
{
    if (m_dialog && m_dialog->isVisible())
        return;
    const QString text = tr("The queue of volumes is finished: %1.").arg(endText(m_queue));
    const auto showIt = [this] { show(); };
    if (m_queue.count(VolumeQueue::State::doubtful) > 0 && m_queue.count(VolumeQueue::State::failed) == 0)
        m_messages.showHint(text, tr("Show it"), showIt);
    else if (m_queue.count(VolumeQueue::State::failed) > 0)
        m_messages.showError(text, tr("Show it"), showIt);
    else
        m_messages.showSuccess(text, tr("Show it"), showIt);
}

void QueueController::offer()
{
    const int waiting = m_queue.waiting(), unreadable = m_queue.count(VolumeQueue::State::unreadable),
              failed = m_queue.count(VolumeQueue::State::failed), left = waiting + unreadable + failed;
    if (m_isOffered || m_dialog || left == 0 || left < int(m_queue.items().size()) || !m_messages.text().isEmpty())
        return;
    m_isOffered = m_scan.scan() != nullptr;
    QStringList texts;
    if (waiting > 0)
        texts << (waiting == 1 ? tr("A volume of the queue is still waiting.")
                               : tr("%1 volumes of the queue are still waiting.").arg(waiting));
    if (failed > 0)
        texts << (failed == 1 ? tr("A volume of the queue failed.")
                              : tr("%1 volumes of the queue failed.").arg(failed));
    if (unreadable > 0)
        texts << tr("Entries of the queue that can't be read: %1.").arg(unreadable);
    m_messages.showHint(texts.join(QLatin1Char(' ')), tr("Show it"), [this] { show(); });
}

void QueueController::show()
{
    if (!m_dialog)
        m_dialog = new QueueDialog(
            m_queue, [this](const QString& path) { return queuedAs(path); }, m_saving.folder(), &m_window);
    m_queue.refresh();
    m_dialog->show();
    m_dialog->raise();
    m_dialog->activateWindow();
}

} // namespace ui
