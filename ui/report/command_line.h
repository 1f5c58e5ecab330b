// SPDX-License-Identifier: GPL-3.0-or-later
// Options that the program was started with.
#pragma once

#include "engine/documents/session.h"
#include "engine/io/open/open_scan.h"
#include "ui/widgets/theme.h"

#include <QSize>
#include <QString>
#include <QStringList>

#include <optional>

namespace ui
{

struct StartOptions {
    QString scan;                           // path; empty: a sample
    QString sample;                         // id in samples(); empty: the first where no scan is given
    engine::OpenOptions open;               // how to read the scan
    engine::Request request;                // method, interpolation, … as given
    QStringList given;                      // ids of the given options, as in engine/options/options.h
    bool hasRequest = false;                // request options were given; they override the last session's settings
    std::optional<engine::Request> second;  // --compare
    std::optional<engine::Session> session; // of the scan that is opened
    std::optional<int> slice;
    std::optional<Theme> theme;
    std::optional<QSize> size;
    // Folder for a report of several settings, which is written instead of opening the window; with a session, a
    // file.
    QString report;
    bool overwrite = false; // replaces the report's file
    QString screenshot;     // take a picture of the finished window, then quit
    bool reference = false; // print the views and keys, then quit
};

// Parses arguments, of which arguments[0] is the program. Returns nothing if it printed help or version. Throws
// engine::Error(badRequest), which names the option and its valid values. A missing scan throws (badFile) if no window
// stays open that could tell it: with --screenshot and --report.
std::optional<StartOptions> parseCommandLine(const QStringList& arguments);
void requireScan(const StartOptions& options); // throws engine::Error(badFile) if there is no such scan

} // namespace ui
