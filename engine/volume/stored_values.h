// SPDX-License-Identifier: GPL-3.0-or-later
// Values stored as other types than float: the range if none is given, and notes for the user.
#pragma once

#include "engine/io/files/output_format.h"
#include "engine/reconstruct/reconstruction.h"

#include <optional>
#include <stop_token>
#include <string>

namespace engine
{

// The user's choice of the stored type; the range of whole numbers may be left to the program.
struct OutputChoice {
    OutputFormat::Type type = OutputFormat::Type::float32;
    std::optional<ValueRange> range; // for uint16 only
    int deflateLevel = 0;
    bool operator==(const OutputChoice&) const = default;
};

// Returns the format. For whole numbers without a given range, reconstructs the request's middle slice and takes its
// range plus 5 % on each side. Throws Error.
OutputFormat outputFormat(const OutputChoice& choice, const Request& request, std::stop_token stop);

// Notes how many pixels of a plane have no value. Throws Error(badRequest) if they are to become whole numbers, which
// have no number for that.
void judgeGaps(const OutputFormat& format, Reconstruction& made);

struct StorageNote {
    std::string text;    // empty for floats
    bool isLoss = false; // more than one value in a hundred could not be represented
};
// changed: number of values of `made` that the format could not represent (SliceWriter::changed).
StorageNote storageNote(const OutputFormat& format, bool isRangeGuessed, long long changed, const Reconstruction& made);

} // namespace engine
