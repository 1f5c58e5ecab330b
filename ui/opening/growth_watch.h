// SPDX-License-Identifier: GPL-3.0-or-later
// A watcher that checks every few seconds whether the open scan has grown: another program may still be writing it.
#pragma once

#include "engine/io/open/open_scan.h"
#include "ui/background/background_task.h"

#include <QObject>
#include <QTimer>

#include <filesystem>
#include <functional>
#include <memory>
#include <vector>

namespace ui
{

class GrowthWatch : public QObject
{
    Q_OBJECT
  public:
    // mayLook: called before each look; returns false while the window is using the scan.
    explicit GrowthWatch(std::function<bool()> mayLook, QObject* parent = nullptr);

    // Watches nothing if scan is nullptr or isn't read from a file.
    void watch(std::shared_ptr<const engine::Scan> scan, const engine::OpenOptions& openedWith);

  signals:
    void grew(std::shared_ptr<const engine::Scan> scan); // the same scan with more projections

  private:
    struct Stamp {
        std::vector<std::pair<std::filesystem::file_time_type, std::uintmax_t>> files;
        bool operator==(const Stamp&) const = default;
    };
    static Stamp stampOf(const engine::Scan& scan);
    void look();

    std::function<bool()> m_mayLook;
    std::shared_ptr<const engine::Scan> m_scan;
    engine::OpenOptions m_openedWith;
    Stamp m_last; // at the last look
    QTimer m_timer;
    BackgroundTask m_looking; // declared last: destroyed first
};

} // namespace ui
