// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/prepare/steps.h"

#include "engine/base/error.h"
#include "engine/base/number_text.h"
#include "engine/prepare/step_order.h"

#include <algorithm>
#include <array>
#include <sstream>
#include <stdexcept>
#include <utility>

namespace engine
{

// Defined in one file each.
extern const Step flatFieldStep, zingersStep, phaseStep, logarithmStep, deadValuesStep, airStep, beamHardeningStep,
    transpositionStep, ringsStep, rowShiftsStep, tiltStep;

std::span<const Step> steps()
{
    static const std::array table = {flatFieldStep,  zingersStep,   phaseStep,         logarithmStep,
                                     deadValuesStep, airStep,       beamHardeningStep, transpositionStep,
                                     ringsStep,      rowShiftsStep, tiltStep};
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

bool takes(const Step& step, const ValueKind& given)
{
    return fits(step.from, given) && !(step.butNot && step.butNot == given.quantity);
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
    return gaps == Gaps::marked ? "values with gaps (dead values, not filled yet)" : "values without gaps";
}

// The first property (quantity, layout or gaps) in which given values differ from wanted ones.
struct Difference {
    std::string wanted, given;
    ValueKind missing; // only the differing property, as wanted
};

Difference differenceOf(const ValueKind& wanted, const ValueKind& given)
{
    if (!fits(wanted.quantity, given.quantity))
        return {inWords(*wanted.quantity), inWords(*given.quantity), {.quantity = wanted.quantity}};
    if (!fits(wanted.layout, given.layout))
        return {inWords(*wanted.layout), inWords(*given.layout), {.layout = wanted.layout}};
    return {inWords(*wanted.gaps), inWords(*given.gaps), {.gaps = wanted.gaps}};
}

// Returns the difference for a step that accepts every quantity but this one.
Difference besides(Quantity butNot)
{
    std::string wanted;
    std::optional<Quantity> next;
    for (const Quantity quantity : quantities())
        if (quantity != butNot) {
            wanted += (wanted.empty() ? "" : " or ") + inWords(quantity);
            next = next ? next : quantity;
        }
    return {wanted, inWords(butNot), {.quantity = next}};
}

// The name of a step as in --step-order.
std::string named(const Step& step)
{
    return "'" + std::string(step.id) + "'";
}

// Names the default steps that turn such values into the missing kind; empty if no steps do.
std::string wayTo(const ValueKind& missing, ValueKind given)
{
    std::string names;
    for (const Step& step : steps()) {
        const bool leads = (missing.quantity && step.to.quantity) || (missing.layout && step.to.layout) ||
                           (missing.gaps && step.to.gaps);
        if (!step.isByDefault || !leads || !takes(step, given))
            continue;
        names += (names.empty() ? "" : " and ") + named(step);
        given = after(step, given);
        if (fits(missing, given))
            return names;
    }
    return {};
}

std::vector<double> valuesOf(const Step& step, const PreparationSettings& chosen)
{
    std::vector<double> values;
    for (const StepField& parameter : step.parameters())
        values.push_back(valueOf(parameter, chosen));
    return values;
}

bool isAsked(const Step& step, const PreparationSettings& chosen)
{
    return !step.parameters().empty() && valueOf(step.parameters().front(), chosen) != 0; // 0 is "off"
}

const StepField& choiceOf(const Step& step)
{
    return step.parameters().front();
}

// "rings sorting" or "rings sorting, filtering"; all methods but "off" if `ways` is empty.
Text withWays(const Step& step, std::span<const char* const> ways)
{
    std::string text;
    const auto add = [&](const std::string& way) { text += (text.empty() ? "" : ", ") + way; };
    for (const char* way : ways)
        add(way);
    const StepField& chosen = choiceOf(step);
    if (chosen.choices.empty()) // the parameter is a number
        return optionName(chosen.id);
    if (text.empty())
        for (const FieldChoice& choice : std::span(chosen.choices).subspan(step.isByDefault ? 0 : 1))
            add(choice.id);
    return optionName(chosen.id) + " " + text;
}

} // namespace

double PlannedStep::value(const char* parameter) const
{
    for (std::size_t k = 0; k < step->parameters().size(); ++k)
        if (step->parameters()[k].id == std::string(parameter))
            return values.empty() ? step->parameters()[k].use.standard : values[k];
    throw std::logic_error(std::string(step->id) + " has no " + parameter);
}

std::string PlannedStep::way() const
{
    const StepField& choice = choiceOf(*step);
    return choice.choices[static_cast<std::size_t>(value(choice.id))].id;
}

const PlannedStep* Preparation::find(const char* step) const
{
    const auto found = std::ranges::find_if(
        steps, [step](const PlannedStep& planned) { return planned.on && planned.step->id == std::string(step); });
    return found == steps.end() ? nullptr : &*found;
}

ParameterPlace findParameter(const std::string& id)
{
    for (const Step& step : steps())
        for (const StepField& parameter : step.parameters())
            if (parameter.id == id)
                return {&step, &parameter};
    return {};
}

std::vector<StepField> stepFields(std::vector<StepField> fields)
{
    for (StepField& field : fields) {
        const StepField value = field; // a copy for the functions below, which use its id, choices and default
        field.number = [value](const PreparationSettings& chosen) -> std::optional<double> {
            const double is = valueOf(value, chosen);
            return value.use.mayBeLeft && is == value.use.standard ? std::nullopt : std::optional(is);
        };
        field.get = [value, number = field.number](const PreparationSettings& chosen) {
            const std::optional<double> is = number(chosen);
            return is ? textOfNumber(value.kind, value.choices, *is) : std::string();
        };
        field.setNumber = [value](PreparationSettings& chosen, std::optional<double> number) {
            setValue(value, number.value_or(value.use.standard), chosen);
        };
        field.set = [value](PreparationSettings& chosen, const std::string& text) {
            if (value.kind != FieldKind::choice)
                return setValue(value, numberIn(value.unit, text), chosen);
            const auto choice = std::ranges::find(value.choices, text, &FieldChoice::id);
            require(choice != value.choices.end(), "unknown value '" + text + "'");
            setValue(value, static_cast<double>(choice - value.choices.begin()), chosen);
        };
    }
    return fields;
}

double valueOf(const StepField& parameter, const PreparationSettings& chosen)
{
    const auto found = chosen.values.find(parameter.id);
    return found == chosen.values.end() ? parameter.use.standard : found->second;
}

void setValue(const StepField& parameter, double value, PreparationSettings& chosen)
{
    if (value == parameter.use.standard)
        chosen.values.erase(parameter.id);
    else
        chosen.values[parameter.id] = value;
}

namespace
{

// Plans the steps in this order. A step that is on by default is switched on where it accepts the values that reach
// it.
std::vector<PlannedStep> plannedIn(const std::vector<const Step*>& order, Quantity quantity,
                                   const PreparationSettings& chosen, const Preparation& preparation)
{
    std::vector<PlannedStep> planned;
    ValueKind kind = recorded(quantity);
    for (const Step* step : order) {
        const bool on = step->isNeeded      ? step->isNeeded(preparation)
                        : step->isByDefault ? takes(*step, kind)
                                            : isAsked(*step, chosen);
        planned.push_back({step, on, valuesOf(*step, chosen)});
        if (on)
            kind = after(*step, kind);
    }
    return planned;
}

} // namespace

Preparation preparationOf(Quantity quantity, const PreparationSettings& chosen, std::optional<double> pixelSizeMm,
                          std::vector<double> shiftRows, int bins, int rows)
{
    Preparation preparation{{}, pixelSizeMm, std::move(shiftRows), bins, rows, {}, {}, {}, false};
    const std::vector<const Step*> order = stepsInOrder(chosen);
    preparation.steps = plannedIn(order, quantity, chosen, preparation);
    if (chosen.order.empty() || !objectionToOrder(preparation, quantity))
        return preparation;
    // Steps are switched on as in the usual order: a misplaced step is to be reported, not left out.
    const std::vector<PlannedStep> usual = plannedIn(stepsInOrder({}), quantity, chosen, preparation);
    for (PlannedStep& planned : preparation.steps)
        planned.on = std::ranges::find(usual, planned.step, &PlannedStep::step)->on;
    return preparation;
}

Preparation preparationOf(const Scan& scan, const PreparationSettings& chosen)
{
    Preparation preparation;
    if (const auto* beam = std::get_if<ParallelBeam>(&scan.geometry)) {
        preparation = preparationOf(scan.quantity, chosen, beam->pixelSizeMm, beam->shiftRows, beam->bins, scan.rows);
        preparation.distanceMm = scan.detectorDistanceMm;
    } else if (const auto* cone = std::get_if<ConeBeam>(&scan.geometry)) {
        preparation = preparationOf(scan.quantity, chosen, standardVolume(*cone).voxelMm);
        if (cone->isCircle() && cone->sourceDetectorMm > cone->sourceAxisMm)
            preparation.distanceMm = (cone->sourceDetectorMm - cone->sourceAxisMm) / cone->magnification();
    } else {
        preparation = preparationOf(scan.quantity, chosen, scan.pixelSizeMm());
    }
    preparation.energyKeV = scan.energyKeV;
    preparation.flatPlaces = scan.flatPlaces;
    return preparation;
}

std::optional<Text> objectionToOrder(const Preparation& preparation, Quantity quantity)
{
    ValueKind kind = recorded(quantity);
    const Step *last = nullptr, *lastOfValues = nullptr;
    for (const PlannedStep& planned : preparation.steps) {
        const Step& step = *planned.step;
        if (!planned.on)
            continue;
        if (!takes(step, kind)) {
            const Difference difference = fits(step.from, kind) ? besides(*step.butNot) : differenceOf(step.from, kind);
            const std::string way = wayTo(difference.missing, kind);
            const Step* before = difference.missing.layout ? last : lastOfValues;
            return "The step " + named(step) + " takes " + difference.wanted + ", but " +
                   (before ? "after " + named(*before) + " there are " : "the scan holds ") + difference.given +
                   (way.empty() ? ": leave it out." : ": put " + way + " before it.");
        }
        kind = after(step, kind);
        last = &step;
        lastOfValues = step.to.layout ? lastOfValues : &step;
    }
    if (fits(prepared, kind))
        return {};
    const Difference difference = differenceOf(prepared, kind);
    const std::string way = wayTo(difference.missing, kind);
    return "The preparation steps end with " + difference.given + ", but " + difference.wanted + " are needed" +
           (way.empty() ? "." : ": add " + way + ".");
}

std::optional<Text> offInOrder(const std::string& text, const Preparation& preparation)
{
    Text off;
    std::istringstream parts(text);
    for (std::string name; std::getline(parts, name, ',');)
        for (const PlannedStep& planned : preparation.steps) {
            const Step& step = *planned.step;
            if (planned.on || step.id != name)
                continue;
            const bool canBeAsked = !step.isByDefault && !step.parameters().empty();
            off += (off.empty() ? "" : ", and ") + named(step) + (canBeAsked ? " is off" : " isn't needed here") +
                   " and has no place in the order: " +
                   (canBeAsked ? "turn it on" + aside(withWays(step, {})) + ", or leave it out" : Text("leave it out"));
        }
    return off.empty() ? std::nullopt : std::optional(off);
}

std::optional<Text> idleReason(const StepField& parameter, Quantity quantity, const PreparationSettings& chosen,
                               bool isParallel)
{
    const Step& step = *findParameter(parameter.id).step;
    if (step.otherBeams && !isParallel)
        return step.otherBeams;
    const Preparation preparation = preparationOf(quantity, chosen);
    const auto& planned = *std::ranges::find(preparation.steps, &step, &PlannedStep::step);
    if (!step.isByDefault && &parameter == &choiceOf(step)) { // the choice that switches the step on
        PreparationSettings alone;
        setValue(parameter, 1, alone);
        return objectionToOrder(preparationOf(quantity, alone), quantity);
    }
    if (!planned.on)
        return step.isByDefault ? "the step \"" + std::string(step.label) + "\" isn't needed"
                                : "only " + withWays(step, {}) + " uses it";
    const bool isOfWay = parameter.use.ways.empty() ||
                         std::ranges::any_of(parameter.use.ways, [&](const char* way) { return planned.way() == way; });
    if (!isOfWay)
        return "only " + withWays(step, parameter.use.ways) + " uses it";
    return {};
}

PreparationSettings withoutIdle(const PreparationSettings& chosen, Quantity quantity, bool isParallel)
{
    PreparationSettings left = chosen;
    for (const bool choices : {true, false}) // choices first, as the other parameters depend on them
        for (const auto& [id, value] : chosen.values) {
            const ParameterPlace place = findParameter(id);
            if (!place.step || ((place.parameter == &choiceOf(*place.step)) == choices &&
                                idleReason(*place.parameter, quantity, left, isParallel)))
                left.values.erase(id);
        }
    if (idleOrder(left, quantity))
        left.order.clear();
    return left;
}

std::optional<Text> objectionTo(const Preparation& preparation, Quantity quantity)
{
    for (const PlannedStep& planned : preparation.steps)
        if (planned.on && planned.step->objection)
            if (auto objection = planned.step->objection(planned, preparation))
                return objection;
    return objectionToOrder(preparation, quantity);
}

Quantity quantityAfter(const Preparation& preparation, Quantity recorded, std::size_t taken)
{
    for (std::size_t k = 0; k < std::min(taken, preparation.steps.size()); ++k)
        if (preparation.steps[k].on)
            recorded = preparation.steps[k].step->to.quantity.value_or(recorded);
    return recorded;
}

int haloOf(const Preparation& preparation)
{
    int halo = 0;
    for (const PlannedStep& planned : preparation.steps)
        if (planned.on && planned.step->halo)
            halo += planned.step->halo(planned, preparation);
    return halo;
}

RowRange withHalo(RowRange rows, const Preparation& preparation, int rowsOfScan)
{
    const int halo = haloOf(preparation);
    const int first = std::max(0, rows.first - halo);
    return {first, std::min(rowsOfScan, rows.first + rows.count + halo) - first};
}

namespace
{

bool isForDevices(const PlannedStep& planned, const Preparation& preparation)
{
    return planned.step->onDevices && planned.step->onDevices(planned, preparation);
}

} // namespace

bool isForDevices(const Preparation& preparation)
{
    const Step* before = nullptr;
    for (const PlannedStep& planned : preparation.steps) {
        if (!planned.on)
            continue;
        if (!isForDevices(planned, preparation) || (before && planned.step < before))
            return false;
        before = planned.step;
    }
    return true;
}

std::string notForDevices(const Preparation& preparation)
{
    std::string labels;
    for (const PlannedStep& planned : preparation.steps)
        if (planned.on && !isForDevices(planned, preparation))
            labels += (labels.empty() ? "\"" : ", \"") + std::string(planned.step->label) + "\"";
    return labels.empty() && !isForDevices(preparation) ? "its steps in another order" : labels;
}

int flatGroupsIn(const std::vector<double>& places)
{
    return places.empty()
               ? 1
               : 1 + static_cast<int>(std::ranges::count_if(places, [last = places[0]](double place) mutable {
                     return std::exchange(last, place) != place;
                 }));
}

std::size_t bytesOf(const Preparation& preparation, const RowsShape& shape)
{
    std::size_t bytes = 0;
    RowsShape read = shape;
    read.rows += 2 * haloOf(preparation);
    read.flatGroups = flatGroupsIn(preparation.flatPlaces);
    for (const PlannedStep& planned : preparation.steps)
        if (planned.on && planned.step->bytes)
            bytes += planned.step->bytes(read);
    return bytes;
}

} // namespace engine
