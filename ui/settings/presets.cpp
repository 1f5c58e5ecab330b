// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/settings/presets.h"

#include "engine/backends/method.h"
#include "engine/base/number_text.h"
#include "engine/filter/windows.h"
#include "engine/measure/paper_steps.h"
#include "engine/options/options.h"
#include "engine/resolve/kernel_choices.h"
#include "ui/widgets/engine_text.h"

#include <QCoreApplication>

#include <cmath>
#include <variant>
#include <vector>

namespace ui
{

namespace
{

using engine::SettingList;
using Kind = engine::ReferenceChoice::Kind;

// A new list of settings without those that can't be done. All store floats, unless a preset compares precisions: the
// errors of halves would hide what is compared.
class Filling
{
  public:
    explicit Filling(const engine::Request& chosen) : m_chosen(chosen)
    {
        m_list.settings.clear();
        m_chosen.setting.kernel.precision = engine::Precision::single;
    }

    const engine::Request& base() const { return m_chosen; } // from which the settings differ

    // Returns its id; 0 if it can't be done.
    int add(const std::string& name, const engine::Setting& setting)
    {
        engine::Request tried = m_chosen;
        tried.setting = setting;
        if (tried.scan && engine::refusalOfKernel(tried))
            return 0;
        engine::NamedSetting& added = m_list.add(setting, name);
        added.isNamedAfterValues = true;
        return added.id;
    }
    // Returns the list with one of its settings as reference, which is chosen, too.
    SettingList around(int id)
    {
        if (id == 0)
            return against(Kind::setting);
        m_list.reference = {Kind::setting, id, {}};
        m_list.chosenId = id;
        return m_list;
    }
    // Returns the list with its reference. The first setting is chosen, or the second if the first is the reference.
    SettingList against(Kind kind)
    {
        if (m_list.settings.empty())
            m_list.add(m_chosen.setting);
        m_list.reference.kind = kind;
        const bool isFirst = kind == Kind::setting;
        if (isFirst)
            m_list.reference.id = m_list.settings.front().id;
        m_list.chosenId = m_list.settings[isFirst && m_list.settings.size() > 1 ? 1 : 0].id;
        return m_list;
    }

  private:
    engine::Request m_chosen;
    SettingList m_list;
};

SettingList halfAgainstFloat(const engine::Request& chosen, double)
{
    Filling list(chosen);
    engine::Setting setting = list.base().setting;
    setting.kernel.precision = engine::Precision::single;
    list.add("float", setting);
    setting.kernel.precision = engine::Precision::half;
    list.add("half", setting);
    return list.against(Kind::setting);
}

SettingList interpolations(const engine::Request& chosen, double)
{
    Filling list(chosen);
    engine::Setting setting = list.base().setting;
    for (const auto kind : {engine::Interpolation::nearest, engine::Interpolation::linear}) {
        setting.kernel.interpolation = kind;
        list.add(engine::toText(kind), setting);
    }
    setting.kernel.interpolation = engine::Interpolation::oversampled;
    for (const int factor : {2, 4, 8}) {
        setting.kernel.oversampling = factor;
        list.add("oversampled ×" + std::to_string(factor), setting);
    }
    return list.against(Kind::exact);
}

SettingList kernels(const engine::Request& chosen, double)
{
    Filling list(chosen);
    const engine::Geometry geometry = chosen.scan ? chosen.scan->geometry : engine::Geometry();
    for (const engine::Method* method : engine::methodsFor(geometry)) {
        engine::Setting setting = list.base().setting;
        setting.kernel.method = method->id;
        setting.kernel.variant.clear();
        setting.kernel.slicesPerPass = method->slicesPerPass.front();
        const bool isExact = std::string(method->id).starts_with("exact"); // "exact" alone also names a reference
        list.add((isExact ? "method " : "") + std::string(method->id), setting);
    }
    return list.against(Kind::exact);
}

// Returns the request of a step, or why it can't be done.
std::variant<engine::Request, engine::Text> requestOfStep(const engine::PaperSequence& sequence,
                                                          const engine::PaperStep& step, const engine::Request& chosen)
{
    engine::Request request = chosen;
    const engine::Method& method = methodOf(step, sequence, chosen.resources.device);
    request.setting.kernel = kernelOf(step, sequence, method, chosen.setting.kernel.precision,
                                      chosen.scan ? chosen.scan->slices() : sequence.slicesPerPass);
    if (const auto lacking = engine::lackingVariant(method, request.setting.kernel.variant))
        return engine::Text(*lacking);
    if (const auto refusal = request.scan ? engine::refusalOfKernel(request) : std::nullopt)
        return *refusal;
    return request;
}

// Compares the steps of a paper.
SettingList paperSteps(const engine::PaperSequence& sequence, const engine::Request& chosen)
{
    Filling list(chosen);
    for (const engine::PaperStep& step : sequence.steps) {
        const auto made = requestOfStep(sequence, step, list.base());
        if (const auto* request = std::get_if<engine::Request>(&made))
            list.add(step.name, request->setting);
    }
    return list.against(Kind::exact);
}

// Returns the steps that the scan or the device doesn't support, each with the reason.
QStringList lackingSteps(const engine::PaperSequence& sequence, const engine::Request& chosen)
{
    QStringList lacking;
    for (const engine::PaperStep& step : sequence.steps) {
        const auto made = requestOfStep(sequence, step, chosen);
        if (const auto* refusal = std::get_if<engine::Text>(&made))
            lacking << QStringLiteral("%1: %2").arg(QString::fromStdString(step.name), inWindow(*refusal));
    }
    return lacking;
}

SettingList filters(const engine::Request& chosen, double)
{
    Filling list(chosen);
    engine::Setting setting = list.base().setting;
    setting.filter.window = engine::Window::ramLak; // the sharpest; the comparison shows what the others remove
    list.add(engine::toText(setting.filter.window), setting);
    for (const engine::FilterWindow& window : engine::filterWindows()) {
        if (window.window == engine::Window::ramLak || window.window == engine::Window::none)
            continue;
        setting.filter.window = window.window;
        list.add(engine::toText(window.window), setting);
    }
    return list.against(Kind::setting);
}

SettingList axes(const engine::Request& chosen, double axisBins)
{
    Filling list(chosen);
    engine::Setting setting = list.base().setting;
    int usedId = 0;
    for (const double offset : {-2.0, -1.0, -0.5, 0.0, 0.5, 1.0, 2.0}) {
        setting.axis = {engine::AxisSettings::Mode::given, axisBins + offset};
        const std::string sign = offset < 0 ? "−" : offset > 0 ? "+" : "±";
        const int id = list.add(
            sign + engine::numberToText(std::abs(offset)) + (std::abs(offset) == 1 ? " bin" : " bins"), setting);
        usedId = offset == 0 ? id : usedId;
    }
    return list.around(usedId);
}

// The chosen removal of rings, or the gentlest one, against none. Both have the axis that was used: an automatic one
// depends on the rows, and would move the image.
SettingList rings(const engine::Request& chosen, double axisBins)
{
    Filling list(chosen);
    const engine::Option& option = engine::option("rings");
    engine::Request with = list.base(), without = with;
    if (with.scan && std::holds_alternative<engine::ParallelBeam>(with.scan->geometry))
        with.setting.axis = without.setting.axis = {engine::AxisSettings::Mode::given, axisBins};
    engine::setField(option, without, "off");
    if (with.setting == without.setting)
        engine::setField(option, with, "sorting");
    list.add("no ring removal", without.setting);
    list.add("rings " + option.get(with), with.setting);
    return list.against(Kind::setting);
}

} // namespace

QString Preset::text() const
{
    return QCoreApplication::translate("ui::Preset", label);
}

PresetOffer offerOf(const Preset& preset, const engine::Request& chosen, double axisBins)
{
    if (preset.make(chosen, axisBins).settings.size() < 2) {
        QStringList why{QCoreApplication::translate(
            "ui::Preset", "Fewer than two of its settings can be done with this scan and device")};
        for (const QString& lacking : preset.lacking ? preset.lacking(chosen) : QStringList()) // "step: reason"
            if (const QString reason = lacking.section(QStringLiteral(": "), 1); !why.contains(reason))
                why << reason;
        return {false, why.join(u'\n')};
    }
    QStringList lines{QCoreApplication::translate("ui::Preset", preset.summary)};
    if (chosen.setting.kernel.precision == engine::Precision::half && preset.id != std::string_view("half"))
        lines << QCoreApplication::translate("ui::Preset", "In float, as the errors of half would hide the others");
    if (const QStringList lacking = preset.lacking ? preset.lacking(chosen) : QStringList(); !lacking.isEmpty())
        lines << QCoreApplication::translate("ui::Preset", "Left out:") << lacking;
    return {true, lines.join(u'\n')};
}

std::span<const Preset> presets()
{
    static const std::vector<Preset> table = [] {
        std::vector<Preset> all = {
            Preset{"half", QT_TRANSLATE_NOOP("ui::Preset", "Half against float"),
                   QT_TRANSLATE_NOOP("ui::Preset", "The error of 16-bit storage, measured against 32 bits"),
                   halfAgainstFloat},
            Preset{"interpolations", QT_TRANSLATE_NOOP("ui::Preset", "Oversampled against linear and nearest"),
                   QT_TRANSLATE_NOOP("ui::Preset", "×2, ×4 and ×8, measured against the exact method"), interpolations},
            Preset{"kernels", QT_TRANSLATE_NOOP("ui::Preset", "Every kernel"),
                   QT_TRANSLATE_NOOP("ui::Preset", "All kernels that work here, measured against the exact method"),
                   kernels},
            Preset{"filters", QT_TRANSLATE_NOOP("ui::Preset", "Every filter"),
                   QT_TRANSLATE_NOOP("ui::Preset", "All windows, measured against Ram-Lak"), filters},
            Preset{
                "axes", QT_TRANSLATE_NOOP("ui::Preset", "Axis ± 0.5, 1, 2 bins"),
                QT_TRANSLATE_NOOP("ui::Preset", "Axis positions around the one that was used, each compared with it"),
                axes},
            Preset{"rings", QT_TRANSLATE_NOOP("ui::Preset", "With and without ring removal"),
                   QT_TRANSLATE_NOOP("ui::Preset", "What the chosen ring removal (if none is chosen: sorting) "
                                                   "changes in the slice"),
                   rings},
        };
        for (const engine::PaperSequence& sequence : engine::paperSequences())
            all.push_back({sequence.id.c_str(), sequence.label.c_str(), sequence.summary.c_str(),
                           [&sequence](const engine::Request& chosen, double) { return paperSteps(sequence, chosen); },
                           [&sequence](const engine::Request& chosen) { return lackingSteps(sequence, chosen); },
                           true});
        return all;
    }();
    return table;
}

} // namespace ui
