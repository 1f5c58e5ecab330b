// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/volume/rank_results.h"

#include "engine/base/json_text.h"
#include "engine/base/note.h"
#include "engine/base/number_text.h"
#include "engine/request/section.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace engine
{

namespace
{

using RankJson = nlohmann::ordered_json;

// Returns all times with their names.
std::vector<std::pair<const char*, double*>> secondsOf(Timings& times)
{
    return {{"read", &times.read.seconds},        {"prepare", &times.prepare.seconds},
            {"axis", &times.axis.seconds},        {"filter", &times.filter.seconds},
            {"kernel", &times.kernelSeconds},     {"backproject", &times.backprojectSeconds},
            {"exchange", &times.exchangeSeconds}, {"reduce", &times.reduceSeconds},
            {"write", &times.writeSeconds},       {"total", &times.totalSeconds},
            {"elapsed", &times.elapsedSeconds}};
}

RankJson saidOf(Reconstruction made)
{
    RankJson said = {{"method", made.method},
                     {"device", made.device},
                     {"texelsPerSecond", made.texelsPerSecond},
                     {"axisBins", made.axisBins},
                     {"axisSource", made.axisSource},
                     {"axisHow", made.axisHow},
                     {"axisDoubt", toStrings(made.axisDoubt)},
                     {"unit", made.unit},
                     {"slices", {runsOf(made.request.place).front().first, made.grid.slices}},
                     {"kernelGups", made.kernelGups},
                     {"totalGups", made.totalGups},
                     {"empty", made.emptyProjections},
                     {"doubts", RankJson::array()},
                     {"notes", RankJson::array()}};
    for (const Doubt& doubt : made.doubts)
        said["doubts"].push_back({{"about", doubt.about},
                                  {"projections", doubt.projections},
                                  {"count", doubt.count},
                                  {"text", toStrings(doubt.text)}});
    for (const Note& note : made.notes)
        said["notes"].push_back(
            {{"id", note.id}, {"count", note.count}, {"one", toStrings(note.one)}, {"many", toStrings(note.many)}});
    if (const std::vector<RowRange> runs = runsOf(made.request.place); runs.size() > 1)
        said["mirrored"] = {runs[1].first, runs[1].count};
    if (const auto& some = made.request.place.projections)
        said["projections"] = {some->first, some->count};
    if (made.axisConfidence)
        said["axisConfidence"] = *made.axisConfidence;
    for (const auto& [name, seconds] : secondsOf(made.timings))
        said["seconds"][name] = *seconds;
    return said;
}

void takeFacts(const RankJson& said, Reconstruction& made)
{
    made.method = said["method"];
    made.device = said["device"];
    made.texelsPerSecond = said["texelsPerSecond"];
    made.axisBins = said["axisBins"];
    made.axisSource = said["axisSource"];
    made.axisHow = said["axisHow"];
    made.axisDoubt = textFrom(said["axisDoubt"]);
    made.axisConfidence.reset();
    if (said.contains("axisConfidence"))
        made.axisConfidence = said["axisConfidence"].get<double>();
    made.unit = said["unit"];
}

// Adds a rank's result. Rates are the work of all ranks per second of the slowest rank, whose time is shown beside
// them.
void add(const RankJson& said, Reconstruction& sum)
{
    const auto work = [](const Reconstruction& of) {
        return std::pair{of.kernelGups * of.timings.kernelSeconds, of.totalGups * of.timings.totalSeconds};
    };
    Reconstruction own;
    own.kernelGups = said["kernelGups"];
    own.totalGups = said["totalGups"];
    for (const auto& [name, seconds] : secondsOf(own.timings))
        *seconds = said["seconds"][name];
    const auto [kernel, total] = work(sum);
    const auto [ownKernel, ownTotal] = work(own);
    for (const auto& [name, seconds] : secondsOf(sum.timings))
        *seconds = std::max(*seconds, said["seconds"][name].get<double>());
    const auto rate = [](double updates, double seconds) { return seconds > 0 ? updates / seconds : 0; };
    sum.kernelGups = rate(kernel + ownKernel, sum.timings.kernelSeconds);
    sum.totalGups = rate(total + ownTotal, sum.timings.totalSeconds);
    for (const RankJson& one : said["notes"]) {
        Note note(textFrom(one["many"]));
        note.id = one["id"];
        note.count = one["count"];
        note.one = textFrom(one["one"]);
        addNote(sum.notes, note);
    }
    for (const RankJson& one : said["doubts"])
        addDoubts(sum.doubts, {{.about = one["about"],
                                .projections = one["projections"].get<std::vector<int>>(),
                                .count = one["count"],
                                .text = textFrom(one["text"])}});
    std::vector<int> empty;
    std::ranges::set_union(sum.emptyProjections, said["empty"].get<std::vector<int>>(), std::back_inserter(empty));
    sum.emptyProjections = std::move(empty);
}

} // namespace

Reconstruction madeTogether(const Reconstruction& made, const RowRange& slices, Ensemble& ensemble,
                            std::vector<RankResult>& ranks)
{
    Reconstruction sum;
    sum.request = made.request;
    if (sum.request.place.pairsOf())
        sum.request.place.part = Slices{slices, sum.request.place.region()};
    else
        sum.request.place.setSlices(slices);
    sum.request.place.projections.reset();
    sum.grid = sectionOf(sum.request).grid;
    const std::vector<std::string> texts = ensemble.exchange(onOneLine(saidOf(made)));
    int first = -1; // first rank that has slices
    for (int rank = 0; rank < ensemble.size(); ++rank) {
        const RankJson said = RankJson::parse(texts[static_cast<std::size_t>(rank)]);
        const RowRange own{said["slices"][0], said["slices"][1]};
        ranks.push_back({.rank = rank,
                         .host = ensemble.host(rank),
                         .device = said["device"],
                         .slices = own,
                         .seconds = said["seconds"]["elapsed"],
                         .kernelGups = said["kernelGups"],
                         .totalGups = said["totalGups"]});
        if (said.contains("mirrored"))
            ranks.back().mirrored = {said["mirrored"][0], said["mirrored"][1]};
        if (said.contains("projections"))
            ranks.back().projections = {said["projections"][0], said["projections"][1]};
        if (own.count == 0)
            continue;
        if (first < 0)
            takeFacts(said, sum);
        first = first < 0 ? rank : first;
        if (said["axisBins"] != sum.axisBins)
            throw SharedError(ErrorKind::badRequest,
                              ensemble.name(rank) + " found the axis at " + numberToText(said["axisBins"]) +
                                  " bins, and " + ensemble.name(first) + " at " + numberToText(sum.axisBins) +
                                  ": their processors round differently. Give the axis" + hint("axis") + ".");
        add(said, sum);
    }
    if (const auto idle = std::ranges::count(ranks, 0, [](const RankResult& share) { return share.slices.count; });
        idle > 0)
        sum.notes.push_back(std::to_string(idle) + " of " + std::to_string(ensemble.size()) +
                            " ranks had nothing to do: slices are divided in whole passes, here of " +
                            std::to_string(sum.request.setting.kernel.slicesPerPass) + hint("slices-per-pass") + ".");
    if (sum.texelsPerSecond > 0)
        sum.texturePeakShare =
            sum.kernelGups * 1e9 / (sum.texelsPerSecond * ensemble.size() * sum.request.setting.kernel.slicesPerPass);
    return sum;
}

std::string withRanks(const std::string& report, const std::vector<RankResult>& ranks, const RankGrid& grid,
                      Loading loading)
{
    RankJson json = RankJson::parse(report);
    json["grid"] = toText(grid);
    json["loading"] = toText(loading);
    json["ranks"] = RankJson::array();
    for (const RankResult& share : ranks) {
        RankJson one = {{"rank", share.rank},
                        {"host", share.host},
                        {"device", share.device},
                        {"firstSlice", share.slices.first},
                        {"slices", share.slices.count}};
        if (share.mirrored)
            one["mirroredSlices"] = {share.mirrored->first, share.mirrored->count};
        if (share.projections) {
            one["firstProjection"] = share.projections->first;
            one["projections"] = share.projections->count;
        }
        one["seconds"] = share.seconds;
        one["kernelGups"] = share.kernelGups;
        one["totalGups"] = share.totalGups;
        json["ranks"].push_back(std::move(one));
    }
    return dumped(json);
}

} // namespace engine
