// SPDX-License-Identifier: GPL-3.0-or-later
// Requests for jobs, scans that make jobs wait, and a recorder of a job's signals.
#pragma once

#include "engine/base/error.h"
#include "engine/simulate/phantom.h"
#include "tests/ui/fixtures.h"
#include "ui/background/reconstruction_job.h"

#include <atomic>

namespace jobs
{

using namespace ui;

inline std::shared_ptr<const engine::Scan> headOf(int size, int projections, int slices = 1)
{
    const auto which = slices > 1 ? engine::Phantom::sheppLogan3d : engine::Phantom::sheppLogan;
    return engine::simulate(fixtures::simulationOf(which, size, projections, slices));
}

inline JobRequest jobFor(std::shared_ptr<const engine::Scan> scan, const std::string& method = "cpu")
{
    JobRequest request;
    Compared& a = request.asked.compared.emplace_back();
    a.name = QStringLiteral("A");
    a.id = 1;
    a.request.scan = std::move(scan);
    a.request.setting.kernel.method = method;
    request.asked.mask.discRadius = 0.9;
    return request;
}

inline engine::Request& settingOf(JobRequest& request, std::size_t k = 0)
{
    return request.asked.compared[k].request;
}

// Appends a copy of the first setting.
inline engine::Request& addSetting(JobRequest& request, const QString& name)
{
    Compared one = request.asked.compared.front();
    one.name = name;
    one.id = static_cast<int>(request.asked.compared.size()) + 1;
    request.asked.compared.push_back(one);
    return request.asked.compared.back().request;
}

// Returns a request that takes a second or more on one thread, after a preview.
inline JobRequest slowRequest()
{
    JobRequest request = jobFor(headOf(1024, 1024), "exact");
    settingOf(request).resources.threads = 1;
    return request;
}

// A scan whose reading ends only when it is stopped; `reading` tells whether it has begun.
struct Endless {
    std::shared_ptr<const engine::Scan> scan;
    std::shared_ptr<std::atomic<bool>> reading = std::make_shared<std::atomic<bool>>(false);

    Endless()
    {
        auto made = std::make_shared<engine::Scan>(*headOf(32, 30));
        made->read = [reading = reading](engine::RowRange, std::stop_token stop) -> engine::RawRows {
            *reading = true;
            while (!stop.stop_requested())
                QThread::msleep(1);
            throw engine::Error(engine::ErrorKind::cancelled, "cancelled");
        };
        scan = made;
    }
};

// Records all signals of a job.
struct Listener {
    explicit Listener(ReconstructionJob& job)
    {
        QObject::connect(&job, &ReconstructionJob::updated, &job, [this](const Comparison& c) { shown.push_back(c); });
        QObject::connect(&job, &ReconstructionJob::failed, &job, [this](const QString& m) { message = m; });
        QObject::connect(&job, &ReconstructionJob::finished, &job, [this] { ++finished; });
        QObject::connect(&job, &ReconstructionJob::cancelled, &job, [this] { ++cancelled; });
        QObject::connect(&job, &ReconstructionJob::progressed, &job, [this](const QString&, double f) {
            fractionsRight = fractionsRight && f >= 0 && f <= 1;
            ++progressed;
        });
    }
    std::vector<Comparison> shown;
    QString message;
    int finished = 0, cancelled = 0, progressed = 0;
    bool fractionsRight = true;
};

} // namespace jobs
