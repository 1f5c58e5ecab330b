// What is being compared, kept in a file while the program runs, so that it can be had back after a crash.
#pragma once

#include "engine/session.h"

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

    QString leftBehind() const { return m_leftBehind; } // by a program that didn't end by itself; empty: nothing
    void forgetLeftBehind();

  private:
    QString m_file, m_leftBehind;
    std::unique_ptr<QLockFile> m_lock;
};

} // namespace ui
