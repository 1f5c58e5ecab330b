// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/reconstruct_text.h"

#include "app/cli/text.h"
#include "engine/base/number_text.h"
#include "engine/options/options.h"
#include "engine/request/section.h"
#include "engine/volume/disk_rates.h"
#include "engine/volume/rank_assignment.h"
#include "engine/volume/volume_needs.h"

#include <algorithm>
#include <cmath>
#include <iostream>
#include <iterator>
#include <map>
#include <memory>
#include <span>
#include <utility>

namespace cli
{

namespace
{

std::string axisText(const engine::Reconstruction& made)
{
    return number(made.axisBins, 7) + " bins (" + made.axisSource + (made.axisHow.empty() ? "" : ": " + made.axisHow) +
           (made.axisConfidence ? ", confidence " + number(std::round(100 * *made.axisConfidence)) + " %" : "") +
           "), from the centre of bin 0, as in tomopy's gridrec, nabu and tomocupy";
}

std::string memoryText(const engine::VolumePlan& plan)
{
    const std::string bytes = "up to " + engine::sizeText(plan.bytes) + " of " + engine::sizeText(plan.limitBytes);
    if (plan.planeParts > 0)
        return bytes + (plan.planeParts > 1 ? ", the plane in " + std::to_string(plan.planeParts) + " parts" : "");
    return bytes + ", " + std::to_string(plan.slicesPerGroup) + (plan.slicesPerGroup == 1 ? " slice" : " slices") +
           " at a time" + (plan.overlapped ? ", stages overlapped" : "");
}

// Returns the device; of several, each with the number of slices it reconstructed.
std::string devicesText(const engine::Reconstruction& made)
{
    std::string text = made.shares.empty() ? made.device : "";
    for (const engine::DeviceShare& share : made.shares)
        text += (text.empty() ? "" : "; ") + share.device + ": " + std::to_string(share.slices) +
                (share.slices == 1 ? " slice" : " slices") +
                (share.slices > 0 ? ", " + number(share.totalGups, 3) + " GU/s" : "");
    return text;
}

// Describes the slowest stage, which the overlapping stages wait for: its share of the time, its rate, and the
// possible rate.
std::string limitText(const std::string& output, const engine::WrittenVolume& written, const std::stop_token& stop)
{
    const engine::Reconstruction& made = written.made;
    const engine::SlowestStage stage = engine::slowestStage(made, written.format.bytesPerValue());
    std::string rate = number(stage.perSecond / 1e9, 3);
    std::string taker;
    if (const auto possible = engine::measureLimit(stage, output, stop)) {
        rate += " of " + number(*possible / 1e9, 3);
        taker = " possible on this disk";
    }
    return std::string(stage.name) + ", " + number(100 * stage.seconds / made.timings.elapsedSeconds, 3) +
           " % of the time, " + rate + " G" + stage.unit + "/s" + taker;
}

using RankRows = std::vector<std::vector<std::string>>;

// Returns a table with a line per rank; for many ranks only the first ones.
std::string ranksTable(RankRows rows)
{
    constexpr std::size_t shown = 16;
    const std::size_t ranks = rows.size() - 1;
    rows.resize(std::min(rows.size(), 1 + shown));
    return '\n' + table(rows) + (ranks > shown ? "and " + std::to_string(ranks - shown) + " more\n" : "") + '\n';
}

std::string rankGridText(const engine::RankGrid& grid)
{
    return toText(grid) + ", rows that split the slices x columns that split the projections";
}

std::string ranksText(const engine::WrittenVolume& written)
{
    if (written.ranks.size() < 2)
        return {};
    RankRows rows{{"rank", "host", "device", "slices", "projections", "time", "kernel", "total, GU/s"}};
    const int all = written.made.request.scan->projections();
    for (const engine::RankResult& share : written.ranks)
        rows.push_back({std::to_string(share.rank), share.host, share.slices.count > 0 ? share.device : "-",
                        std::to_string(share.slices.count),
                        std::to_string(share.projections ? share.projections->count : all), seconds(share.seconds),
                        number(share.kernelGups, 3), number(share.totalGups, 3)});
    return ranksTable(std::move(rows));
}

std::string ranksText(const engine::RanksNeeds& needs)
{
    RankRows rows{{"rank", "host", "slices", "projections", "memory", "of", "time"}};
    for (const engine::RankNeeds& rank : needs.ranks) {
        const bool isBusy = rank.slices.count > 0;
        rows.push_back({std::to_string(rows.size() - 1), rank.host, std::to_string(rank.slices.count),
                        std::to_string(rank.projections.count), isBusy ? engine::sizeText(rank.bytes) : "-",
                        engine::sizeText(rank.limitBytes), isBusy ? "about " + seconds(rank.seconds) : "-"});
    }
    return ranksTable(std::move(rows));
}

void printFits(std::span<const engine::Fit> fits)
{
    for (const engine::Fit& fit : fits)
        std::cout << "would fit: " << words(fit.options) << ", " << fit.takes << '\n';
}

} // namespace

Planned printPlan(const engine::Request& request, const engine::OpenOptions& opened, const engine::VolumeOutput& output,
                  bool isOnly, engine::Ensemble& ensemble)
{
    Planned planned{.wanted = {request, output, {}}, .needs = engine::needsOf(request, output)};
    const engine::VolumeNeeds& needs = planned.needs;
    planned.wanted.freeBytes = needs.freeBytes;
    planned.wanted.disk = needs.disk;
    auto facts = std::make_shared<engine::Scan>(*request.scan);
    facts->read = {}; // releases the open files of the scan
    facts->readFrames = {};
    facts->exactImage = {};
    planned.wanted.request.scan = std::move(facts);
    const engine::VolumeGrid grid = engine::sectionOf(request).grid;
    std::vector<std::pair<std::string, std::string>> lines = {
        {"scan", request.scan->name + ", " + engine::sizeText(needs.scanBytes) + " to read"},
        {"output", output.path.string() + ", " + std::to_string(grid.slices) + " × " + std::to_string(grid.width) +
                       " × " + std::to_string(grid.height) + " voxels"},
        {"disk",
         engine::sizeText(needs.outputBytes) + (output.stored.deflateLevel > 0 ? " at most" : "") +
             (needs.freeBytes ? ", " + engine::sizeText(*needs.freeBytes) + " free" : ", free space not known")},
        {"memory", needs.plan.bytes > 0 ? memoryText(needs.plan) : std::string()}};
    std::string ofRanks;
    const bool isPlanned = !engine::toldByFirst(ensemble, needs.plan.bytes > 0 ? "planned" : "").empty();
    if (isPlanned && ensemble.size() > 1) {
        const engine::RanksNeeds ranks = engine::needsOfRanks(request, opened, output, ensemble);
        planned.seconds = std::ranges::max(ranks.ranks, {}, &engine::RankNeeds::seconds).seconds;
        lines.pop_back(); // removes the memory of a single process
        lines.emplace_back("ranks", rankGridText(ranks.grid));
        lines.emplace_back("time", "about " + seconds(planned.seconds) + ", for the slowest rank");
        ofRanks = ranksText(ranks);
    } else if (isPlanned) {
        const engine::VolumeRates rates = engine::measureRates(request, output.path, ensemble.token());
        const engine::VolumeTime time = engine::timeOf(request, needs, rates);
        planned.seconds = time.seconds;
        const auto part = [](const char* what, double value) {
            return std::string(what) + ' ' + (value > 0 ? seconds(value) : "not known");
        };
        lines.emplace_back("time", "about " + seconds(time.seconds) + ": " + part("read", time.read) + ", " +
                                       part("prepare", time.prepare) + ", " +
                                       part("filter and back-projection", time.compute) + ", " +
                                       part("write", time.write));
    }
    lines.emplace_back("possible", needs.impossible.empty() ? "yes" : "no");
    std::cout << listing(lines) << ofRanks;
    for (const engine::Text& why : needs.impossible)
        std::cout << "not possible: " << words(why) << '\n';
    if (isOnly)
        printFits(needs.fits);
    for (const engine::Text& doubt : needs.doubts)
        std::cout << "note: " << words(doubt) << '\n';
    return planned;
}

bool printSum(const std::vector<Planned>& plans, std::size_t scans)
{
    std::size_t possible = 0;
    double outputBytes = 0, time = 0;
    struct Disk {
        double bytes = 0, freeBytes = 0;
    };
    std::map<unsigned long, Disk> disks;
    std::vector<engine::WantedVolume> wanted;
    for (const auto& [volume, needs, planSeconds] : plans) {
        wanted.push_back(volume);
        possible += needs.impossible.empty();
        outputBytes += needs.outputBytes;
        time += planSeconds;
        if (needs.freeBytes) {
            disks[needs.disk].bytes += needs.outputBytes;
            disks[needs.disk].freeBytes = *needs.freeBytes;
        }
    }
    const bool fits =
        std::ranges::all_of(disks, [](const auto& disk) { return disk.second.bytes <= disk.second.freeBytes; });
    const bool isPossible = fits && possible == scans;
    std::cout << listing(
        {{"together", std::to_string(scans) + " scans, " + engine::sizeText(outputBytes) + " to write" +
                          (time > 0 ? ", about " + seconds(time) : std::string())},
         {"possible", isPossible         ? "yes"
                      : possible < scans ? "no, " + std::to_string(scans - possible) + " of them impossible"
                                         : "no"}});
    for (const auto& [number, disk] : disks)
        if (disk.bytes > disk.freeBytes)
            std::cout << "not possible: together they need " << engine::sizeText(disk.bytes) << " of a disk that has "
                      << engine::sizeText(disk.freeBytes) << " free\n";
    const bool isTooMuch =
        !fits || std::ranges::any_of(plans, [](const Planned& one) { return !one.needs.fits.empty(); });
    if (isTooMuch)
        printFits(engine::fitsFor(wanted));
    return isPossible;
}

void printWritten(const std::string& output, const engine::WrittenVolume& written, const std::stop_token& stop)
{
    const engine::Reconstruction& made = written.made;
    const engine::Request& request = made.request;
    const engine::Timings& times = made.timings;
    const int last = request.place.slices().first + request.place.slices().count - 1;
    const bool one = request.place.slices().count == 1;
    std::string interpolation = engine::toText(request.setting.kernel.interpolation);
    if (request.setting.kernel.interpolation == engine::Interpolation::oversampled)
        interpolation += ":" + std::to_string(request.setting.kernel.oversampling);
    std::vector<std::pair<std::string, std::string>> lines = {
        {"scan", request.scan->name + ", " + std::to_string(request.scan->projections()) + " projections"},
        {"values", valuesText(*request.scan)},
        {"output", output + ", " + std::to_string(made.grid.width) + " × " + std::to_string(made.grid.height) +
                       " pixels, " + made.unit},
        {one ? "slice" : "slices", request.place.plane()
                                       ? std::string()
                                       : std::to_string(request.place.slices().first) +
                                             (one ? std::string() : " to " + std::to_string(last)) + " of " +
                                             std::to_string(request.scan->slices()) + ", from 0"},
        {"method", made.method + ", " + interpolation + ", " + engine::toText(request.setting.kernel.precision) + ", " +
                       std::to_string(request.setting.kernel.slicesPerPass) + " per pass"},
        {made.shares.empty() ? "device" : "devices", devicesText(made)},
        {"ranks", written.ranks.size() > 1 ? rankGridText(written.grid) : std::string()},
        {"loading", written.ranks.size() > 1
                        ? engine::toText(written.loading) + ": " + engine::loadingRow(written.loading).summary
                        : std::string()},
        {"axis", axisText(made)}};
    for (const engine::OptionLine& line : engine::linesOf(made.request, made.method))
        lines.emplace_back(engine::lowerLabel(*line.option), line.value);
    const std::vector<std::pair<std::string, std::string>> measured = {
        {"kernel",
         number(made.kernelGups, 3) + " GU/s (" + seconds(times.kernelSeconds) + ")" +
             (made.texelsPerSecond > 0 ? ", " + number(100 * made.texturePeakShare, 3) + " % of the GPU's texture peak"
                                       : "")},
        {"total", number(made.totalGups, 3) + " GU/s (" + seconds(times.totalSeconds) + ")"},
        {"stages", "read " + seconds(times.read.seconds) + ", prepare " + seconds(times.prepare.seconds) + ", axis " +
                       seconds(times.axis.seconds) + ", filter " + seconds(times.filter.seconds) +
                       ", back-projection " + seconds(times.backprojectSeconds) +
                       (times.exchangeSeconds > 0 ? ", exchange " + seconds(times.exchangeSeconds) : std::string()) +
                       (times.reduceSeconds > 0 ? ", reduce " + seconds(times.reduceSeconds) : std::string()) +
                       ", write " + seconds(times.writeSeconds) + "; " + seconds(times.elapsedSeconds) + " in all" +
                       (engine::overlapOf(times) > 1 ? ", " + number(engine::overlapOf(times), 3) + " × overlapped"
                                                     : std::string())},
        {"limit", made.grid.slices > 1 && written.done == 0 ? limitText(output, written, stop) : std::string()},
        {"memory", memoryText(written.plan)}};
    lines.insert(lines.end(), measured.begin(), measured.end());
    std::cout << listing(lines) << ranksText(written);
    constexpr std::size_t shown = 8;
    std::vector<engine::Note> notes = request.scan->notes;
    std::ranges::copy_if(made.notes, std::back_inserter(notes),
                         [&](const engine::Note& note) { return note != made.axisDoubt; }); // already printed
    for (std::size_t i = 0; i < notes.size() && i < shown; ++i)
        std::cout << "note: " << words(notes[i].text()) << '\n';
    if (notes.size() > shown)
        std::cout << "note: " << notes.size() - shown << " more with --json\n";
}

} // namespace cli
