// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/json/request_json.h"

#include "engine/base/error.h"
#include "engine/base/field_json.h"
#include "engine/base/units.h"
#include "engine/io/open/open_fields.h"
#include "engine/options/options.h"
#include "engine/scan/cone_fields.h"
#include "engine/scan/geometry_facts.h"

#include "engine/backends/support.h"

namespace engine
{

Json coneOf(const ConeBeam& beam)
{
    Json json = coneOptionsJson(optionsOf(beam));
    json["projectionMatrices"] = beam.matrices.size();
    if (beam.isCircle()) {
        json["magnification"] = beam.magnification();
        json["centralRow"] = beam.centralRow;
    }
    return json;
}

namespace
{

Json spreadOf(const AngleSpread& spread)
{
    if (spread.steps)
        return {{"stepsDeg", stepsJson(*spread.steps)}};
    return {{"firstDeg", degreesFromRad(spread.firstRad)},
            {"lastDeg", degreesFromRad(spread.lastRad)},
            {"endExcluded", spread.endExcluded}};
}

Json turnOf(const TurnGuess& guess)
{
    Json json = spreadOf(guess.spread);
    json["certainty"] = guess.certainty;
    json["endCertainty"] = guess.endCertainty;
    json["isSure"] = guess.isSure();
    json["isSureOfEnd"] = guess.isSureOfEnd();
    json["reason"] = guess.reason.in(commandLineStyle());
    if (guess.alternative)
        json["alternative"] = spreadOf(*guess.alternative);
    return json;
}

} // namespace

Json anglesOf(const Scan& scan)
{
    const std::vector<double> anglesRad = recordedAnglesRad(scan.geometry);
    if (anglesRad.empty())
        return nullptr;
    Json json = {{"count", scan.projections()},
                 {"firstDeg", degreesFromRad(anglesRad.front())},
                 {"lastDeg", degreesFromRad(anglesRad.back())}};
    if (scan.assumedTurn)
        json["assumed"] = turnOf(*scan.assumedTurn);
    if (scan.likelierTurn)
        json["likelier"] = turnOf(*scan.likelierTurn);
    return json;
}

Json valuesOf(const Scan& scan)
{
    Json json = {{"are", toText(scan.storedQuantity())}, {"source", toText(scan.quantitySource)}};
    if (!scan.quantityReason.empty())
        json["reason"] = scan.quantityReason;
    if (!scan.quantityDoubt.empty())
        json["doubt"] = scan.quantityDoubt.in(commandLineStyle());
    return json;
}

void addOptions(Json& json, const Request& request, bool ofSetting)
{
    for (const Option& row : options())
        if (row.use.ofSetting == ofSetting)
            addField(json, row, request);
}

void takeOptions(const Json& json, Request& request)
{
    for (const Option& row : options())
        takeField(json, row, request);
}

void takeSettingOut(Json& json, Request& request)
{
    const Json given = json;
    for (const Option& row : options())
        if (row.use.ofSetting) {
            takeField(given, row, request);
            eraseField(json, row);
        }
}

Json requestOf(const Request& request)
{
    Json json;
    if (request.scan)
        json["scan"] = {{"name", request.scan->name},
                        {"path", request.scan->path},
                        {"format", request.scan->format},
                        {"values", valuesOf(*request.scan)},
                        {"angles", anglesOf(*request.scan)}};
    json["slices"] = {{"first", request.place.slices().first}, {"count", request.place.slices().count}};
    for (const Option& row : options())
        addField(json, row, request);
    json["previewStep"] = request.place.previewStep;
    return json;
}

Json openOptionsOf(const OpenOptions& options)
{
    Json json = Json::object();
    for (const OpenField& field : openFields())
        addField(json, field, options);
    if (options.cone != ConeOptions())
        json["cone"] = coneOptionsJson(options.cone);
    return json;
}

OpenOptions openOptionsFrom(const Json& json)
{
    require(json.is_object(), "'opened', the way the scan was opened, can't be used");
    OpenOptions options;
    try {
        for (const OpenField& field : openFields())
            takeField(json, field, options);
        if (json.contains("cone")) {
            Json cone = json["cone"];
            options.cone = takeConeOptions(cone);
        }
    } catch (const Json::exception& error) {
        throw Error(ErrorKind::badRequest, std::string("how the scan was opened can't be read (") + error.what() + ")");
    }
    return options;
}

} // namespace engine
