// SPDX-License-Identifier: GPL-3.0-or-later
// Fuzz targets: each one gives an untrusted file to one of the program's readers. Throwing an Error is correct; any
// other exception, a crash, more than 2 s or 512 MB is a finding. libFuzzer runs one target at a time (fuzzer.cpp);
// the tests run all of them with the seeds and earlier findings (tests/engine/io/fuzz_replay_test.cpp).
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>

namespace fuzz
{

using Bytes = std::span<const std::uint8_t>;

struct Target {
    const char* name;                                            // name of the target's folder in seeds and findings
    void (*run)(Bytes bytes, const std::filesystem::path& file); // may write `file`, whose folder only this target uses
};

std::span<const Target> targets();

} // namespace fuzz
