// SPDX-License-Identifier: GPL-3.0-or-later
// Speeds of other programs, and of this one, that were measured on other machines.
#pragma once

#include <span>
#include <string>
#include <vector>

namespace engine
{

struct PublishedSpeed {
    const char* program;
    const char* what; // "2-D back-projection"
    double gups;
    bool isOurs = false;
};

// Speeds that may be compared with each other: of one problem on one device.
struct PublishedGroup {
    const char* problem; // "a slice of 2048² from 2048 projections, back-projection alone"
    bool isOfGpu, isCone, hasFilter;
    const char* device;
    const char* date;                       // ISO 8601
    const char* source;                     // who measured, and how
    std::span<const PublishedSpeed> speeds; // the fastest first
};
std::span<const PublishedGroup> publishedGroups();

} // namespace engine
