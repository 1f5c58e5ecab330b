// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/io/files/size_limits.h"

#include "engine/base/error.h"
#include "engine/base/number_text.h"

namespace engine
{

std::string wholeNumber(double value)
{
    return value < 1e18 ? std::to_string(static_cast<long long>(value)) : numberToText(value);
}

bool isPlausible(double bytes, std::uintmax_t fileBytes)
{
    constexpr double always = 64 << 20, compression = 100;
    return bytes <= always || bytes <= compression * static_cast<double>(fileBytes);
}

void requirePlausible(double bytes, std::uintmax_t fileBytes, const Text& what)
{
    if (!isPlausible(bytes, fileBytes))
        throw Error(ErrorKind::badFile,
                    what + " of " + wholeNumber(bytes) + " bytes, more than a hundred times the size of the file (" +
                        std::to_string(fileBytes) + " bytes). It is damaged, or crafted to exhaust the memory.");
}

} // namespace engine
