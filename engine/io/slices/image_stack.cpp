// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/io/slices/image_stack.h"

#include "engine/base/error.h"
#include "engine/base/number_text.h"
#include "engine/io/files/output_format.h"
#include "engine/io/slices/slice_names.h"
#include "engine/io/slices/slice_writer.h"
#include "engine/io/slices/write_description.h"

#include <algorithm>
#include <utility>

namespace engine
{

namespace fs = std::filesystem;

namespace
{

constexpr const char* ofVolume = "slice"; // the axis of slices, whose files are named as those of a volume
constexpr const char* process = "/entry/reconstruction";
constexpr const char* group = volumeGroup;
constexpr const char* data = "/entry/reconstruction/results/data";

// Returns the values as numbers; nothing if one of them isn't a number.
std::optional<std::vector<double>> numbersOf(const std::vector<std::string>& values)
{
    std::vector<double> numbers;
    for (const std::string& value : values)
        try {
            numbers.push_back(realFromText(value, "value"));
        } catch (const Error&) {
            return std::nullopt;
        }
    return numbers;
}

std::string nameInFile(std::string text)
{
    std::ranges::replace_if(
        text, [](char one) { return one == '/' || one == '\\' || one == ' ' || static_cast<unsigned char>(one) < 32; },
        '_');
    return text;
}

// Throws if a folder has other images: programs that read it would mix them with these.
void requireOwnFolder(const fs::path& folder, const std::string& axis, bool overwrite)
{
    std::error_code none;
    for (fs::directory_iterator file(folder, none), end; !none && file != end; file.increment(none)) {
        const std::string name = file->path().filename().string();
        const bool isOwn = name.find(axis + "=") != std::string::npos || name.starts_with(axis + "_");
        if (hasTiffSuffix(file->path()) && !(isOwn && overwrite))
            throw Error(ErrorKind::output, "The folder " + fileText(folder.string()) +
                                               " has images already, such as '" + name + "'; name a new folder" +
                                               (isOwn ? Text(", or allow overwriting") + hint("overwrite") : Text()) +
                                               ".");
    }
}

} // namespace

ImageStack::ImageStack(const fs::path& path, std::vector<StackAxis> axes, bool varyTogether, bool overwrite,
                       const ProtectedInputs& inputs)
    : m_path(path), m_axes(std::move(axes)), m_together(varyTogether), m_overwrite(overwrite), m_inputs(inputs)
{
    requireOutputName(path.string());
    switch (outputKindOf(path)) {
    case OutputKind::tiff:
        throw Error(ErrorKind::badRequest,
                    fileText(path.string()) + " holds one image; name a folder or a .h5 file for a stack.");
    case OutputKind::hdf5:
        m_pending = std::make_unique<PendingFile>(path, overwrite, inputs);
        m_file = std::make_unique<Hdf5Output>(m_pending->temporary(), path);
        break;
    case OutputKind::folder:
        requireOwnFolder(path, m_axes.front().name, overwrite);
        m_folder = std::make_unique<MadeFolders>(path);
    }
}

ImageStack::~ImageStack() = default;

void ImageStack::begin(const Volume& image, const std::string& unit)
{
    std::vector<std::string> names;
    const auto axesInFile = m_together ? std::span(m_axes).first(1) : std::span(m_axes);
    for (const StackAxis& axis : axesInFile) {
        m_shape.push_back(static_cast<long long>(axis.values.size()));
        names.push_back(axis.name);
    }
    m_shape.insert(m_shape.end(), {image.height, image.width});
    names.insert(names.end(), {".", "."});
    m_file->attribute("/", "default", std::string("entry"));
    m_file->group("/entry", "NXentry");
    m_file->attribute("/entry", "default", std::string("data"));
    m_file->group(process, "NXprocess");
    m_file->group(group, "NXdata");
    m_file->attribute(group, "signal", std::string("data"));
    m_file->attribute(group, "axes", names);
    m_file->images(data, m_shape);
    if (!unit.empty())
        m_file->attribute(data, "units", unit);
    for (const StackAxis& axis : m_axes) {
        const std::string path = std::string(group) + "/" + axis.name;
        const auto numbers = numbersOf(axis.values);
        std::vector<double> positions(axis.values.size());
        for (std::size_t k = 0; k < positions.size(); ++k)
            positions[k] = static_cast<double>(k);
        m_file->numbers(path, numbers.value_or(positions));
        if (!numbers)
            m_file->attribute(path, "values", axis.values);
        else if (!axis.unit.empty())
            m_file->attribute(path, "units", axis.unit);
    }
}

std::vector<long long> ImageStack::startOf(std::span<const std::size_t> place) const
{
    std::vector<long long> start;
    for (std::size_t k = 0; k + 2 < m_shape.size(); ++k)
        start.push_back(static_cast<long long>(place[k]));
    start.insert(start.end(), {0, 0});
    return start;
}

std::string ImageStack::tiffName(std::span<const std::size_t> place) const
{
    if (m_axes.size() == 1 && m_axes.front().name == ofVolume)
        return SliceNames(ofVolume).of(static_cast<int>(std::stol(m_axes.front().values[place[0]])));
    std::string name;
    for (std::size_t k = 0; k < m_axes.size(); ++k) {
        // Numbers keep the order of the values if files are sorted by name.
        const std::string number = std::to_string(place[k] + 1), last = std::to_string(m_axes[k].values.size());
        name += (k > 0 ? "_" : "") + std::string(last.size() - number.size(), '0') + number + "_" + m_axes[k].name +
                "=" + nameInFile(m_axes[k].values[place[k]]);
    }
    return name + ".tiff";
}

void ImageStack::write(std::span<const std::size_t> place, const Volume& image, int slice, const std::string& unit)
{
    if (m_folder) {
        writeTiffImage(m_path / tiffName(place), image, slice, m_overwrite, m_inputs, unit);
        m_folder->keep();
        return;
    }
    if (m_shape.empty())
        begin(image, unit);
    const std::vector<long long> start = startOf(place);
    std::vector<long long> count(m_shape.size(), 1);
    std::copy(m_shape.end() - 2, m_shape.end(), count.end() - 2);
    require(count[count.size() - 2] == image.height && count.back() == image.width,
            "the images of a stack have the same size");
    m_file->write(data, start, count, image.slice(slice).data());
}

bool ImageStack::finish(const std::string& description)
{
    if (!m_file)
        return true;
    if (m_shape.empty())
        return false;
    m_file->link(group, "/entry/data");
    m_file->text(std::string(process) + "/configuration", description);
    m_file->close();
    m_file.reset();
    m_pending->commit();
    return true;
}

} // namespace engine
