// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/documents/report.h"

#include "engine/base/error.h"
#include "engine/base/number_text.h"
#include "engine/base/version.h"
#include "engine/io/open/open_fields.h"
#include "engine/json/reconstruction_json.h"
#include "engine/json/request_json.h"
#include "engine/options/options.h"
#include "engine/scan/axis_programs.h"
#include "engine/scan/cone_fields.h"
#include "engine/scan/empty_projections.h"
#include "engine/scan/geometry_facts.h"
#include "engine/scan/scan_facts.h"

#include "engine/backends/backend.h"
#include "engine/backends/support.h"
#include "engine/measure/slice_memory.h"

#include <algorithm>
#include <numbers>
#include <utility>

namespace engine
{

namespace
{

template <typename T>
Json orNull(const std::optional<T>& value)
{
    return value ? Json(*value) : Json(nullptr);
}

Json spectraOf(const RingSpectra& spectra)
{
    return {{"square", toText(spectra.square)},
            {"frequencyPerPixel", spectra.frequency},
            {"correlation", spectra.correlation},
            {"halfBitThreshold", thresholdOf(spectra, ResolutionCriterion::halfBit)},
            {"powerImage", spectra.powerImage},
            {"powerReference", spectra.powerReference},
            {"resolutionPixels", resolutionPixels(spectra, ResolutionCriterion::halfBit)}};
}

template <typename Values>
Json texts(const Values& values)
{
    Json list = Json::array();
    for (const auto value : values)
        list.push_back(toText(value));
    return list;
}

Json metricsOf(const Metrics& metrics)
{
    Json json;
    for (const MetricRow& row : metricRows())
        json[row.json] = metrics.*row.value;
    json["referenceRange"] = metrics.referenceRange;
    json["meanImage"] = metrics.meanImage;
    json["meanReference"] = metrics.meanReference;
    json["pixels"] = metrics.pixels;
    json["gaps"] = metrics.gaps;
    json["notFinite"] = metrics.notFinite;
    return json;
}

} // namespace

std::string requestJson(const Request& request)
{
    return dumped(requestOf(request));
}

Request requestFromJson(const std::string& text)
{
    Json json = parsedJson(text);
    require(json.is_object(), "this is not a report in JSON");
    if (json.contains("request"))
        json = json["request"];
    require(json.is_object(), "the report has no request");
    Request request;
    takeOptions(json, request);
    return request;
}

std::vector<std::string> openedOtherwise(const std::string& report, const OpenOptions& given)
{
    const Json json = parsedJson(report);
    if (!json.is_object() || !json.contains("opened"))
        return {};
    OpenOptions there;
    try {
        there = openOptionsFrom(json["opened"]);
    } catch (const Error&) {
        return {};
    }
    std::vector<std::string> missing;
    for (const OpenField& field : openFields()) {
        const bool isOfNone = *field.needs && !isGiven(findField(openFields(), field.needs), given);
        if (isOpenedWith(field, there) && !isGiven(field, given) && !isOfNone)
            missing.push_back(field.id);
    }
    for (const ConeField& field : coneFields())
        if (isGiven(field, there.cone) && !isGiven(field, given.cone))
            missing.push_back(field.id);
    return missing;
}

std::string scanJson(const Scan& scan, const std::optional<std::vector<Doubt>>& doubts)
{
    Json json = {{"name", scan.name},
                 {"path", scan.path},
                 {"format", scan.format},
                 {"type", scan.sampleType},
                 {"geometry", labelOf(scan.geometry)},
                 {"quantity", scan.quantity == Quantity::attenuation ? "attenuation" : toText(scan.quantity)},
                 {"values", valuesOf(scan)},
                 {"projections", scan.projections()},
                 {"rows", scan.rows},
                 {"bins", scan.bins()}};
    json["slices"] = scan.slices();
    json["sliceSize"] = scan.sliceSize();
    if (const auto* cone = std::get_if<ConeBeam>(&scan.geometry))
        json["cone"] = coneOf(*cone);
    json["darkFrames"] = scan.darkFrames;
    json["flatFrames"] = scan.flatFrames;
    json["angles"] = anglesOf(scan);
    json["pixelSizeMm"] = orNull(scan.pixelSizeMm());
    json["axis"] = scan.axisBins().empty()       ? Json(nullptr)
                   : scan.axisBins().size() == 1 ? Json(scan.axisBins().front())
                                                 : Json(scan.axisBins());
    json["axisConvention"] = axisConvention;
    json["axisHints"] = Json::array();
    for (const AxisHint& hint : scan.axisHints)
        json["axisHints"].push_back({{"source", hint.source}, {"reading", hint.reading}, {"axis", hint.axisBins}});
    json["parts"] = Json::array();
    for (const ScanFact& fact : scanFacts(scan)) {
        Json part = {{"id", fact.id}, {"state", toText(fact.state)}, {"value", fact.value}};
        if (!fact.where.empty())
            part["source"] = fact.where;
        json["parts"].push_back(std::move(part));
    }
    if (scan.reduced)
        json["recorded"] = {
            {"projections", scan.reduced->projections}, {"rows", scan.reduced->rows}, {"bins", scan.reduced->bins}};
    json["bytesOnDisk"] = bytesOnDisk(scan);
    json["bytesPerSlice"] = bytesPerSlice(scan, FilterPrecision::float32);
    json["notes"] = textsOf(openingNotes(scan), commandLineStyle());
    if (doubts) {
        json["warnings"] = Json::array();
        for (const Doubt& doubt : *doubts)
            json["warnings"].push_back(doubtText(scan, doubt).in(commandLineStyle()));
    }
    json["outside"] = Json::array(); // files outside the scan's folder that its file refers to
    for (const std::filesystem::path& file : scan.outside)
        json["outside"].push_back(file.string());
    json["metadata"] = Json::array(); // a list: names may repeat
    for (const auto& [name, value] : scan.metadata)
        json["metadata"].push_back({{"name", name}, {"value", value}});
    return dumped(json);
}

std::string metricsJson(const Metrics& metrics)
{
    return dumped(metricsOf(metrics));
}

std::string volumeDifferencesJson(const VolumeDifferences& made)
{
    Json json = {{"whole", metricsOf(made.whole)}, {"slices", Json::array()}};
    for (const VolumeDifferences::OfSlice& one : made.slices) {
        Json slice = {{"slice", one.slice}};
        slice.update(metricsOf(one.metrics));
        json["slices"].push_back(std::move(slice));
    }
    // Where the slices of the stored differences begin, if they follow each other.
    if (const int first = made.slices.front().slice;
        made.slices.back().slice == first + static_cast<int>(made.slices.size()) - 1)
        json["firstSlice"] = first;
    return dumped(json);
}

std::string spectraJson(const RingSpectra& spectra)
{
    return dumped(spectraOf(spectra));
}

std::string consistencyJson(const Consistency& consistency)
{
    Json json = {{"residual", orNull(consistency.residual)},
                 {"halves", consistency.halves ? spectraOf(*consistency.halves) : Json(nullptr)}};
    if (!consistency.residual)
        json["whyNoResidual"] = consistency.whyNoResidual;
    if (!consistency.halves)
        json["whyNoHalves"] = consistency.whyNoResolution;
    return dumped(json);
}

std::string metricsJson(const Metrics& metrics, const AreaStatistics& image, const AreaStatistics& reference,
                        const std::optional<RingSpectra>& spectra)
{
    Json json = metricsOf(metrics);
    json["deviationImage"] = image.deviation;
    json["deviationReference"] = reference.deviation;
    json["noiseImage"] = image.noise;
    json["noiseReference"] = reference.noise;
    json["fourierRingCorrelation"] = spectra ? spectraOf(*spectra) : Json(nullptr);
    return dumped(json);
}

std::string methodsJson()
{
    Json list = Json::array();
    for (const Method& method : methods()) {
        const MethodSupport support = supportOf(method);
        Json variants = Json::array();
        for (const Variant& variant : variantsOf(method))
            variants.push_back({{"id", variant.id}, {"summary", variant.summary}, {"source", variant.source}});
        list.push_back({{"id", method.id},
                        {"label", method.label},
                        {"summary", method.summary},
                        {"reference", method.reference},
                        {"device", method.backend->id},
                        {"geometries", geometriesOf(method)},
                        {"slicesPerPass", method.slicesPerPass},
                        {"interpolations", texts(support.interpolations)},
                        {"precisions", texts(support.precisions)},
                        {"variants", std::move(variants)},
                        {"usable", !support.unusable},
                        {"reason", orNull(support.unusable)}});
    }
    return dumped(list);
}

namespace
{

Json axisThere(double axisBins, int bins)
{
    Json programs = Json::object();
    for (const AxisProgram& program : axisPrograms())
        programs[program.id] = axisOf(program, axisBins, bins);
    return programs;
}

} // namespace

std::string axisTiltJson(const AxisTilt& all, const Scan& scan)
{
    constexpr double degrees = 180 / std::numbers::pi;
    Json list = Json::array();
    for (const AxisOfRow& each : all.rows)
        list.push_back({{"row", each.row},
                        {"axis", each.found.bins},
                        {"how", each.found.how},
                        {"confidence", orNull(each.found.confidence)},
                        {"offBins", each.offBins},
                        {"agrees", each.agrees}});
    return dumped({{"axis", all.bins},
                   {"axisConvention", axisConvention},
                   {"tiltDeg", all.tiltRad * degrees},
                   {"uncertaintyDeg", all.uncertaintyRad * degrees},
                   {"confidence", all.confidence},
                   {"doubt", all.doubt.in(commandLineStyle())},
                   {"toleranceBins", all.toleranceBins},
                   {"warnings", warningsOf(scan, all.emptyProjections)},
                   {"programs", axisThere(all.bins, scan.bins())},
                   {"rows", std::move(list)}});
}

std::string axisCandidatesJson(const AxisCandidates& all, const Scan& scan)
{
    const int bins = scan.bins();
    Json list = Json::array();
    for (const AxisCandidate& each : all.candidates) {
        Json candidate = {{"id", each.method->id},
                          {"label", each.method->label},
                          {"summary", each.method->summary},
                          {"reference", each.method->reference},
                          {"seconds", each.seconds}};
        if (each.unsuited.empty()) {
            candidate["axis"] = each.guess.bins;
            candidate["score"] = each.guess.score;
            candidate["agrees"] = each.agrees;
            candidate["programs"] = axisThere(each.guess.bins, bins);
        } else {
            candidate["reason"] = each.unsuited;
        }
        list.push_back(std::move(candidate));
    }
    return dumped({{"axis", all.found.bins},
                   {"axisConvention", axisConvention},
                   {"confidence", orNull(all.found.confidence)},
                   {"doubt", all.found.doubt.in(commandLineStyle())},
                   // The axis that a reconstruction finds. It equals "axis" above; in older programs it differed.
                   {"atOpening",
                    {{"axis", all.found.bins}, {"how", all.found.how}, {"confidence", orNull(all.found.confidence)}}},
                   {"toleranceBins", all.toleranceBins},
                   {"warnings", warningsOf(scan, all.emptyProjections)},
                   {"programs", axisThere(all.found.bins, bins)},
                   {"candidates", std::move(list)}});
}

} // namespace engine
