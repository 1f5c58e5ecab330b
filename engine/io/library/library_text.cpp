// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/io/library/library_text.h"

#include "engine/base/error.h"
#include "engine/io/files/size_limits.h"

#include <hdf5.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <vector>

namespace engine
{

std::string sampleTypeOf(std::int64_t type)
{
    if (H5Tget_size(type) > 16) // bytes; a malicious type may have billions
        return {};
    const std::string bits = std::to_string(8 * H5Tget_size(type));
    switch (H5Tget_class(type)) {
    case H5T_INTEGER:
        return (H5Tget_sign(type) == H5T_SGN_NONE ? "uint" : "int") + bits;
    case H5T_FLOAT:
        return "float" + bits;
    case H5T_ENUM: // h5py stores truth values so
        return H5Tget_size(type) == 1 ? "int8" : "";
    default:
        return {};
    }
}

std::optional<std::string> firstAsText(const Text& what, std::int64_t type, std::int64_t space,
                                       const std::function<int(std::int64_t memory, void* buffer)>& read)
{
    const hssize_t count = H5Sget_simple_extent_npoints(space);
    const bool isVariable = H5Tget_class(type) == H5T_STRING && H5Tis_variable_str(type) > 0;
    if (count < 1 || count > (isVariable ? 1 << 8 : 1 << 20)) // each variable text may be as long as the file
        return {};
    if (static_cast<double>(H5Tget_size(type)) * static_cast<double>(count) > mostText)
        throw Error(ErrorKind::badFile,
                    what + " has a text of " + std::to_string(H5Tget_size(type)) + " bytes; at most 64 MB are read.");
    if (isVariable) {
        std::vector<char*> texts(static_cast<std::size_t>(count), nullptr);
        if (read(type, texts.data()) < 0)
            return {};
        std::string first = texts[0] ? texts[0] : "";
        H5Dvlen_reclaim(type, space, H5P_DEFAULT, texts.data());
        return first;
    }
    if (H5Tget_class(type) == H5T_STRING) {
        const std::size_t length = H5Tget_size(type);
        std::vector<char> text(length * static_cast<std::size_t>(count));
        if (read(type, text.data()) < 0)
            return {};
        std::string first(text.data(), std::find(text.data(), text.data() + length, '\0'));
        first.erase(first.find_last_not_of(' ') + 1);
        return first;
    }
    if (sampleTypeOf(type).empty())
        return {};
    std::vector<double> values(static_cast<std::size_t>(count));
    if (read(H5T_NATIVE_DOUBLE, values.data()) < 0)
        return {};
    std::array<char, 32> printed; // with a decimal point in any locale
    const auto end =
        std::to_chars(printed.data(), printed.data() + printed.size(), values[0], std::chars_format::general, 9).ptr;
    return std::string(printed.data(), end);
}

} // namespace engine
