// SPDX-License-Identifier: GPL-3.0-or-later
// Transposition from the order of recorded frames, [frame][row][bin], to that of slices, [slice][projection][bin].
#include "engine/prepare/steps.h"

namespace engine
{

namespace
{

std::size_t transposedBytes(const RowsShape& shape)
{
    return sizeof(float) * shape.rows * shape.projections * shape.bins; // the sinograms
}

StepAtWork startTransposition(const StepArguments& arguments)
{
    Sinograms& sinograms = arguments.sinograms;
    return {.home = [&sinograms](const LineAtWork& line) { return lineOf(sinograms, line.row, line.projection); },
            .describe = [](LineProgram&) {}}; // a device writes its lines as sinograms anyway
}

} // namespace

extern constinit const Step transpositionStep{
    .id = "transposition",
    .label = "Transposition",
    .summary = "Gathers the same row of all projections into the sinogram of its slice.",
    .reference = "from [frame][row][bin], as in files, to [slice][projection][bin], as for the filter",
    .from = {.layout = Layout::frames},
    .to = {.layout = Layout::sinograms},
    .bytes = transposedBytes,
    .onDevices = [](const PlannedStep&, const Preparation&) { return true; },
    .start = startTransposition,
};

} // namespace engine
