// SPDX-License-Identifier: GPL-3.0-or-later
// How long a request will take, from what was measured of ones like it.
#pragma once

#include "engine/request/setting.h"

#include <map>
#include <string>

namespace ui
{

struct Expected {
    double seconds = 1;
    bool known = false; // from the last run of the same setting, not from its size alone
};

class KnownSpeeds
{
  public:
    void add(const engine::Request& request, double seconds); // of its back-projection; previews say nothing
    Expected expected(const engine::Request& request) const;

  private:
    std::map<std::string, double> m_gups; // of the last run with the same setting
};

} // namespace ui
