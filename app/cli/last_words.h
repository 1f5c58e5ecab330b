// SPDX-License-Identifier: GPL-3.0-or-later
// How a program ends where nothing can be caught any more.
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

inline constexpr std::string_view notEnoughMemory = "not enough memory; take fewer slices or a smaller region";
inline constexpr std::string_view notEnoughThreads =
    "no more threads can be started; end other programs, or allow more threads (ulimit -u) or memory";

// Of the program: set before its first thread is started.
inline std::string_view programName = "sinoscope";

// Where it is ended before it has ended itself; set by what can say more. None: what it was asked for is done.
inline std::atomic<const char*> cancelledWords = "cancelled";

// On standard error, without memory.
inline void write(std::string_view text) noexcept
{
    if (::write(STDERR_FILENO, text.data(), text.size()) < 0)
        return; // there is nowhere to say so
}

// "PROGRAM: WHAT\n"
inline void say(std::string_view what) noexcept
{
    for (const std::string_view part : {programName, std::string_view(": "), what, std::string_view("\n")})
        write(part);
}

// What may hold the name of a file; make() returns it.
template <typename Make>
void sayPrintable(const Make& make) noexcept
{
    try {
        say(engine::printable(make()));
    } catch (...) { // no memory for it
        say("an error that can't be shown");
    }
}

inline void sayText(const engine::Text& text) noexcept
{
    sayPrintable([&text] { return text.in(engine::commandLineStyle()); });
}

// Libraries end the program where memory is short inside what may not throw (oneTBB's tasks, destructors of JSON): a
// handler of std::terminate is the only place left to say so and to clear away. Other ends go on as they would.
[[noreturn]] inline void lastWords() noexcept
{
    static std::atomic_flag begun;
    while (begun.test_and_set()) // another thread is about to end the program
        ::pause();
    std::string_view shortage; // empty: something else
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
        if (typeid(error) == typeid(std::runtime_error)) // oneTBB's, of a thread that it can't start
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
