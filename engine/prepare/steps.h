// A step of preparation, THE table of all of them, and preparations: ordered lists of steps, from what a detector
// recorded to what is filtered.
#pragma once

#include "engine/prepare/line_program.h"
#include "engine/scan/scan.h"
#include "engine/sinograms.h"

#include <cstddef>
#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <string>
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

// References outlive the work. The sinograms have their size, and memory, before the first line.
struct StepArguments {
    const RawRows& raw;
    Sinograms& sinograms;
};

// A step with what it found out about one scan. What it doesn't do is empty.
struct StepAtWork {
    std::function<void(LineAtWork&)> apply = {}; // from any thread, each line once
    bool fetches = false;                        // takes lines that are not fetched yet, and fetches them
    std::function<std::span<float>(const LineAtWork&)> home = {}; // where the line stays, from the first step on
    std::function<void()> finish = {};                            // after the last line
    std::function<std::vector<std::string>()> notes = {};         // after finish: one sentence each for the user
    std::function<void(LineProgram&)> describe = {};              // of steps that are `onDevices`
};

// What memory depends on.
struct RowsShape {
    int rows = 1;
    int projections = 0;
    int bins = 0;
};

struct Step {
    const char* id;        // as files name it
    const char* label;     // as the window and messages call it
    const char* summary;   // for help and tooltips, one sentence
    const char* reference; // paper and section, or where it comes from
    ValueKind from = {}, to = {};
    bool isByDefault = true; // wherever the values fit; false: only when it is asked for
    int halo = 0;            // rows that it needs on each side of those asked for; 0 of those by default
    // What it needs beside the lines at work, for so many rows, those of its halo among them. Null: nothing.
    std::size_t (*bytes)(const RowsShape&) = nullptr;
    bool onDevices = false; // a LineProgram can say what it does
    // What is the same for all lines is done here, once, by the threads of the task arena.
    StepAtWork (*start)(const StepArguments&);
};

// THE table, in the order in which the steps are taken.
std::span<const Step> steps();

struct PlannedStep {
    const Step* step = nullptr; // never null
    bool on = true;
    bool operator==(const PlannedStep&) const = default;
};

struct Preparation {
    std::vector<PlannedStep> steps; // in this order
    bool operator==(const Preparation&) const = default;
};

// The steps of the table, those on that the values need on the way to line integrals: transmission no flat field, line
// integrals no logarithm either. None is on that has to be asked for.
Preparation preparationOf(Quantity quantity);

// Why these steps in this order make no sense for such values, in words for the user; nothing when they do: every
// step gets what it takes, and what comes out are line integrals without gaps, as sinograms.
std::optional<std::string> objectionTo(const Preparation& preparation, Quantity quantity);

// Rows on each side of those asked for that have to be read: a step's halo goes through the steps before it too.
int haloOf(const Preparation& preparation);

// Can a device do all of it (LineProgram)? Then the steps that are on come in the order of the table.
bool isForDevices(const Preparation& preparation);

// What all steps together need beside the rows that were read, for `shape.rows` rows asked for.
std::size_t bytesOf(const Preparation& preparation, const RowsShape& shape);

} // namespace engine
