// THE table of options: every choice of a request described once. The command line, the window, saved settings,
// validation, "copy the command line" and reports take ids, labels, limits and texts from here.
#pragma once

#include "engine/request/setting.h"

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace engine
{

struct OptionChoice {
    std::string id, label, summary;
};

struct Option {
    enum class Kind { choice, whole, real, text, bytes };

    const char* id;         // of the command line (--id), in saved settings and recipes
    const char* label;      // as the window calls it
    const char* summary;    // for help and tooltips, one sentence without a stop
    const char* group = ""; // of the command line's help
    const char* unit = "";  // of its numbers, such as "× Nyquist"
    const char* form = "";  // of its value in the help, such as "K"; empty: its choices
    // The stage of a slice that obeys it: what comes before needn't be computed again when it changes. None: no slice
    // looks different with it.
    std::optional<Stage> stage = {};
    Kind kind;
    std::vector<OptionChoice> choices = {}; // Kind::choice
    double least = 0, most = 0;             // Kind::whole and real
    bool leastIncluded = true;
    double step = 0; // of the window's field, Kind::real
    // Why it means nothing for this request; nothing when it does. Null: it always does.
    std::function<std::optional<std::string>(const Request&)> idle = {};
    std::function<std::string(const Request&)> get; // a text that set() takes; empty: left to the program
    std::function<void(Request&, const std::string&)> set;
    // Where reports (JSON) have it: its path of keys, "filter/window"; empty: its id in camel case.
    const char* json = "";
    const char* jsonDetail = "";  // the path of what follows a colon in its text, a number
    const char* jsonLeftOut = ""; // what stands there when it is left to the program or means nothing; empty: nothing
    bool ofSetting = true;        // false: of place or resources, the same for all that are compared
    bool hasRow = true;           // in the window's settings; false: for the command line and for comparison
    bool hasLine = true;          // in what a report says of a request; false: another line of the report says it
    bool saysDefault = true;      // to people, also where it is the default
    bool isShownIdle = true;      // in the window, where it means nothing; false: its row is hidden
    bool isShownUnset = true;     // in the window, where nobody has set it; false: its row is hidden
    bool isKept = true;           // for the next start; false: belongs to one scan or one start
};

// THE table.
std::span<const Option> options();
const Option& option(const std::string& id); // throws Error(badRequest) when unknown

// Throws Error(badRequest) that names the text and what is possible; the request stays as it was.
void setOption(const Option& option, Request& request, const std::string& text);

// As within a sentence: "cut-off".
std::string lowerLabel(const Option& option);

// As its label and unit say it; nothing where it means nothing, or is left to the program.
std::optional<std::string> valueInWords(const Option& option, const Request& request);

// What an option is, for people.
struct OptionLine {
    const Option* option; // whose label stands before it
    std::string value;    // with its unit
};

// What a report says of how an image was made, by a method that `auto` may have taken: each option of those with a line
// that means something for it and isn't left to the program.
std::vector<OptionLine> linesOf(Request request, const std::string& method);

// "nearest|linear|…", or its form.
std::string formOf(const Option& option);

// Throws Error(badRequest) for a value outside the table's limits, naming the option.
void validateOptions(const Request& request);

} // namespace engine
