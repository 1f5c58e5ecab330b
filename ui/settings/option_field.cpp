// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/settings/option_field.h"

#include "engine/base/machine.h"
#include "engine/base/units.h"
#include "ui/settings/choice_combo.h"
#include "ui/widgets/flat_button.h"
#include "ui/widgets/length_box.h"
#include "ui/widgets/number_box.h"

#include <QCheckBox>
#include <QCoreApplication>
#include <QHBoxLayout>
#include <QSignalBlocker>

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace ui
{

namespace
{

constexpr double gigabyte = 1e9;

double machineGigabytes()
{
    return engine::machineMemoryBytes() / gigabyte;
}

// Returns whether the option is empty by default, which lets the program decide.
bool isAutomatic(const engine::Option& option)
{
    return option.get({}).empty();
}

QString automatic()
{
    return QCoreApplication::translate("OptionField", "automatic");
}

// Replaces the entries of the list if the request has others.
void fill(ChoiceCombo& combo, const engine::Option& option, const engine::Request& request)
{
    std::vector<engine::FieldChoice> choices = option.use.offered ? option.use.offered(request) : option.choices;
    if (!option.use.offered && isAutomatic(option))
        choices.insert(choices.begin(), {"", automatic().toStdString(), ""});
    const auto isAt = [&](std::size_t k) {
        return combo.itemData(static_cast<int>(k)).toString().toStdString() == choices[k].id;
    };
    bool isSame = combo.count() == static_cast<int>(choices.size());
    for (std::size_t k = 0; isSame && k < choices.size(); ++k)
        isSame = isAt(k);
    if (isSame)
        return;
    combo.clear();
    for (const engine::FieldChoice& choice : choices)
        combo.addChoice(translated(choice.label), QString::fromStdString(choice.id), translated(choice.summary));
}

// A list whose entries have the texts of the option's values as data.
OptionField choiceField(const engine::Option& option, const std::function<void()>& changed)
{
    auto* combo = new ChoiceCombo;
    QObject::connect(combo, &QComboBox::currentIndexChanged, combo, changed);
    return {&option,
            combo,
            combo,
            [=, &option](engine::Request& request) {
                const std::string text = combo->currentData().toString().toStdString();
                if (text.empty())
                    setNumber(option, request, std::nullopt);
                else
                    setField(option, request, text);
            },
            [=, &option](const engine::Request& request) {
                const QSignalBlocker blocker(combo);
                fill(*combo, option, request);
                if (!combo->select(QString::fromStdString(option.get(request))))
                    combo->setCurrentIndex(0);
            },
            combo};
}

// Prepares the field of a number. If the program may decide, the range has one more value below the minimum:
// "automatic".
template <typename SpinBox>
void prepare(SpinBox* box, const engine::Option& option, double least, double below)
{
    box->setRange(isAutomatic(option) ? below : least, option.most);
    if (isAutomatic(option))
        box->setSpecialValueText(automatic());
    if (*option.unit)
        box->setSuffix(QLatin1Char(' ') + translated(option.unit));
    box->setKeyboardTracking(false);
}

bool isLeftToTheProgram(const QAbstractSpinBox* box)
{
    return !box->specialValueText().isEmpty() && box->text() == box->specialValueText();
}

OptionField wholeField(const engine::Option& option, const std::function<void()>& changed)
{
    auto* box = new CountBox;
    prepare(box, option, option.least, option.least - 1);
    QObject::connect(box, &QSpinBox::valueChanged, box, changed);
    return {&option, box, box,
            [box, &option](engine::Request& request) {
                setNumber(option, request,
                          isLeftToTheProgram(box) ? std::nullopt : std::optional<double>(box->value()));
            },
            [box, &option](const engine::Request& request) {
                const QSignalBlocker blocker(box);
                box->setValue(static_cast<int>(numberOf(option, request).value_or(box->minimum())));
            }};
}

// A field that shows two to six decimals. A number with more digits is preserved until the user enters another.
class RealBox : public NumberBox
{
  public:
    explicit RealBox(const engine::Option& option)
        : m_least(std::max(option.leastIncluded ? option.least : option.least + finest,
                           option.least > 0 ? finest : option.least)),
          m_unit(engine::mmPerUnit(option.unit) ? QString::fromUtf8(option.unit) : QString())
    {
        setDecimals(mostDecimals);
        setSingleStep(option.step);
        prepare(this, option, m_least, m_least - finest);
    }

    // Accepts lengths with any unit of length.
    double valueFromText(const QString& text) const override
    {
        if (m_unit.isEmpty() || text == specialValueText())
            return NumberBox::valueFromText(text);
        return lengthOf(text, m_unit).value_or(value());
    }

    QValidator::State validate(QString& text, int& position) const override
    {
        const QValidator::State asNumber = NumberBox::validate(text, position);
        if (m_unit.isEmpty() || asNumber == QValidator::Acceptable)
            return asNumber;
        const std::optional<double> length = lengthOf(text, m_unit);
        if (length && *length >= m_least && *length <= maximum())
            return QValidator::Acceptable;
        return mayBecomeLength(text) ? QValidator::Intermediate : QValidator::Invalid;
    }

    std::optional<double> wanted() const
    {
        if (isLeftToTheProgram(this))
            return {};
        return value() == m_shown ? m_given : value();
    }

    void want(std::optional<double> number)
    {
        const QSignalBlocker blocker(this);
        m_given = number.value_or(minimum());
        setValue(m_given);
        m_shown = value();
    }

    void stepBy(int steps) override
    {
        if (isLeftToTheProgram(this))
            setValue(m_least);
        else
            NumberBox::stepBy(steps);
    }

    QString textFromValue(double value) const override
    {
        QString text = NumberBox::textFromValue(value);
        const qsizetype least = text.size() - mostDecimals + 2;
        while (text.size() > least && text.endsWith(u'0'))
            text.chop(1);
        return text;
    }

  private:
    static constexpr int mostDecimals = 6;
    static constexpr double finest = 1e-6;
    double m_least;
    QString m_unit;     // unit of length; empty for other numbers
    double m_given = 0; // number from the request; m_shown: the same, as rounded by the box
    double m_shown = 0;
};

OptionField realField(const engine::Option& option, const std::function<void()>& changed)
{
    auto* box = new RealBox(option);
    QObject::connect(box, &QDoubleSpinBox::valueChanged, box, changed);
    return {&option, box, box, [box, &option](engine::Request& request) { setNumber(option, request, box->wanted()); },
            [box, &option](const engine::Request& request) { box->want(numberOf(option, request)); }};
}

OptionField switchField(const engine::Option& option, const std::function<void()>& changed)
{
    auto* box = new QCheckBox;
    QObject::connect(box, &QCheckBox::toggled, box, changed);
    return {&option, box, box,
            [box, &option](engine::Request& request) { setNumber(option, request, box->isChecked() ? 1 : 0); },
            [box, &option](const engine::Request& request) {
                const QSignalBlocker blocker(box);
                box->setChecked(numberOf(option, request).value_or(0) != 0);
            }};
}

OptionField bareField(const engine::Option& option, const std::function<void()>& changed)
{
    if (option.use.offered)
        return choiceField(option, changed);
    switch (option.kind) {
    case engine::Option::Kind::choice:
        return choiceField(option, changed);
    case engine::Option::Kind::whole:
        return wholeField(option, changed);
    case engine::Option::Kind::real:
        return realField(option, changed);
    case engine::Option::Kind::boolean:
        return switchField(option, changed);
    default:
        throw std::logic_error(std::string("no field for option ") + option.id);
    }
}

} // namespace

OptionField fieldOf(const engine::Option& option, const std::function<void()>& changed)
{
    const OptionField field = bareField(option, changed);
    describe(field.widget, option);
    field.show({});
    return field;
}

OptionField memoryField(const engine::Option& option, const std::function<void()>& changed)
{
    auto* box = new NumberBox;
    describe(box, option);
    box->setRange(0.25, std::max(0.25, machineGigabytes()));
    box->setSingleStep(0.5);
    box->setDecimals(2);
    box->setSuffix(QCoreApplication::translate("OptionField", " GB"));
    box->setKeyboardTracking(false);
    box->setToolTip(QCoreApplication::translate(
                        "OptionField", "Memory limit of planes, and while a volume is saved: 0.25 GB or more; this "
                                       "machine has %1 GB")
                        .arg(QString::number(machineGigabytes(), 'f', 1)));
    box->setValue(machineGigabytes() / 2);
    QObject::connect(box, &QDoubleSpinBox::valueChanged, box, changed);
    return {&option, box, box,
            [box](engine::Request& request) {
                const bool chosen = std::abs(box->value() - machineGigabytes() / 2) > 0.01;
                request.resources.memoryLimitBytes = chosen ? std::round(box->value() * gigabyte) : 0;
            },
            [box](const engine::Request& request) {
                const QSignalBlocker quiet(box);
                const double bytes = request.resources.memoryLimitBytes;
                box->setValue(bytes > 0 ? bytes / gigabyte : machineGigabytes() / 2);
            }};
}

OptionField interpolationField(const engine::Option& option, const std::function<void()>& changed)
{
    const OptionField words = fieldOf(option, changed);
    words.list->setSizeAdjustPolicy(QComboBox::AdjustToContents); // shares its row with the factor
    words.list->setMinimumContentsLength(0);
    auto* factor = new CountBox;
    factor->setObjectName(QStringLiteral("oversampling"));
    factor->setAccessibleName(QCoreApplication::translate("OptionField", "Oversampling factor"));
    factor->setToolTip(
        QCoreApplication::translate("OptionField", "Samples per bin (1–64), for oversampled interpolation"));
    factor->setRange(1, 64);
    factor->setPrefix(QStringLiteral("×"));
    factor->setKeyboardTracking(false);
    factor->setFixedWidth(factor->fontMetrics().horizontalAdvance(QStringLiteral("×64")) + 34);
    QObject::connect(factor, &QSpinBox::valueChanged, factor, changed);
    auto* row = new QWidget;
    auto* layout = new QHBoxLayout(row);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(words.widget, 1);
    layout->addWidget(factor);
    return {&option,
            row,
            words.focus,
            [=](engine::Request& request) {
                words.write(request);
                request.setting.kernel.oversampling = factor->value();
            },
            [=](const engine::Request& request) {
                const QSignalBlocker blocker(factor);
                factor->setValue(request.setting.kernel.oversampling);
                words.show(request);
                showIfPossible(factor, request.setting.kernel.interpolation == engine::Interpolation::oversampled);
            },
            words.list};
}

void showRecorded(const OptionField& field, const engine::Request& asked)
{
    auto* box = qobject_cast<QDoubleSpinBox*>(field.widget);
    const std::optional<double> known = field.option->use.recorded(asked);
    // Without a special text, the box would show its minimum.
    box->setSpecialValueText(
        known ? QCoreApplication::translate("OptionField", "%1 (scan)").arg(box->textFromValue(*known) + box->suffix())
              : QStringLiteral(" "));
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
