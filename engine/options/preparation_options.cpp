// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/options/option_tables.h"

#include "engine/base/json_text.h"
#include "engine/prepare/step_order.h"
#include "engine/prepare/steps.h"

namespace engine
{

namespace
{

Quantity quantityOf(const Request& request)
{
    return request.scan ? request.scan->quantity : Quantity::counts;
}

std::function<std::optional<double>(const Request&)> recordedBy(const StepField& field)
{
    if (!field.use.recorded)
        return nullptr;
    return [recorded = field.use.recorded](const Request& r) {
        return r.scan ? recorded(preparationOf(*r.scan, r.setting.preparation)) : std::nullopt;
    };
}

// Returns the option of a preparation step's field.
Option rowOf(const Step& step, const StepField& field)
{
    const bool isSwitch = !field.choices.empty() || (!step.isByDefault && &field == &step.parameters().front());
    return {.id = field.id,
            .label = field.label,
            .summary = field.summary,
            .group = "Preparation",
            .unit = field.unit,
            .form = field.form,
            .kind = field.kind,
            .choices = field.choices,
            .least = field.least,
            .most = field.most,
            .leastIncluded = field.leastIncluded,
            .step = field.step,
            .idle =
                [&field](const Request& r) {
                    return idleReason(field, quantityOf(r), r.setting.preparation,
                                      !r.scan || std::holds_alternative<ParallelBeam>(r.scan->geometry));
                },
            .get = [&field](const Request& r) { return field.get(r.setting.preparation); },
            .set = [&field](Request& r, const std::string& text) { field.set(r.setting.preparation, text); },
            .number = [&field](const Request& r) { return field.number(r.setting.preparation); },
            .setNumber = [&field](Request& r,
                                  std::optional<double> number) { field.setNumber(r.setting.preparation, number); },
            .json = "preparation/" + jsonKey(field.id),
            .use = {.stage = Stage::prepare,
                    .row = isSwitch                 ? WindowRow::always
                           : field.use.isShownUnset ? WindowRow::withEffect
                                                    : WindowRow::whereUnknown,
                    .line = isSwitch || step.isByDefault ? ReportLine::unlessDefault : ReportLine::always,
                    .recorded = recordedBy(field),
                    .page = step.page,
                    .isKept = !field.use.isOfScan}};
}

Option orderRow()
{
    return {.id = "step-order",
            .label = "Order of steps",
            .summary = "Order of the preparation steps, if not the usual one: steps separated by commas, such as "
                       "zingers,flat-field, each directly before the next",
            .group = "Preparation",
            .form = "STEP,…",
            .kind = Option::Kind::text,
            .idle = [](const Request& r) { return idleOrder(r.setting.preparation, quantityOf(r)); },
            .get = [](const Request& r) { return orderToText(r.setting.preparation.order); },
            .set = [](Request& r, const std::string& text) { r.setting.preparation.order = orderFromText(text); },
            .json = "preparation/stepOrder",
            .use = {.stage = Stage::prepare, .field = WindowField::steps}};
}

} // namespace

std::vector<Option> preparationOptions()
{
    std::vector<Option> rows{orderRow()};
    for (const Step& step : steps())
        for (const StepField& field : step.parameters())
            rows.push_back(rowOf(step, field));
    return rows;
}

} // namespace engine
