#include "ui/settings/option_field.h"

#include "engine/number_text.h"
#include "ui/settings/choice_combo.h"

#include <QCoreApplication>
#include <QDoubleSpinBox>
#include <QSignalBlocker>
#include <QSpinBox>

#include <stdexcept>

namespace ui
{

namespace
{

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
