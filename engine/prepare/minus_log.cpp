#include "engine/prepare/minus_log.h"

#include <cmath>
#include <limits>

namespace engine
{

float minusLog(float transmission)
{
    constexpr float smallest = 1e-6f;
    if (!(transmission > smallest)) // NaN too
        return -std::log(smallest);
    return -std::log(transmission < std::numeric_limits<float>::max() ? transmission
                                                                      : std::numeric_limits<float>::max());
}

} // namespace engine
