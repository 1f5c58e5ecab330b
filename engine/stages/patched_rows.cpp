// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/stages/patched_rows.h"

#include "engine/base/error.h"
#include "engine/base/parallel_for.h"
#include "engine/scan/reduction.h"
#include "engine/stages/prepared_rows.h"
#include "engine/stages/stages.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <utility>

namespace engine
{

namespace
{

// Reads all rows that can be read.
class Reading
{
  public:
    Reading(const Request& request, const RowRange& all, const std::stop_token& stop)
        : m_request(request), m_all(all), m_stop(stop)
    {
        // If neither the ends nor the middle can be read, hardly any row can.
        const int last = all.first + all.count - 1;
        if (!attempt({all.first, 1}) && !attempt({all.first + all.count / 2, 1}) && !attempt({last, 1}))
            throw Error(*m_error);
        read(all);
    }

    RawRows raw;                                    // with all rows that could be read
    std::vector<int> bad;                           // the others
    const Error& error() const { return *m_error; } // of the first of these

  private:
    std::optional<RawRows> attempt(const RowRange& rows)
    {
        try {
            tbb::task_arena arena = arenaOf(m_request.resources.threads);
            return arena.execute([&] { return m_request.scan->read(rows, m_stop); });
        } catch (const Error& error) {
            if (error.kind() != ErrorKind::badFile)
                throw;
            m_error.emplace(error);
            return std::nullopt;
        }
    }

    void read(const RowRange& rows)
    {
        if (const std::optional<RawRows> part = attempt(rows)) {
            if (raw.projections == 0)
                raw = emptyLike(*part, m_all);
            return copyRows(*part, 0, raw, rows.first - m_all.first, rows.count);
        }
        if (rows.count == 1)
            return bad.push_back(rows.first);
        const int half = rows.count / 2;
        read({rows.first, half});
        read({rows.first + half, rows.count - half});
    }

    const Request& m_request;
    const RowRange m_all;
    const std::stop_token& m_stop;
    std::optional<Error> m_error;
};

// Returns whether the row, counted from the first one, has light and numbers.
bool isGood(const RawRows& raw, int row, Quantity quantity)
{
    const auto bins = static_cast<std::size_t>(raw.bins), frame = bins * raw.rows.count, first = bins * row;
    const auto meanOf = [&](const Values& frames, int count, std::size_t bin) {
        double sum = 0;
        for (int k = 0; k < count; ++k)
            sum += frames[k * frame + first + bin];
        return count > 0 ? sum / count : 0.0;
    };
    const bool needsLight = quantity == Quantity::counts;
    bool hasLight = !needsLight || raw.flatFrames == 0;
    for (std::size_t bin = 0; bin < bins && !hasLight; ++bin)
        hasLight = meanOf(raw.flats, raw.flatFrames, bin) > meanOf(raw.darks, raw.darkFrames, bin);
    return hasLight && raw.data.visit([&](const auto& numbers) {
        for (int projection = 0; projection < raw.projections; ++projection)
            for (std::size_t bin = 0; bin < bins; ++bin) {
                const auto value = static_cast<float>(numbers[projection * frame + first + bin]);
                if (std::isfinite(value) && (!needsLight || value != 0))
                    return true;
            }
        return false;
    });
}

std::string rowsInWords(const std::vector<int>& rows)
{
    return (rows.size() == 1 ? "row " : "rows ") + rangesInWords(rangesOf(rows));
}

} // namespace

PatchedRows readPatched(const Request& request, RowRange rows, const std::stop_token& stop)
{
    Reading reading(request, rowsToRead(request, rows), stop);
    PatchedRows patched{std::move(reading.raw), reading.bad, {}};
    if (!patched.gaps.empty())
        patched.notes.push_back(
            Text("The image has a gap at " + rowsInWords(patched.gaps) + " of the detector, which can't be read: ") +
            reading.error().text());
    RawRows& raw = patched.raw;
    std::vector<int> good, dark;
    for (int row = 0; row < raw.rows.count; ++row) {
        const int ofDetector = raw.rows.first + row;
        if (std::ranges::binary_search(reading.bad, ofDetector))
            continue;
        (isGood(raw, row, request.scan->quantity) ? good : dark).push_back(ofDetector);
    }
    if (!dark.empty())
        patched.notes.push_back("The image has a gap at " + rowsInWords(dark) + " of the detector, which " +
                                (dark.size() == 1 ? "has" : "have") + " no light.");
    patched.gaps.insert(patched.gaps.end(), dark.begin(), dark.end());
    std::ranges::sort(patched.gaps);
    if (good.empty())
        throw Error(ErrorKind::badFile, fileText(request.scan->path.empty() ? request.scan->name : request.scan->path) +
                                            ": " + rowsInWords(patched.gaps) + " of the detector " +
                                            (patched.gaps.size() == 1 ? "has" : "have") +
                                            " no light or can't be read, and no other row is needed here. Choose "
                                            "another place.");
    for (const int row : patched.gaps) {
        const auto above = std::ranges::lower_bound(good, row);
        const int nearest = above == good.end()                                       ? good.back()
                            : above == good.begin() || *above - row < row - above[-1] ? *above
                                                                                      : above[-1];
        copyRows(raw, nearest - raw.rows.first, raw, row - raw.rows.first, 1);
    }
    return patched;
}

} // namespace engine
