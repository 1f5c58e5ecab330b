// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/reconstruct/filter_cache.h"

#include "engine/base/parallel_for.h"
#include "engine/base/stopwatch.h"

namespace engine
{

Sinograms seen(const VirtualDetector& detector, const PreparedRows& rows, const RowRange& wanted, int threads)
{
    tbb::task_arena arena = arenaOf(threads);
    return arena.execute([&] { return detector.see(rows.prepared.sinograms, rows.rows.first, wanted); });
}

const FilterCache::Rows& FilterCache::filter(const Request& request, const FilteredKey& key, bool isOfPlane,
                                             PreparedRows& prepared, RowCache& rows, const VirtualDetector& detector,
                                             const RayWeights& weights, const Progress& progress,
                                             const std::stop_token& stop, StageTime& time)
{
    const FilterPrecision precision = key.precision;
    const Rows* kept = m_cache.find(key);
    if (!kept && isOfPlane) // some of the rows that other planes use
        kept = m_cache.findIf([&](const FilteredKey& one) { return one.covers(key); });
    const bool reused = kept != nullptr;
    if (!reused) {
        const Stopwatch filtering;
        report(progress, Stage::filter, 0);
        const auto onProgress = [&](double fraction) { report(progress, Stage::filter, fraction); };
        const int threads = request.resources.threads;
        const FilterSettings& settings = request.setting.filter;
        Sinograms& all = prepared.prepared.sinograms;
        const RowRange slices = key.prepared.rows;
        const bool whole = prepared.rows == slices;
        const double bytes = (precision == FilterPrecision::float64 ? sizeof(double) : sizeof(float)) *
                             double(slices.count) * all.projections * detector.bins(all.bins);
        m_cache.makeRoom(bytes);
        FilteredSinograms sinograms;
        if (!detector.isRecorded()) {
            sinograms = filterSinograms(seen(detector, prepared, slices, threads), settings, weights, precision,
                                        threads, onProgress, stop);
        } else if (whole && rows.areForOneUse() && precision == FilterPrecision::float32) {
            Sinograms taken = std::move(all);
            rows.clearPrepared();
            sinograms = filterInPlace(std::move(taken), settings, weights, threads, onProgress, stop);
        } else if (whole) {
            sinograms = filterSinograms(all, settings, weights, precision, threads, onProgress, stop);
        } else {
            sinograms = filterSinograms(slicesOf(all, slices.first - prepared.rows.first, slices.count), settings,
                                        weights, precision, threads, onProgress, stop);
        }
        kept = &m_cache.keep(key, {std::move(sinograms), filtering.seconds(), slices.first}, bytes);
    }
    time = {kept->seconds, reused};
    return *kept;
}

} // namespace engine
