// SPDX-License-Identifier: GPL-3.0-or-later
// What a session came to, whole and at rest: what its report says. Of the window, or computed for it.
#pragma once

#include "engine/compare/statistics.h"
#include "engine/documents/session.h"
#include "ui/numbers/numbers_table.h"

#include <functional>

namespace ui
{

// The comparison with the figures of an area, and the noise of each of its images there.
struct ReportedArea {
    QString name; // empty: the only one
    Comparison comparison;
    std::vector<std::optional<engine::AreaStatistics>> noise = {};

    NumbersTable numbers(const TriedSettings& tried, const ConsistencyOf& consistencyOf = {}) const;
};

struct SessionResults {
    engine::Session session;
    QString file; // that the session stands in, whole; for commands
    std::shared_ptr<const engine::Scan> scan;
    Comparison comparison;           // what is reported: visible, chosen, or what others are measured against
    QStringList leftOut;             // names of the others
    TriedSettings tried;             // their runs
    std::vector<engine::Mark> lines; // those that are shown, the chosen one first
    std::vector<ReportedArea> areas; // the chosen one first, then those that are shown
    std::vector<std::optional<engine::Consistency>> consistency = {}; // of each that is compared; of the whole slice
    QString date;                                                     // ISO 8601, UTC
    bool isTimed = false; // the runs were made for the report, and are not those of a window

    NumbersTable numbersOf(const ReportedArea& area) const; // the first with the figures of the whole slice
};

// As it is shown: what is there is taken, nothing is computed. Throws engine::Error where an image isn't there yet.
SessionResults resultsOf(const engine::Session& session, const std::shared_ptr<const engine::Scan>& scan,
                         const Comparison& shown, const TriedSettings& tried);

struct ComputeOptions {
    double secondsPerSetting = 2; // its runs stop after so long, or mostRuns of them
    static constexpr int mostRuns = 5;
    std::function<void(const QString&)> line = {}; // of progress, one at a time; may be empty
    std::stop_token stop = {};
};
// Every setting once to warm up and for its image, then several times for its speed. Throws engine::Error.
SessionResults computedResults(const engine::Session& session, const ComputeOptions& options);

// What the window has not measured: the noise of every area's images, all figures of areas that aren't the chosen one,
// and how well each image agrees with its projections, which takes as long as the image did.
void measureRest(SessionResults& results, const std::stop_token& stop);

// As the engine has it, for its JSON.
std::vector<engine::ComparedSetting> comparedSettings(const SessionResults& results);

} // namespace ui
