// SPDX-License-Identifier: GPL-3.0-or-later
// What the program was started with.
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
    QString scan;                           // path; empty: the sample
    QString sample;                         // id in samples(); empty: the first where no scan is given
    engine::OpenOptions open;               // how the scan is to be read
    engine::Request request;                // method, interpolation, … as given
    QStringList given;                      // ids of the options that were, as in engine/options/options.h
    bool hasRequest = false;                // any of them was given: the settings of the last session give way
    std::optional<engine::Request> second;  // --compare-method and so on
    std::optional<engine::Session> session; // of the scan that is opened
    std::optional<int> slice;
    std::optional<Theme> theme;
    std::optional<QSize> size;
    // A folder: write a report of several settings instead of opening the window; or with a session, a file.
    QString report;
    bool overwrite = false; // of the report's file
    QString screenshot;     // take a picture of the finished window, then quit
};

// Throws engine::Error(badRequest) that names the option and its valid values. arguments[0] is the
// program. Returns nothing when help or version was printed.
std::optional<StartOptions> parseCommandLine(const QStringList& arguments);

} // namespace ui
