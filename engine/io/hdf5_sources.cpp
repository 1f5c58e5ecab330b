#include "engine/io/hdf5_sources.h"

#include "engine/error.h"
#include "engine/io/hdf5_library.h"

#include <hdf5.h>

#include <algorithm>
#include <array>

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

constexpr int mostHops = 8; // from file to file

void collectFiles(hid_t file, const std::filesystem::path& filePath, const std::string& path, int hops,
                  std::set<std::filesystem::path>& files);

void collectFilesOf(const std::filesystem::path& filePath, const std::string& path, int hops,
                    std::set<std::filesystem::path>& files)
{
    files.insert(filePath);
    if (hops < 1)
        return;
    Hdf5Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
    H5Pset_file_locking(access.id(), false, true);
    if (Hdf5Handle file(H5Fopen(filePath.c_str(), H5F_ACC_RDONLY, access.id()), H5Fclose); file)
        collectFiles(file.id(), filePath, path, hops - 1, files);
}

// Where the numbers of a data set that is open are: external storage, sources of a virtual data set.
void collectStorage(hid_t dataset, const std::filesystem::path& folder, int hops,
                    std::set<std::filesystem::path>& files)
{
    Hdf5Handle plist(H5Dget_create_plist(dataset), H5Pclose);
    std::array<char, 4096> name{};
    const int external = H5Pget_external_count(plist.id());
    for (int i = 0; i < external; ++i) {
        off_t offset = 0;
        hsize_t size = 0;
        if (H5Pget_external(plist.id(), static_cast<unsigned>(i), name.size() - 1, name.data(), &offset, &size) >= 0)
            for (const std::filesystem::path& place : placesOf(name.data(), folder))
                files.insert(place);
    }
    std::size_t sources = 0;
    if (H5Pget_layout(plist.id()) != H5D_VIRTUAL || H5Pget_virtual_count(plist.id(), &sources) < 0)
        return;
    std::set<std::string> seen;
    for (std::size_t i = 0; i < sources; ++i) {
        std::array<char, 1024> object{};
        if (H5Pget_virtual_filename(plist.id(), i, name.data(), name.size()) <= 0 ||
            H5Pget_virtual_dsetname(plist.id(), i, object.data(), object.size()) <= 0)
            continue;
        const std::string source = name.data();
        if (source == "." || !seen.insert(source).second)
            continue;
        const std::size_t pattern = source.find('%'); // "frames_%b.h5": a file a block
        if (pattern == std::string::npos) {
            for (const std::filesystem::path& place : placesOf(source, folder))
                collectFilesOf(place, object.data(), hops, files);
            continue;
        }
        const std::filesystem::path beginning = folder / source.substr(0, pattern);
        std::error_code ignored;
        for (const auto& entry : std::filesystem::directory_iterator(beginning.parent_path(), ignored))
            if (entry.path().filename().string().starts_with(beginning.filename().string()))
                files.insert(entry.path());
    }
}

// All files on the way to the numbers at `path`.
void collectFiles(hid_t file, const std::filesystem::path& filePath, const std::string& path, int hops,
                  std::set<std::filesystem::path>& files)
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
            return collectFiles(file, filePath, target + rest, hops - 1, files);
        }
        unsigned flags = 0;
        const char *targetFile = nullptr, *object = nullptr;
        if (H5Lunpack_elink_val(value.data(), info.u.val_size, &flags, &targetFile, &object) < 0)
            return;
        const std::vector<std::filesystem::path> places = placesOf(targetFile, filePath.parent_path());
        if (!places.empty())
            collectFilesOf(places.front(), object + rest, hops, files);
        return;
    }
    if (Hdf5Handle dataset(H5Dopen2(file, path.c_str(), H5P_DEFAULT), H5Dclose); dataset)
        collectStorage(dataset.id(), filePath.parent_path(), hops, files);
}

} // namespace

std::set<std::filesystem::path> sourcesOf(std::int64_t file, const std::filesystem::path& filePath,
                                          const std::string& path)
{
    std::set<std::filesystem::path> files{filePath};
    collectFiles(file, filePath, path, mostHops, files);
    return files;
}

namespace
{

std::string filterName(H5Z_filter_t id, const char* stored)
{
    static constexpr std::pair<H5Z_filter_t, const char*> known[] = {
        {307, "bzip2"}, {32000, "LZF"},       {32001, "Blosc"}, {32004, "LZ4"},    {32008, "bitshuffle"},
        {32013, "ZFP"}, {32015, "Zstandard"}, {32017, "SZ"},    {32026, "Blosc2"}, {32018, "FCIDECOMP"}};
    for (const auto& [number, name] : known)
        if (number == id)
            return std::string(name) + " (" + std::to_string(id) + ")";
    return (*stored ? std::string(stored) + " " : "") + "number " + std::to_string(id);
}

} // namespace

void requireFilters(std::int64_t plist, const std::filesystem::path& file, const std::string& path)
{
    const int count = H5Pget_nfilters(plist);
    for (int i = 0; i < count; ++i) {
        unsigned flags = 0, config = 0;
        std::size_t values = 0;
        std::array<char, 128> name{};
        const H5Z_filter_t id = H5Pget_filter2(plist, static_cast<unsigned>(i), &flags, &values, nullptr,
                                               name.size() - 1, name.data(), &config);
        if (id >= 0 && H5Zfilter_avail(id) <= 0)
            throw Error(ErrorKind::badFile,
                        "'" + file.string() + "': the data set " + path + " is compressed with " +
                            filterName(id, name.data()) +
                            ", a filter that is not installed here. Install its HDF5 plug-in and let HDF5_PLUGIN_PATH "
                            "name its folder.");
    }
}

void requireSources(std::int64_t plist, const std::filesystem::path& file, const std::string& path)
{
    std::size_t count = 0;
    if (H5Pget_layout(plist) != H5D_VIRTUAL || H5Pget_virtual_count(plist, &count) < 0)
        return;
    std::set<std::string> seen;
    for (std::size_t i = 0; i < count; ++i) {
        std::array<char, 4096> name{};
        if (H5Pget_virtual_filename(plist, i, name.data(), name.size()) <= 0)
            continue;
        const std::filesystem::path source = name.data();
        if (source == "." || source.string().find('%') != std::string::npos || !seen.insert(source.string()).second)
            continue;
        std::error_code ignored;
        if (!std::filesystem::exists(file.parent_path() / source, ignored) &&
            !std::filesystem::exists(source, ignored) &&
            !std::filesystem::exists(file.parent_path() / source.filename(), ignored))
            throw Error(ErrorKind::badFile, "'" + file.string() + "': the virtual data set " + path +
                                                " takes its frames from " + "'" + source.string() + "'" +
                                                ", which is missing. Put that file back beside this one.");
    }
}

} // namespace engine
