// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/compare/projection_subset.h"

#include "engine/scan/some_projections.h"
#include "engine/stages/prepared_rows.h"
#include "engine/stages/stages.h"

#include <cstring>
#include <utility>
#include <vector>

namespace engine
{

namespace
{

std::shared_ptr<const RawRows> withProjections(const RawRows& all, const std::vector<int>& kept)
{
    auto some = std::make_shared<RawRows>();
    some->rows = all.rows;
    some->bins = all.bins;
    some->projections = static_cast<int>(kept.size());
    some->darkFrames = all.darkFrames;
    some->flatFrames = all.flatFrames;
    some->darks = all.darks;
    some->flats = all.flats;
    const std::size_t frame = static_cast<std::size_t>(all.rows.count) * all.bins;
    const std::size_t bytes = frame * static_cast<std::size_t>(all.data.type().bytes);
    some->data = Samples(all.data.type(), frame * kept.size());
    for (std::size_t k = 0; k < kept.size(); ++k)
        std::memcpy(some->data.bytes() + k * bytes, all.data.bytes() + static_cast<std::size_t>(kept[k]) * bytes,
                    bytes);
    return some;
}

std::shared_ptr<const Scan> scanOf(const Scan& all, const std::vector<int>& kept)
{
    auto some = std::make_shared<Scan>(withProjections(all, kept));
    some->readFrames = {};
    some->readEvery = {};
    some->read = [read = all.read, kept](RowRange rows, std::stop_token stop) {
        return *withProjections(read(rows, stop), kept);
    };
    return some;
}

} // namespace

ProjectionSubset::ProjectionSubset(const Request& request, const RawRows& all, const std::vector<int>& kept)
    : m_scan(scanOf(*request.scan, kept)), m_rows(withProjections(all, kept))
{
}

Reconstruction ProjectionSubset::imageOf(Request request, const std::stop_token& stop)
{
    request.scan = m_scan;
    if (PreparedKey key = preparedKey(request); m_taken != key) {
        m_reconstructor.take(RecordedRows{m_scan, m_rows});
        m_taken = std::move(key);
    }
    return m_reconstructor.run(request, {}, stop);
}

} // namespace engine
