// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/io/library/library_sources.h"

#include "engine/base/error.h"
#include "engine/io/files/input_file.h"
#include "engine/io/files/size_limits.h"
#include "engine/io/hdf5/hdf5_library.h"
#include "engine/io/library/chunk_filters.h"
#include "engine/io/library/library_storage.h"

#include <hdf5.h>

#include <algorithm>
#include <array>
#include <map>
#include <tuple>
#include <utility>
#include <vector>

namespace engine
{

std::vector<std::string> prefixes(const std::string& path)
{
    std::vector<std::string> found;
    for (std::size_t at = path.find_first_not_of('/'); at != std::string::npos && at < path.size();) {
        const std::size_t end = std::min(path.find('/', at), path.size());
        found.push_back(path.substr(0, end));
        at = path.find_first_not_of('/', end);
    }
    return found;
}

std::vector<std::filesystem::path> placesOf(const std::filesystem::path& name, const std::filesystem::path& folder)
{
    std::vector<std::filesystem::path> found;
    std::error_code ignored;
    for (const std::filesystem::path& place : {folder / name, name, folder / name.filename()})
        if (std::filesystem::exists(place, ignored))
            found.push_back(place);
    return found;
}

namespace
{

constexpr int mostHops = 8; // files and soft links to follow

// Finds the data sets that a data set takes its numbers from, and their files.
class Sources
{
  public:
    explicit Sources(const std::shared_ptr<Hdf5Inputs>& inputs) : m_inputs(inputs), m_files{inputs->path} {}
    const std::set<std::filesystem::path>& files() const { return m_files; }

    // Follows `path` of the open file to its data set.
    void follow(hid_t file, const std::filesystem::path& filePath, const std::string& path, int hops)
    {
        for (const std::string& prefix : prefixes(path)) {
            H5L_info_t info;
            if (H5Lget_info(file, prefix.c_str(), &info, H5P_DEFAULT) < 0)
                return;
            if (info.type == H5L_TYPE_HARD)
                continue;
            std::vector<char> value(info.u.val_size + 1, '\0');
            if (hops < 1 || H5Lget_val(file, prefix.c_str(), value.data(), info.u.val_size, H5P_DEFAULT) < 0)
                return;
            const std::string rest = path.substr(prefix.size());
            if (info.type == H5L_TYPE_SOFT) {
                std::string target = value.data();
                if (!target.starts_with('/'))
                    target = prefix.substr(0, prefix.rfind('/') + 1) + target;
                return follow(file, filePath, target + rest, hops - 1);
            }
            unsigned flags = 0;
            const char *targetFile = nullptr, *object = nullptr;
            if (H5Lunpack_elink_val(value.data(), info.u.val_size, &flags, &targetFile, &object) < 0)
                return;
            const std::vector<std::filesystem::path> places = placesOf(targetFile, filePath.parent_path());
            if (places.empty())
                return;
            m_files.insert(places.front());
            if (const Hdf5Handle opened = openHdf5(m_inputs, places.front()); opened)
                follow(opened.id(), places.front(), object + rest, hops - 1);
            return;
        }
        if (const Hdf5Handle dataset(H5Dopen2(file, path.c_str(), H5P_DEFAULT), H5Dclose); dataset)
            look(file, dataset.id(), filePath, path, hops);
    }

  private:
    struct Dataset { // the data set being examined
        hid_t file, id;
        const std::filesystem::path& filePath;
        const std::string& path;

        [[noreturn]] void refuse(const std::string& what) const
        {
            throw Error(ErrorKind::badFile, fileText(filePath.string()) + ": the data set " + path + " " + what + ".");
        }
    };

    void look(hid_t file, hid_t id, const std::filesystem::path& filePath, const std::string& path, int hops)
    {
        const Dataset dataset{file, id, filePath, path};
        const auto [state, isNew] = m_seen.try_emplace({filePath, path}, false);
        if (!isNew && !state->second)
            dataset.refuse("is a virtual data set that refers to itself");
        if (!isNew)
            return;
        const Hdf5Handle plist(H5Dget_create_plist(id), H5Pclose);
        requireFilters(id, filePath, path);
        requireChunks(dataset, plist.id());
        requireExternal(dataset, plist.id());
        if (H5Pget_layout(plist.id()) == H5D_VIRTUAL)
            followVirtual(dataset, plist.id(), hops);
        state->second = true;
    }

    static void requireChunks(const Dataset& dataset, hid_t plist)
    {
        std::array<hsize_t, H5S_MAX_RANK> edges{};
        if (H5Pget_layout(plist) != H5D_CHUNKED)
            return;
        const int rank = H5Pget_chunk(plist, static_cast<int>(edges.size()), edges.data());
        const Hdf5Handle type(H5Dget_type(dataset.id), H5Tclose);
        double bytes = static_cast<double>(H5Tget_size(type.id()));
        for (int k = 0; k < rank; ++k)
            bytes *= static_cast<double>(edges[static_cast<std::size_t>(k)]);
        hsize_t fileBytes = 0;
        const Hdf5Handle file(H5Iget_file_id(dataset.id), H5Fclose); // the file that links lead to
        H5Fget_filesize(file.id(), &fileBytes);
        requirePlausible(bytes, fileBytes,
                         "'" + dataset.filePath.string() + "': the data set " + dataset.path + " has chunks");
    }

    // Checks external storage, as HDF5 reads missing bytes as 0.
    void requireExternal(const Dataset& dataset, hid_t plist)
    {
        const int count = H5Pget_external_count(plist);
        if (count < 1)
            return;
        const Hdf5Handle type(H5Dget_type(dataset.id), H5Tclose), space(H5Dget_space(dataset.id), H5Sclose);
        auto left = static_cast<hsize_t>(std::max<hssize_t>(0, H5Sget_simple_extent_npoints(space.id()))) *
                    H5Tget_size(type.id());
        for (int k = 0; k < count && left > 0; ++k) {
            std::array<char, 4096> name{};
            off_t offset = 0;
            hsize_t length = 0;
            if (H5Pget_external(plist, static_cast<unsigned>(k), name.size() - 1, name.data(), &offset, &length) < 0)
                dataset.refuse("names external storage that can't be read");
            const std::filesystem::path place = externalPlace(name.data(), dataset.filePath);
            requireUsable(dataset, place);
            const hsize_t wanted = std::min(left, length);
            const auto identity = identityOf(place);
            const auto there = static_cast<std::uintmax_t>(identity ? identity->bytes : 0);
            if (offset < 0 || there < static_cast<hsize_t>(offset) || there - static_cast<hsize_t>(offset) < wanted)
                dataset.refuse("takes " + std::to_string(wanted) + " bytes from byte " + std::to_string(offset) +
                               " of '" + place.string() + "' on, which has only " + std::to_string(there) +
                               " bytes. That file is cut off, or the wrong one");
            left -= wanted;
            m_files.insert(place);
        }
        if (left > 0)
            dataset.refuse("lacks " + std::to_string(left) + " bytes: its external storage is too short");
    }

    static void requireUsable(const Dataset& dataset, const std::filesystem::path& place)
    {
        std::string why = whyNotLedTo(place);
        if (why.empty())
            why = whyNotRead(place);
        if (!why.empty())
            dataset.refuse("reads its numbers from '" + place.string() + "', which can't be read: " + why);
    }

    void followVirtual(const Dataset& dataset, hid_t plist, int hops)
    {
        std::size_t count = 0;
        if (H5Pget_virtual_count(plist, &count) < 0)
            dataset.refuse("is virtual, but doesn't specify its sources");
        for (std::size_t k = 0; k < count; ++k) {
            std::array<char, 4096> name{}, object{};
            if (H5Pget_virtual_filename(plist, k, name.data(), name.size()) <= 0 ||
                H5Pget_virtual_dsetname(plist, k, object.data(), object.size()) <= 0)
                dataset.refuse("is virtual, but doesn't specify its sources");
            const std::string source = name.data();
            if (source.find('%') != std::string::npos)
                addBlocks(dataset, source);
            else
                followMapping(dataset, plist, k, source, object.data(), hops);
        }
    }

    // Adds the files of a pattern such as "frames_%b.h5", which has one file per block.
    void addBlocks(const Dataset& dataset, const std::string& pattern)
    {
        const std::filesystem::path beginning = dataset.filePath.parent_path() / pattern.substr(0, pattern.find('%'));
        for (const std::string& name : m_inputs->access.namesIn(beginning.parent_path()))
            if (name.starts_with(beginning.filename().string())) {
                const std::filesystem::path place = beginning.parent_path() / name;
                requireUsable(dataset, place);
                m_files.insert(place);
            }
    }

    void followMapping(const Dataset& dataset, hid_t plist, std::size_t mapping, const std::string& name,
                       const std::string& object, int hops)
    {
        const auto [known, isNew] = m_shapes.try_emplace({dataset.filePath, name, object});
        if (isNew && name == ".") {
            known->second = shapeIn(dataset, dataset.file, dataset.filePath, object, hops);
        } else if (isNew) {
            const std::vector<std::filesystem::path> places = placesOf(name, dataset.filePath.parent_path());
            if (places.empty())
                throw Error(ErrorKind::badFile, fileText(dataset.filePath.string()) + ": the virtual data set " +
                                                    dataset.path + " takes its frames from '" + name +
                                                    "', which is missing. Put that file back beside this one.");
            requireUsable(dataset, places.front());
            m_files.insert(places.front());
            const Hdf5Handle opened = openHdf5(m_inputs, places.front());
            if (!opened)
                dataset.refuse("takes its frames from '" + places.front().string() +
                               "', which HDF5 can't open. It may be cut off");
            known->second = shapeIn(dataset, opened.id(), places.front(), object, hops);
        }
        requireInside(dataset, plist, mapping, known->second, "'" + name + "': " + object);
    }

    std::vector<hsize_t> shapeIn(const Dataset& dataset, hid_t file, const std::filesystem::path& filePath,
                                 const std::string& object, int hops)
    {
        if (hops < 1)
            dataset.refuse("refers to virtual data sets nested more than " + std::to_string(mostHops) + " deep");
        const Hdf5Handle source(H5Dopen2(file, object.c_str(), H5P_DEFAULT), H5Dclose);
        if (!source)
            dataset.refuse("takes its frames from " + object + " of '" + filePath.string() +
                           "', where there is no such data set");
        follow(file, filePath, object, hops - 1);
        const Hdf5Handle space(H5Dget_space(source.id()), H5Sclose);
        std::vector<hsize_t> shape(static_cast<std::size_t>(std::max(0, H5Sget_simple_extent_ndims(space.id()))));
        H5Sget_simple_extent_dims(space.id(), shape.data(), nullptr);
        return shape;
    }

    // Checks that a source has what a mapping takes from it, as HDF5 reads missing numbers as 0.
    static void requireInside(const Dataset& dataset, hid_t plist, std::size_t mapping,
                              const std::vector<hsize_t>& shape, const std::string& source)
    {
        const Hdf5Handle from(H5Pget_virtual_srcspace(plist, mapping), H5Sclose);
        const Hdf5Handle to(H5Pget_virtual_vspace(plist, mapping), H5Sclose);
        hsize_t there = 1;
        for (const hsize_t length : shape)
            there *= length;
        bool isInside = true;
        if (H5Sget_select_type(from.id()) == H5S_SEL_ALL) {
            const hssize_t wanted = H5Sget_select_npoints(to.id()); // negative: as many as exist
            isInside = wanted < 0 || static_cast<hsize_t>(wanted) <= there;
        } else {
            std::vector<hsize_t> first(shape.size()), last(shape.size());
            if (H5Sget_simple_extent_ndims(from.id()) != static_cast<int>(shape.size()))
                isInside = false;
            else if (H5Sget_select_bounds(from.id(), first.data(), last.data()) >= 0) // fails for unlimited ones
                for (std::size_t k = 0; k < shape.size(); ++k)
                    isInside = isInside && last[k] < shape[k];
        }
        if (!isInside)
            dataset.refuse("takes more frames from " + source + " than it has. It may be cut off");
    }

    using Mapping = std::tuple<std::filesystem::path, std::string, std::string>; // naming file, source file, data set

    std::shared_ptr<Hdf5Inputs> m_inputs;
    std::set<std::filesystem::path> m_files;
    std::map<std::pair<std::filesystem::path, std::string>, bool> m_seen; // data sets; true: completely examined
    std::map<Mapping, std::vector<hsize_t>> m_shapes;
};

std::string explained(hid_t file, const std::filesystem::path& filePath, const std::string& path, int depth)
{
    for (const std::string& prefix : prefixes(path)) {
        if (H5Lexists(file, prefix.c_str(), H5P_DEFAULT) <= 0)
            return "there is no " + prefix;
        if (H5Oexists_by_name(file, prefix.c_str(), H5P_DEFAULT) > 0)
            continue;
        H5L_info_t info;
        if (H5Lget_info(file, prefix.c_str(), &info, H5P_DEFAULT) < 0 || info.type == H5L_TYPE_HARD)
            return prefix + " can't be opened (" + hdf5Message() + ")";
        std::vector<char> value(info.u.val_size + 1, '\0');
        if (H5Lget_val(file, prefix.c_str(), value.data(), info.u.val_size, H5P_DEFAULT) < 0)
            return prefix + " is a link that can't be read";
        if (info.type == H5L_TYPE_SOFT) {
            std::string target = value.data();
            if (!target.starts_with('/'))
                target = prefix.substr(0, prefix.rfind('/') + 1) + target;
            return prefix + " is a link to " + target + ", but " +
                   (depth > 0 ? explained(file, filePath, target, depth - 1) : "that leads nowhere");
        }
        unsigned flags = 0;
        const char *targetFile = nullptr, *object = nullptr;
        if (H5Lunpack_elink_val(value.data(), info.u.val_size, &flags, &targetFile, &object) < 0)
            return prefix + " is a link of an unknown kind";
        const std::filesystem::path wanted = filePath.parent_path() / targetFile;
        const std::vector<std::filesystem::path> places = placesOf(targetFile, filePath.parent_path());
        if (places.empty())
            return prefix + " is a link to " + object + " in the file " + "'" + wanted.string() + "'" +
                   ", which is missing. Put that file back at this place.";
        std::string why = whyNotLedTo(places.front());
        if (why.empty())
            why = whyNotRead(places.front());
        return prefix + " is a link to " + object + " in the file " + "'" + places.front().string() + "'" + ", which " +
               (why.empty() ? "does not hold it or can't be opened." : "can't be read: " + why + ".");
    }
    return path + " can't be opened";
}

} // namespace

std::set<std::filesystem::path> sourcesOf(std::int64_t file, const std::shared_ptr<Hdf5Inputs>& inputs,
                                          const std::string& path)
{
    Sources sources(inputs);
    sources.follow(file, inputs->path, path, mostHops);
    return sources.files();
}

std::string explainLink(std::int64_t file, const std::filesystem::path& filePath, const std::string& path)
{
    return explained(file, filePath, path, mostHops);
}

} // namespace engine
