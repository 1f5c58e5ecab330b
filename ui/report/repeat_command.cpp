// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/report/repeat_command.h"

#include "engine/backends/devices.h"
#include "engine/base/number_text.h"
#include "engine/io/open/open_fields.h"
#include "engine/options/options.h"
#include "engine/prepare/step_order.h"
#include "engine/scan/cone_fields.h"
#include "engine/stages/stages.h"

#include <QRegularExpression>
#include <QStringList>

namespace ui
{

namespace
{

QString argumentText(double value)
{
    return QString::fromStdString(engine::numberToText(value));
}

// Returns whether an option is written even at its default, because it characterises the image.
bool isKernel(const engine::Option& option)
{
    const std::string id = option.id;
    return id == "method" || id == "interpolation" || id == "precision" || id == "slices-per-pass" || id == "filter";
}

class Words
{
  public:
    Words() = default;
    explicit Words(const QString& first) : m_words(first) {}
    void add(const char* option, const QString& value)
    {
        m_words << QStringLiteral("--") + QLatin1String(option) << quotedForShell(value);
    }
    template <typename Owner>
    void add(const engine::Field<Owner>& field, const std::string& text)
    {
        if (field.kind != engine::FieldKind::boolean)
            add(field.id, QString::fromStdString(text));
        else
            flag(true, (field.id + std::string(text == "true" ? "" : "=false")).c_str());
    }
    void addUnless(bool isDefault, const char* option, const QString& value)
    {
        if (!isDefault)
            add(option, value);
    }
    void flag(bool on, const char* option)
    {
        if (on)
            m_words << QStringLiteral("--") + QLatin1String(option);
    }
    void append(const QString& words)
    {
        if (!words.isEmpty())
            m_words << words;
    }
    QString text() const { return m_words.join(QLatin1Char(' ')); }

  private:
    QStringList m_words;
};

QString phantomCommand(const engine::Simulation& simulation, const QString& file)
{
    const engine::Simulation standard;
    Words words(QStringLiteral("sinoscope-cli phantom ") + QString::fromStdString(engine::toText(simulation.phantom)));
    words.add("size", QString::number(simulation.size));
    words.add("projections", QString::number(simulation.projections));
    words.addUnless(simulation.slices == 1, "slices", QString::number(simulation.slices));
    words.addUnless(simulation.arcDeg == standard.arcDeg, "arc", argumentText(simulation.arcDeg));
    words.addUnless(simulation.photons == 0, "photons", argumentText(simulation.photons));
    words.addUnless(simulation.rings == 0, "rings", argumentText(simulation.rings));
    words.addUnless(simulation.axisOffsetBins == 0, "axis-offset", argumentText(simulation.axisOffsetBins));
    words.addUnless(simulation.attenuation == standard.attenuation, "attenuation",
                    argumentText(simulation.attenuation));
    words.flag(!simulation.counts, "line-integrals");
    words.flag(simulation.sampling == engine::Sampling::binMean, "bin-mean");
    words.addUnless(simulation.seed == standard.seed, "seed", QString::number(simulation.seed));
    words.add("output", file);
    return words.text();
}

} // namespace

QString quotedForShell(const QString& word)
{
    static const QRegularExpression plain(QStringLiteral("^[\\w./:+@%=-]+$"));
    if (plain.match(word).hasMatch())
        return word;
    return u'\'' + QString(word).replace(u'\'', QLatin1String("'\\''")) + u'\'';
}

QString openedText(const engine::OpenOptions& opened)
{
    Words words;
    for (const engine::OpenField& field : engine::openFields())
        for (const std::string& text : engine::textsOf(field, opened))
            words.add(field, text);
    for (const engine::ConeField& field : engine::coneFields())
        for (const std::string& text : engine::textsOf(field, opened.cone))
            words.add(field, text);
    return words.text();
}

RepeatCommands repeatCommands(const engine::Reconstruction& shown, const engine::OpenOptions& opened,
                              const std::optional<engine::Simulation>& simulation, const QString& name)
{
    const engine::Request& request = shown.request;
    RepeatCommands commands;
    QString scan = QString::fromStdString(request.scan->path);
    if (simulation) {
        scan = QString::fromStdString(engine::toText(simulation->phantom)) + QStringLiteral(".h5");
        commands.scan = phantomCommand(*simulation, scan);
    }
    Words words(QStringLiteral("sinoscope-cli reconstruct ") + quotedForShell(scan));
    words.append(openedText(opened));
    const bool one = request.place.slices().count == 1;
    if (request.place.plane())
        words.add("plane", QString::fromStdString(
                               engine::textForVolumes(*request.place.plane(), engine::volumeOf(*request.scan))));
    else if (one)
        words.add("slice", QString::number(request.place.slices().first));
    else
        words.add("slices", QStringLiteral("%1:%2")
                                .arg(request.place.slices().first)
                                .arg(request.place.slices().first + request.place.slices().count));
    // Names the method that ran and the axis that was found, so that another machine does the same.
    engine::Request made = request;
    made.setting.kernel.method = shown.method;
    if (const engine::Method* method = engine::methodOf(shown);
        method && !engine::mayUse(*method->backend, made.resources.device)) { // the processor took over
        made.resources.device = engine::deviceOf(*method, {});
        made.resources.others.clear();
    }
    made.setting.axis = {engine::AxisSettings::Mode::given, shown.axisBins};
    // The command rejects an order that names steps that are off.
    made.setting.preparation.order = engine::orderOfStepsOn(made.setting.preparation, engine::preparationOf(made));
    const engine::Request standard;
    for (const engine::Option& row : engine::options()) {
        if (row.id == std::string("plane")) // written above
            continue;
        const std::string text = row.get(made);
        // The request left this option at its default, which was then replaced by what was found.
        const bool always = row.get(standard) == row.get(request) && text != row.get(standard);
        if (!text.empty() && !(row.idle && row.idle(made)) && (always || text != row.get(standard) || isKernel(row)))
            words.add(row, text);
    }
    words.add("output", name + (one ? QStringLiteral(".tif") : QStringLiteral(".h5")));
    commands.reconstruct = words.text();
    return commands;
}

QString repeatCommand(const engine::Reconstruction& shown, const engine::OpenOptions& opened,
                      const std::optional<engine::Simulation>& simulation, const QString& name)
{
    const RepeatCommands commands = repeatCommands(shown, opened, simulation, name);
    return commands.scan.isEmpty() ? commands.reconstruct
                                   : commands.scan + QStringLiteral(" && ") + commands.reconstruct;
}

} // namespace ui
