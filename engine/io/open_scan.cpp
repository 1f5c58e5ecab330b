#include "engine/io/open_scan.h"

#include "engine/error.h"
#include "engine/io/hdf5_scan.h"
#include "engine/io/raw_file.h"
#include "engine/io/tiff_stack.h"

#include <charconv>
#include <cmath>
#include <fstream>
#include <new>
#include <numbers>

namespace engine
{

namespace fs = std::filesystem;

namespace
{

Scan openHdf5(const fs::path& path, const OpenOptions& options)
{
    if (options.sinogram)
        throw Error(ErrorKind::badRequest, "'" + path.string() + "' is an HDF5 file; --sinogram is for TIFF files.");
    const Hdf5File file(path);
    if (isDxchange(file))
        return openDxchange(file, options);
    if (isNxtomo(file))
        return openNxtomo(file, options);
    std::string found;
    for (const std::string& name : file.children("/"))
        (found += found.empty() ? "" : ", ") += name;
    throw Error(ErrorKind::badFile, "'" + path.string() +
                                        "' holds no scan: neither /exchange/data (DXchange) nor an NXtomo entry or an "
                                        "image key. At its top: " +
                                        (found.empty() ? "nothing" : found) + ".");
}

Scan openAny(const fs::path& path, const OpenOptions& options)
{
    if (!fs::exists(path))
        throw Error(ErrorKind::badFile, "There is no file or folder '" + path.string() + "'.");
    if (fs::is_directory(path)) {
        if (options.raw)
            throw Error(ErrorKind::badRequest, "'" + path.string() + "' is a folder; a raw scan is a single file.");
        return openTiffFolder(path, options);
    }
    if (!fs::is_regular_file(path))
        throw Error(ErrorKind::badFile, "'" + path.string() + "' is neither a file nor a folder.");
    if (!std::ifstream(path, std::ios::binary))
        throw Error(ErrorKind::badFile, "'" + path.string() + "' can't be opened for reading. Check its permissions.");
    if (fs::file_size(path) == 0)
        throw Error(ErrorKind::badFile, "'" + path.string() + "' is empty.");
    if (options.raw)
        return openRawFile(path, options);
    if (Hdf5File::recognises(path))
        return openHdf5(path, options);
    if (isTiff(path))
        return openTiffFile(path, options);
    throw Error(ErrorKind::badFile, "'" + path.string() +
                                        "' is neither an HDF5 nor a TIFF file. For numbers without a header, give "
                                        "their shape and type.");
}

} // namespace

std::shared_ptr<const Scan> openScan(const fs::path& path, const OpenOptions& options)
{
    try {
        Scan scan = openAny(path, options);
        if (scan.name.empty())
            scan.name = path.filename().string();
        return std::make_shared<const Scan>(std::move(scan));
    } catch (const std::bad_alloc&) {
        throw Error(ErrorKind::noMemory, "There is not enough memory to open '" + path.string() + "'.");
    } catch (const fs::filesystem_error& error) {
        throw Error(ErrorKind::badFile, "'" + path.string() + "' can't be read: " + error.code().message() + ".");
    }
}

std::vector<double> readAngles(const fs::path& path)
{
    std::ifstream in(path);
    if (!in || fs::is_directory(path))
        throw Error(ErrorKind::badFile, "The file of angles '" + path.string() + "' can't be opened.");
    std::vector<double> angles;
    std::string line;
    for (int number = 1; std::getline(in, line); ++number) {
        const std::size_t first = line.find_first_not_of(" \t\r");
        if (first == std::string::npos || line[first] == '#')
            continue;
        const std::size_t end = line.find_last_not_of(" \t\r,;") + 1;
        const std::size_t digits = first + (line[first] == '+' ? 1 : 0);
        double degrees = 0;
        const auto [stopped, failure] = std::from_chars(line.data() + digits, line.data() + end, degrees);
        if (failure != std::errc() || stopped != line.data() + end || !std::isfinite(degrees))
            throw Error(ErrorKind::badFile, "'" + path.string() + "', line " + std::to_string(number) + ": '" +
                                                line.substr(0, 40) +
                                                "' is not an angle. One number of degrees a line "
                                                "is needed.");
        angles.push_back(degrees * std::numbers::pi / 180);
    }
    if (angles.empty())
        throw Error(ErrorKind::badFile, "'" + path.string() + "' has no angles in it.");
    return angles;
}

} // namespace engine
