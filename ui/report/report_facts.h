// SPDX-License-Identifier: GPL-3.0-or-later
// Parts that all reports share: facts of the scan and of the machine, and explanations of the figures.
#pragma once

#include "engine/reconstruct/reconstruction.h"
#include "ui/report/page.h"

#include <QJsonObject>
#include <QJsonValue>

#include <string>

namespace ui
{

QString worded(const std::string& text);                // UTF-8
QString wordedNote(const engine::Note& note);           // options are written as flags, as in the commands beside it
QString shortened(const QString& name, qsizetype most); // cut at the end

// Returns facts of the scan and of the slice that an image shows.
std::vector<Fact> scanFacts(const engine::Scan& scan, int slice, const engine::Reconstruction& shown);
// Returns processor, GPUs, system, program and date.
std::vector<Fact> machineFacts(const QString& date);
QJsonObject machineJson();
QJsonValue parsedJson(const std::string& json); // a list or an object

Paragraph speedsInWords(const QString& runs); // explains GU/s; runs: sentences on how they were measured
Facts metricsInWords();                       // explains each compared quantity

} // namespace ui
