// SPDX-License-Identifier: GPL-3.0-or-later
// Rows of a scan on their way: as recorded, and prepared.
#pragma once

#include "engine/prepare/prepare.h"
#include "engine/request/setting.h"

#include <memory>
#include <optional>
#include <stop_token>
#include <string>

namespace engine
{

struct Method;

// Rows of one scan, read and prepared.
struct PreparedRows {
    std::shared_ptr<const Scan> scan;
    RowRange rows;
    Prepared prepared;
    double readSeconds = 0, prepareSeconds = 0;
    PreparationSettings preparation = {};     // by which (preparationSettingsOf)
    std::optional<RowRange> projections = {}; // of the scan's; all of them when empty
    std::vector<int> emptyProjections = {};
    bool isWide = false; // isWiderThanDetector()
};

// The same as they were recorded.
struct RecordedRows {
    std::shared_ptr<const Scan> scan;
    std::shared_ptr<const RawRows> raw;
    double readSeconds = 0;
    std::optional<RowRange> projections = {}; // of the scan's; all of them when empty
    // For a GPU that prepares them (preparesOnDevice), begun already; null: begun by the run.
    std::shared_ptr<const DevicePreparation> preparation = {};
    double startSeconds = 0;
};

// Of the request's projections, with the halo that its preparation needs. By as many threads as the request may have.
// Throws Error.
RawRows read(const Request& request, RowRange rows, const std::stop_token& stop);
RawRows readPart(const Request& request, const FramePart& part, const std::stop_token& stop); // no more than that

// raw: as read() gives them for these rows; readSeconds: what that took, to be kept beside them. Throws Error.
PreparedRows prepare(const Request& request, const RawRows& raw, RowRange rows, double readSeconds,
                     const std::stop_token& stop);

// Begins what a GPU is to do. Throws Error.
void startPreparation(const Request& request, RecordedRows& rows, const std::stop_token& stop);

// Does the method, or the request's own, prepare recorded rows itself, on its device, all at once with the rest?
bool preparesOnDevice(const Request& request, const Method& method);
bool preparesOnDevice(const Request& request);
// A sentence for the user, when only the request's steps keep a GPU from it.
std::optional<std::string> whyNotOnDevice(const Request& request);

// Some slices of a stack, copied.
Sinograms slicesOf(const Sinograms& all, int first, int count);

} // namespace engine
