// SPDX-License-Identifier: GPL-3.0-or-later
// What was tried in this session: how fast each setting ran, and how far its images were from what they were measured
// against. Plain values, fed with every comparison that comes.
#pragma once

#include "ui/numbers/tried_setting.h"

#include <span>

namespace ui
{

// A setting whose error is known where the others' are: the same scan, slice, mask and reference.
struct TriedDot {
    QString name;        // as it was last called
    QString description; // "cpu · linear · half"
    int colour = 0;      // as it last had
    int id = 0;          // in the list; 0: changed or removed since
    engine::Setting setting;
    Speeds speeds;
    double rmse = 0;     // 0: the same image
    bool hidden = false; // in the list
    QString unlike = {}; // how it differs from the chosen setting beside its kernel: "filter hann"; empty: not at all
};

// What no other is both faster and closer than, by rising speed: indices into `dots`. Of equals, the first.
std::vector<std::size_t> paretoFront(std::span<const TriedDot> dots);

class TriedSettings
{
  public:
    // Images that were seen before aren't runs of their own.
    void add(const Comparison& comparison);
    // Runs of a setting that was seen before, without images of their own.
    void add(const engine::Request& request, std::span<const TimedRun> runs);
    void clear() { m_tried.clear(); }

    // All runs of its setting on the same scan, region and device, whatever the slice.
    Speeds speeds(const Compared& one) const;
    // Of what is compared now and of what was.
    std::vector<TriedDot> dots(const Comparison& comparison) const;

  private:
    const TriedSetting* find(const engine::Request& request) const;
    TriedSetting& entryFor(const engine::Request& request);

    std::vector<TriedSetting> m_tried; // in the order of their first runs
};

} // namespace ui
