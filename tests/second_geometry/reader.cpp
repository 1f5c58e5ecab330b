// SPDX-License-Identifier: GPL-3.0-or-later
// A reader of scans of the second geometry: a line "second <projections> <rows> <bins>", padded to 64 bytes, then
// floats.
#include "engine/base/error.h"
#include "engine/io/formats/raw_file.h"
#include "engine/io/frames/frame_source.h"
#include "engine/io/open/readers.h"

#include <bit>
#include <fstream>
#include <string>

namespace engine
{

extern const Reader secondGeometryReader = {
    .id = "second",
    .label = "second",
    .summary = "A format of the tests",
    .suffixes = {".second"},
    .mark = "its first word",
    .recognises =
        [](const Candidate& candidate) {
            std::string word;
            std::ifstream(candidate.path()) >> word;
            return word == "second" ? Sure::certain : Sure::no;
        },
    .open =
        [](const Candidate& candidate) {
            RawLayout layout{.headerBytes = 64};
            std::string word;
            std::ifstream(candidate.path()) >> word >> layout.projections >> layout.rows >> layout.bins;
            layout.sampleType = "float32";
            layout.bigEndian = std::endian::native == std::endian::big;
            Scan scan;
            scan.sampleType = layout.sampleType;
            scan.geometry = SecondGeometry{layout.bins, evenAngles(0, 3, layout.projections), {}, 0.001};
            ScanFrames frames;
            frames.path = candidate.path().string();
            frames.rows = layout.rows;
            frames.bins = layout.bins;
            frames.projections = rawFrames(candidate.path(), layout, true);
            setFrames(scan, std::move(frames), candidate.options());
            return scan;
        },
};

} // namespace engine
