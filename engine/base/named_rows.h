// SPDX-License-Identifier: GPL-3.0-or-later
// Rows of tables by their ids.
#pragma once

#include "engine/base/error.h"
#include "engine/base/spelling.h"

#include <string>
#include <vector>

namespace engine
{

// Returns the row with this id. what: "tuning of `alu`". Throws Error(badRequest), which lists the ids, if there is
// none.
template <class Rows>
const auto& rowWithId(const Rows& rows, const std::string& id, const std::string& what)
{
    std::vector<std::string> known;
    for (const auto& row : rows) {
        if (id == row.id)
            return row;
        known.emplace_back(row.id);
    }
    throw Error(ErrorKind::badRequest, unknownText("unknown " + what, id, known));
}

} // namespace engine
