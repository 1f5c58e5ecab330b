// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/prepare/step_order.h"

#include "engine/base/error.h"

#include <algorithm>
#include <sstream>

namespace engine
{

namespace
{

using StepList = std::vector<const Step*>;

StepList stepsOfTable()
{
    StepList all;
    for (const Step& step : steps())
        all.push_back(&step);
    return all;
}

const Step* findStep(const std::string& id)
{
    const auto found = std::ranges::find_if(steps(), [&](const Step& step) { return step.id == id; });
    return found == steps().end() ? nullptr : &*found;
}

// Returns the ids of the steps; empty if the order is that of the table.
std::vector<std::string> idsOf(const StepList& order)
{
    std::vector<std::string> ids;
    if (order != stepsOfTable())
        for (const Step* step : order)
            ids.emplace_back(step->id);
    return ids;
}

StepList movedBefore(StepList order, const StepList& moving, const Step* place)
{
    std::erase_if(order, [&](const Step* step) { return std::ranges::find(moving, step) != moving.end(); });
    order.insert(std::ranges::find(order, place), moving.begin(), moving.end());
    return order;
}

std::vector<std::string> withNamed(const std::vector<std::string>& names)
{
    StepList order = stepsOfTable();
    for (std::size_t k = names.size(); k-- > 1;) {
        const Step *first = findStep(names[k - 1]), *second = findStep(names[k]);
        if (std::ranges::find(order, first) > std::ranges::find(order, second))
            order = movedBefore(order, {first}, second);
    }
    const auto isNamed = [&](const Step* step) { return std::ranges::find(names, step->id) != names.end(); };
    const auto gathers = std::ranges::find_if(order, [](const Step* step) { return step->to.layout.has_value(); });
    const auto needs = std::find_if(order.begin(), gathers, [&](const Step* step) {
        return isNamed(step) && step->from.layout == Layout::sinograms;
    });
    if (needs != gathers && !isNamed(*gathers))
        order = movedBefore(order, {*gathers}, *needs);
    return idsOf(order);
}

// Ids of the steps that are on, or that depend on the scan.
std::vector<std::string> idsThatCount(const Preparation& preparation)
{
    std::vector<std::string> ids;
    for (const PlannedStep& planned : preparation.steps)
        if (planned.on || planned.step->isNeeded)
            ids.emplace_back(planned.step->id);
    return ids;
}

// Returns whether the step only mends gaps or gathers sinograms.
bool leadsOthers(const Step& step)
{
    return !step.to.quantity && (step.to.layout || step.to.gaps);
}

bool isOn(const Preparation& preparation, const Step* step)
{
    return std::ranges::any_of(preparation.steps,
                               [step](const PlannedStep& planned) { return planned.on && planned.step == step; });
}

} // namespace

std::vector<const Step*> stepsInOrder(const PreparationSettings& chosen)
{
    StepList order;
    for (const std::string& id : chosen.order)
        if (const Step* step = findStep(id))
            order.push_back(step);
    return order.size() == steps().size() ? order : stepsOfTable();
}

const Step& stepNamed(const std::string& id)
{
    if (const Step* step = findStep(id))
        return *step;
    std::string known;
    for (const Step& step : steps())
        known += (known.empty() ? "" : ", ") + std::string(step.id);
    throw Error(ErrorKind::badRequest, "there is no step '" + id + "'; the steps are " + known);
}

std::vector<std::string> orderFromText(const std::string& text)
{
    std::vector<std::string> names;
    std::istringstream parts(text);
    for (std::string name; std::getline(parts, name, ',');) {
        require(std::ranges::find(names, stepNamed(name).id) == names.end(),
                "the step '" + name + "' is named twice; name each step once");
        names.push_back(name);
    }
    require(names.size() != 1, "a single step has no order: also name the step that follows it, as in '" +
                                   (names.empty() ? std::string() : names.front()) + ",STEP'");
    return withNamed(names);
}

std::string orderToText(const std::vector<std::string>& order)
{
    if (order.empty())
        return {};
    std::vector<std::string> names = order;
    for (std::size_t k = 0; k < names.size();) {
        std::vector<std::string> fewer = names;
        fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(k));
        if (withNamed(fewer) == order)
            names = std::move(fewer);
        else
            ++k;
    }
    std::string text;
    for (const std::string& name : names)
        text += (text.empty() ? "" : ",") + name;
    return text;
}

std::vector<std::string> orderOfStepsOn(const PreparationSettings& chosen, const Preparation& preparation)
{
    std::vector<std::string> names;
    for (const Step* step : stepsInOrder(chosen))
        if (isOn(preparation, step))
            names.emplace_back(step->id);
    return withNamed(names);
}

std::optional<Text> idleOrder(const PreparationSettings& chosen, Quantity quantity)
{
    PreparationSettings usual = chosen;
    usual.order.clear();
    if (chosen.order.empty() ||
        idsThatCount(preparationOf(quantity, chosen)) != idsThatCount(preparationOf(quantity, usual)))
        return {};
    return "the steps that are on have their usual order";
}

StepMove moved(const PreparationSettings& chosen, const Scan& scan, const std::string& id, bool earlier)
{
    const Preparation before = preparationOf(scan, chosen);
    const StepList order = stepsInOrder(chosen);
    const Step* step = findStep(id);
    const auto at = std::ranges::find(order, step);
    Text objection;
    const auto tried = [&](const StepList& next) -> std::optional<StepMove> {
        PreparationSettings other = chosen;
        other.order = idsOf(next);
        const auto refused = objectionToOrder(preparationOf(scan, other), scan.quantity);
        if (!refused)
            return StepMove{std::move(other.order), {}};
        if (objection.empty())
            objection = *refused;
        return std::nullopt;
    };
    const auto isPassed = [&](const Step* other) {
        return isOn(before, other) && (other->to.quantity || !other->to.layout);
    };
    if (earlier) {
        StepList moving{step};
        for (auto place = at; place != order.begin();) {
            --place;
            if (isPassed(*place)) {
                if (const auto made = tried(movedBefore(order, {step}, *place)))
                    return *made;
                if (moving.size() > 1 && !leadsOthers(**place))
                    if (const auto made = tried(movedBefore(order, moving, *place)))
                        return *made;
            }
            if (leadsOthers(**place))
                moving.insert(moving.begin(), *place);
        }
    } else {
        StepList passed;
        for (auto place = at; ++place < order.end();) {
            if (isOn(before, *place))
                passed.push_back(*place);
            if (isPassed(*place))
                if (const auto made = tried(movedBefore(order, passed, step)))
                    return *made;
        }
    }
    return {{}, objection.empty() ? (earlier ? "It is the first step." : "It is the last step.") : objection};
}

} // namespace engine
