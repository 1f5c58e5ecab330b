// SPDX-License-Identifier: GPL-3.0-or-later
// Version of this build, and the optional features it was built with.
#pragma once

#include <string>
#include <vector>

namespace engine
{

// Returns "0.1.0+611.gba1136c": the release, the number of commits, and the commit; with ".m" and a digest if the
// source differs from the commit. Without git: "0.1.0+s" and a digest of the source. Different sources have different
// versions.
std::string programVersion();

// An optional feature of a build.
struct Feature {
    std::string name;   // "CUDA"
    std::string detail; // "13.0, for 90-real", or "no"
};
std::vector<Feature> programFeatures();

// Returns the output of `--version`: the program with its version, then one line per feature; no line feed at the
// end.
std::string versionText(const std::string& program);

} // namespace engine
