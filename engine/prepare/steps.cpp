#include "engine/prepare/steps.h"

#include <algorithm>
#include <array>

namespace engine
{

extern const Step flatFieldStep, logarithmStep, deadValuesStep, transpositionStep; // each in its own file

std::span<const Step> steps()
{
    static const std::array table = {flatFieldStep, logarithmStep, deadValuesStep, transpositionStep};
    return table;
}

namespace
{

constexpr ValueKind prepared{Quantity::attenuation, Layout::sinograms, Gaps::mended};

ValueKind recorded(Quantity quantity)
{
    return {quantity, Layout::frames, Gaps::marked};
}

template <typename T>
bool fits(const std::optional<T>& wanted, const std::optional<T>& given)
{
    return !wanted || wanted == given;
}

bool fits(const ValueKind& wanted, const ValueKind& given)
{
    return fits(wanted.quantity, given.quantity) && fits(wanted.layout, given.layout) && fits(wanted.gaps, given.gaps);
}

ValueKind after(const Step& step, const ValueKind& before)
{
    const auto either = [](const auto& made, const auto& kept) { return made ? made : kept; };
    return {either(step.to.quantity, before.quantity), either(step.to.layout, before.layout),
            either(step.to.gaps, before.gaps)};
}

std::string inWords(Quantity quantity)
{
    std::string words = toText(quantity); // "line-integrals"
    std::ranges::replace(words, '-', ' ');
    return words;
}

std::string inWords(Layout layout)
{
    return layout == Layout::frames ? "projections" : "sinograms";
}

std::string inWords(Gaps gaps)
{
    return gaps == Gaps::marked ? "values with gaps" : "values without gaps";
}

// The first of the three in which what is wanted differs from what is given.
struct Difference {
    std::string wanted, given;
    ValueKind missing; // that one of what is wanted
};

Difference differenceOf(const ValueKind& wanted, const ValueKind& given)
{
    if (!fits(wanted.quantity, given.quantity))
        return {inWords(*wanted.quantity), inWords(*given.quantity), {.quantity = wanted.quantity}};
    if (!fits(wanted.layout, given.layout))
        return {inWords(*wanted.layout), inWords(*given.layout), {.layout = wanted.layout}};
    return {inWords(*wanted.gaps), inWords(*given.gaps), {.gaps = wanted.gaps}};
}

// The labels of the steps by default that lead such values to what is missing; empty where there is no way.
std::string wayTo(const ValueKind& missing, ValueKind given)
{
    std::string labels;
    for (const Step& step : steps()) {
        const bool leads = (missing.quantity && step.to.quantity) || (missing.layout && step.to.layout) ||
                           (missing.gaps && step.to.gaps);
        if (!step.isByDefault || !leads || !fits(step.from, given))
            continue;
        labels += (labels.empty() ? "\"" : " and \"") + std::string(step.label) + "\"";
        given = after(step, given);
        if (fits(missing, given))
            return labels;
    }
    return {};
}

} // namespace

Preparation preparationOf(Quantity quantity)
{
    Preparation preparation;
    ValueKind kind = recorded(quantity);
    for (const Step& step : steps()) {
        const bool on = step.isByDefault && fits(step.from, kind);
        preparation.steps.push_back({&step, on});
        if (on)
            kind = after(step, kind);
    }
    return preparation;
}

std::optional<std::string> objectionTo(const Preparation& preparation, Quantity quantity)
{
    ValueKind kind = recorded(quantity);
    const Step* before = nullptr;
    for (const PlannedStep& planned : preparation.steps) {
        const Step& step = *planned.step;
        if (!planned.on)
            continue;
        if (!fits(step.from, kind)) {
            const Difference difference = differenceOf(step.from, kind);
            const std::string way = wayTo(difference.missing, kind);
            return "The step \"" + std::string(step.label) + "\" takes " + difference.wanted + ", but " +
                   (before ? "after \"" + std::string(before->label) + "\" there are " : "the scan holds ") +
                   difference.given + (way.empty() ? ": leave it out." : ": put " + way + " before it.");
        }
        kind = after(step, kind);
        before = &step;
    }
    if (fits(prepared, kind))
        return {};
    const Difference difference = differenceOf(prepared, kind);
    const std::string way = wayTo(difference.missing, kind);
    return "The steps of preparation end with " + difference.given + ", where " + difference.wanted + " are needed" +
           (way.empty() ? "." : ": add " + way + ".");
}

int haloOf(const Preparation& preparation)
{
    int halo = 0;
    for (const PlannedStep& planned : preparation.steps)
        if (planned.on)
            halo += planned.step->halo;
    return halo;
}

bool isForDevices(const Preparation& preparation)
{
    const Step* before = nullptr;
    for (const PlannedStep& planned : preparation.steps) {
        if (!planned.on)
            continue;
        if (!planned.step->onDevices || planned.step->halo > 0 || (before && planned.step < before))
            return false;
        before = planned.step;
    }
    return true;
}

std::size_t bytesOf(const Preparation& preparation, const RowsShape& shape)
{
    std::size_t bytes = 0;
    RowsShape needed = shape;
    for (auto planned = preparation.steps.rbegin(); planned != preparation.steps.rend(); ++planned) {
        if (!planned->on)
            continue;
        needed.rows += 2 * planned->step->halo; // those that the steps before it have to hand over
        if (planned->step->bytes)
            bytes += planned->step->bytes(needed);
    }
    return bytes;
}

} // namespace engine
