// SPDX-License-Identifier: GPL-3.0-or-later
// The common part of the drivers through which HDF5 reads and writes our files.
#pragma once

#include <hdf5.h>

#include <algorithm>
#include <cstdint>
#include <iterator>

namespace engine
{

// Returns a driver without functions. value: a number that nobody has registered (from 512 on), different for each
// driver.
inline H5FD_class_t plainDriver(const char* name, [[maybe_unused]] int value, std::size_t accessBytes)
{
    H5FD_class_t driver{};
#if H5_VERSION_GE(1, 14, 0)
    driver.version = H5FD_CLASS_VERSION;
    driver.value = value;
#endif
    driver.name = name;
    driver.maxaddr = static_cast<haddr_t>(INT64_MAX);
    driver.fc_degree = H5F_CLOSE_WEAK;
    driver.fapl_size = accessBytes;
    constexpr H5FD_mem_t map[] = H5FD_FLMAP_DICHOTOMY;
    std::copy(std::begin(map), std::end(map), driver.fl_map);
    return driver;
}

} // namespace engine
