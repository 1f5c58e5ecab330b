// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/settings/reference_combo.h"

#include "engine/io/open/readers.h"
#include "ui/background/setting_differences.h"
#include "ui/widgets/short_name.h"

#include <QDropEvent>
#include <QEventLoop>
#include <QFileDialog>
#include <QFileInfo>
#include <QInputDialog>
#include <QMimeData>
#include <QSignalBlocker>
#include <QTimer>
#include <QUrl>

#include <thread>

namespace ui
{

namespace
{

// Entries of the list of references that open a file dialog.
constexpr const char* askForFileEntry = "file";
constexpr const char* askForFolderEntry = "folder";

// Returns the data sets of a file that slices of this scan can be compared with. Returns none if the file can't be
// read; reading it later reports the error. A thread reads the file while the window continues to repaint.
std::vector<std::string> setsThatFit(const std::filesystem::path& file, const engine::Scan* scan)
{
    const std::vector<engine::SliceSize> fitting(scan ? 1 : 0, engine::SliceSize{scan->sliceSize(), scan->sliceSize()});
    std::vector<std::string> sets;
    QEventLoop painting;
    const std::jthread looking([&] {
        try {
            sets = engine::datasetsThatFit(file, fitting);
        } catch (const std::exception&) {
        }
        QMetaObject::invokeMethod(&painting, &QEventLoop::quit, Qt::QueuedConnection);
    });
    painting.exec(QEventLoop::ExcludeUserInputEvents);
    return sets;
}

// Returns the only file of a drag, or nothing.
QString fileOf(const QDropEvent& event)
{
    const QList<QUrl> urls = event.mimeData()->urls();
    return urls.size() == 1 ? urls.front().toLocalFile() : QString();
}

} // namespace

ReferenceCombo::ReferenceCombo(QWidget* parent) : ChoiceCombo(parent)
{
    setObjectName(QStringLiteral("reference"));
    setAccessibleName(tr("Compare with"));
    setAcceptDrops(true);
    connect(this, &QComboBox::currentIndexChanged, this, &ReferenceCombo::takeEntry);
}

void ReferenceCombo::takeEntry()
{
    const QString text = currentData().toString();
    const bool isFolder = text == QLatin1String(askForFolderEntry);
    if (isFolder || text == QLatin1String(askForFileEntry)) {
        // Restores the selection until a file is chosen.
        select(QString::fromStdString(toText(m_list.reference)));
        QTimer::singleShot(0, this, [this, isFolder] { askForFile(isFolder); });
        return;
    }
    emit chosen(engine::referenceFromText(text.toStdString()));
}

void ReferenceCombo::askForFile(bool folder)
{
    QStringList patterns; // such as *.h5
    for (const std::string& suffix : engine::scanSuffixes())
        patterns << QLatin1Char('*') + QString::fromStdString(suffix);
    const std::filesystem::path& before = m_list.reference.file.file;
    const std::string beside = !before.empty() ? before.string() : m_scan ? m_scan->path : std::string();
    const QString start = QFileInfo(QString::fromStdString(beside)).absolutePath();
    const QString path = folder
                             ? QFileDialog::getExistingDirectory(this, tr("Compare with a folder of slices"), start)
                             : QFileDialog::getOpenFileName(
                                   this, tr("Compare with an image or a volume"), start,
                                   tr("Images and volumes (%1);;All files (*)").arg(patterns.join(QLatin1Char(' '))));
    if (!path.isEmpty())
        takeFile(path);
}

// Chooses a file or a folder as the reference. Asks for the data set if several fit.
void ReferenceCombo::takeFile(const QString& path)
{
    engine::SlicesPath slices{path.toStdString(), {}};
    if (const std::vector<std::string> sets = setsThatFit(slices.file, m_scan); sets.size() > 1) {
        QStringList names;
        for (const std::string& one : sets)
            names << QString::fromStdString(one);
        bool isTaken = false;
        slices.dataset =
            QInputDialog::getItem(this, tr("Compare with"), tr("Data set of %1:").arg(QFileInfo(path).fileName()),
                                  names, 0, false, &isTaken)
                .toStdString();
        if (!isTaken)
            return;
    }
    emit chosen({ReferenceChoice::Kind::file, 0, slices});
}

void ReferenceCombo::showChoices(const SettingList& list, const engine::Scan* scan)
{
    m_list = list;
    m_scan = scan;
    using Kind = ReferenceChoice::Kind;
    const QSignalBlocker blocker(this);
    clear();
    const auto add = [this](const QString& label, ReferenceChoice choice, const QString& tip) {
        addChoice(label, QString::fromStdString(toText(choice)), tip);
        return count() - 1;
    };
    add(m_list.settings.size() > 1 ? tr("Exact method, same settings as each") : tr("Exact method"), {Kind::exact, 0},
        tr("What the exact method makes of the same projections, not the object itself: double precision and linear "
           "interpolation with the setting's own preparation, filter and axis. Shows the error of its kernel"));
    const int cubic =
        add(tr("Exact method, cubic"), {.interpolation = engine::Interpolation::cubic},
            tr("The same with cubic interpolation: for settings with cubic interpolation, whose distance to "
               "linear is no error"));
    if (m_scan && !std::holds_alternative<engine::ParallelBeam>(m_scan->geometry))
        setImpossible(cubic, tr("The exact method interpolates cubically for parallel beams only."));
    const int phantom =
        add(tr("Exact phantom"), {Kind::phantom, 0}, tr("What was simulated, averaged over each pixel"));
    if (!m_scan || !m_scan->exactImage)
        setImpossible(phantom, tr("Only a simulated scan has one."));
    const std::vector<QString> names = namesByDifferences(m_list);
    if (m_list.settings.size() > 1)
        for (auto name = names.begin(); const NamedSetting& one : m_list.settings) {
            add(tr("Setting %1").arg(*name++), {Kind::setting, one.id},
                tr("The image of this setting: %1").arg(wholeDescriptionOf(one, m_scan)));
            add(tr("Exact method, with %1's options").arg(QString::fromStdString(one.name)), {Kind::exactOf, one.id},
                tr("Double precision and linear interpolation with this setting's preparation, filter and axis for "
                   "all: shows the error of each choice"));
        }
    const QString chosen = QString::fromStdString(toText(m_list.reference));
    const bool isFile = m_list.reference.kind == Kind::file;
    if (isFile)
        add(shortened(QString::fromStdString(shortName(m_list.reference.file))), m_list.reference, chosen);
    addChoice(tr("An image file…"), QLatin1String(askForFileEntry),
              tr("An image or a volume of another program: TIFF, MATLAB's .mat, or HDF5 as Sinoscope, "
                 "nabu, tomopy and tomocupy write it. It can also be dropped here"));
    addChoice(tr("A folder of slices…"), QLatin1String(askForFolderEntry),
              tr("TIFF files, one per slice, numbered as in the scan"));
    select(chosen);
    setToolTip(isFile ? chosen
                      : tr("The reference that all settings are measured against, shown beside the chosen one"));
}

void ReferenceCombo::dragEnterEvent(QDragEnterEvent* event)
{
    if (!fileOf(*event).isEmpty())
        event->acceptProposedAction();
}

void ReferenceCombo::dropEvent(QDropEvent* event)
{
    event->acceptProposedAction();
    takeFile(fileOf(*event));
}

} // namespace ui
