// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/opening_remedies.h"

#include "engine/io/formats/hdf5_data_sets.h"
#include "engine/io/open/readers.h"
#include "ui/background/persistent_state.h"
#include "ui/opening/data_sets_dialog.h"
#include "ui/opening/known_data_sets.h"
#include "ui/opening/reading_panel.h"
#include "ui/opening/welcome.h"
#include "ui/window/message_bar.h"
#include "ui/window/opening_controller.h"

#include <QDirIterator>
#include <QFileInfo>

namespace ui
{

namespace
{

// Whether the folder holds several files with the suffix of this one: a scan is often a folder of images.
bool isOneOfSeveral(const QFileInfo& file)
{
    QDirIterator others(file.path(), {QStringLiteral("*.") + file.suffix()}, QDir::Files);
    int found = 0;
    while (found < 2 && others.hasNext()) {
        others.next();
        found++;
    }
    return found > 1;
}

} // namespace

OpeningRemedies::OpeningRemedies(QWidget& window, PersistentState& state, Welcome& welcome, ReadingPanel& reading,
                                 MessageBar& messages, const ScanController& scan, OpeningController& opening)
    : m_window(window), m_state(state), m_welcome(welcome), m_reading(reading), m_messages(messages), m_scan(scan),
      m_opening(opening)
{
    connect(&reading, &ReadingPanel::dataSetsWanted, this, &OpeningRemedies::chooseDataSets);
    connect(&opening, &OpeningController::dataSetsWanted, this, &OpeningRemedies::chooseDataSets);
    connect(&opening, &OpeningController::notOpened, this, &OpeningRemedies::offer);
}

// Shows the error with a button to open the file differently: with another reader, or after the user has entered what
// is missing.
void OpeningRemedies::offer(const QString& path, const engine::OpenOptions& options, const QString& message)
{
    const std::filesystem::path file(path.toStdString());
    if (const engine::Reader* other = engine::alternativeFor(file, options)) {
        m_messages.showError(message, tr(other->offer), [this, path, options, other] {
            engine::OpenOptions asking = options;
            other->ask(asking);
            m_opening.openFile(path, asking);
        });
        if (isOneOfSeveral(QFileInfo(path)))
            m_messages.addAction(tr("Open its folder"), [this, folder = QFileInfo(path).path(), options] {
                m_opening.openFile(folder, options);
            });
    } else if (!options.raw && engine::hasDataSets(file))
        openAsKnown(path, options, message);
    else if (!options.raw && QFileInfo(path).isFile() && QFileInfo(path).size() > 0 && !engine::containerOf(file))
        m_messages.showError(message, tr("Import raw…"), [this, path, options] { askForShape(path, options); });
    else
        m_messages.showError(message);
}

void OpeningRemedies::chooseDataSets(const QString& path, const engine::OpenOptions& options)
{
    m_messages.dismiss();
    m_opening.listDataSets(path, [this, path, options](const engine::DataSetList& list) {
        m_opening.showWelcome();
        engine::DataSets before = options.dataSets;
        if (before.projections.empty())
            before = knownIn(knownDataSets(m_state.settings()), list).value_or(before);
        auto* dialog = new DataSetsDialog(path, list, before, &m_window);
        dialog->setAttribute(Qt::WA_DeleteOnClose);
        connect(dialog, &QDialog::accepted, this, [this, dialog, path, options] {
            engine::OpenOptions asking = options;
            asking.dataSets = dialog->chosen();
            rememberDataSets(m_state.settings(), asking.dataSets);
            if (m_scan.scan() && m_scan.scan()->path == path.toStdString())
                m_opening.reopen(asking);
            else
                m_opening.openFile(path, asking);
        });
        dialog->open();
    });
}

// Opens the file with data sets that the user chose for an earlier file, if it has the same ones. Otherwise shows the
// error, with a button to choose data sets if the file has some that can be listed: a truncated one doesn't.
void OpeningRemedies::openAsKnown(const QString& path, const engine::OpenOptions& options, const QString& message)
{
    const std::vector<engine::DataSets> known = knownDataSets(m_state.settings());
    const auto offerChoice = [this, path, options, message] {
        m_messages.showError(message, tr("Choose data sets…"),
                             [this, path, options] { chooseDataSets(path, options); });
    };
    if (!options.dataSets.projections.empty())
        return offerChoice();
    const auto showAlone = [this, message](const QString&) { m_messages.showError(message); };
    const auto take = [this, path, options, known, offerChoice](const engine::DataSetList& list) {
        const std::optional<engine::DataSets> fits = knownIn(known, list);
        if (!fits)
            return m_opening.showWelcome(), offerChoice();
        engine::OpenOptions asking = options;
        asking.dataSets = *fits;
        m_opening.openFile(path, asking);
        m_opening.setNotice(
            tr("The data sets were chosen as for an earlier file with the same data sets: projections %1.")
                .arg(QString::fromStdString(fits->projections)));
    };
    m_opening.listDataSets(path, take, showAlone);
}

void OpeningRemedies::askForShape(const QString& path, const engine::OpenOptions& options)
{
    m_messages.dismiss();
    m_welcome.hide();
    m_reading.askForShape(path, options);
}

} // namespace ui
