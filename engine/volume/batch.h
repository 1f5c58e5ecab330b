// SPDX-License-Identifier: GPL-3.0-or-later
// Batches of scans: the output and the result of each scan.
#pragma once

#include "engine/base/error.h"

#include <optional>
#include <string>
#include <vector>

namespace engine
{

inline constexpr const char* scanPlaceholder = "{scan}"; // in output names: the scan without suffix

struct BatchItem {
    std::string scan, output; // paths
};

// Returns one item per scan. The output of several scans is a folder, with one subfolder per scan, or file names that
// contain {scan}. Throws Error(badRequest) if two scans would have the same output, naming both.
std::vector<BatchItem> batchOf(const std::vector<std::string>& scans, const std::string& output);

struct BatchResult {
    BatchItem item;
    double seconds = 0, axisBins = 0;
    bool wasThere = false; // an earlier run of the same request had completed it
    bool wasNamed = false; // an earlier run wrote all values; this run only gave the files their final names
    std::optional<ErrorKind> failure = {}; // not set: success
    Text error = {};                       // why it failed, a sentence
    std::string report = {};               // configurationJson() of the result
    std::vector<Text> doubts = {};         // reasons to doubt it (doubtsAbout)
};

// Returns an error as shown beside the name of its scan: a leading scan name is replaced by "it".
Text besideItsName(const Text& error, const BatchItem& item);

// Scans that failed for the same reason. failuresOf() orders the reasons by their first scan.
struct BatchFailure {
    Text error; // for display beside the scan names; paths that differ between scans are replaced by …
    std::vector<std::string> scans;
};
std::vector<BatchFailure> failuresOf(const std::vector<BatchResult>& results);

std::string batchJson(const std::vector<BatchResult>& results);
// Returns the lowest exit status of the failures: 2 only if none of them has status 1. Without failures, doubtedStatus
// if a result is doubtful and isStrict, else 0.
int exitStatus(const std::vector<BatchResult>& results, bool isStrict = false);

} // namespace engine
