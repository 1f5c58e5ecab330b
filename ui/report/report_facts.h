// SPDX-License-Identifier: GPL-3.0-or-later
// What every report says: of the scan, of the machine, of how its figures came about.
#pragma once

#include "engine/reconstruct/reconstruction.h"
#include "ui/report/page.h"

#include <QJsonObject>
#include <QJsonValue>

#include <string>

namespace ui
{

QString worded(const std::string& text);                // UTF-8
QString wordedNote(const engine::Note& note);           // with options as flags, as the commands beside it
QString shortened(const QString& name, qsizetype most); // cut at the end

// The scan and the slice of it that an image shows.
std::vector<Fact> scanFacts(const engine::Scan& scan, int slice, const engine::Reconstruction& shown);
// Processor, GPUs, system, program, date.
std::vector<Fact> machineFacts(const QString& date);
QJsonObject machineJson();
QJsonValue parsedJson(const std::string& json); // a list or an object

Paragraph speedsInWords(const QString& runs); // what GU/s are; runs: how they were measured, sentences
Facts metricsInWords();                       // each compared quantity

} // namespace ui
