// SPDX-License-Identifier: GPL-3.0-or-later
// The folder of a report: its files have temporary names until all are complete.
#pragma once

#include "engine/io/files/created_folders.h"
#include "engine/io/files/pending_file.h"

#include <QByteArray>
#include <QJsonObject>
#include <QString>

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>

namespace ui
{

class ReportFolder
{
  public:
    // Creates the folder if it is missing; follows links. Throws Error(output) if it can't be written, or if it
    // contains anything but the files that the report.json in it lists, unchanged since they were written.
    ReportFolder(const QString& path, const engine::ProtectedInputs& inputs);

    void add(const QString& name, const QByteArray& bytes); // adds a file; throws Error(output)
    // Adds report.json with the list of the files, and gives all of them their names. Files of the older report are
    // replaced or removed. Throws Error(output) if the folder's contents have changed since the constructor; then it
    // stays as it is.
    void commit(QJsonObject report);

  private:
    using Checksums = std::map<std::string, std::uint32_t>; // of names
    Checksums listed() const;
    void requireOnlyReport() const;
    void requireUnchanged(const std::filesystem::path& file, const std::string& name) const;
    bool isUnchanged(const std::filesystem::path& file, const std::string& name) const;
    engine::PendingFile& pending(const std::string& name);

    std::filesystem::path m_path;
    engine::ProtectedInputs m_inputs;
    engine::MadeFolders m_folders;
    Checksums m_old;
    std::map<std::string, std::unique_ptr<engine::PendingFile>> m_files; // by their names
};

} // namespace ui
