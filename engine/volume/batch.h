// SPDX-License-Identifier: GPL-3.0-or-later
// Several scans, one after the other: where each goes to, and what came of it.
#pragma once

#include "engine/base/error.h"

#include <optional>
#include <string>
#include <vector>

namespace engine
{

inline constexpr const char* scanPlaceholder = "{scan}"; // in the name of an output: the scan's, without suffix

struct BatchItem {
    std::string scan, output; // paths
};

// One of each scan. Several go to a folder, each to one of its own in it, or to files with {scan} in their names.
// Throws Error(badRequest) where two would go to one output, naming both.
std::vector<BatchItem> batchOf(const std::vector<std::string>& scans, const std::string& output);

struct BatchResult {
    BatchItem item;
    double seconds = 0, axisBins = 0;
    bool wasThere = false;                 // made before, of the same request
    bool wasNamed = false;                 // but for the names of its files, which it has now
    std::optional<ErrorKind> failure = {}; // nothing: done
    Text error = {};                       // why not, a sentence
    std::string report = {};               // configurationJson() of what is done
};

// An error as it stands beside the name of its scan: one that begins with that name begins with "it".
Text besideItsName(const Text& error, const BatchItem& item);

// Scans that failed for the same reason, in the order of the first of each.
struct BatchFailure {
    Text error; // beside the names of the scans, with … for paths that differ from scan to scan
    std::vector<std::string> scans;
};
std::vector<BatchFailure> failuresOf(const std::vector<BatchResult>& results);

std::string batchJson(const std::vector<BatchResult>& results);
// 0 when all are done, else as of a failure; bad requests and files alone are 2.
int exitStatus(const std::vector<BatchResult>& results);

} // namespace engine
