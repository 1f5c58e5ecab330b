// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/documents/repeat_command.h"

#include "engine/backends/devices.h"
#include "engine/base/number_text.h"
#include "engine/base/text.h"
#include "engine/io/open/open_fields.h"
#include "engine/options/options.h"
#include "engine/prepare/step_order.h"
#include "engine/scan/cone_fields.h"
#include "engine/stages/stages.h"

#include <algorithm>
#include <string_view>

namespace engine
{

namespace
{

// Returns whether an option is written even at its default, because it characterises the image.
bool isKernel(const Option& option)
{
    const std::string id = option.id;
    return id == "method" || id == "interpolation" || id == "precision" || id == "slices-per-pass" || id == "filter";
}

class Words
{
  public:
    Words() = default;
    explicit Words(std::string first) : m_text(std::move(first)) {}
    void append(const std::string& words)
    {
        if (!words.empty())
            m_text += (m_text.empty() ? "" : " ") + words;
    }
    void add(const std::string& option, const std::string& value)
    {
        append(commandLineStyle().option(option) + ' ' + quotedForShell(value));
    }
    template <typename Owner>
    void add(const Field<Owner>& field, const std::string& text)
    {
        if (field.kind != FieldKind::boolean)
            add(field.id, text);
        else
            flag(true, field.id + std::string(text == "true" ? "" : "=false"));
    }
    void addUnless(bool isDefault, const char* option, double value)
    {
        if (!isDefault)
            add(option, numberToText(value));
    }
    void flag(bool on, const std::string& option)
    {
        if (on)
            append(commandLineStyle().option(option));
    }
    const std::string& text() const { return m_text; }

  private:
    std::string m_text;
};

std::string phantomCommand(const Simulation& simulation, const std::string& file)
{
    const Simulation standard;
    Words words("sinoscope-cli phantom " + toText(simulation.phantom));
    words.add("size", std::to_string(simulation.size));
    words.add("projections", std::to_string(simulation.projections));
    words.addUnless(simulation.slices == 1, "slices", simulation.slices);
    words.addUnless(simulation.arcDeg == standard.arcDeg, "arc", simulation.arcDeg);
    words.addUnless(simulation.photons == 0, "photons", simulation.photons);
    words.addUnless(simulation.rings == 0, "rings", simulation.rings);
    words.addUnless(simulation.axisOffsetBins == 0, "axis-offset", simulation.axisOffsetBins);
    words.addUnless(simulation.attenuation == standard.attenuation, "attenuation", simulation.attenuation);
    words.flag(!simulation.counts, "line-integrals");
    words.flag(simulation.sampling == Sampling::binMean, "bin-mean");
    words.addUnless(simulation.seed == standard.seed, "seed", static_cast<double>(simulation.seed));
    words.add("output", file);
    return words.text();
}

} // namespace

std::string quotedForShell(const std::string& word)
{
    const auto isPlain = [](char one) {
        return (one >= 'a' && one <= 'z') || (one >= 'A' && one <= 'Z') || (one >= '0' && one <= '9') ||
               std::string_view("_./:+@%=-").find(one) != std::string_view::npos;
    };
    if (!word.empty() && std::ranges::all_of(word, isPlain))
        return word;
    std::string quoted = "'";
    for (const char one : word)
        quoted += one == '\'' ? std::string("'\\''") : std::string(1, one);
    return quoted + '\'';
}

std::string openedText(const OpenOptions& opened)
{
    Words words;
    for (const OpenField& field : openFields())
        for (const std::string& text : textsOf(field, opened))
            words.add(field, text);
    for (const ConeField& field : coneFields())
        for (const std::string& text : textsOf(field, opened.cone))
            words.add(field, text);
    return words.text();
}

RepeatCommands repeatCommands(const Reconstruction& shown, const OpenOptions& opened,
                              const std::optional<Simulation>& simulation, const std::string& name)
{
    const Request& request = shown.request;
    RepeatCommands commands;
    std::string scan = request.scan->path;
    if (simulation) {
        scan = toText(simulation->phantom) + ".h5";
        commands.scan = phantomCommand(*simulation, scan);
    }
    Words words("sinoscope-cli reconstruct " + quotedForShell(scan));
    words.append(openedText(opened));
    const bool one = request.place.slices().count == 1;
    if (request.place.plane())
        words.add("plane", textForVolumes(*request.place.plane(), volumeOf(*request.scan)));
    else if (one)
        words.add("slice", std::to_string(request.place.slices().first));
    else
        words.add("slices", std::to_string(request.place.slices().first) + ':' +
                                std::to_string(request.place.slices().first + request.place.slices().count));
    // Names the method that ran and the axis that was found, so that another machine does the same.
    Request made = request;
    made.setting.kernel.method = shown.method;
    if (const Method* method = methodOf(shown);
        method && !mayUse(*method->backend, made.resources.device)) { // the processor took over
        made.resources.device = deviceOf(*method, {});
        made.resources.others.clear();
    }
    made.setting.axis = {AxisSettings::Mode::given, shown.axisBins};
    // The command rejects an order that names steps that are off.
    made.setting.preparation.order = orderOfStepsOn(made.setting.preparation, preparationOf(made));
    const Request standard;
    for (const Option& row : options()) {
        if (row.id == std::string("plane")) // written above
            continue;
        const std::string text = row.get(made);
        // The request left this option at its default, which was then replaced by what was found.
        const bool always = row.get(standard) == row.get(request) && text != row.get(standard);
        if (!text.empty() && !(row.idle && row.idle(made)) && (always || text != row.get(standard) || isKernel(row)))
            words.add(row, text);
    }
    words.add("output", name + (one ? ".tif" : ".h5"));
    commands.reconstruct = words.text();
    return commands;
}

std::string repeatCommand(const Reconstruction& shown, const OpenOptions& opened,
                          const std::optional<Simulation>& simulation, const std::string& name)
{
    const RepeatCommands commands = repeatCommands(shown, opened, simulation, name);
    return commands.scan.empty() ? commands.reconstruct : commands.scan + " && " + commands.reconstruct;
}

} // namespace engine
