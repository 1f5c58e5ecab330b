// SPDX-License-Identifier: GPL-3.0-or-later
// A field for the path of a file or a folder, which can be typed, chosen in a dialog or dropped.
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

    // name: object name of the line edit; title: of the file dialog, also the accessible name.
    PathField(const char* name, const QString& title, Takes takes, QWidget* parent = nullptr);

    void show(const std::filesystem::path& path, const QString& whereNone); // emits no signal
    void setFolder(const QString& folder) { m_folder = folder; }            // where the dialog starts
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
