// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backends/parallel/hybrid_share.h"

#include "engine/backends/method.h"
#include "engine/base/error.h"

namespace engine
{

namespace
{

constexpr int allEighths = 8;

std::string eighthsToText(int eighths)
{
    return std::to_string(eighths) + "/8";
}

} // namespace

std::vector<Variant> hybridShares()
{
    std::vector<Variant> rows;
    for (int eighths = 0; eighths <= allEighths; ++eighths)
        rows.push_back({eighthsToText(eighths), std::to_string(eighths) + " of eight blocks on the texture unit",
                        "Chilingaryan et al. 2020, section 7.1",
                        eighths % allEighths != 0}); // at either end one unit works alone
    return rows;
}

int eighthsFromText(const std::string& text)
{
    for (int eighths = 0; eighths <= allEighths; ++eighths)
        if (text == eighthsToText(eighths))
            return eighths;
    throw Error(ErrorKind::badRequest, "'" + text +
                                           "' is not a share of the blocks on the texture unit; give 0/8 to "
                                           "8/8");
}

} // namespace engine
