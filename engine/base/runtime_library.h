// SPDX-License-Identifier: GPL-3.0-or-later
// Libraries that the programs start without, such as those of a GPU's driver.
#pragma once

#include <initializer_list>

namespace engine
{

// A shared library that is loaded when it is asked for, and stays loaded. Its functions are called through pointers.
class RuntimeLibrary
{
  public:
    // Loads the first of the names that the machine has.
    explicit RuntimeLibrary(std::initializer_list<const char*> names);
    explicit operator bool() const { return m_handle; }

    // Sets a pointer to the function of that name. Returns whether the library has it; null if not.
    template <typename Function>
    bool find(Function*& function, const char* name) const
    {
        function = reinterpret_cast<Function*>(addressOf(name));
        return function;
    }

  private:
    void* addressOf(const char* name) const;

    void* m_handle = nullptr;
};

} // namespace engine
