#include "engine/io/open/open_words.h"

#include "engine/base/error.h"
#include "engine/base/number_text.h"
#include "engine/io/formats/raw_file.h"
#include "engine/io/frames/frame_axes.h"

#include <algorithm>
#include <array>
#include <numbers>
#include <utility>

namespace engine
{

namespace
{

constexpr double radOfDegree = std::numbers::pi / 180;

using Texts = std::vector<std::string>;

Texts ifAny(const std::string& text)
{
    return text.empty() ? Texts() : Texts{text};
}

Texts flagText(bool on)
{
    return on ? Texts{""} : Texts();
}

std::string degreesText(double rad)
{
    return numberToText(rad / radOfDegree);
}

Texts anglesText(const OpenOptions& o)
{
    if (o.angleRangeRad)
        return {degreesText(o.angleRangeRad->first) + ":" + degreesText(o.angleRangeRad->second)};
    if (o.angleSteps)
        return {degreesText(o.angleSteps->firstRad) + "::" + degreesText(o.angleSteps->stepRad) +
                (o.angleSteps->wrapRad > 0 ? ":" + degreesText(o.angleSteps->wrapRad) : "")};
    return ifAny(o.anglesFile.string());
}

// Two numbers on both sides of a mark; nothing where they are none.
std::optional<std::pair<double, double>> twoAngles(const std::string& text, const std::string& mark)
{
    const std::size_t at = text.find(mark);
    if (at == std::string::npos)
        return {};
    try {
        return std::pair(realFromText(text.substr(0, at), "angle") * radOfDegree,
                         realFromText(text.substr(at + mark.size()), "angle") * radOfDegree);
    } catch (const Error&) {
        return {};
    }
}

// FIRST::STEP or FIRST::STEP:WRAP.
std::optional<AngleSteps> stepsFrom(const std::string& text)
{
    const std::size_t step = text.find("::");
    const std::size_t wrap = step == std::string::npos ? step : text.find(':', step + 2);
    const auto numbers = twoAngles(text.substr(0, wrap), "::");
    if (!numbers || wrap == std::string::npos)
        return numbers ? std::optional(AngleSteps{numbers->first, numbers->second}) : std::nullopt;
    const auto wrapped = twoAngles("0:" + text.substr(wrap + 1), ":");
    if (!wrapped)
        return {};
    require(wrapped->second > 0, "value " + text.substr(wrap + 1) + " in '" + text +
                                     "' is not above 0; angles start again at WRAP degrees, as in 0::111.246118:180");
    return AngleSteps{numbers->first, numbers->second, wrapped->second};
}

void setAngles(OpenOptions& o, const std::string& text)
{
    require(!text.empty(), "the name is empty");
    o.anglesRad.clear();
    o.anglesFile.clear();
    o.angleSteps = stepsFrom(text);
    o.angleRangeRad = o.angleSteps ? std::nullopt : twoAngles(text, ":");
    if (o.angleSteps || o.angleRangeRad)
        return;
    std::error_code ignored;
    require(text.find(':') == std::string::npos || std::filesystem::exists(text, ignored),
            "'" + text + "' is neither FIRST:LAST nor FIRST::STEP[:WRAP], numbers of degrees, nor a file");
    require(text.find_first_not_of("0123456789.-") != std::string::npos || std::filesystem::exists(text, ignored),
            "'" + text + "' is no file of angles; a range is FIRST:LAST, as 0:180");
    o.anglesFile = text;
}

int countFromText(const std::string& text, const char* what, int least)
{
    const long long value = integerFromText(text, what);
    require(value >= least && value <= 1'000'000'000,
            std::string("bad ") + what + " '" + text + "'; it is a whole number from " + std::to_string(least) + " on");
    return static_cast<int>(value);
}

void setLines(OpenOptions& o, const std::string& text)
{
    const std::size_t colon = text.find(':');
    require(colon != std::string::npos, "bad lines '" + text + "'; give FIRST:LAST, counted from 1");
    o.angleColumn.lines = {countFromText(text.substr(0, colon), "first line", 1),
                           countFromText(text.substr(colon + 1), "last line", 1)};
    require(o.angleColumn.lines->first <= o.angleColumn.lines->second,
            "bad lines '" + text + "'; the last comes before the first");
}

template <std::filesystem::path OpenOptions::*Path>
void setPath(OpenOptions& o, const std::string& text)
{
    require(!text.empty(), "the name is empty");
    o.*Path = text;
}

std::string choiceOf(const Texts& words)
{
    std::string text;
    for (const std::string& word : words)
        text += (text.empty() ? "" : "|") + word;
    return text;
}

std::string quantityForm()
{
    Texts words;
    for (const Quantity quantity : storedQuantities())
        words.push_back(toText(quantity));
    return choiceOf(words);
}

void setType(OpenOptions& o, const std::string& text)
{
    require(o.raw.has_value(), "--type is of raw files; give their shape with --raw");
    RawLayout layout{.projections = 1, .rows = 1, .bins = 1, .sampleType = text};
    bytesOf(layout); // refuses unknown ones
    o.raw->sampleType = text;
}

void setHeader(OpenOptions& o, const std::string& text)
{
    require(o.raw.has_value(), "--header is of raw files; give their shape with --raw");
    const long long bytes = integerFromText(text, "header");
    require(bytes >= 0, "value " + text + " is below 0; a header has 0 or more bytes");
    o.raw->headerBytes = bytes;
}

// Twice, where a file is taken for its angles and the order of its rows alone.
Texts geometryText(const OpenOptions& o)
{
    Texts texts;
    if (o.beam && (o.geometryFile.empty() || *o.beam == BeamKind::parallel))
        texts.push_back(toText(*o.beam));
    if (!o.geometryFile.empty())
        texts.push_back(o.geometryFile.string());
    return texts;
}

void setGeometryWord(OpenOptions& o, const std::string& text)
{
    require(!text.empty(), "the name is empty");
    if (const auto kind = beamKindFromText(text))
        o.beam = kind;
    else
        o.geometryFile = text;
}

template <int Reduction::*Count>
OpenWord reductionWord(const char* id, const char* summary, int most)
{
    static int mostOfIt;
    mostOfIt = most;
    return {.id = id,
            .form = "N",
            .summary = summary,
            .get =
                [](const OpenOptions& o) {
                    return o.reduction.*Count > 1 ? Texts{std::to_string(o.reduction.*Count)} : Texts();
                },
            .set =
                [](OpenOptions& o, const std::string& text) {
                    const int count = countFromText(text, "number", 1);
                    require(count <= mostOfIt, "value " + text + " is above " + std::to_string(mostOfIt));
                    o.reduction.*Count = count;
                }};
}

template <std::vector<RowRange> OpenOptions::*Frames>
OpenWord framesWord(const char* id, const char* summary)
{
    return {.id = id,
            .form = "K,FIRST:LAST,…",
            .summary = summary,
            .get = [](const OpenOptions& o) { return ifAny(rangesToText(o.*Frames)); },
            .set = [](OpenOptions& o, const std::string& text) { o.*Frames = rangesFromText(text); }};
}

template <std::string DataSets::*Text>
OpenWord dataSetWord()
{
    const DataSetRole& role = *std::ranges::find(dataSetRoles(), Text, &DataSetRole::text);
    return {.id = role.id,
            .form = role.form,
            .summary = role.summary,
            .needs = Text == &DataSets::projections || Text == &DataSets::axes ? "" : dataSetRoles().front().id,
            .get = [](const OpenOptions& o) { return ifAny(o.dataSets.*Text); },
            .set =
                [](OpenOptions& o, const std::string& text) {
                    require(!text.empty(), "the name is empty");
                    if (Text == &DataSets::axes)
                        require(axesFromText(text, 3) || axesFromText(text, 2),
                                "bad axes '" + text +
                                    "'; give theta, y and x in their order, as theta:y:x, or of a sinogram "
                                    "theta:x or x:theta");
                    o.dataSets.*Text = text;
                }};
}

} // namespace

std::span<const OpenWord> openWords()
{
    static const std::array words = {
        OpenWord{.id = "angles",
                 .form = "FILE|FIRST:LAST|FIRST::STEP[:WRAP]",
                 .summary =
                     "Angles in degrees: a file with one a line, FIRST:LAST, evenly spread with both ends "
                     "included, or FIRST::STEP, with STEP from each projection to the next, starting again at WRAP: "
                     "golden angles modulo 180° are 0::111.246118:180",
                 .get = anglesText,
                 .set = setAngles},
        OpenWord{.id = "angles-end-excluded",
                 .summary = "LAST is where the next projection would be: --angles 0:360 is a full turn",
                 .needs = "angles",
                 .get = [](const OpenOptions& o) { return flagText(o.angleEndExcluded); },
                 .set = [](OpenOptions& o, const std::string&) { o.angleEndExcluded = true; }},
        OpenWord{.id = "angles-column",
                 .form = "N",
                 .summary = "Column of the file of angles, from 1; columns stand apart by blanks, commas or semicolons",
                 .needs = "angles",
                 .get =
                     [](const OpenOptions& o) {
                         return o.angleColumn.column ? Texts{std::to_string(*o.angleColumn.column)} : Texts();
                     },
                 .set = [](OpenOptions& o,
                           const std::string& text) { o.angleColumn.column = countFromText(text, "column", 1); }},
        OpenWord{.id = "angles-radians",
                 .summary = "The file of angles has radians, not degrees",
                 .needs = "angles",
                 .get = [](const OpenOptions& o) { return flagText(o.angleColumn.radians); },
                 .set = [](OpenOptions& o, const std::string&) { o.angleColumn.radians = true; }},
        OpenWord{.id = "angles-skip",
                 .form = "N",
                 .summary = "Lines to leave out at the beginning of the file of angles",
                 .needs = "angles",
                 .get =
                     [](const OpenOptions& o) {
                         return o.angleColumn.skip > 0 ? Texts{std::to_string(o.angleColumn.skip)} : Texts();
                     },
                 .set = [](OpenOptions& o,
                           const std::string& text) { o.angleColumn.skip = countFromText(text, "count of lines", 0); }},
        OpenWord{.id = "angles-lines",
                 .form = "FIRST:LAST",
                 .summary = "Use only these lines of the file of angles, counted from 1",
                 .needs = "angles",
                 .get =
                     [](const OpenOptions& o) {
                         const auto& lines = o.angleColumn.lines;
                         return lines ? Texts{std::to_string(lines->first) + ":" + std::to_string(lines->second)}
                                      : Texts();
                     },
                 .set = setLines},
        OpenWord{.id = "shifts",
                 .form = "FILE",
                 .summary = "How far each projection of a parallel beam lies from where it should, one a line: bins, "
                            "and rows where there is a second column; towards higher bins and rows",
                 .ofGeometry = true,
                 .get = [](const OpenOptions& o) { return ifAny(o.shiftsFile.string()); },
                 .set = setPath<&OpenOptions::shiftsFile>},
        OpenWord{.id = "darks",
                 .form = "PATH",
                 .summary = "Dark fields: TIFF file or folder",
                 .get = [](const OpenOptions& o) { return ifAny(o.darks.string()); },
                 .set = setPath<&OpenOptions::darks>},
        OpenWord{.id = "flats",
                 .form = "PATH",
                 .summary = "Flat fields: TIFF file or folder",
                 .get = [](const OpenOptions& o) { return ifAny(o.flats.string()); },
                 .set = setPath<&OpenOptions::flats>},
        framesWord<&OpenOptions::darkFrames>("dark-frames", "The same of dark fields"),
        framesWord<&OpenOptions::flatFrames>(
            "flat-frames", "Projections that are flat fields, counted from 0: numbers and ranges with both ends, such "
                           "as 0:9,190:199; what counts projections counts the others"),
        OpenWord{
            .id = "sinogram",
            .summary =
                "The TIFF is a sinogram, a projection a line; of several pages, or files of a folder, each is that "
                "of a row",
            .get = [](const OpenOptions& o) { return flagText(o.sinogram); },
            .set = [](OpenOptions& o, const std::string&) { o.sinogram = true; }},
        OpenWord{.id = "allow-outside",
                 .summary = "Read numbers that the scan's file takes from files outside its folder, too; only of files "
                            "whose maker you trust",
                 .get = [](const OpenOptions& o) { return flagText(o.allowOutside); },
                 .set = [](OpenOptions& o, const std::string&) { o.allowOutside = true; }},
        OpenWord{.id = "values",
                 .form = quantityForm(),
                 .summary = "What the numbers are: counts of the detector, transmission (flat-fielded, 1 in air) or "
                            "line integrals (0 in air); as the file says, or guessed, when left out",
                 .get = [](const OpenOptions& o) { return o.values ? Texts{toText(*o.values)} : Texts(); },
                 .set = [](OpenOptions& o, const std::string& text) { o.values = quantityFromText(text); }},
        reductionWord<&Reduction::bin>("bin",
                                       "Join N × N pixels of the detector to one, their mean: less memory and disk, "
                                       "coarser slices; positions count in joined ones",
                                       Reduction::mostBin),
        reductionWord<&Reduction::every>("every", "Read every Nth projection alone, from the first on",
                                         Reduction::mostEvery),
        OpenWord{.id = "leave-out",
                 .form = "K,FIRST:LAST,…",
                 .summary = "Projections to leave out, with their angles, counted from 0 as they were recorded: "
                            "numbers and ranges with both ends, such as 3,7:20",
                 .get = [](const OpenOptions& o) { return ifAny(rangesToText(o.reduction.leftOut)); },
                 .set = [](OpenOptions& o, const std::string& text) { o.reduction.leftOut = rangesFromText(text); }},
        dataSetWord<&DataSets::projections>(),
        dataSetWord<&DataSets::angles>(),
        dataSetWord<&DataSets::flats>(),
        dataSetWord<&DataSets::darks>(),
        dataSetWord<&DataSets::key>(),
        dataSetWord<&DataSets::axes>(),
        OpenWord{.id = "raw",
                 .form = "PxRxB",
                 .summary = "A file without a header: projections x rows x bins, or in the order of --data-axes",
                 .get = [](const OpenOptions& o) { return o.raw ? Texts{shapeOf(*o.raw)} : Texts(); },
                 .set = [](OpenOptions& o, const std::string& text) { o.raw = rawLayoutFromText(text); }},
        OpenWord{.id = "type",
                 .form = choiceOf(rawSampleTypes()),
                 .summary = "Type of the numbers in a raw file; uint16 when left out",
                 .needs = "raw",
                 .get = [](const OpenOptions& o) { return o.raw ? Texts{o.raw->sampleType} : Texts(); },
                 .set = setType},
        OpenWord{.id = "big-endian",
                 .summary = "Most significant byte first in a raw file",
                 .needs = "raw",
                 .get = [](const OpenOptions& o) { return flagText(o.raw && o.raw->bigEndian); },
                 .set =
                     [](OpenOptions& o, const std::string&) {
                         require(o.raw.has_value(), "--big-endian is of raw files; give their shape with --raw");
                         o.raw->bigEndian = true;
                     }},
        OpenWord{.id = "header",
                 .form = "BYTES",
                 .summary = "Bytes to skip at the beginning of a raw file",
                 .needs = "raw",
                 .get =
                     [](const OpenOptions& o) {
                         return o.raw && o.raw->headerBytes > 0 ? Texts{std::to_string(o.raw->headerBytes)} : Texts();
                     },
                 .set = setHeader},
        OpenWord{.id = "geometry",
                 .form = "parallel|cone|FILE",
                 .summary = "parallel, cone, or a file that describes a cone beam: RTK's geometry.xml, Nikon's "
                            ".xtekct, JSON, or 12 numbers a line, a projection matrix each; parallel and a file take "
                            "its angles alone; as the scan says, or what lies beside it, when left out",
                 .ofGeometry = true,
                 .get = geometryText,
                 .set = setGeometryWord}};
    return words;
}

OpenOptions openedOver(const OpenOptions& rest, const OpenOptions& said)
{
    const auto isSaid = [&said](const std::string& id) {
        return std::ranges::any_of(openWords(), [&](const OpenWord& word) {
            return id == word.id && (!word.get(said).empty() || (id == "angles" && !said.anglesRad.empty()));
        });
    };
    OpenOptions all;
    for (const OpenWord& word : openWords()) {
        // Axes are those of the data set that is named with them, or of any other file.
        const std::string data = dataSetRoles().front().id, axes = dataSetRoles().back().id;
        const bool isOfSaid =
            isSaid(word.id) || (*word.needs && isSaid(word.needs)) || (word.id == axes && isSaid(data));
        for (const std::string& text : word.get(isOfSaid ? said : rest))
            word.set(all, text);
    }
    all.anglesRad = isSaid("angles") ? said.anglesRad : rest.anglesRad;
    ConeOptions cone = rest.cone;
    if (all.beam == BeamKind::parallel && said.beam) { // without what is of cones alone
        for (auto value :
             {&ConeOptions::sourceAxisMm, &ConeOptions::sourceDetectorMm, &ConeOptions::pixelVMm,
              &ConeOptions::offsetUMm, &ConeOptions::offsetVMm, &ConeOptions::tiltRad, &ConeOptions::rollRad})
            (cone.*value).reset();
        cone.direction.reset();
        cone.slices.reset();
    }
    all.cone = filledFrom(said.cone, cone);
    return all;
}

} // namespace engine
