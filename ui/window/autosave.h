// SPDX-License-Identifier: GPL-3.0-or-later
// What is being compared, kept in a file while the program runs, so that it can be had back after a crash, or after a
// log-out.
#pragma once

#include "engine/documents/session.h"

#include <QString>

#include <memory>

class QLockFile;

namespace ui
{

// The file of a program that ended by itself is removed; that of one that didn't is found by the next. One that still
// runs holds a lock.
class Autosave
{
  public:
    Autosave(); // keeps nothing
    explicit Autosave(const QString& folder);
    ~Autosave(); // removes its own
    Autosave(Autosave&&) noexcept;
    Autosave& operator=(Autosave&&) noexcept;

    void keep(const engine::Session& session) noexcept; // where it can't be written nothing is said: it is a service

    void keepForNextStart(const engine::Session& session) noexcept; // unless it is kept again: it hasn't ended

    QString leftBehind() const { return m_leftBehind; } // by a program that didn't end by itself; empty: nothing
    bool wasAskedToEnd() const;                         // that one: it didn't crash
    void forgetLeftBehind();

  private:
    QString endedFile() const;

    QString m_file, m_leftBehind;
    std::unique_ptr<QLockFile> m_lock;
};

} // namespace ui
