// SPDX-License-Identifier: GPL-3.0-or-later
// Settings that were tried in this session: how fast each ran, and how far its images were from their references.
// Plain values, updated with every comparison.
#pragma once

#include "ui/numbers/tried_setting.h"

#include <optional>
#include <span>

namespace ui
{

// A setting whose error is known under the present conditions: scan, slice, mask and reference.
struct TriedDot {
    QString name;        // its latest name
    QString description; // "cpu · linear · half"
    int colour = 0;      // its latest colour
    int id = 0;          // in the list; 0: changed or removed since
    engine::Setting setting;
    Speeds speeds;
    double rmse = 0;     // 0: identical to the reference
    bool hidden = false; // hidden in the list
    QString label = {};  // "A · half", if it is in the list
    QString unlike = {}; // differences from the chosen setting other than the kernel: "filter hann"; may be empty
};

// Returns the RMSE against the reference: 0 for the reference itself; nothing while it is unknown.
std::optional<double> errorOf(const Compared& one);

// Returns the dots that no other dot exceeds in both speed and accuracy, by rising speed, as indices into `dots`. Of
// equal dots, the first.
std::vector<std::size_t> paretoFront(std::span<const TriedDot> dots);

class TriedSettings
{
  public:
    // Adds a run for each image that was not seen before.
    void add(const Comparison& comparison);
    // Adds runs of a setting that was seen before, without images.
    void add(const engine::Request& request, const IdleMeasurement& measured);
    void clear() { m_tried.clear(); }

    // Returns the speeds of all runs of its setting on the same scan, region and device, for any slice.
    Speeds speeds(const Compared& one) const;
    // Returns the dots of present and former settings.
    std::vector<TriedDot> dots(const Comparison& comparison) const;

  private:
    const TriedSetting* find(const engine::Request& request) const;
    TriedSetting& entryFor(const engine::Request& request);

    std::vector<TriedSetting> m_tried; // in the order of their first runs
};

} // namespace ui
