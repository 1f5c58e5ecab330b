// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/measure/slice_memory.h"

#include "engine/io/files/folder_entries.h"

#include <filesystem>

namespace engine
{

namespace
{

int rowsOfMiddleSlice(const Scan& scan)
{
    if (!std::holds_alternative<ConeBeam>(scan.geometry))
        return 1;
    const int size = scan.sliceSize();
    return rowsFor(scan.geometry, {{size, 0, 0, size, size, 1}, scan.slices() / 2 * 1.0, 1, 1}).count;
}

} // namespace

double bytesPerSlice(const Scan& scan, FilterPrecision filterPrecision)
{
    const double size = scan.sliceSize();
    const double bins = static_cast<double>(scan.bins()) * rowsOfMiddleSlice(scan);
    const double sinogram = bins * scan.projections() * sizeof(float);
    const double fields = bins * (scan.darkFrames + scan.flatFrames) * sizeof(float);
    const double filtered = filterPrecision == FilterPrecision::float64 ? 2 * sinogram : sinogram;
    const double recorded = bins * scan.projections() * scan.bytesPerSample;
    return recorded + sinogram + fields + filtered + size * size * sizeof(float);
}

double bytesOnDisk(const Scan& scan)
{
    namespace fs = std::filesystem;
    std::error_code error;
    if (!fs::is_directory(scan.path, error)) {
        const auto size = fs::file_size(scan.path, error);
        return error ? 0 : static_cast<double>(size);
    }
    double size = 0;
    for (const FolderEntry& entry : entriesOf(scan.path, error))
        if (std::error_code unknown; entry.isFile())
            if (const auto bytes = fs::file_size(entry.path, unknown); !unknown)
                size += static_cast<double>(bytes);
    return size;
}

} // namespace engine
