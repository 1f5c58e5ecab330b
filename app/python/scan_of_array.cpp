// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/python/scan_of_array.h"

#include "app/python/arrays.h"
#include "engine/base/error.h"
#include "engine/scan/cone_options.h"

#include <pybind11/stl.h>

#include <algorithm>
#include <cstring>
#include <numbers>

namespace binding
{

using namespace engine;

namespace
{

// Frames [frame][row][bin], or [frame][bin] of one row.
struct Frames {
    int count = 0, rows = 1, bins = 0;

    Frames(const HeldArray& held, const char* what)
    {
        const std::vector<py::ssize_t>& shape = held.shape();
        const bool fits = (shape.size() == 2 || shape.size() == 3) &&
                          std::ranges::all_of(shape, [](py::ssize_t size) { return size >= 1 && size <= 1 << 24; });
        require(fits, std::string(what) + ": an array [projection][bin] or [projection][row][bin] is needed, not " +
                          shapeText(shape));
        count = static_cast<int>(shape.front());
        rows = shape.size() == 3 ? static_cast<int>(shape[1]) : 1;
        bins = static_cast<int>(shape.back());
    }
};

// Returns the rows of darks or flats as floats; none for None.
Values sideRows(const std::optional<HeldArray>& side, const Frames& of, RowRange rows, int& count)
{
    count = 0;
    if (!side)
        return {};
    const Frames frames(*side, "darks and flats");
    const Values all = side->toFloats();
    Values some;
    const std::size_t bins = static_cast<std::size_t>(of.bins), part = static_cast<std::size_t>(rows.count) * bins;
    some.resize(static_cast<std::size_t>(frames.count) * part);
    for (int k = 0; k < frames.count; ++k)
        std::copy_n(all.data() + (static_cast<std::size_t>(k) * of.rows + rows.first) * bins, part,
                    some.data() + static_cast<std::size_t>(k) * part);
    count = frames.count;
    return some;
}

} // namespace

// Returns a scan whose projections are an array; the array must not be changed while the scan is in use.
PythonScan scanOf(const py::array& projections, const std::vector<double>& anglesRad, const std::string& values,
                  std::optional<double> axisBins, const std::map<std::string, double>& cone,
                  const std::optional<py::array>& darks, const std::optional<py::array>& flats)
{
    const HeldArray held(projections, "projections");
    const Frames frames(held, "projections");
    require(anglesRad.size() == static_cast<std::size_t>(frames.count),
            std::to_string(anglesRad.size()) + " angles for " + std::to_string(frames.count) + " projections" +
                (anglesRad.size() == static_cast<std::size_t>(frames.bins)
                     ? ": an array [projection][bin] is needed, this one seems to be transposed"
                     : ""));
    std::optional<HeldArray> dark, flat;
    for (const auto& [from, to, what] : {std::tuple(&darks, &dark, "darks"), std::tuple(&flats, &flat, "flats")})
        if (*from) {
            to->emplace(**from, what);
            const Frames side(**to, what);
            require(side.rows == frames.rows && side.bins == frames.bins,
                    std::string(what) + " of " + std::to_string(side.rows) + " × " + std::to_string(side.bins) +
                        " for projections of " + std::to_string(frames.rows) + " × " + std::to_string(frames.bins));
        }

    require((!dark && !flat) || quantityFromText(values) == Quantity::counts,
            "darks and flats correct counts: give values='counts', not '" + values + "'");

    auto scan = std::make_shared<Scan>();
    scan->name = "array";
    scan->format = "array";
    scan->sampleType = held.type().name;
    scan->bytesPerSample = held.type().bytes;
    scan->rows = frames.rows;
    scan->quantity = quantityFromText(values);
    scan->quantitySource = QuantitySource::given;
    scan->darkFrames = dark ? Frames(*dark, "darks").count : 0;
    scan->flatFrames = flat ? Frames(*flat, "flats").count : 0;
    OpenOptions opened;
    if (cone.empty()) {
        ParallelBeam beam;
        beam.bins = frames.bins;
        beam.anglesRad = anglesRad;
        scan->geometry = beam;
    } else {
        ConeOptions& said = opened.cone;
        const auto number = [&](const char* key) -> std::optional<double> {
            const auto found = cone.find(key);
            return found == cone.end() ? std::nullopt : std::optional(found->second);
        };
        const auto whole = [&](const char* key) -> std::optional<int> {
            const std::optional<double> value = number(key);
            return value ? std::optional(static_cast<int>(*value)) : std::nullopt;
        };
        const auto radians = [&](const char* key) -> std::optional<double> {
            const std::optional<double> value = number(key);
            return value ? std::optional(*value * std::numbers::pi / 180) : std::nullopt;
        };
        said.sourceAxisMm = number("source_axis_mm");
        said.sourceDetectorMm = number("source_detector_mm");
        said.pixelUMm = number("pixel_mm");
        said.pixelVMm = number("pixel_v_mm");
        said.offsetUMm = number("offset_u_mm");
        said.offsetVMm = number("offset_v_mm");
        said.tiltRad = radians("tilt_deg");
        said.rollRad = radians("roll_deg");
        said.voxelMm = number("voxel_mm");
        said.size = whole("size");
        said.slices = whole("slices");
        scan->geometry = coneBeamFrom(said, frames.bins, frames.rows, anglesRad, "geometry");
    }
    if (axisBins)
        scan->geometry = withAxis(std::move(scan->geometry), *axisBins);
    scan->read = [held, frames, dark, flat](RowRange rows, const std::stop_token& stop) {
        RawRows raw;
        raw.rows = rows;
        raw.bins = frames.bins;
        raw.projections = frames.count;
        const std::size_t row = static_cast<std::size_t>(frames.bins) * held.type().bytes;
        raw.data = Samples(held.type(), static_cast<std::size_t>(frames.count) * rows.count * frames.bins);
        for (int k = 0; k < frames.count; ++k) {
            throwIfStopped(stop);
            std::memcpy(raw.data.bytes() + static_cast<std::size_t>(k) * rows.count * row,
                        held.bytes() + (static_cast<std::size_t>(k) * frames.rows + rows.first) * row,
                        static_cast<std::size_t>(rows.count) * row);
        }
        raw.darks = sideRows(dark, frames, rows, raw.darkFrames);
        raw.flats = sideRows(flat, frames, rows, raw.flatFrames);
        return raw;
    };
    return {scan, opened};
}

} // namespace binding
