// SPDX-License-Identifier: GPL-3.0-or-later
// An estimate of the run time of a request, based on similar earlier ones.
#pragma once

#include "engine/request/setting.h"

#include <map>
#include <string>

namespace ui
{

struct Expected {
    double seconds = 1;
    bool known = false; // measured in the last run of the same setting; false: guessed from the size
};

class KnownSpeeds
{
  public:
    void add(const engine::Request& request, double seconds); // seconds: of the back-projection; previews are ignored
    Expected expected(const engine::Request& request) const;

  private:
    std::map<std::string, double> m_gups; // in the last run of each setting
};

} // namespace ui
