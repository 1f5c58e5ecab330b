// SPDX-License-Identifier: GPL-3.0-or-later
// Messages and cleaning up when a program ends where no exception can be caught any more.
#pragma once

#include "engine/base/error.h"
#include "engine/base/printable.h"
#include "engine/io/files/exit_cleanup.h"

#include <atomic>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <new>
#include <stdexcept>
#include <string_view>
#include <typeinfo>
#include <unistd.h>

namespace app
{

inline constexpr std::string_view notEnoughMemory = "not enough memory; end other programs, or allow this one more";
inline constexpr std::string_view notEnoughThreads =
    "no more threads can be started; end other programs, or allow more threads (ulimit -u) or memory";

// Name of the program: set before its first thread is started.
inline std::string_view programName = "sinoscope";

// Message when a signal ends the program before it stops by itself; code that knows more replaces the message. Null:
// the request is already completed, so there is no message.
inline std::atomic<const char*> cancelledWords = "cancelled";

// Set while a command keeps what it has done after a signal: it then ends by itself, or by a second signal.
inline std::atomic<bool> keepsWhatIsDone = false;

// Writes to standard error without allocating memory.
inline void write(std::string_view text) noexcept
{
    if (::write(STDERR_FILENO, text.data(), text.size()) < 0)
        return; // no other place to report it
}

// Writes "PROGRAM: WHAT" and a line feed to standard error.
inline void say(std::string_view what) noexcept
{
    for (const std::string_view part : {programName, std::string_view(": "), what, std::string_view("\n")})
        write(part);
}

// Writes the text that make() returns, with control characters escaped: it may contain the name of a file.
template <typename Make>
void sayPrintable(const Make& make) noexcept
{
    try {
        say(engine::printable(make()));
    } catch (...) { // no memory for the text
        say("an error that can't be shown");
    }
}

inline void sayText(const engine::Text& text) noexcept
{
    sayPrintable([&text] { return text.in(engine::commandLineStyle()); });
}

// Handler of std::terminate: reports the error and removes temporary files. Libraries end the program this way when
// memory is short inside functions that may not throw (oneTBB's tasks, destructors of JSON). For memory and thread
// shortage it exits with the status of ErrorKind::noMemory; for all other errors it aborts, as without this handler.
[[noreturn]] inline void lastWords() noexcept
{
    static std::atomic_flag begun;
    while (begun.test_and_set()) // another thread is ending the program
        ::pause();
    std::string_view shortage; // empty: another error
    try {
        if (const std::exception_ptr failure = std::current_exception())
            std::rethrow_exception(failure);
    } catch (const std::bad_alloc&) {
        shortage = notEnoughMemory;
    } catch (const engine::Error& error) {
        if (error.kind() == engine::ErrorKind::noMemory)
            shortage = notEnoughMemory;
        else
            sayText(error.text());
    } catch (const std::exception& error) {
        sayPrintable([&error] { return error.what(); });
        if (typeid(error) == typeid(std::runtime_error)) // thrown by oneTBB when it cannot start a thread
            shortage = notEnoughThreads;
    } catch (...) {
    }
    if (!shortage.empty())
        say(shortage);
    engine::removeLeftovers();
    if (!shortage.empty())
        ::_exit(engine::exitStatus(engine::ErrorKind::noMemory));
    std::abort();
}

inline void setLastWords(std::string_view program)
{
    programName = program;
    std::set_terminate(lastWords);
}

} // namespace app
