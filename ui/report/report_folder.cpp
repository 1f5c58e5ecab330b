// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/report/report_folder.h"

#include "engine/base/error.h"
#include "engine/base/remove_file.h"
#include "engine/io/files/checksum.h"
#include "engine/io/files/folder_entries.h"
#include "engine/io/files/input_file.h"
#include "engine/io/files/stale_files.h"
#include "ui/widgets/save_file.h"

#include <QFile>
#include <QJsonDocument>

#include <algorithm>
#include <span>
#include <vector>

namespace ui
{

namespace fs = std::filesystem;

namespace
{

const std::string listName = "report.json";
const QString filesKey = QStringLiteral("files"), checksumKey = QStringLiteral("checksum");

[[noreturn]] void failFolder(const fs::path& folder, const engine::Text& why)
{
    throw engine::Error(engine::ErrorKind::output, engine::fileText(folder.string()) + " " + why +
                                                       ", so no report is written there; choose another folder.");
}

fs::path resolved(const QString& path)
{
    std::error_code failure;
    const fs::path whole = fs::weakly_canonical(QFile::encodeName(path).toStdString(), failure);
    if (failure)
        throw engine::Error(engine::ErrorKind::output,
                            engine::fileText(path.toStdString()) + " can't be a folder: " + failure.message() + ".");
    return whole.has_filename() ? whole : whole.parent_path();
}

std::uint32_t checksumOf(const QByteArray& bytes)
{
    return engine::checksumOf(std::as_bytes(std::span(bytes.data(), std::size_t(bytes.size()))));
}

// Returns the checksum of a report's JSON without its own checksum.
std::uint32_t checksumOf(QJsonObject report)
{
    report.remove(checksumKey);
    return checksumOf(QJsonDocument(report).toJson(QJsonDocument::Compact));
}

} // namespace

ReportFolder::ReportFolder(const QString& path, const engine::ProtectedInputs& inputs)
    : m_path(resolved(path)), m_inputs(inputs), m_folders(m_path)
{
    engine::clearUnfinished(m_path, [](const std::string& name) {
        return name.starts_with("report.") || name.starts_with("profile.") || name.ends_with(".png");
    });
    m_old = listed();
    requireOnlyReport();
    pending(listName); // shows now whether the folder can be written
}

// Returns the files of the report that is in the folder; none if there is no report.
ReportFolder::Checksums ReportFolder::listed() const
{
    const fs::path file = m_path / listName;
    std::error_code unreadable;
    if (!fs::is_regular_file(fs::symlink_status(file, unreadable)))
        return {};
    const std::string text = engine::textOf(file, engine::fileText(file.string()));
    const QJsonObject report = QJsonDocument::fromJson(QByteArray::fromStdString(text)).object();
    const QJsonObject files = report[filesKey].toObject();
    if (report[checksumKey].toDouble(-1) != checksumOf(report))
        failFolder(m_path, engine::fileText(file.string()) + " has been changed, or is of an older version");
    Checksums checksums{{listName, checksumOf(QByteArray::fromStdString(text))}};
    for (auto file = files.begin(); file != files.end(); ++file)
        checksums[file.key().toStdString()] = std::uint32_t(file.value().toDouble());
    return checksums;
}

// Throws Error(output) if the folder contains anything but the files of the older report and temporary ones of this
// object.
void ReportFolder::requireOnlyReport() const
{
    std::error_code unreadable;
    for (const engine::FolderEntry& entry : engine::entriesOf(m_path, unreadable)) {
        const bool isOurs = std::ranges::any_of(
            m_files, [&](const auto& file) { return file.second->temporary().filename() == entry.path.filename(); });
        if (!isOurs)
            requireUnchanged(entry.path, entry.path.filename().string());
    }
    if (unreadable)
        failFolder(m_path, "can't be read: " + unreadable.message());
}

void ReportFolder::requireUnchanged(const fs::path& file, const std::string& name) const
{
    std::error_code unreadable;
    if (!m_old.contains(name) || !fs::is_regular_file(fs::symlink_status(file, unreadable)))
        failFolder(m_path, "contains " + engine::fileText(name) + ", which is no part of a report");
    if (!isUnchanged(file, name))
        failFolder(m_path, "contains " + engine::fileText(name) + ", which was changed after the report");
}

bool ReportFolder::isUnchanged(const fs::path& file, const std::string& name) const
{
    try {
        std::error_code unreadable;
        return fs::is_regular_file(fs::symlink_status(file, unreadable)) &&
               engine::checksumOf(engine::FilePart{.file = file}) == m_old.at(name);
    } catch (const engine::Error&) {
        return false;
    }
}

engine::PendingFile& ReportFolder::pending(const std::string& name)
{
    auto& file = m_files[name];
    if (!file)
        file = std::make_unique<engine::PendingFile>(m_path / name, m_old.contains(name), m_inputs, false);
    return *file;
}

void ReportFolder::add(const QString& name, const QByteArray& bytes)
{
    QFile file(QString::fromStdString(pending(name.toStdString()).temporary().string()));
    if (!writeWhole(file, bytes))
        throw engine::Error(engine::ErrorKind::output, engine::fileText((m_path / name.toStdString()).string()) +
                                                           " can't be written: " + file.errorString().toStdString() +
                                                           "; choose another folder");
}

void ReportFolder::commit(QJsonObject report)
{
    QJsonObject files;
    for (const auto& [name, file] : m_files)
        if (name != listName)
            files[QString::fromStdString(name)] = double(*engine::checksumOf({.file = file->temporary()}));
    report[filesKey] = files;
    report[checksumKey] = double(checksumOf(report));
    add(QString::fromStdString(listName), QJsonDocument(report).toJson());

    requireOnlyReport();
    std::vector<engine::PendingFile*> all;
    for (const auto& [name, file] : m_files)
        all.push_back(file.get());
    engine::PlacedFiles placed(all);
    for (const auto& [name, file] : m_files) // a file that was changed at the last moment gets its name back
        if (file->replaces())
            requireUnchanged(file->temporary(), name);
    placed.keep();
    m_folders.keep();
    for (const auto& [name, sum] : m_old)
        if (const fs::path old = m_path / name; !m_files.contains(name) && isUnchanged(old, name))
            engine::removeFile(old);
}

} // namespace ui
