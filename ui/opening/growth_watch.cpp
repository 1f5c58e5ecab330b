// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/opening/growth_watch.h"

#include "engine/base/stopwatch.h"

#include <algorithm>
#include <chrono>

namespace ui
{

namespace
{

namespace fs = std::filesystem;

constexpr int everyMs = 2000;
// A slow look is followed by a pause of 20 times its duration, so that looks take at most 1/20 of the time.
constexpr int restPerLook = 20;
constexpr std::chrono::seconds recently(10);
// Maximum number of files to check; an added file also changes the time stamp of the folder.
constexpr std::size_t mostFiles = 64;

} // namespace

GrowthWatch::GrowthWatch(std::function<bool()> mayLook, QObject* parent)
    : QObject(parent), m_mayLook(std::move(mayLook))
{
    m_timer.setInterval(everyMs);
    connect(&m_timer, &QTimer::timeout, this, &GrowthWatch::look);
}

void GrowthWatch::watch(std::shared_ptr<const engine::Scan> scan, const engine::OpenOptions& openedWith)
{
    if (scan == m_scan)
        return;
    m_looking.cancel();
    m_scan = std::move(scan);
    m_openedWith = openedWith;
    m_last = {};
    if (!m_scan || m_scan->path.empty())
        return m_timer.stop();
    m_timer.start();
}

GrowthWatch::Stamp GrowthWatch::stampOf(const engine::Scan& scan)
{
    std::vector<fs::path> paths = {scan.path};
    const std::size_t more = std::min(mostFiles, scan.files.size());
    paths.insert(paths.end(), scan.files.begin(), scan.files.begin() + static_cast<std::ptrdiff_t>(more));
    Stamp stamp;
    for (const fs::path& path : paths) {
        std::error_code unknown;
        const fs::file_time_type time = fs::last_write_time(path, unknown);
        const std::uintmax_t bytes = fs::is_regular_file(path, unknown) ? fs::file_size(path, unknown) : 0;
        stamp.files.emplace_back(time, bytes);
    }
    return stamp;
}

// Opens the scan again if its files have changed. If that fails (another program may be between two writes), the next
// change of the files triggers another try.
void GrowthWatch::look()
{
    if (m_looking.busy() || !m_mayLook())
        return;
    struct Found {
        Stamp stamp;
        std::shared_ptr<const engine::Scan> scan;
        double seconds = 0;
    };
    const auto found = std::make_shared<Found>();
    m_looking.start(
        [found, last = m_last, scan = m_scan, options = m_openedWith](std::stop_token stop,
                                                                      const BackgroundTask::Progress&) {
            const engine::Stopwatch looking;
            found->stamp = stampOf(*scan);
            // The state of the files when the scan was opened isn't known. If a file was changed recently, the scan
            // may have grown since it was opened.
            const auto isFresh = [&](const auto& file) {
                return file.first > fs::file_time_type::clock::now() - recently;
            };
            if (last.files.empty() ? std::ranges::any_of(found->stamp.files, isFresh) : found->stamp != last)
                try {
                    found->scan = engine::openScan(scan->path, options, std::move(stop));
                } catch (const std::exception&) {
                }
            found->seconds = looking.seconds();
        },
        [this, found] {
            m_last = std::move(found->stamp);
            m_timer.setInterval(std::max(everyMs, static_cast<int>(restPerLook * 1000 * found->seconds)));
            const std::shared_ptr<const engine::Scan>& now = found->scan;
            if (now && now->geometry.index() == m_scan->geometry.index() && now->rows == m_scan->rows &&
                now->bins() == m_scan->bins() && now->projections() > m_scan->projections() && m_mayLook())
                emit grew(now);
            else if (now && now->projections() > m_scan->projections())
                // The scan has grown but isn't shown, usually because the window has begun to use the old one
                // meanwhile. The shortened stamp differs from every real stamp: the next look opens the scan again.
                m_last.files.resize(1);
        });
}

} // namespace ui
