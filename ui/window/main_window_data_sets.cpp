// HDF5 files that don't say which of their data sets are a scan's: asked for, and remembered.
#include "engine/io/formats/hdf5_data_sets.h"
#include "ui/opening/data_sets_dialog.h"
#include "ui/opening/known_data_sets.h"
#include "ui/widgets/without_flags.h"
#include "ui/window/main_window_impl.h"

#include <QFileInfo>

namespace ui
{

void MainWindow::Impl::listDataSets(const QString& path, const std::function<void(const engine::DataSetList&)>& take)
{
    const auto list = std::make_shared<engine::DataSetList>();
    opening.disconnect(SIGNAL(failed(QString)));
    connect(&opening, &BackgroundTask::failed, window, [this](const QString& message) {
        speed->setBusy(false);
        showWelcome();
        messages->showError(withoutFlags(message));
    });
    speed->setBusy(true, tr("looking into %1").arg(QFileInfo(path).fileName()), 0);
    opening.start(
        [list, file = path.toStdString()](std::stop_token stop, const BackgroundTask::Progress&) {
            *list = engine::dataSetsIn(file, std::move(stop));
        },
        [this, list, take] {
            speed->setBusy(false);
            take(*list);
        });
}

void MainWindow::Impl::chooseDataSets(const QString& path, const engine::OpenOptions& options)
{
    messages->dismiss();
    listDataSets(path, [this, path, options](const engine::DataSetList& list) {
        showWelcome();
        engine::DataSets before = options.dataSets;
        if (before.projections.empty())
            before = knownIn(knownDataSets(state.settings()), list).value_or(before);
        auto* dialog = new DataSetsDialog(path, list, before, window);
        dialog->setAttribute(Qt::WA_DeleteOnClose);
        connect(dialog, &QDialog::accepted, window, [this, dialog, path, options] {
            engine::OpenOptions asking = options;
            asking.dataSets = dialog->chosen();
            rememberDataSets(state.settings(), asking.dataSets);
            if (scan && scan->path == path.toStdString())
                reopen(asking);
            else
                openFile(path, asking);
        });
        dialog->open();
    });
}

// As one before it was read, if it has the same data sets; else what is wrong, with the way out.
void MainWindow::Impl::openAsKnown(const QString& path, const engine::OpenOptions& options, const QString& message)
{
    const std::vector<engine::DataSets> known = knownDataSets(state.settings());
    const auto offer = [this, path, options, message] {
        messages->showError(message, tr("Choose data sets…"), [this, path, options] { chooseDataSets(path, options); });
    };
    if (known.empty() || !options.dataSets.projections.empty())
        return offer();
    listDataSets(path, [this, path, options, known, offer](const engine::DataSetList& list) {
        const std::optional<engine::DataSets> fits = knownIn(known, list);
        if (!fits)
            return showWelcome(), offer();
        engine::OpenOptions asking = options;
        asking.dataSets = *fits;
        openFile(path, asking);
        sayOnceOpen = tr("The file's data sets are taken as in the last one that has them: projections %1.")
                          .arg(QString::fromStdString(fits->projections));
    });
}

} // namespace ui
