// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/volume/scan_copies.h"

#include "engine/base/digest.h"
#include "engine/base/error.h"
#include "engine/base/json_text.h"
#include "engine/base/parallel_for.h"
#include "engine/io/files/input_file.h"
#include "engine/stages/prepared_rows.h"

#include <algorithm>
#include <array>
#include <span>
#include <utility>

namespace engine
{

namespace
{

constexpr double readTogether = 64 << 20; // bytes

// Returns the digests of the rows, in their order. numbers: of the projections.
std::vector<std::uint64_t> digestsOf(const RawRows& raw, const char* numbers, std::size_t bytesPerSample)
{
    std::vector<std::uint64_t> digests(static_cast<std::size_t>(raw.rows.count));
    parallelFor(0, raw.rows.count, [&](int row) {
        std::uint64_t digest = 0;
        const auto add = [&](const char* frames, int count, std::size_t bytes) {
            bytes *= static_cast<std::size_t>(raw.bins);
            for (int frame = 0; frame < count; ++frame) {
                const char* begin = frames + (static_cast<std::size_t>(frame) * raw.rows.count + row) * bytes;
                digest = quickDigest(std::as_bytes(std::span(begin, bytes)), digest);
            }
        };
        add(numbers, raw.projections, bytesPerSample);
        add(reinterpret_cast<const char*>(raw.darks.data()), raw.darkFrames, sizeof(float));
        add(reinterpret_cast<const char*>(raw.flats.data()), raw.flatFrames, sizeof(float));
        digests[static_cast<std::size_t>(row)] = digest;
    });
    return digests;
}

// Returns the rank that reads what this rank has read: one with the next copy, so that all have as much to do.
int readerOf(int rank, const std::vector<std::string>& copies)
{
    std::map<std::string, std::vector<int>> ranks;
    for (int k = 0; k < static_cast<int>(copies.size()); ++k)
        ranks[copies[static_cast<std::size_t>(k)]].push_back(k);
    const auto own = ranks.find(copies[static_cast<std::size_t>(rank)]);
    const auto next = std::next(own) == ranks.end() ? ranks.begin() : std::next(own);
    const auto place = std::ranges::find(own->second, rank) - own->second.begin();
    return next->second[static_cast<std::size_t>(place) % next->second.size()];
}

} // namespace

std::string copyOf(const Scan& scan)
{
    Digest digest;
    for (const std::filesystem::path& file : scan.files) {
        const FileIdentity identity = identityOf(file).value_or(FileIdentity());
        // Not the device, whose number differs from machine to machine.
        const std::array<std::int64_t, 4> facts{static_cast<std::int64_t>(identity.inode), identity.bytes,
                                                identity.modifiedNs, identity.changedNs};
        digest.add(std::as_bytes(std::span(facts)));
    }
    return digest.text();
}

std::shared_ptr<const Scan> RowDigests::watched(const std::shared_ptr<const Scan>& scan,
                                                std::shared_ptr<RowDigests> digests)
{
    Scan in = *scan;
    const auto added = [digests = std::move(digests), bytes = scan->bytesPerSample](RawRows raw, const char* numbers) {
        digests->add(raw, raw.data.size() > 0 ? raw.data.bytes() : numbers, static_cast<std::size_t>(bytes));
        return raw;
    };
    in.read = [scan, added](const RowRange& rows, const std::stop_token& stop) {
        return added(scan->read(rows, stop), nullptr);
    };
    if (scan->readFrames)
        in.readFrames = [scan, added](const FramePart& part, const std::stop_token& stop) {
            return added(scan->readFrames(part, stop), part.to);
        };
    return std::make_shared<const Scan>(std::move(in));
}

void RowDigests::add(const RawRows& raw, const char* numbers, std::size_t bytesPerSample)
{
    const std::vector<std::uint64_t> digests = digestsOf(raw, numbers, bytesPerSample);
    const std::lock_guard lock(m_mutex);
    auto& rows = m_rows[{raw.firstProjection, raw.projections, raw.darkFrames + raw.flatFrames > 0}];
    for (int k = 0; k < raw.rows.count; ++k)
        rows[raw.rows.first + k] = digests[static_cast<std::size_t>(k)];
}

std::string RowDigests::text() const
{
    const std::lock_guard lock(m_mutex);
    return onOneLine(m_rows);
}

int RowDigests::firstDifference(const std::string& text, const Request& request, const std::stop_token& stop)
{
    const Scan& scan = *request.scan;
    const auto blocks = Json::parse(text).get<decltype(m_rows)>();
    for (const auto& [block, rows] : blocks) {
        const auto& [first, count, sides] = block;
        const double rowBytes = double(count) * scan.bins() * scan.bytesPerSample;
        const int most = static_cast<int>(std::clamp(readTogether / rowBytes, 1.0, double(scan.rows)));
        for (auto row = rows.begin(); row != rows.end();) {
            std::vector<std::uint64_t> wanted;
            const int begin = row->first;
            for (int next = begin; row != rows.end() && row->first == next && next < begin + most; ++next, ++row)
                wanted.push_back(row->second);
            const RowRange some{begin, static_cast<int>(wanted.size())};
            const RawRows raw = readPart(request, {{first, count}, some, sides}, stop);
            const auto found = digestsOf(raw, raw.data.bytes(), static_cast<std::size_t>(raw.data.type().bytes));
            if (const auto differs = std::ranges::mismatch(wanted, found); differs.in1 != wanted.end())
                return begin + static_cast<int>(differs.in1 - wanted.begin());
        }
    }
    return -1;
}

void requireSameValues(const RowDigests& own, const std::vector<std::string>& copies, const Request& request,
                       Ensemble& ensemble)
{
    const std::vector<std::string> texts = ensemble.exchange(own.text());
    for (int rank = 0; rank < ensemble.size(); ++rank) {
        if (readerOf(rank, copies) != ensemble.rank())
            continue;
        const int row = RowDigests::firstDifference(texts[static_cast<std::size_t>(rank)], request, ensemble.token());
        require(row < 0, "the copies of the scan differ: row " + std::to_string(row) +
                             " of the detector has other values at " + ensemble.name(rank) +
                             ". All ranks need the same scan.");
    }
    ensemble.exchange({});
}

} // namespace engine
