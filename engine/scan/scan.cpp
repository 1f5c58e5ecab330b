// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/scan/scan.h"

#include "engine/base/error.h"
#include "engine/base/spelling.h"

namespace engine
{

std::vector<Quantity> quantities()
{
    return {Quantity::counts, Quantity::transmission, Quantity::attenuation};
}

std::vector<Quantity> storedQuantities()
{
    return {Quantity::counts, Quantity::transmission, Quantity::attenuation, Quantity::negatedAttenuation};
}

std::string toText(Quantity quantity)
{
    switch (quantity) {
    case Quantity::counts:
        return "counts";
    case Quantity::transmission:
        return "transmission";
    case Quantity::negatedAttenuation:
        return "negative-line-integrals";
    case Quantity::attenuation:
        break;
    }
    return "line-integrals";
}

Quantity quantityFromText(const std::string& text)
{
    std::vector<std::string> known;
    for (const Quantity quantity : storedQuantities()) {
        if (text == toText(quantity))
            return quantity;
        known.push_back(toText(quantity));
    }
    throw Error(ErrorKind::badRequest, unknownText("unknown kind of values", text, known));
}

std::string toText(QuantitySource source)
{
    switch (source) {
    case QuantitySource::given:
        return "given";
    case QuantitySource::recorded:
        return "recorded";
    case QuantitySource::guessed:
        break;
    }
    return "guessed";
}

} // namespace engine
