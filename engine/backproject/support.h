// What a method offers on this machine, found by asking it.
#pragma once

#include "engine/backproject/method.h"

#include <optional>
#include <string>
#include <vector>

namespace engine
{

struct MethodSupport {
    std::vector<Interpolation> interpolations;
    std::vector<Precision> precisions;
    std::optional<std::string> unusable; // why the method can't be used here at all
};

MethodSupport supportOf(const Method& method);

} // namespace engine
