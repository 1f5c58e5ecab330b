// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/io/slices/write_description.h"

#include "engine/base/number_text.h"
#include "engine/base/version.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <ctime>
#include <string_view>

namespace engine
{

namespace
{

std::string nowText()
{
    const std::time_t now = std::time(nullptr);
    std::tm utc{};
    gmtime_r(&now, &utc);
    std::array<char, 32> text;
    std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%SZ", &utc);
    return text.data();
}

std::string valueOf(const NamedTexts& texts, std::string_view name)
{
    const auto found = std::ranges::find(texts, name, &NamedTexts::value_type::first);
    return found == texts.end() ? std::string() : found->second;
}

void writeIfKnown(Hdf5Output& file, const std::string& path, const std::string& text)
{
    if (!text.empty())
        file.text(path, text);
}

// Names such as "Source type" become "source_type". Of several texts of the same name, the first one is written.
void writeTexts(Hdf5Output& file, const std::string& group, const NamedTexts& texts)
{
    std::vector<std::string> written;
    for (const auto& [name, text] : texts) {
        std::string field = lowerCase(name);
        std::ranges::replace_if(
            field, [](unsigned char c) { return c < 0x80 && std::isalnum(c) == 0; }, '_');
        if (field.empty() || text.empty() || std::ranges::find(written, field) != written.end())
            continue;
        written.push_back(field);
        file.text(group + '/' + field, text);
    }
}

const std::vector<double>& positionsAlong(const std::string& axis, const VolumeDescription& description)
{
    return axis == "x"   ? description.x
           : axis == "y" ? description.y
           : axis == "z" ? description.z
           : axis == "u" ? description.u
                         : description.v;
}

void writeAxes(Hdf5Output& file, const VolumeDescription& description)
{
    const std::string group = volumeGroup;
    file.attribute(group, "signal", "data");
    for (const std::string& axis : description.axes)
        if (axis != "." && positionsAlong(axis, description).empty())
            return;
    for (const std::string& axis : description.axes)
        if (axis != ".") {
            file.numbers(group + '/' + axis, positionsAlong(axis, description));
            file.attribute(group + '/' + axis, "units", description.length);
        }
    file.attribute(group, "axes", std::vector<std::string>(description.axes.begin(), description.axes.end()));
}

// Writes DXchange's order of the axes. Only slices have one that programs know: these take no other plane for slices.
void writeOrder(Hdf5Output& file, const VolumeDescription& description)
{
    const bool areSlices = description.axes == VolumeDescription().axes;
    file.attribute(std::string(volumeGroup) + "/data", "axes", areSlices ? "z:y:x" : "plane:v:u");
}

void writeFrame(Hdf5Output& file, const FrameDescription& frame, const std::string& length)
{
    const std::string data = std::string(volumeGroup) + "/data";
    const auto vector = [](const auto& a) { return std::vector<double>(a.begin(), a.end()); };
    file.attribute(data, frame.kind, frame.text);
    file.attribute(data, frame.kind + "_centre", vector(frame.centre));
    file.attribute(data, frame.kind + "_u", vector(frame.u));
    file.attribute(data, frame.kind + "_v", vector(frame.v));
    file.attribute(data, frame.kind + "_pixel", vector(frame.pixel));
    file.attribute(data, frame.kind + "_units", length);
}

// Fields of NXtomoproc. Its definition demands source, probe and sample, which not every scan names.
void writeExperiment(Hdf5Output& file, const VolumeDescription& description)
{
    const NamedTexts& known = description.scanMetadata;
    const std::string sample = valueOf(known, "Sample"), source = valueOf(known, "Source"),
                      type = valueOf(known, "Source type"), probe = valueOf(known, "Probe");
    writeIfKnown(file, "/entry/start_time", valueOf(known, "Start"));
    if (!sample.empty()) {
        file.group("/entry/sample", "NXsample");
        file.text("/entry/sample/name", sample);
    }
    const std::string instrument = valueOf(known, "Instrument");
    if (!instrument.empty() || !source.empty() || !type.empty() || !probe.empty())
        file.group("/entry/instrument", "NXinstrument");
    writeIfKnown(file, "/entry/instrument/name", instrument);
    if (!source.empty() || !type.empty() || !probe.empty())
        file.group("/entry/instrument/source", "NXsource");
    writeIfKnown(file, "/entry/instrument/source/name", source);
    writeIfKnown(file, "/entry/instrument/source/type", type);
    writeIfKnown(file, "/entry/instrument/source/probe", probe);
    if (!sample.empty() && !source.empty() && !type.empty() && !probe.empty() && !description.x.empty())
        file.text("/entry/definition", "NXtomoproc");
}

} // namespace

void describeVolume(Hdf5Output& file, const VolumeDescription& description)
{
    const std::string process = "/entry/reconstruction/", parameters = process + "parameters";
    file.attribute("/", "NX_class", "NXroot");
    file.attribute("/", "creator", "Sinoscope " + programVersion());
    file.attribute("/", "file_time", nowText());
    file.attribute("/", "default", "entry");
    file.attribute("/entry", "default", "data");
    writeAxes(file, description);
    writeOrder(file, description);
    if (description.frame)
        writeFrame(file, *description.frame, description.length);
    file.link(volumeGroup, "/entry/data");
    writeIfKnown(file, "/entry/title", description.title);
    writeIfKnown(file, std::string(volumeGroup) + "/title", description.title);
    writeExperiment(file, description);
    file.text(process + "program", "sinoscope");
    file.text(process + "version", programVersion());
    file.text(process + "date", nowText());
    file.text(process + "configuration", description.configuration);
    if (!description.scan.empty() || !description.parameters.empty())
        file.group(parameters, "NXparameters");
    writeIfKnown(file, parameters + "/raw_file", description.scan);
    writeTexts(file, parameters, description.parameters);
    if (!description.scanMetadata.empty()) {
        file.group("/entry/scan", "NXcollection");
        writeTexts(file, "/entry/scan", description.scanMetadata);
    }
}

} // namespace engine
