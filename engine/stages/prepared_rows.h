// SPDX-License-Identifier: GPL-3.0-or-later
// Rows of a scan as recorded, and as prepared.
#pragma once

#include "engine/prepare/prepare.h"
#include "engine/request/setting.h"
#include "engine/scan/doubt.h"

#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace engine
{

class ArrivingRows;

// What rows as recorded show.
struct RecordedFacts {
    std::vector<int> emptyProjections;
    bool isWide = false; // isWiderThanDetector()
    std::vector<Doubt> doubts = {};
};

// Rows of one scan, read and prepared.
struct PreparedRows {
    std::shared_ptr<const Scan> scan;
    RowRange rows;
    Prepared prepared;
    double readSeconds = 0, prepareSeconds = 0;
    PreparationSettings preparation = {};     // the settings used (preparationSettingsOf)
    std::optional<RowRange> projections = {}; // of the scan's; all if not set
    RecordedFacts facts = {};
    std::vector<Note> gaps = {}; // of PatchedRows; also among the notes
};

// Rows of one scan as recorded.
struct RecordedRows {
    std::shared_ptr<const Scan> scan;
    std::shared_ptr<const RawRows> raw;
    double readSeconds = 0;
    std::optional<RowRange> projections = {}; // of the scan's; all if not set
    // For a GPU that prepares the rows (Route::mayPrepareOnDevice), if already started; null: run() starts it.
    std::shared_ptr<const DevicePreparation> preparation = {};
    double startSeconds = 0;
    std::optional<RecordedFacts> facts = {};           // once they are known
    std::shared_ptr<const ArrivingRows> arriving = {}; // set while `raw` is still being read
};
// waitFor: as for emptyProjections().
RecordedFacts factsOf(const Scan& scan, const RawRows& raw, const std::function<void(int projections)>& waitFor = {});

// Reads the request's projections, with the halo of rows that its preparation needs, with the threads that the
// request allows. Throws Error.
RawRows read(const Request& request, RowRange rows, const std::stop_token& stop);
RawRows readPart(const Request& request, const FramePart& part, const std::stop_token& stop); // exactly this part

// Returns rows like these ones, of other rows of the detector and without values.
RawRows emptyLike(const RawRows& rows, const RowRange& others);

// Copies `count` rows between recordings of the same scan; rows are counted from the first one of each.
void copyRows(const RawRows& from, int firstFrom, RawRows& to, int firstTo, int count);

// Returns a copy of some of the rows.
RawRows rowsOf(const RawRows& all, RowRange rows, int threads);

// Prepares rows. raw: from read() for these rows. readSeconds: its duration, stored with the result. Throws Error.
PreparedRows prepare(const Request& request, const RawRows& raw, RowRange rows, double readSeconds,
                     const std::stop_token& stop);

// Starts the preparation on a GPU. Throws Error.
void startPreparation(const Request& request, RecordedRows& rows, const std::stop_token& stop);

// Returns a copy of some slices of a stack.
Sinograms slicesOf(const Sinograms& all, int first, int count);

} // namespace engine
