// SPDX-License-Identifier: GPL-3.0-or-later
// Entry point of libFuzzer for the target SINOSCOPE_FUZZ_TARGET.
#include "tests/fuzz/targets.h"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <string>
#include <string_view>

namespace
{

// A folder in memory (/dev/shm), with a file for this process only.
class Folder
{
  public:
    Folder() { std::filesystem::create_directory(m_path); }
    ~Folder()
    {
        std::error_code ignored;
        std::filesystem::remove_all(m_path, ignored);
    }
    std::filesystem::path file() const { return m_path / "input"; }

  private:
    std::filesystem::path m_path = "/dev/shm/sinoscope-fuzz-" + std::to_string(::getpid());
};

const fuzz::Target& target()
{
    const auto all = fuzz::targets();
    const auto found = std::find_if(all.begin(), all.end(), [](const fuzz::Target& one) {
        return std::string_view(one.name) == SINOSCOPE_FUZZ_TARGET;
    });
    return found == all.end() ? throw std::logic_error("there is no such target") : *found;
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size)
{
    static const Folder folder;
    static const fuzz::Target& chosen = target();
    chosen.run({bytes, size}, folder.file());
    return 0;
}
