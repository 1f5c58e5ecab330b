// SPDX-License-Identifier: GPL-3.0-or-later
// Speeds of other programs, and of this one, that were measured on other machines (resources/measure).
#pragma once

#include <string>
#include <vector>

namespace engine
{

struct PublishedSpeed {
    std::string program;
    std::string what; // "2-D back-projection"
    double gups;
    bool isOurs;
};

// Speeds that may be compared with each other: of one problem on one device.
struct PublishedGroup {
    std::string problem; // "a slice of 2048² from 2048 projections, back-projection alone"
    bool isOfGpu, isCone, hasFilter;
    std::string device;
    std::string date;                   // ISO 8601
    std::string source;                 // who measured, and how
    std::vector<PublishedSpeed> speeds; // the fastest first
};
const std::vector<PublishedGroup>& publishedGroups();

std::string publishedJson(); // all groups, as a report

} // namespace engine
