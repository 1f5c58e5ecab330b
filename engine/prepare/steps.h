// SPDX-License-Identifier: GPL-3.0-or-later
// A step of preparation, THE table of all of them, and preparations: ordered lists of steps, from what a detector
// recorded to what is filtered.
#pragma once

#include "engine/base/field.h"
#include "engine/base/note.h"
#include "engine/data/sinograms.h"
#include "engine/prepare/line_program.h"
#include "engine/request/setting.h"
#include "engine/scan/scan.h"

#include <cstddef>
#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <type_traits>
#include <vector>

namespace engine
{

// Marks in values that have gaps still.
constexpr float noValue = std::numeric_limits<float>::quiet_NaN(); // dead, or not a number
constexpr float noLight = std::numeric_limits<float>::infinity();  // of attenuation: at or below the dark level

enum class Layout { frames, sinograms }; // [frame][row][bin] or [slice][projection][bin]
enum class Gaps { marked, mended };      // mended: every value is a finite number

// What values are between two steps. Empty, before a step: it takes any; after it: it keeps what it took.
struct ValueKind {
    std::optional<Quantity> quantity = {};
    std::optional<Layout> layout = {};
    std::optional<Gaps> gaps = {};
    bool operator==(const ValueKind&) const = default;
};

// One row of one projection on its way through the steps.
struct LineAtWork {
    int row = 0; // of those that were read, from 0
    int projection = 0;
    const Samples* recorded = nullptr; // not fetched yet: its numbers from `first` on
    std::size_t first = 0;
    std::span<float> values; // one a bin; what isn't finite is noValue
    int deadPixels = 0;      // how many are noValue because their pixel is dead, whatever was recorded
};

template <>
struct FieldUse<PreparationSettings> {
    double standard = 0;                    // of a choice the first
    bool mayBeLeft = false;                 // 0, its standard, stands for: left to the program
    std::span<const char* const> ways = {}; // of its step that have it; empty: all
    bool isOfScan = false;                  // the scan mostly has it: the window shows it only where it is set
};
// A choice or a number of a step; a choice's value is its place in the list. Its id is one of those of all steps. The
// table of options (engine/options/options.h) takes it from here.
using StepField = Field<PreparationSettings>;
static_assert(std::is_default_constructible_v<StepField>); // without it GCC 12 gives up at the tables

// The same with what reads and writes their values.
std::vector<StepField> stepFields(std::vector<StepField> fields);

struct Preparation;
struct PlannedStep;

// References outlive the work. The sinograms have their size, and memory, before the first line.
struct StepArguments {
    const RawRows& raw;
    Sinograms& sinograms;
    const PlannedStep& planned; // with its values
    const Preparation& preparation;
    Quantity quantity; // that comes in
};

// Rows of the sinograms at work, [row][projection][bin], whatever their layout is called.
struct RowsAtWork {
    Sinograms& sinograms;
    RowRange rows; // of those that were read, from 0: that come in
    RowRange kept; // of these: that are needed after the step
    std::stop_token stop;
};

inline std::span<float> lineOf(Sinograms& sinograms, int row, int projection)
{
    const auto bins = static_cast<std::size_t>(sinograms.bins);
    return std::span(sinograms.values)
        .subspan((static_cast<std::size_t>(row) * sinograms.projections + projection) * bins, bins);
}

// A step with what it found out about one scan. What it doesn't do is empty.
struct StepAtWork {
    std::function<void(LineAtWork&)> apply = {}; // from any thread, each line once
    bool fetches = false;                        // takes lines that are not fetched yet, and fetches them
    std::function<std::span<float>(const LineAtWork&)> home = {}; // where the line stays, from the first step on
    std::function<void()> finish = {};                            // after the last line
    std::function<void(const RowsAtWork&)> whole = {};            // then, once: by all threads of the task arena
    std::function<std::vector<Note>()> notes = {};                // after finish: one sentence each for the user
    std::function<void(LineProgram&)> describe = {};              // of steps that are `onDevices`
};

// What memory depends on.
struct RowsShape {
    int rows = 1;
    int projections = 0;
    int bins = 0;
};

inline std::span<const StepField> noStepFields()
{
    return {};
}

struct Step {
    const char* id;        // as files name it
    const char* label;     // as the window and messages call it
    const char* summary;   // for help and tooltips, one sentence
    const char* reference; // paper and section, or where it comes from
    ValueKind from = {}, to = {};
    std::optional<Quantity> butNot = {}; // that it doesn't take, where `from` names none
    bool isByDefault = true;             // wherever the values fit; false: only when it is asked for
    bool takesAllProjections = false;    // of a row: a single projection doesn't go through it
    const char* otherBeams = nullptr;    // why it means nothing but for parallel rays, in words; null: it does for all
    // Of a step that the scan alone decides on: whether it is needed.
    bool (*isNeeded)(const Preparation&) = nullptr;
    // The first is how it works; of a step that isn't by default that begins with "off", or is a number that is 0 then.
    std::span<const StepField> (*parameters)() = noStepFields;
    // Rows that it needs on each side of those asked for; null: none. Steps that have one work on whole rows.
    int (*halo)(const PlannedStep&, const Preparation&) = nullptr;
    // Why its values make no sense, in words; null: they always do.
    std::optional<Text> (*objection)(const PlannedStep&, const Preparation&) = nullptr;
    // What it needs beside the lines at work, for so many rows, those of its halo among them. Null: nothing.
    std::size_t (*bytes)(const RowsShape&) = nullptr;
    bool (*onDevices)(const PlannedStep&) = nullptr; // can a LineProgram say what it does? null: no
    // What is the same for all lines is done here, once, by the threads of the task arena.
    StepAtWork (*start)(const StepArguments&);
};

// THE table, in the order in which the steps are taken unless another is chosen.
std::span<const Step> steps();

struct PlannedStep {
    const Step* step = nullptr; // never null
    bool on = true;
    std::vector<double> values = {}; // of its parameters; empty: as by default

    double value(const char* parameter) const; // throws std::logic_error for one of another step
    std::string way() const;                   // the id that its first parameter, a choice, has
    bool operator==(const PlannedStep&) const = default;
};

struct Preparation {
    std::vector<PlannedStep> steps; // in this order
    std::optional<double> pixelSizeMm = {};
    std::vector<double> shiftRows = {}; // of each projection, as its geometry has them (ParallelBeam)
    int bins = 0, rows = 0;             // of the detector, of parallel rays; 0: not known

    const PlannedStep* find(const char* step) const; // that is on; null when there is none
    bool operator==(const Preparation&) const = default;
};

// The step of the table with this parameter, and the parameter; nulls when there is none.
struct ParameterPlace {
    const Step* step = nullptr;
    const StepField* parameter = nullptr;
};
ParameterPlace findParameter(const std::string& id);
double valueOf(const StepField& parameter, const PreparationSettings& chosen);
void setValue(const StepField& parameter, double value, PreparationSettings& chosen);

// The steps of the table, those on that the values need on the way to line integrals: transmission no flat field, line
// integrals no logarithm either; and those that are asked for; in the order that is asked for.
Preparation preparationOf(Quantity quantity, const PreparationSettings& chosen = {},
                          std::optional<double> pixelSizeMm = {}, std::vector<double> shiftRows = {}, int bins = 0,
                          int rows = 0);
Preparation preparationOf(const Scan& scan, const PreparationSettings& chosen);

// Why the parameter means nothing for such values, or beside the other choices; nothing when it does.
std::optional<Text> idleReason(const StepField& parameter, Quantity quantity, const PreparationSettings& chosen,
                               bool isParallel = true);
PreparationSettings withoutIdle(const PreparationSettings& chosen, Quantity quantity, bool isParallel = true);

// Why these steps in this order make no sense for such values, in words for the user; nothing when they do: every
// step gets what it takes, and what comes out are line integrals without gaps, as sinograms.
std::optional<Text> objectionTo(const Preparation& preparation, Quantity quantity);

// What the values are after the first so many of its steps.
Quantity quantityAfter(const Preparation& preparation, Quantity recorded, std::size_t taken);

// Rows on each side of those asked for that have to be read: a step's halo goes through the steps before it too.
int haloOf(const Preparation& preparation);
RowRange withHalo(RowRange rows, const Preparation& preparation, int rowsOfScan); // those that there are

// Can a device do all of it (LineProgram)? Then the steps that are on come in the order of the table.
bool isForDevices(const Preparation& preparation);
// The labels of those that it can't do, in quotes and with commas; empty: all others.
std::string notForDevices(const Preparation& preparation);

// What all steps together need beside the rows that were read, for `shape.rows` rows asked for.
std::size_t bytesOf(const Preparation& preparation, const RowsShape& shape);

} // namespace engine
