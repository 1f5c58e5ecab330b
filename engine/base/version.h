// SPDX-License-Identifier: GPL-3.0-or-later
// The version of this build, and what it was built with.
#pragma once

#include <string>
#include <vector>

namespace engine
{

// "0.1.0+611.gba1136c": the release, the number of commits, and the commit; ".m" and digits where the source differs
// from it. Without git, "0.1.0+s" and digits of the source. Another source has another version.
std::string programVersion();

// A part that a build can have or lack.
struct Feature {
    std::string name;   // "CUDA"
    std::string detail; // "13.0, for 90-real", or "no"
};
std::vector<Feature> programFeatures();

// What `--version` prints: the program with its version, then a line for each feature, without the last line's end.
std::string versionText(const std::string& program);

} // namespace engine
