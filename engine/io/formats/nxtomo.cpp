// SPDX-License-Identifier: GPL-3.0-or-later
// NXtomo, and files of beamlines that have its parts but don't call themselves NXtomo.
#include "engine/base/error.h"
#include "engine/base/number_text.h"
#include "engine/io/formats/given_sides.h"
#include "engine/io/formats/hdf5_scan_parts.h"
#include "engine/io/formats/reader.h"
#include "engine/io/geometry/scan_geometry.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>

namespace engine
{

namespace
{

using Node = Hdf5File::Node;

// The places of a scan's parts in a file.
struct Parts {
    std::string entry;            // group
    std::string detector;         // group with the image key
    std::string data, key, angle; // data sets; key and angle may be empty
};

constexpr int entryDepth = 3, keyDepth = 5; // levels of groups

// Returns the NXtomo entries. The listing of keyDepth levels is tried first, as it is needed for keys anyway, and
// a second listing takes time if links to other files must be followed. But if a group has several names, the listing
// of keyDepth levels may have its contents under a deeper path only. So if no entry is found, the listing of entryDepth
// levels is tried too.
std::vector<std::string> nexusEntriesOf(const Hdf5File& file)
{
    std::vector<std::string> entries;
    for (const int depth : {keyDepth, entryDepth}) {
        for (const std::string& group : file.nodes(depth).groups)
            if ((group == "/" || std::ranges::count(group, '/') <= entryDepth) &&
                file.text(join(group, "definition")) == "NXtomo")
                entries.push_back(group);
        if (!entries.empty())
            break;
    }
    return entries;
}

std::string keyIn(const Hdf5File& file, const std::string& group)
{
    for (const char* name : {"image_key_control", "image_key"})
        if (file.node(join(group, name)) != Node::none)
            return join(group, name);
    return {};
}

std::vector<std::string> groupsWithKeys(const Hdf5File& file)
{
    std::vector<std::string> groups;
    for (const std::string& group : file.nodes(keyDepth).groups)
        if (!keyIn(file, group).empty())
            groups.push_back(group);
    return groups;
}

std::optional<Parts> partsOfEntry(const Hdf5File& file, const std::string& entry)
{
    Parts parts{entry, join(entry, "instrument/detector"), {}, {}, {}};
    if (file.node(join(parts.detector, "data")) == Node::none) {
        // The name is free: any group in the instrument that has frames is a detector.
        const std::string instrument = join(entry, "instrument");
        for (const std::string& name : file.children(instrument)) {
            const std::string group = join(instrument, name);
            if (file.node(group) == Node::group && file.node(join(group, "data")) != Node::none) {
                parts.detector = group;
                if (!keyIn(file, group).empty())
                    break;
            }
        }
    }
    parts.data = join(parts.detector, "data");
    if (file.node(parts.data) == Node::none && file.node(join(entry, "data/data")) != Node::none)
        parts.data = join(entry, "data/data");
    if (file.node(parts.data) == Node::none)
        return {};
    parts.key = keyIn(file, parts.detector);
    for (const char* name : {"sample/rotation_angle", "data/rotation_angle"})
        if (parts.angle.empty() && file.node(join(entry, name)) != Node::none)
            parts.angle = join(entry, name);
    return parts;
}

bool isFrames(const Hdf5File& file, const std::string& path, long long count)
{
    if (file.node(path) != Node::dataset)
        return false;
    const Hdf5Dataset found = file.dataset(path);
    return found.shape().size() == 3 && found.shape()[0] == count && !found.sampleType().empty();
}

// Finds the rotation angles in a group, one per frame, by their name.
std::string angleIn(const Hdf5File& file, const std::string& group, long long count)
{
    std::string chosen;
    for (const std::string& name : file.children(group)) {
        const std::string path = join(group, name);
        const bool exact = name == "rotation_angle";
        if ((!exact && name.find("theta") == std::string::npos) || file.node(path) != Node::dataset)
            continue;
        const Hdf5Dataset found = file.dataset(path);
        if (found.shape() == std::vector<long long>{count} && !found.sampleType().empty() && (exact || chosen.empty()))
            chosen = path;
    }
    return chosen;
}

// Finds the rotation angles of `count` frames, preferably in a group with the name of the frames' group.
std::string angleNear(const Hdf5File& file, const std::string& place, const std::vector<std::string>& groups,
                      const std::string& entry, long long count)
{
    std::string angle = angleIn(file, place, count);
    for (const bool sameName : {true, false})
        for (const std::string& group : groups)
            if (angle.empty() && (lastName(group) == lastName(place)) == sameName)
                angle = angleIn(file, group, count);
    return angle.empty() ? angleIn(file, join(entry, "sample"), count) : angle;
}

// Finds the parts of a scan in a file without a definition "NXtomo": first an image key, then a data set with as many
// frames as the key has numbers, then angles near these frames. The frames are in a group (NXdata, NXdetector) with the
// name of the key's group, in the key's group itself, or in another.
Parts partsFromKeys(const Hdf5File& file, std::vector<Note>& notes)
{
    std::vector<std::string> groups;
    for (const std::string& group : file.nodes(keyDepth).groups)
        if (const std::string kind = file.attribute(group, "NX_class").value_or("");
            kind == "NXdata" || kind == "NXdetector")
            groups.push_back(group);
    const std::vector<std::string> detectors = groupsWithKeys(file);
    std::string broken; // data that is wanted, but behind a broken link
    for (const bool sameName : {true, false})
        for (const std::string& detector : detectors) {
            const std::string key = keyIn(file, detector);
            if (file.node(key) != Node::dataset)
                continue;
            const long long count = file.dataset(key).size();
            std::vector<std::string> places;
            for (const std::string& group : groups)
                if ((lastName(group) == lastName(detector)) == sameName)
                    places.push_back(group);
            places.push_back(detector);
            for (const std::string& place : places) {
                const std::string data = join(place, "data");
                if (file.node(data) == Node::broken && broken.empty())
                    broken = data;
                if (!isFrames(file, data, count))
                    continue;
                const std::string entry = detector.substr(0, detector.find('/', 1));
                const std::string angle = angleNear(file, place, groups, entry, count);
                notes.push_back("The file is not marked as NXtomo; used: frames " + data + ", image key " + key +
                                ", angles " + (angle.empty() ? "none" : angle) + ".");
                return {entry, detector, data, key, angle};
            }
        }
    if (!broken.empty())
        file.dataset(broken); // throws, naming what is missing
    throw Error(ErrorKind::badFile,
                fileText(file.path().string()) + " has an image key, but no data set with that many frames beside it.");
}

// Returns whether the source is an X-ray tube, in NeXus's terms. A synchrotron's rays are parallel, whatever its
// distance.
bool isTube(const std::string& source)
{
    const std::string kind = lowerCase(source);
    return kind.find("x-ray") != std::string::npos && kind.find("synchrotron") == std::string::npos &&
           (kind.find("tube") != std::string::npos || kind.find("anode") != std::string::npos ||
            kind.find("metal jet") != std::string::npos);
}

// Reads the geometry. The distances of source and detector are measured from the sample; the sign of the source's
// distance is ignored.
RecordedGeometry nxtomoGeometry(const Hdf5File& file, const Parts& parts, Scan& scan)
{
    RecordedGeometry recorded = writtenGeometry(file, join(parts.entry, writtenGeometryInEntry));
    recorded.pixelSizeMm = lengthInMm(file, join(parts.detector, "x_pixel_size"), scan.notes);
    if (recorded.isCone)
        return recorded;
    const std::string source = join(parts.entry, "instrument/source");
    std::vector<Note> unknown; // dropped: these values are optional, so an unknown unit needs no note
    const auto length = [&](const std::string& path, bool anySign) { return lengthInMm(file, path, unknown, anySign); };
    ConeOptions& cone = recorded.cone;
    cone.sourceAxisMm = length(join(source, "distance"), true);
    const std::optional<double> behind = length(join(parts.detector, "distance"), false);
    if (cone.sourceAxisMm && behind)
        cone.sourceDetectorMm = *cone.sourceAxisMm + *behind;
    cone.pixelUMm = recorded.pixelSizeMm;
    cone.pixelVMm = length(join(parts.detector, "y_pixel_size"), false);
    recorded.isCone = cone.sourceDetectorMm && cone.pixelUMm && isTube(file.text(join(source, "type")).value_or(""));
    if (recorded.isCone)
        recorded.notes.push_back("According to the file, the source is a tube, " + numberToText(*cone.sourceAxisMm) +
                                 " mm from the sample: a cone beam" +
                                 aside(optionName("geometry") + " parallel overrides this") + ".");
    return recorded;
}

// Applies the flips of the detector that the file records. Rows are reversed. Bins of parallel beams keep their places:
// mirrored about the axis, a projection is the one of half a turn later.
void applyFlips(const Hdf5File& file, const Parts& parts, bool hasGivenAngles, RecordedGeometry& recorded, Scan& scan)
{
    const auto isSet = [&](const char* name) { return file.number(join(parts.detector, name)).value_or(0) != 0; };
    if (isSet("y_flipped")) {
        recorded.rowsUpwards = !recorded.rowsUpwards;
        scan.notes.push_back("The rows are reversed, as " + join(parts.detector, "y_flipped") + " says.");
    }
    if (!isSet("x_flipped"))
        return;
    const std::string name = join(parts.detector, "x_flipped");
    if (recorded.isCone || hasGivenAngles || recorded.anglesRad.empty()) {
        scan.notes.push_back(name + " is set, but isn't applied to " +
                             (recorded.isCone ? "cone beams" : "angles that are given or assumed") +
                             ": slices may be mirror images.");
        return;
    }
    for (double& angle : recorded.anglesRad)
        angle += std::numbers::pi;
    scan.notes.push_back("According to " + name +
                         ", the projections are mirrored: half a turn was added to the angles.");
}

// Adds the recorded axis positions as hints. NXtomo does not specify from where they are measured, so both
// interpretations are shown.
void addAxisHints(Scan& scan, const Hdf5File& file, const std::string& detector)
{
    for (const char* name : {"x_rotation_axis_pixel_position", "estimated_cor_from_motor"}) {
        const std::string path = join(detector, name);
        const std::optional<double> value = file.number(path);
        if (!value || !std::isfinite(*value))
            continue;
        scan.axisHints.push_back({path, "from the first bin", *value});
        scan.axisHints.push_back({path, "relative to the middle", scan.middleBins() + *value});
    }
}

void addNxtomoMetadata(Scan& scan, const Hdf5File& file, const Parts& parts)
{
    const auto at = [&](const char* name) { return join(parts.entry, name); };
    addMetadata(scan, file, "Title", {at("title")});
    addMetadata(scan, file, "Sample", {at("sample/name")});
    addMetadata(scan, file, "Instrument", {at("instrument/name"), at("instrument/beamline")});
    addMetadata(scan, file, "Source", {at("instrument/source/name")});
    addMetadata(scan, file, "Source type", {at("instrument/source/type")});
    addMetadata(scan, file, "Probe", {at("instrument/source/probe")});
    const std::vector<std::string> energies = {at("beam/incident_energy"), at("instrument/beam/incident_energy"),
                                               at("instrument/beam/energy")};
    addMetadata(scan, file, "Energy", energies);
    scan.energyKeV = energyInKeV(file, energies);
    const std::string distance = join(parts.detector, "distance");
    addMetadata(scan, file, "Distance", {distance});
    std::vector<Note> unknown; // dropped: phase retrieval asks for what isn't known
    scan.detectorDistanceMm = lengthInMm(file, distance, unknown);
    addMetadata(scan, file, "Start", {at("start_time")});
}

Sure recognisesNxtomo(const Candidate& candidate)
{
    const Hdf5File* file = candidate.hdf5();
    if (!file)
        return Sure::no;
    if (!nexusEntriesOf(*file).empty())
        return Sure::certain;
    return groupsWithKeys(*file).empty() ? Sure::no : Sure::likely;
}

// The data sets of the first entry that has frames.
Parts partsOf(const Hdf5File& file, Scan& scan)
{
    const std::vector<std::string> entries = nexusEntriesOf(file);
    std::optional<Parts> parts;
    for (const std::string& entry : entries)
        if (!parts)
            parts = partsOfEntry(file, entry);
    if (!entries.empty() && !parts)
        throw Error(ErrorKind::badFile, fileText(scan.path) + ": the entry " + entries.front() +
                                            " has no frames (instrument/detector/data).");
    if (!parts)
        parts = partsFromKeys(file, scan.notes);
    if (entries.size() > 1)
        scan.notes.push_back("The file has " + std::to_string(entries.size()) + " scans; " + parts->entry +
                             " is shown.");
    return *parts;
}

Hdf5Dataset framesOf(const Hdf5File& file, const Parts& parts, const Scan& scan)
{
    const Hdf5Dataset data = file.dataset(parts.data);
    if (data.shape().size() != 3 || data.sampleType().empty())
        throw Error(ErrorKind::badFile, fileText(scan.path) + ": " + parts.data + " has " +
                                            std::to_string(data.shape().size()) + " dimensions" +
                                            (data.sampleType().empty() ? " and does not hold numbers" : "") +
                                            "; frames by rows by bins are needed.");
    return data;
}

Scan openNxtomo(const Candidate& candidate)
{
    const Hdf5File& file = *candidate.hdf5();
    const OpenOptions& options = candidate.options();
    Scan scan;
    scan.path = file.path().string();
    const Parts parts = partsOf(file, scan);
    const Hdf5Dataset data = framesOf(file, parts, scan);
    scan.sampleType = data.sampleType();
    const int count = checkedCount(data.shape()[0], scan.path, "the number of frames in " + parts.data, mostFrames);
    ScanFrames frames;
    frames.path = scan.path;
    frames.rows = checkedCount(data.shape()[1], scan.path, "the number of rows in " + parts.data, mostAcross);
    frames.bins = checkedCount(data.shape()[2], scan.path, "the number of bins in " + parts.data, mostAcross);
    KeyedFrames sorted = sortFrames(file, parts.key, parts.data, count, scan.notes);
    sorted.projections = writtenFrames(data, {}, std::move(sorted.projections), scan.notes);
    RecordedGeometry recorded = nxtomoGeometry(file, parts, scan);
    if (!anglesGiven(options))
        recorded.anglesRad = anglesOfFrames(file, parts.angle, data, sorted.projections, count, scan.notes);
    frames.projections = hdf5Frames(data, {}, sorted.projections);
    PartSources& sources = scan.sources;
    sources.projections.where = parts.data;
    sources.darks.where = sources.flats.where = parts.data + " by the image key";
    sources.key.where = parts.key;
    sources.angles.where = parts.angle;
    sources.pixelSize.where = join(parts.detector, "x_pixel_size");
    frames.darks = options.darks.empty()
                       ? hdf5Frames(data, {}, writtenFrames(data, {}, sorted.darks, scan.notes))
                       : givenSides(options.darks, frames.rows, frames.bins, scan.path, candidate.stop());
    frames.flats = options.flats.empty()
                       ? flatsAmong(data, {}, sorted, scan.notes)
                       : givenSides(options.flats, frames.rows, frames.bins, scan.path, candidate.stop());

    recorded.isParallel = true;
    applyFlips(file, parts, anglesGiven(options), recorded, scan);
    setGeometry(scan, options, frames, std::move(recorded), {file.path().parent_path()});
    if (file.attribute(parts.data, "description") == "attenuation") {
        scan.quantity = Quantity::attenuation;
        scan.quantitySource = QuantitySource::recorded;
    }
    addAxisHints(scan, file, parts.detector);
    addNxtomoMetadata(scan, file, parts);
    attachSimulation(scan, file, join(parts.entry, "simulation/configuration"), frames.rows);
    addFiles(scan, file);
    setFrames(scan, std::move(frames), options);
    return scan;
}

} // namespace

extern const Reader nxtomoReader = {
    .id = "nxtomo",
    .label = "NXtomo",
    .summary = "HDF5 with projections, flats and darks in one data set and an image key, as written at the ESRF, "
               "Diamond and others",
    .container = &hdf5Container,
    .suffixes = {".nx", ".nxs"},
    .mark = "an NXtomo entry or an image key",
    .recognises = recognisesNxtomo,
    .open = openNxtomo,
};

} // namespace engine
