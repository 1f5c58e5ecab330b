#include "ui/settings/option_field.h"

#include "engine/machine.h"
#include "engine/number_text.h"
#include "ui/settings/choice_combo.h"

#include <QCheckBox>
#include <QCoreApplication>
#include <QDoubleSpinBox>
#include <QLocale>
#include <QSignalBlocker>
#include <QSpinBox>

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace ui
{

namespace
{

constexpr double gib = 1 << 30;

double machineGib()
{
    return engine::machineMemoryBytes() / gib;
}

OptionField choiceField(const engine::Option& option, const std::function<void()>& changed)
{
    auto* combo = new ChoiceCombo;
    for (const engine::OptionChoice& choice : option.choices)
        combo->addChoice(translated(choice.label), QString::fromStdString(choice.id), translated(choice.summary));
    QObject::connect(combo, &QComboBox::currentIndexChanged, combo, changed);
    return {&option, combo, combo, [combo] { return combo->currentData().toString().toStdString(); },
            [combo](const std::string& text) { combo->select(QString::fromStdString(text)); }};
}

template <typename SpinBox>
void limit(SpinBox* box, const engine::Option& option, double step)
{
    box->setRange(option.leastIncluded ? option.least : option.least + step, option.most);
    if (*option.unit)
        box->setSuffix(QLatin1Char(' ') + translated(option.unit));
    box->setKeyboardTracking(false);
}

OptionField wholeField(const engine::Option& option, const std::function<void()>& changed)
{
    auto* box = new QSpinBox;
    limit(box, option, 1);
    QObject::connect(box, &QSpinBox::valueChanged, box, changed);
    return {&option, box, box, [box] { return std::to_string(box->value()); },
            [box](const std::string& text) {
                const QSignalBlocker blocker(box);
                box->setValue(QString::fromStdString(text).toInt());
            }};
}

OptionField realField(const engine::Option& option, const std::function<void()>& changed)
{
    auto* box = new QDoubleSpinBox;
    box->setDecimals(2);
    box->setSingleStep((option.most - option.least) / 20);
    limit(box, option, 0.01);
    QObject::connect(box, &QDoubleSpinBox::valueChanged, box, changed);
    return {&option, box, box, [box] { return engine::numberToText(box->value()); },
            [box](const std::string& text) {
                const QSignalBlocker blocker(box);
                box->setValue(engine::realFromText(text, "value"));
            }};
}

OptionField bareField(const engine::Option& option, const std::function<void()>& changed)
{
    switch (option.kind) {
    case engine::Option::Kind::choice:
        return choiceField(option, changed);
    case engine::Option::Kind::whole:
        return wholeField(option, changed);
    case engine::Option::Kind::real:
        return realField(option, changed);
    default:
        throw std::logic_error(std::string("no field for option ") + option.id);
    }
}

} // namespace

OptionField fieldOf(const engine::Option& option, const std::function<void()>& changed)
{
    const OptionField field = bareField(option, changed);
    describe(field.widget, option);
    field.show(option.get({}));
    return field;
}

OptionField edgeField(const engine::Option& option, const std::function<void()>& changed)
{
    auto* box = new QCheckBox(QCoreApplication::translate("OptionField", "Extend the edges"));
    describe(box, option);
    QObject::connect(box, &QCheckBox::toggled, box, changed);
    return {&option, box, box, [box] { return box->isChecked() ? "edge" : "zero"; },
            [box](const std::string& text) {
                const QSignalBlocker blocker(box);
                box->setChecked(text == "edge");
            }};
}

OptionField memoryField(const engine::Option& option)
{
    auto* box = new QDoubleSpinBox;
    describe(box, option);
    box->setRange(0.25, std::max(0.25, machineGib()));
    box->setSingleStep(0.5);
    box->setDecimals(2);
    box->setSuffix(QCoreApplication::translate("OptionField", " GiB"));
    box->setKeyboardTracking(false);
    box->setToolTip(QCoreApplication::translate(
                        "OptionField", "What Sinoscope may take while it saves a volume; this machine has %1 GiB")
                        .arg(QLocale().toString(machineGib(), 'f', 1)));
    box->setValue(machineGib() / 2);
    return {&option, box, box,
            [box] {
                const bool chosen = std::abs(box->value() - machineGib() / 2) > 0.01;
                return chosen ? engine::bytesToText(std::round(box->value() * gib)) : std::string();
            },
            [box](const std::string& text) {
                box->setValue(text.empty() ? machineGib() / 2 : engine::bytesFromText(text) / gib);
            }};
}

void describe(QWidget* field, const engine::Option& option)
{
    field->setObjectName(QLatin1String(option.id));
    field->setAccessibleName(translated(option.label));
    field->setToolTip(translated(option.summary));
}

QString translated(const std::string& text)
{
    return QCoreApplication::translate("engine", text.c_str());
}

} // namespace ui
