// SPDX-License-Identifier: GPL-3.0-or-later
// A field for a file or a folder, typed, chosen or dropped.
#pragma once

#include <QString>
#include <QWidget>

#include <filesystem>

class QLineEdit;

namespace ui
{

class PathField : public QWidget
{
    Q_OBJECT
  public:
    enum class Takes { files, filesAndFolders };

    // name: of the edit, as an object; title: of the dialog, and for who can't see the label.
    PathField(const char* name, const QString& title, Takes takes, QWidget* parent = nullptr);

    void show(const std::filesystem::path& path, const QString& whereNone); // no signal
    void setFolder(const QString& folder) { m_folder = folder; }            // where the dialog begins
    std::filesystem::path path() const;
    QLineEdit* edit() { return m_edit; }

  signals:
    void changed(); // by the user

  private:
    void ask(bool folder);
    void take(const QString& text);

    QString m_title, m_folder, m_last;
    QLineEdit* m_edit;
};

} // namespace ui
