// MainWindow's recipes, and the queue of volumes that are made by them.
#include "engine/base/error.h"
#include "engine/io/open/open_fields.h"
#include "ui/window/main_window_impl.h"

#include <QFileInfo>

namespace ui
{

engine::Recipe MainWindow::Impl::recipeNow(std::vector<std::string>& leftOut) const
{
    const SettingList& list = settings->list();
    engine::Recipe recipe;
    recipe.setting = list.find(list.chosenId)->setting;
    recipe.choosesPasses = recipe.setting.kernel.method == "auto";
    recipe.opened = engine::withoutFiles(openedWith, leftOut);
    return recipe;
}

void MainWindow::saveRecipe(const QString& path)
{
    try {
        std::vector<std::string> leftOut;
        const engine::Recipe recipe = m_impl->recipeNow(leftOut);
        engine::writeRecipe(recipe, path.toStdString(), true, m_impl->inputs());
        const QString text = tr("Saved %1").arg(QDir::toNativeSeparators(path));
        if (leftOut.empty())
            m_impl->messages->showInformation(text);
        else
            m_impl->messages->showHint(text + QLatin1Char('\n') + QString::fromStdString(engine::leftOutText(leftOut)),
                                       {}, {});
        emit saved(path);
    } catch (...) {
        m_impl->messages->fail(messageOfCurrentException());
    }
}

void MainWindow::openRecipe(const QString& path)
{
    if (!m_impl->scan)
        return m_impl->messages->fail(tr("Open a scan first; a recipe says how it is reconstructed."));
    try {
        const engine::Recipe recipe = engine::readRecipe(path.toStdString());
        const auto bring = [this, setting = recipe.setting, name = QFileInfo(path).completeBaseName()] {
            m_impl->settings->bring(setting, name);
        };
        const engine::OpenOptions opened = engine::openedOver(m_impl->openedWith, recipe.opened);
        if (m_impl->scan->path.empty() || opened == m_impl->openedWith)
            return bring();
        m_impl->opening.reopen(opened, {}, bring);
    } catch (...) {
        m_impl->messages->fail(messageOfCurrentException());
    }
}

// What a scan gets in the queue: everything as here, but for the files of another scan.
engine::QueuedVolume MainWindow::Impl::queuedAs(const QString& path) const
{
    std::vector<std::string> leftOut;
    engine::QueuedVolume volume{.scan = path.toStdString(),
                                .named = {},
                                .recipe = recipeNow(leftOut),
                                .opened = openedWith,
                                .resources = scan ? settings->request(0).resources : engine::Resources(),
                                .output = {.path = "volume.h5"}};
    const SettingList& list = settings->list();
    volume.named = list.find(list.chosenId)->name;
    if (!scan || scan->path != volume.scan) {
        volume.opened = volume.recipe.opened;
        volume.opened.allowOutside = false; // which was said of this scan
    }
    volume.resources.threads = 0;
    if (volumeChoice.kind == engine::OutputKind::folder)
        volume.output.path = "volume";
    volume.output.stored = volumeChoice.stored;
    return volume;
}

void MainWindow::Impl::enqueue(const engine::VolumeOutput& output)
{
    try {
        engine::QueuedVolume volume = queuedAs(QString::fromStdString(scan->path));
        volume.output = output;
        queue.add(std::move(volume));
        window->showQueue();
    } catch (...) {
        messages->fail(messageOfCurrentException());
    }
}

void MainWindow::Impl::connectQueue()
{
    if (QSettings* stored = state.settings())
        queue.keepIn(*stored);
    connect(&queue, &VolumeQueue::finished, window, [this] {
        if (queueDialog && queueDialog->isVisible())
            return;
        const QString text = tr("The queue of volumes is through: %1.").arg(endText(queue));
        const auto show = [this] { window->showQueue(); };
        if (queue.count(VolumeQueue::State::failed) > 0)
            messages->showError(text, tr("Show it"), show);
        else
            messages->showSuccess(text, tr("Show it"), show);
    });
}

// What an earlier start has left in it: when the program starts, and once more where a scan is opened then.
void MainWindow::Impl::offerQueue()
{
    const int waiting = queue.waiting(), unreadable = queue.count(VolumeQueue::State::unreadable),
              failed = queue.count(VolumeQueue::State::failed), left = waiting + unreadable + failed;
    if (queueOffered || queueDialog || left == 0 || left < int(queue.items().size()) || !messages->text().isEmpty())
        return;
    queueOffered = scan != nullptr;
    QStringList texts;
    if (waiting > 0)
        texts << (waiting == 1 ? tr("A volume of the queue still waits to be made.")
                               : tr("%1 volumes of the queue still wait to be made.").arg(waiting));
    if (failed > 0)
        texts << (failed == 1 ? tr("A volume of the queue failed.")
                              : tr("%1 volumes of the queue failed.").arg(failed));
    if (unreadable > 0)
        texts << tr("Entries of the queue that can't be read: %1.").arg(unreadable);
    messages->showHint(texts.join(QLatin1Char(' ')), tr("Show it"), [this] { window->showQueue(); });
}

void MainWindow::showQueue()
{
    Impl& impl = *m_impl;
    if (!impl.queueDialog)
        impl.queueDialog = new QueueDialog(
            impl.queue, [&impl](const QString& path) { return impl.queuedAs(path); }, impl.saveFolder, this);
    impl.queue.refresh();
    impl.queueDialog->show();
    impl.queueDialog->raise();
    impl.queueDialog->activateWindow();
}

VolumeQueue& MainWindow::queue()
{
    return m_impl->queue;
}

} // namespace ui
