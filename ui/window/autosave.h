// SPDX-License-Identifier: GPL-3.0-or-later
// A file with the current comparison, written while the program runs, to restore it after a crash or a log-out.
#pragma once

#include "engine/documents/session.h"

#include <QString>

#include <memory>

class QLockFile;

namespace ui
{

// A program that ends normally removes its file. A file that is left behind is found at the next start. A running
// program holds a lock on its file.
class Autosave
{
  public:
    Autosave(); // stores nothing
    explicit Autosave(const QString& folder);
    ~Autosave(); // removes the file of this program
    Autosave(Autosave&&) noexcept;
    Autosave& operator=(Autosave&&) noexcept;

    void keep(const engine::Session& session) noexcept; // ignores write errors: autosave is optional

    void keepForNextStart(const engine::Session& session) noexcept; // keep() revokes it: the program goes on

    // The newest file left behind by a program that didn't end normally; empty: none.
    QString leftBehind() const { return m_left.isEmpty() ? QString() : m_left.front(); }
    bool wasAskedToEnd() const; // whether that program was ended from outside; false: it crashed
    void forgetLeftBehind();    // removes it: the next one is the newest

  private:
    QString endedFile() const;

    QString m_file;
    QStringList m_left; // the newest first
    std::unique_ptr<QLockFile> m_lock;
};

} // namespace ui
