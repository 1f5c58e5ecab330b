// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/settings/option_rows.h"

#include "engine/resolve/kernel_choices.h"
#include "ui/settings/choice_combo.h"
#include "ui/widgets/engine_text.h"
#include "ui/widgets/manual_page.h"

#include <QAbstractSpinBox>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QListWidget>

#include <algorithm>
#include <string_view>

namespace ui
{

namespace
{

constexpr int leastField = 80; // pixels

OptionRows::Part partOf(const engine::Option& option)
{
    return !option.use.ofSetting                            ? OptionRows::Part::shared
           : option.use.stage == engine::Stage::backproject ? OptionRows::Part::kernel
           : option.use.stage == engine::Stage::prepare     ? OptionRows::Part::preparation
                                                            : OptionRows::Part::otherOfSetting;
}

// Returns the label with a mnemonic.
QString labelOf(const engine::Option& option)
{
    QString label = translated(option.label);
    if (option.use.key)
        label.insert(label.indexOf(QLatin1Char(option.use.key)), QLatin1Char('&'));
    return label;
}

// Disables the field and shows the reason as tooltip; without a reason, enables it with its usual tooltip.
void setPossible(const OptionField& field, const std::optional<engine::Text>& reason)
{
    field.widget->setEnabled(!reason);
    field.widget->setToolTip(reason ? inWindow(*reason) : translated(field.option->summary));
}

} // namespace

OptionRows::OptionRows(QObject* parent)
    : QObject(parent), m_steps(new StepOrderList), m_axis(new AxisEdit), m_device(new DeviceCombo)
{
    connect(m_steps, &StepOrderList::changed, this, &OptionRows::changed);
    connect(m_steps, &StepOrderList::lookWanted, this, &OptionRows::lookWanted);
    connect(m_steps, &StepOrderList::stepChosen, this, &OptionRows::stepChosen);
    connect(m_axis, &AxisEdit::changed, this, &OptionRows::changed);
    connect(m_device, &DeviceCombo::chosen, this, &OptionRows::changed);
}

// Returns nothing for a text without a field of its own.
std::optional<OptionField> OptionRows::fieldFor(const engine::Option& option)
{
    const auto act = [this] { emit changed(); };
    using engine::WindowField;
    switch (option.use.field) {
    case WindowField::samples:
        return interpolationField(option, act);
    case WindowField::steps:
        return stepOrderField(option);
    case WindowField::axis:
        return axisField(option);
    case WindowField::device:
        return deviceField(option);
    case WindowField::memory:
        return memoryField(option, [this] { emit memoryChanged(); });
    case WindowField::byKind:
        break;
    }
    const bool isText = option.kind == engine::Option::Kind::text || option.kind == engine::Option::Kind::bytes;
    return isText && !option.use.offered ? std::nullopt : std::optional(fieldOf(option, act));
}

OptionField OptionRows::stepOrderField(const engine::Option& option)
{
    return {&option, m_steps, m_steps->rows(),
            [this](engine::Request& request) { request.setting.preparation.order = m_steps->order(); },
            [this](const engine::Request& request) { m_steps->setOrder(request.setting.preparation.order); }};
}

OptionField OptionRows::axisField(const engine::Option& option)
{
    return {&option, m_axis, m_axis->modeCombo(),
            [this](engine::Request& request) { request.setting.axis = m_axis->axis(); },
            [this](const engine::Request& request) { m_axis->setAxis(request.setting.axis); }};
}

OptionField OptionRows::deviceField(const engine::Option& option)
{
    describe(m_device, option);
    m_device->setToolTip(tr("Processor or GPU used"));
    return {&option, m_device, m_device,
            // The data of the list's entries are values of the option, such as "cuda:0".
            [this, &option](engine::Request& request) {
                if (const std::string text = m_device->text(); !text.empty())
                    setField(option, request, text);
            },
            [this, &option](const engine::Request& request) { m_device->setText(option.get(request)); }};
}

int OptionRows::labelWidth()
{
    int width = 0;
    for (const engine::Option& option : engine::options())
        if (option.use.row != engine::WindowRow::none && partOf(option) == Part::kernel)
            width = std::max(width, QLabel(labelOf(option)).sizeHint().width());
    return width;
}

QWidget* OptionRows::make(Part part)
{
    auto* rows = new QWidget;
    auto* grid = new QGridLayout(rows);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setVerticalSpacing(6);
    grid->setColumnStretch(1, 1);
    grid->setColumnMinimumWidth(0, labelWidth());
    for (const engine::Option& option : engine::options())
        if (option.use.row != engine::WindowRow::none && partOf(option) == part)
            add(option, grid);
    return rows;
}

void OptionRows::add(const engine::Option& option, QGridLayout* grid)
{
    const std::optional<OptionField> made = fieldFor(option);
    if (!made)
        return;
    Row& row = m_rows.emplace_back(Row{*made});
    QWidget* widget = made->widget;
    if (const char* page = option.use.page)
        setManualPage(widget, QLatin1String(page));
    const auto isBeside = [&](const engine::Option& other) { return other.use.beside == std::string_view(option.id); };
    if (*option.use.beside) {
        m_shared.at(option.use.beside)->addWidget(widget);
        return;
    }
    if (std::ranges::any_of(engine::options(), isBeside)) {
        widget = new QWidget;
        QHBoxLayout* shared = m_shared[option.id] = new QHBoxLayout(widget);
        shared->setContentsMargins(0, 0, 0, 0);
        shared->addWidget(made->widget, 1);
    }
    const int place = grid->rowCount();
    if (widget == m_steps) { // over the whole width; the options of the steps follow
        grid->addWidget(widget, place, 0, 1, 2);
        return;
    }
    auto* label = new QLabel(labelOf(option));
    label->setObjectName(QStringLiteral("labelOf_") + QLatin1String(option.id));
    label->setBuddy(made->focus);
    label->setToolTip(translated(option.summary));
    grid->addWidget(label, place, 0, Qt::AlignTop | Qt::AlignLeft);
    grid->addWidget(widget, place, 1);
    if (qobject_cast<QAbstractSpinBox*>(widget)) // its widest value must not make the panel wider than its place
        widget->setMinimumWidth(leastField);
    label->setMinimumHeight(made->focus->sizeHint().height()); // aligns its text with the field's
    row.label = label;
}

void OptionRows::showSetting(const engine::Request& request)
{
    show(request, true);
}

void OptionRows::showShared(const engine::Request& request)
{
    show(request, false);
}

void OptionRows::show(const engine::Request& request, bool ofSetting)
{
    for (const Row& row : m_rows)
        if (row.field.option->use.ofSetting == ofSetting)
            row.field.show(request);
}

void OptionRows::applySetting(engine::Request& request) const
{
    apply(request, true);
}

void OptionRows::applyShared(engine::Request& request) const
{
    apply(request, false);
}

void OptionRows::apply(engine::Request& request, bool ofSetting) const
{
    for (const Row& row : m_rows)
        if (row.field.option->use.ofSetting == ofSetting)
            row.field.write(request);
}

void OptionRows::offer(const engine::Request& asked)
{
    m_steps->show(asked);
    for (const auto& [field, label] : m_rows) {
        if (field.option->use.recorded)
            showRecorded(field, asked);
        const auto reason = field.option->idle ? field.option->idle(asked) : std::nullopt;
        if (field.widget == m_steps) {
            continue;                           // the list of steps enables its own buttons
        } else if (*field.option->use.beside) { // if hidden, the other field gets its width
            field.widget->setVisible(!reason);
        } else if (field.option->use.row != engine::WindowRow::always) { // the row is hidden while it has no effect
            const auto& use = field.option->use;
            const bool isUnknown = use.recorded && !use.recorded(asked);
            const bool isChoice = !field.list || field.list->count() > 1;
            const bool isShown =
                !reason && isChoice &&
                (use.row != engine::WindowRow::whereUnknown || isUnknown || !field.option->get(asked).empty());
            field.widget->setVisible(isShown);
            if (field.list)
                field.list->setEnabled(isShown);
            if (label)
                label->setVisible(isShown);
        } else if (field.option->idle) {
            setPossible(field, reason);
        }
        if (field.list && !reason && field.list->count() == 1) { // nothing to choose
            field.list->setEnabled(false);
            field.list->setToolTip(field.list->itemData(0, Qt::ToolTipRole).toString());
        }
        if (field.list && asked.scan && partOf(*field.option) == Part::kernel)
            for (int k = 0; k < field.list->count(); ++k) {
                const auto refusal = whyNot(*field.option, field.list->itemData(k).toString().toStdString(), asked);
                field.list->setImpossible(k, refusal ? std::optional(inWindow(*refusal)) : std::nullopt);
            }
    }
}

} // namespace ui
