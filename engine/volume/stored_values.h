// SPDX-License-Identifier: GPL-3.0-or-later
// Values that are stored in other numbers than floats: the range where none is given, and what the user has to know.
#pragma once

#include "engine/io/files/output_format.h"
#include "engine/reconstruct/reconstruction.h"

#include <optional>
#include <stop_token>
#include <string>

namespace engine
{

// As a user chooses it: the range of whole numbers may be left to the program.
struct OutputChoice {
    OutputFormat::Type type = OutputFormat::Type::float32;
    std::optional<ValueRange> range; // of uint16 alone
    int deflateLevel = 0;
    bool operator==(const OutputChoice&) const = default;
};

// Where whole numbers are asked for without a range, it is that of the request's middle slice and 5 % more on each
// side, which is reconstructed for it. Throws Error.
OutputFormat outputFormat(const OutputChoice& choice, const Request& request, std::stop_token stop);

struct StorageNote {
    std::string text;    // empty for floats
    bool isLoss = false; // more than one value in a hundred could not be held
};
// changed: values of `made` that the format could not hold (SliceWriter::changed).
StorageNote storageNote(const OutputFormat& format, bool isRangeGuessed, long long changed, const Reconstruction& made);

} // namespace engine
