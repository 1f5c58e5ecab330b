// SPDX-License-Identifier: GPL-3.0-or-later
// What files of nobody's trust are fed to: each target is a way that the program takes with one. An Error is an answer;
// any other exception, a crash, more than 2 s or 512 MB is a finding. libFuzzer runs one at a time (fuzzer.cpp), the
// tests all of them with the seeds and what was found (tests/engine/io/fuzz_replay_test.cpp).
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>

namespace fuzz
{

using Bytes = std::span<const std::uint8_t>;

struct Target {
    const char* name;                                            // of its folder in seeds and findings
    void (*run)(Bytes bytes, const std::filesystem::path& file); // may write the file, whose folder is its own
};

std::span<const Target> targets();

} // namespace fuzz
