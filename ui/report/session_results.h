// SPDX-License-Identifier: GPL-3.0-or-later
// Results of a session, complete and no longer changing, as its report shows them. They come from the window, or are
// computed for the report.
#pragma once

#include "engine/compare/statistics.h"
#include "engine/documents/session.h"
#include "ui/numbers/numbers_table.h"

#include <functional>

namespace ui
{

// A comparison with the figures of an area, and the noise of each of its images there.
struct ReportedArea {
    QString name; // empty if it is the only one
    Comparison comparison;
    std::vector<std::optional<engine::AreaStatistics>> noise = {};

    NumbersTable numbers(const TriedSettings& tried, const ConsistencyOf& consistencyOf = {}) const;
};

struct SessionResults {
    engine::Session session;
    QString file; // absolute path of the session's file, for commands
    std::shared_ptr<const engine::Scan> scan;
    Comparison comparison; // reported settings: visible ones, the chosen one, and the one that others are compared with
    QStringList leftOut;   // names of the other settings
    TriedSettings tried;   // runs of the settings
    std::vector<engine::Mark> lines; // lines that are shown, the chosen one first
    std::vector<ReportedArea> areas; // the chosen area first, then the others that are shown
    std::vector<std::optional<engine::Consistency>> consistency = {}; // of each compared setting, for the whole slice
    QString date;                                                     // ISO 8601, UTC
    bool isTimed = false; // the runs were made for the report, not in a window

    NumbersTable numbersOf(const ReportedArea& area) const; // for the first area, with figures of the whole slice
};

// Returns the results as the window shows them; computes nothing. Throws engine::Error if an image isn't there yet.
SessionResults resultsOf(const engine::Session& session, const std::shared_ptr<const engine::Scan>& scan,
                         const Comparison& shown, const TriedSettings& tried);

struct ComputeOptions {
    double secondsPerSetting = 2; // the runs of a setting end after this time, or after mostRuns
    static constexpr int mostRuns = 5;
    std::function<void(const QString&)> line = {}; // gets one line of progress at a time; may be empty
    std::stop_token stop = {};
};
// Computes the images, then runs every setting once to warm up and several times for its speed. Throws engine::Error.
SessionResults computedResults(const engine::Session& session, const ComputeOptions& options);

// Measures what the window has not: the noise of every area's images, all figures of areas that aren't the chosen
// one, and how well each image agrees with its projections, which takes as long as the image did.
void measureRest(SessionResults& results, const std::stop_token& stop);

// Returns the compared settings in the form of the engine, for its JSON.
std::vector<engine::ComparedSetting> comparedSettings(const SessionResults& results);

} // namespace ui
