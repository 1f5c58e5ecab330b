// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/documents/sweep_report.h"

#include "engine/base/json_text.h"
#include "engine/base/number_text.h"
#include "engine/base/version.h"
#include "engine/documents/report.h"
#include "engine/io/files/png_image.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace engine
{

namespace
{

// Returns a field of a CSV file (RFC 4180).
std::string csvField(const std::string& text)
{
    if (text.find_first_of(",\"\r\n") == std::string::npos)
        return text;
    std::string quoted = "\"";
    for (const char one : text)
        quoted += one == '"' ? std::string("\"\"") : std::string(1, one);
    return quoted + '"';
}

std::string htmlText(const std::string& text)
{
    std::string safe;
    for (const char one : text)
        safe += one == '&'   ? std::string("&amp;")
                : one == '<' ? std::string("&lt;")
                : one == '>' ? std::string("&gt;")
                : one == '"' ? std::string("&quot;")
                             : std::string(1, one);
    return safe;
}

std::string figureText(double value)
{
    if (std::isnan(value))
        return "–";
    char text[32];
    std::snprintf(text, sizeof text, "%.6g", value);
    return text;
}

// Returns why a point has no image, or no complete figures.
std::string reasonOf(const SweepReport& report, std::size_t point)
{
    const SweptPoint& swept = report.all.points[point];
    if (swept.failure)
        return swept.failure->in(commandLineStyle());
    return swept.made ? std::string() : "not computed: the sweep was stopped";
}

constexpr const char* style = R"css(
:root { color-scheme: light dark; }
body { margin: 0 auto; max-width: 1240px; padding: 2rem 1.5rem; font: 16px/1.5 system-ui, "DejaVu Sans", sans-serif; }
h1 { font-size: 1.6rem; margin: 0 0 .4rem; }
p { margin: .3rem 0; max-width: 60rem; }
code { overflow-wrap: anywhere; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; margin: 1.2rem 0; font-size: .9rem; }
th, td { padding: .3rem .6rem; text-align: right; border-bottom: 1px solid #8886; }
td.words { text-align: left; }
tr.best { outline: 2px solid #0f6e84; }
.pictures { display: grid; grid-template-columns: repeat(auto-fill, minmax(260px, 1fr)); gap: 1rem; }
figure { margin: 0; } figure img { width: 100%; image-rendering: auto; } figcaption { font-size: .9rem; }
)css";

std::string htmlTable(const SweepReport& report)
{
    std::string html = "<table>\n<tr>";
    for (const Variation& variation : report.task.sweep.variations)
        html += "<th>" + htmlText(variation.option->id) + "</th>";
    for (const Score* score : report.task.wanted) {
        const std::string unit = unitOf(*score, report.all);
        html += "<th title=\"" + htmlText(score->summary) + "\">" + htmlText(score->label) +
                (unit.empty() ? std::string() : "<br>" + htmlText(unit)) + "</th>";
    }
    html += "</tr>\n";
    for (std::size_t k = 0; k < report.all.points.size(); ++k) {
        html += report.best == k ? "<tr class=\"best\">" : "<tr>";
        for (const std::string& value : report.task.sweep.points[k].values)
            html += "<td>" + htmlText(value) + "</td>";
        if (const std::string why = reasonOf(report, k); !why.empty())
            html += "<td class=\"words\" colspan=\"" + std::to_string(report.task.wanted.size()) + "\">" +
                    htmlText(why) + "</td>";
        else
            for (const double figure : report.all.points[k].scores)
                html += "<td>" + figureText(figure) + "</td>";
        html += "</tr>\n";
    }
    return html + "</table>\n";
}

} // namespace

std::string unitOf(const Score& score, const SweptAll& all)
{
    if (score.unit != "image")
        return score.unit;
    const auto made = std::ranges::find_if(all.points, [](const SweptPoint& one) { return one.made.has_value(); });
    return made == all.points.end() ? std::string() : made->made->unit;
}

std::string sweepJson(const SweepReport& report)
{
    const Sweep& sweep = report.task.sweep;
    Json json = {{"program", "Sinoscope"},
                 {"version", programVersion()},
                 {"command", report.command},
                 {"scan", Json::parse(scanJson(*sweep.base.scan))},
                 {"slice", sweep.base.place.plane() ? Json(nullptr) : Json(report.task.slice)},
                 {"reference", report.reference.empty() ? Json(nullptr) : Json(report.reference)},
                 {"area", report.area},
                 {"zipped", sweep.isZipped},
                 {"stopped", report.all.isStopped},
                 {"vary", Json::array()},
                 {"scores", Json::array()},
                 {"settings", Json::array()}};
    for (const Variation& variation : sweep.variations)
        json["vary"].push_back({{"option", variation.option->id}, {"values", variation.values}});
    for (const Score* score : report.task.wanted)
        json["scores"].push_back({{"id", score->id},
                                  {"label", score->label},
                                  {"summary", score->summary},
                                  {"unit", unitOf(*score, report.all)},
                                  {"best", score->isHighBest ? "highest" : "lowest"}});
    for (std::size_t k = 0; k < report.all.points.size(); ++k) {
        const SweptPoint& swept = report.all.points[k];
        Json setting = {{"values", Json::object()}};
        for (std::size_t v = 0; v < sweep.variations.size(); ++v)
            setting["values"][sweep.variations[v].option->id] = sweep.points[k].values[v];
        if (const std::string why = reasonOf(report, k); !why.empty())
            setting["why"] = why;
        if (swept.made) {
            setting["ran"] = swept.made->method;
            setting["device"] = swept.made->device;
            setting["axisBins"] = swept.made->axisBins;
            Json& figures = setting["scores"] = Json::object();
            for (std::size_t s = 0; s < swept.scores.size(); ++s)
                figures[report.task.wanted[s]->id] =
                    std::isfinite(swept.scores[s]) ? Json(swept.scores[s]) : Json(nullptr);
            setting["notes"] = Json::array();
            for (const Note& note : swept.made->notes)
                setting["notes"].push_back(note.text().in(commandLineStyle()));
        }
        json["settings"].push_back(std::move(setting));
    }
    if (report.score && report.best)
        json["best"] = {{"score", report.score->id}, {"setting", *report.best + 1}, {"command", report.bestCommand}};
    return dumped(json);
}

std::string sweepCsv(const SweepReport& report)
{
    std::string csv;
    for (const Variation& variation : report.task.sweep.variations)
        csv += csvField(variation.option->id) + ',';
    for (const Score* score : report.task.wanted) {
        const std::string unit = unitOf(*score, report.all);
        csv += csvField(score->id + (unit.empty() ? std::string() : " [" + unit + "]")) + ',';
    }
    csv += "why";
    for (std::size_t k = 0; k < report.all.points.size(); ++k) {
        csv += '\n';
        for (const std::string& value : report.task.sweep.points[k].values)
            csv += csvField(value) + ',';
        const std::vector<double>& figures = report.all.points[k].scores;
        for (std::size_t s = 0; s < report.task.wanted.size(); ++s)
            csv += (s < figures.size() && std::isfinite(figures[s]) ? numberToText(figures[s]) : std::string()) + ',';
        csv += csvField(reasonOf(report, k));
    }
    return csv;
}

std::string sweepHtml(const SweepReport& report)
{
    const Sweep& sweep = report.task.sweep;
    const std::string place =
        sweep.base.place.plane() ? std::string("a plane") : "slice " + std::to_string(report.task.slice);
    std::string html = "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>" +
                       htmlText(sweep.base.scan->name) + ": settings compared</title><style>" + style +
                       "</style></head><body>\n<h1>" + htmlText(sweep.base.scan->name) + ", " + place + "</h1>\n";
    html += "<p>" + std::to_string(report.all.points.size()) + " settings; figures inside " + htmlText(report.area) +
            (report.reference.empty() ? std::string() : "; reference: " + htmlText(report.reference)) + ".</p>\n";
    if (report.all.isStopped)
        html += "<p>The sweep was stopped before its end.</p>\n";
    if (report.score && report.best)
        html += "<p>Best by " + htmlText(report.score->label) + ": <b>" +
                htmlText(pointName(sweep, sweep.points[*report.best])) + "</b>, <code>" + htmlText(report.bestCommand) +
                "</code></p>\n";
    html += htmlTable(report);
    html += "<div class=\"pictures\">\n";
    for (std::size_t k = 0; k < report.pictures.size(); ++k)
        if (!report.pictures[k].empty()) {
            const std::string name = htmlText(pointName(sweep, sweep.points[k]));
            html += "<figure><img alt=\"" + name + "\" src=\"" + dataUri(report.pictures[k]) + "\"><figcaption>" +
                    name + "</figcaption></figure>\n";
        }
    return html + "</div>\n<p><code>" + htmlText(report.command) + "</code></p>\n<p>Sinoscope " +
           htmlText(programVersion()) + "</p>\n</body></html>";
}

} // namespace engine
