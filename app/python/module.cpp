// SPDX-License-Identifier: GPL-3.0-or-later
// The engine for Python: the private module sinoscope._engine, on which sinoscope/__init__.py stands. Values of options
// are texts here, as on the command line. Calls release Python's lock; Ctrl+C stops them.
#include "app/python/arrays.h"
#include "app/python/interruptible.h"
#include "app/python/scan_of_array.h"
#include "app/python/tables.h"
#include "engine/axis/find_axis.h"
#include "engine/backends/devices.h"
#include "engine/backends/method.h"
#include "engine/base/error.h"
#include "engine/base/version.h"
#include "engine/compare/metrics.h"
#include "engine/io/open/open_fields.h"
#include "engine/json/reconstruction_json.h"
#include "engine/measure/benchmark.h"
#include "engine/options/options.h"
#include "engine/reconstruct/reconstruct.h"
#include "engine/request/section.h"
#include "engine/resolve/resolve.h"
#include "engine/simulate/phantom.h"
#include "engine/stages/prepared_rows.h"

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <algorithm>
#include <new>
#include <numeric>

namespace
{

using namespace engine;
using namespace binding;
using Texts = std::vector<std::pair<std::string, std::string>>; // ids of options, and their values

// Options are named as Python's keyword arguments.
const TextStyle& pythonStyle()
{
    static const TextStyle style{[](const std::string& id) {
                                     std::string name = id;
                                     std::ranges::replace(name, '-', '_');
                                     return '`' + name + '`';
                                 },
                                 false};
    return style;
}

// Sets a field; an error names its option.
template <typename Owner>
void setNamed(const Field<Owner>& named, Owner& owner, const std::string& text)
{
    try {
        setField(named, owner, text);
    } catch (const Error& error) {
        throw Error(error.kind(), optionName(named.id) + ": " + error.text());
    }
}

Request requestOf(const PythonScan& opened, RowRange slices, const Texts& options)
{
    Request request;
    request.scan = opened.scan;
    request.place.setSlices(slices);
    for (const auto& [id, text] : options)
        setNamed(option(id), request, text);
    const bool choosesPasses =
        std::ranges::none_of(options, [](const auto& each) { return each.first == "slices-per-pass"; });
    validateOptions(request);
    if (choosesPasses)
        request.setting.kernel.slicesPerPass = slicesPerPassFor(request);
    validate(request);
    return request;
}

PythonScan opened(const std::string& path, const Texts& options)
{
    OpenOptions said;
    for (const auto& [id, text] : options) {
        const auto fields = openFields();
        const auto found = std::ranges::find_if(fields, [&, id = id](const OpenField& each) { return id == each.id; });
        require(found != fields.end(), "no option '" + id + "' to open a scan");
        setNamed(*found, said, text);
    }
    return {
        interruptibly(py::none(), [&](const std::stop_token& stop, const auto&) { return openScan(path, said, stop); }),
        said};
}

py::list listOf(const std::vector<Note>& notes)
{
    py::list list;
    for (const std::string& text : textsOf(notes, pythonStyle()))
        list.append(text);
    return list;
}

py::dict reconstruct(const PythonScan& opened, int first, int count, const Texts& options, const py::object& progress)
{
    const Request request = requestOf(opened, {first, count}, options);
    Reconstruction made = interruptibly(progress, [&](const std::stop_token& stop, const auto& report) {
        return Reconstructor().run(
            request, [&](Stage stage, double fraction) { report(toText(stage), fraction); }, stop);
    });
    const VolumeDescription where = volumeDescription(made, request, opened.opened);
    py::dict result;
    Volume& image = made.image;
    result["unit"] = made.unit;
    result["method"] = made.method;
    result["device"] = made.device;
    result["axis"] = made.axisBins;
    result["axis_source"] = made.axisSource;
    result["axis_confidence"] = made.axisConfidence;
    py::list warnings;
    for (const Text& text : doubtsAbout(made))
        warnings.append(text.in(pythonStyle()));
    result["warnings"] = warnings;
    result["x"] = where.x;
    result["y"] = where.y;
    result["z"] = where.z;
    result["length_unit"] = where.length;
    result["plane"] = py::none();
    if (request.place.plane())
        result["plane"] = py::make_tuple(where.frame->centre, where.frame->u, where.frame->v, where.frame->pixel);
    const VoxelSides sides = voxelSidesOf(*request.scan);
    result["voxel"] = py::make_tuple(sides.pixel, sides.slice);
    result["kernel_gups"] = made.kernelGups;
    result["total_gups"] = made.totalGups;
    const Timings& times = made.timings;
    py::dict seconds;
    for (const auto& [name, value] :
         {std::pair("read", times.read.seconds), std::pair("prepare", times.prepare.seconds),
          std::pair("axis", times.axis.seconds), std::pair("filter", times.filter.seconds),
          std::pair("kernel", times.kernelSeconds), std::pair("total", times.totalSeconds),
          std::pair("elapsed", times.elapsedSeconds)})
        seconds[name] = value;
    result["seconds"] = seconds;
    result["notes"] = listOf(made.notes);
    result["configuration"] = configurationJson(made, opened.opened);
    const std::vector<py::ssize_t> shape{image.slices, image.height, image.width};
    result["array"] = arrayOf(std::move(image.values), shape);
    return result;
}

// Returns rows of the detector. Throws Error(badRequest) if the scan has not all of them.
RowRange rowsOf(const PythonScan& opened, int first, int count)
{
    require(first >= 0 && count >= 1 && first <= opened.scan->rows - count,
            "rows " + std::to_string(first) + " to " + std::to_string(first + count - 1) + " of " +
                std::to_string(opened.scan->rows));
    return {first, count};
}

py::array prepared(const PythonScan& opened, int first, int count, const Texts& options)
{
    const Request request = requestOf(opened, {0, 1}, options);
    const RowRange rows = rowsOf(opened, first, count);
    PreparedRows made = interruptibly(py::none(), [&](const std::stop_token& stop, const auto&) {
        return prepare(request, read(request, rows, stop), rows, 0, stop);
    });
    Sinograms& all = made.prepared.sinograms;
    const std::vector<py::ssize_t> shape{all.slices, all.projections, all.bins};
    return arrayOf(std::move(all.values), shape);
}

py::dict foundAxis(const PythonScan& opened, const Texts& options)
{
    const Request request = requestOf(opened, {0, 1}, options);
    AxisFound found;
    py::list candidates;
    if (std::holds_alternative<ParallelBeam>(opened.scan->geometry)) {
        const AxisCandidates all = interruptibly(
            py::none(), [&](const std::stop_token& stop, const auto&) { return findAxisCandidates(request, stop); });
        found = all.found;
        for (const AxisCandidate& each : all.candidates) {
            py::dict one;
            one["method"] = each.method->id;
            one["unsuited"] = each.unsuited;
            if (each.unsuited.empty()) {
                one["bins"] = each.guess.bins;
                one["score"] = each.guess.score;
                one["agrees"] = each.agrees;
            }
            candidates.append(one);
        }
    } else
        found = interruptibly(py::none(), [&](const std::stop_token& stop, const auto&) {
            return findAxis(prepareAxisRow(request, stop), 0, request.resources.threads, stop);
        });
    py::dict result;
    result["bins"] = found.bins;
    result["confidence"] = found.confidence;
    result["how"] = found.how;
    result["doubt"] = found.doubt.in(pythonStyle());
    result["candidates"] = candidates;
    return result;
}

py::dict compared(const py::array& image, const py::array& reference, std::optional<double> disc)
{
    const HeldArray one(image, "image"), other(reference, "reference");
    require(one.shape().size() == 2 && one.shape() == other.shape(),
            "two images [row][column] of the same size are needed, not " + shapeText(one.shape()) + " and " +
                shapeText(other.shape()));
    Mask mask;
    mask.discRadius = disc;
    const Metrics metrics = interruptibly(py::none(), [&](const std::stop_token&, const auto&) {
        return compareImages(one.toFloats(), other.toFloats(), static_cast<int>(one.shape()[1]),
                             static_cast<int>(one.shape()[0]), mask);
    });
    py::dict result;
    for (const MetricRow& row : metricRows())
        result[row.id] = metrics.*row.value;
    result["pixels"] = metrics.pixels;
    result["gaps"] = metrics.gaps;
    result["not_finite"] = metrics.notFinite;
    return result;
}

py::list benchmarked(const std::string& geometry, int size, int projections, const std::vector<std::string>& methods,
                     const std::string& device, int repeat, int threads, const py::object& progress)
{
    BenchmarkOptions options;
    options.geometry = geometry;
    options.size = size;
    options.projections = projections;
    options.methods = methods;
    options.device = deviceFromText(device);
    options.repeat = repeat;
    options.threads = threads;
    const std::vector<BenchmarkRow> rows = interruptibly(progress, [&](const std::stop_token& stop,
                                                                       const auto& report) {
        int done = 0;
        return benchmarkMethods(options, {.onRow = [&](const BenchmarkRow& row) { report(row.method, ++done); }}, stop);
    });
    py::list list;
    for (const BenchmarkRow& row : rows) {
        py::dict one;
        one["method"] = row.method;
        one["device"] = row.device;
        one["interpolation"] = toText(row.interpolation);
        one["precision"] = toText(row.precision);
        one["slices_per_pass"] = row.slicesPerPass;
        one["kernel_seconds"] = row.kernelSeconds;
        one["kernel_gups"] = row.kernelGups;
        one["total_seconds"] = row.totalSeconds;
        one["total_gups"] = row.totalGups;
        list.append(one);
    }
    return list;
}

PythonScan phantom(const std::string& name, int size, int projections, int slices,
                   const std::map<std::string, double>& more, bool counts)
{
    Simulation simulation;
    simulation.phantom = phantomFromText(name);
    simulation.size = size;
    simulation.projections = projections;
    simulation.slices = slices;
    simulation.counts = counts;
    for (const auto& [key, value] : more) {
        if (key == "arc_deg")
            simulation.arcDeg = value;
        else if (key == "photons")
            simulation.photons = value;
        else if (key == "rings")
            simulation.rings = value;
        else if (key == "axis_offset")
            simulation.axisOffsetBins = value;
        else
            throw Error(ErrorKind::badRequest, "a phantom has no option '" + key + "'");
    }
    return {simulate(simulation), {}};
}

py::array rawRows(const PythonScan& opened, int first, int count)
{
    const RowRange rows = rowsOf(opened, first, count);
    RawRows raw = interruptibly(
        py::none(), [&](const std::stop_token& stop, const auto&) { return opened.scan->read(rows, stop); });
    return arrayOf(raw.data.toFloats(), {raw.projections, raw.rows.count, raw.bins});
}

std::optional<py::array> exactImage(const PythonScan& opened, int slice)
{
    if (!opened.scan->exactImage)
        return {};
    Request request;
    request.scan = opened.scan;
    request.place.setSlices({slice, 1});
    validate(request);
    Volume image = interruptibly(py::none(), [&](const std::stop_token&, const auto&) {
        return opened.scan->exactImage(slice, sectionOf(request).grid);
    });
    const std::vector<py::ssize_t> shape{image.height, image.width};
    return arrayOf(std::move(image.values), shape);
}

void addExceptions(py::module_& module)
{
    // The classes belong to the package, which derives them from those of Python.
    static PyObject* errorFactory = nullptr;
    module.def("probe", [] { // [[0, 1, 2], [3, 4, 5]], to see whether this numpy is understood
        Values values(6);
        std::iota(values.begin(), values.end(), 0.0F);
        return arrayOf(std::move(values), {2, 3});
    });
    module.def("use_error_factory", [](const py::object& made) { errorFactory = made.inc_ref().ptr(); });
    py::register_exception_translator([](std::exception_ptr thrown) {
        try {
            if (thrown)
                std::rethrow_exception(thrown);
        } catch (const Error& error) {
            if (error.kind() == ErrorKind::cancelled) {
                PyErr_SetNone(PyExc_KeyboardInterrupt);
                return;
            }
            static constexpr const char* names[] = {"bad_request", "bad_file", "outside",  "output",
                                                    "no_memory",   "device",   "cancelled"};
            const py::object made = py::reinterpret_borrow<py::object>(errorFactory)(
                error.text().in(pythonStyle()), names[static_cast<int>(error.kind())]);
            PyErr_SetObject(reinterpret_cast<PyObject*>(Py_TYPE(made.ptr())), made.ptr());
        }
    });
}

} // namespace

PYBIND11_MODULE(_engine, module)
{
    module.doc() = "The engine of Sinoscope; use the package sinoscope, which stands on it.";
    module.attr("version") = programVersion();
    addExceptions(module);
    py::class_<PythonScan>(module, "Scan")
        .def("__repr__",
             [](const PythonScan& self) {
                 const Scan& scan = *self.scan;
                 return "<sinoscope.Scan " + scan.name + ": " + std::to_string(scan.projections()) +
                        " projections of " + std::to_string(scan.rows) + " × " + std::to_string(scan.bins()) + ", " +
                        labelOf(scan.geometry) + ", " + toText(scan.quantity) + ">";
             })
        .def_property_readonly("name", [](const PythonScan& self) { return self.scan->name; })
        .def_property_readonly("path", [](const PythonScan& self) { return self.scan->path; })
        .def_property_readonly("format", [](const PythonScan& self) { return self.scan->format; })
        .def_property_readonly("geometry", [](const PythonScan& self) { return labelOf(self.scan->geometry); })
        .def_property_readonly("bins", [](const PythonScan& self) { return self.scan->bins(); })
        .def_property_readonly("rows", [](const PythonScan& self) { return self.scan->rows; })
        .def_property_readonly("projections", [](const PythonScan& self) { return self.scan->projections(); })
        .def_property_readonly("slices", [](const PythonScan& self) { return self.scan->slices(); })
        .def_property_readonly("size", [](const PythonScan& self) { return self.scan->sliceSize(); })
        .def_property_readonly("values", [](const PythonScan& self) { return toText(self.scan->quantity); })
        .def_property_readonly("pixel_mm", [](const PythonScan& self) { return self.scan->pixelSizeMm(); })
        .def_property_readonly("angles", [](const PythonScan& self) { return arrayOf(self.scan->anglesRad()); })
        .def_property_readonly("metadata",
                               [](const PythonScan& self) {
                                   py::dict made;
                                   for (const auto& [key, value] : self.scan->metadata)
                                       made[py::str(key)] = value;
                                   return made;
                               })
        .def_property_readonly("notes", [](const PythonScan& self) { return listOf(self.scan->notes); });
    module.def("open", &opened);
    module.def("scan_of", &scanOf);
    module.def("phantom", &phantom);
    module.def("read", &rawRows);
    module.def("exact_image", &exactImage);
    module.def("reconstruct", &reconstruct);
    module.def("prepare", &prepared);
    module.def("find_axis", &foundAxis);
    module.def("compare", &compared);
    module.def("benchmark", &benchmarked);
    module.def("methods", &methodTable);
    module.def("options", &optionTable);
    module.def("open_options", &openingTable);
}
