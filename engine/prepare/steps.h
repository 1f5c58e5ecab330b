// SPDX-License-Identifier: GPL-3.0-or-later
// A step of preparation, the table of all steps, and preparations: ordered lists of steps from recorded data to line
// integrals ready for the filter.
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

// Marks of missing values.
constexpr float noValue = std::numeric_limits<float>::quiet_NaN(); // dead, or not a number
constexpr float noLight = std::numeric_limits<float>::infinity();  // in attenuation: at or below the dark level

enum class Layout { frames, sinograms }; // [frame][row][bin] or [slice][projection][bin]
enum class Gaps { marked, mended };      // mended: every value is a finite number

// Kind of values between two steps. An empty member means, before a step: any is accepted; after a step: unchanged.
struct ValueKind {
    std::optional<Quantity> quantity = {};
    std::optional<Layout> layout = {};
    std::optional<Gaps> gaps = {};
    bool operator==(const ValueKind&) const = default;
};

// One row of one projection that is being prepared.
struct LineAtWork {
    int row = 0; // from 0, counted from the first row read
    int projection = 0;
    const Samples* recorded = nullptr; // if not fetched yet: the line's numbers start at `first`
    std::size_t first = 0;
    std::span<float> values; // one per bin; non-finite values are noValue
    int deadPixels = 0;      // number of noValue bins due to dead pixels, whatever was recorded there
};

struct Preparation;

template <>
struct FieldUse<PreparationSettings> {
    double standard = 0;                    // default; for a choice, the first one
    bool mayBeLeft = false;                 // may be left out: 0, its default, leaves the value to the program
    std::span<const char* const> ways = {}; // methods of the step that use the parameter; empty: all
    bool isOfScan = false;                  // belongs to one scan: the next one starts with the default
    bool isShownUnset = true; // false: the window shows it only where it is set, or the scan doesn't know it
    // Returns the scan's own value, which is used where none is given; null: a scan has none.
    std::optional<double> (*recorded)(const Preparation&) = nullptr;
};
// Parameter of a step: a choice, whose value is its index in the list, or a number. Ids are unique among all steps.
// The table of options (engine/options/options.h) includes these parameters.
using StepField = Field<PreparationSettings>;
static_assert(std::is_default_constructible_v<StepField>); // GCC 12 fails to compile the tables without this line

// Returns the fields with their functions that read and write the values in PreparationSettings.
std::vector<StepField> stepFields(std::vector<StepField> fields);

struct PlannedStep;

// Arguments of a step's start. The references must outlive the work. The sinograms have their size, and memory,
// before the first line.
struct StepArguments {
    const RawRows& raw;
    Sinograms& sinograms;
    const PlannedStep& planned; // including its parameter values
    const Preparation& preparation;
    Quantity quantity; // of the values that reach the step
};

// Rows of the sinograms that a step processes; always [row][projection][bin], even if their layout is `frames`.
struct RowsAtWork {
    Sinograms& sinograms;
    RowRange rows; // rows that hold input, from 0, counted from the first row read
    RowRange kept; // the part of `rows` that later steps, or the result, need
    std::stop_token stop;
};

inline std::span<float> lineOf(Sinograms& sinograms, int row, int projection)
{
    const auto bins = static_cast<std::size_t>(sinograms.bins);
    return std::span(sinograms.values)
        .subspan((static_cast<std::size_t>(row) * sinograms.projections + projection) * bins, bins);
}

// A step started for one scan, with its precomputed data. Functions that the step doesn't need are empty.
struct StepAtWork {
    std::function<void(LineAtWork&)> apply = {}; // called once per line, from any thread
    bool fetches = false;                        // `apply` accepts lines that are not fetched yet, and fetches them
    std::function<std::span<float>(const LineAtWork&)> home = {}; // where lines are stored, also those of earlier steps
    std::function<void()> finish = {};                            // after the last line
    std::function<void(const RowsAtWork&)> whole = {}; // once, after `finish`: uses all threads of the task arena
    std::function<std::vector<Note>()> notes = {};     // after `finish`: one sentence each for the user
    std::function<void(LineProgram&)> describe = {};   // only for steps that are `onDevices`
};

// Size on which the memory requirement depends.
struct RowsShape {
    int rows = 1;
    int projections = 0;
    int bins = 0;
    int flatGroups = 1; // flats of different times
};

inline std::span<const StepField> noStepFields()
{
    return {};
}

struct Step {
    const char* id;             // used in files
    const char* label;          // used in the window and in messages
    const char* summary;        // for help and tooltips, one sentence
    const char* reference;      // paper and section, or another source
    const char* page = nullptr; // about the step, if the manual has one: "rings.md"
    ValueKind from = {}, to = {};
    std::optional<Quantity> butNot = {}; // quantity that the step doesn't accept, if `from` names none
    bool isByDefault = true;             // true: on wherever it accepts the values; false: only on request
    bool takesAllProjections = false;    // needs all projections of a row: not applicable to a single one
    const char* otherBeams = nullptr;    // why it applies only to parallel rays, in words; null: it applies to all
    // For steps that depend on the scan alone: returns whether the step is needed.
    bool (*isNeeded)(const Preparation&) = nullptr;
    // The first parameter selects the method. If the step is not on by default, it is a choice that begins with
    // "off", or a number whose 0 means off.
    std::span<const StepField> (*parameters)() = noStepFields;
    // Number of rows that the step needs on each side of the requested ones; null: none. Steps with a halo work on
    // whole rows.
    int (*halo)(const PlannedStep&, const Preparation&) = nullptr;
    // Returns why the parameter values make no sense, in words; null: they always make sense.
    std::optional<Text> (*objection)(const PlannedStep&, const Preparation&) = nullptr;
    // Memory needed beside the lines being prepared, for a number of rows that includes the halo; null: none.
    std::size_t (*bytes)(const RowsShape&) = nullptr;
    // Whether a LineProgram can express the step; null: it can't.
    bool (*onDevices)(const PlannedStep&, const Preparation&) = nullptr;
    // Does the work common to all lines, once, with the threads of the task arena.
    StepAtWork (*start)(const StepArguments&);
};

// The table of all steps, in their default order.
std::span<const Step> steps();

struct PlannedStep {
    const Step* step = nullptr; // never null
    bool on = true;
    std::vector<double> values = {}; // of its parameters; empty: the defaults

    double value(const char* parameter) const; // throws std::logic_error for a parameter of another step
    std::string way() const;                   // id of the chosen value of the first parameter, which is a choice
    bool operator==(const PlannedStep&) const = default;
};

struct Preparation {
    std::vector<PlannedStep> steps;         // in this order
    std::optional<double> pixelSizeMm = {}; // at the object
    std::vector<double> shiftRows = {};     // per projection, as in ParallelBeam
    int bins = 0, rows = 0;                 // size of the detector, for parallel rays; 0: unknown
    // As the scan knows them. The distance from the object to the detector, for cone beams divided by the
    // magnification.
    std::optional<double> energyKeV = {}, distanceMm = {};
    std::vector<double> flatPlaces = {}; // as in Scan
    bool areSidesJoined = false;         // each flat and dark is the mean or the median of some (joinFrames)

    const PlannedStep* find(const char* step) const; // returns the step if it is on, else null
    bool operator==(const Preparation&) const = default;
};

// A parameter and the step of the table that has it; null if no step has it.
struct ParameterPlace {
    const Step* step = nullptr;
    const StepField* parameter = nullptr;
};
ParameterPlace findParameter(const std::string& id);
double valueOf(const StepField& parameter, const PreparationSettings& chosen);
void setValue(const StepField& parameter, double value, PreparationSettings& chosen);

// Returns all steps of the table in the requested order. Switched on are the steps that the values need to
// become line integrals (no flat field for transmission; neither flat field nor logarithm for line integrals), and the
// steps that are asked for.
Preparation preparationOf(Quantity quantity, const PreparationSettings& chosen = {},
                          std::optional<double> pixelSizeMm = {}, std::vector<double> shiftRows = {}, int bins = 0,
                          int rows = 0);
Preparation preparationOf(const Scan& scan, const PreparationSettings& chosen);

// Returns why the parameter has no effect for such values or with the other choices; nothing if it has one.
std::optional<Text> idleReason(const StepField& parameter, Quantity quantity, const PreparationSettings& chosen,
                               bool isParallel = true);
PreparationSettings withoutIdle(const PreparationSettings& chosen, Quantity quantity, bool isParallel = true);

// Returns why these steps in this order make no sense for such values, in words for the user. Nothing if every step
// gets values that it accepts, and the result is line integrals without gaps, as sinograms.
std::optional<Text> objectionTo(const Preparation& preparation, Quantity quantity);

// Returns the quantity after the first `taken` steps.
Quantity quantityAfter(const Preparation& preparation, Quantity recorded, std::size_t taken);

// Returns the number of rows to be read on each side of the requested ones: the sum of the halos of all steps, as the
// halo of a step has to go through the steps before it too.
int haloOf(const Preparation& preparation);
RowRange withHalo(RowRange rows, const Preparation& preparation, int rowsOfScan); // limited to the rows of the scan

// Returns whether a device can do the whole preparation (LineProgram); the steps that are on must be in the order of
// the table.
bool isForDevices(const Preparation& preparation);
// Returns the quoted labels of the steps that a device can't do, separated by commas; "its steps in another order" if
// only the order is unsuitable; empty if a device can do the whole preparation.
std::string notForDevices(const Preparation& preparation);

// Returns the number of times at which flats were taken (Scan::flatPlaces).
int flatGroupsIn(const std::vector<double>& places);

// Returns the memory that all steps need beside the rows that were read, for `shape.rows` requested rows.
std::size_t bytesOf(const Preparation& preparation, const RowsShape& shape);

} // namespace engine
