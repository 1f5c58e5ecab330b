// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/opening/open_row.h"

#include "engine/base/field_json.h"
#include "ui/opening/path_field.h"
#include "ui/settings/choice_combo.h"
#include "ui/settings/option_field.h"
#include "ui/widgets/measure_box.h"

#include <QCheckBox>
#include <QLineEdit>
#include <QSignalBlocker>

namespace ui
{

namespace
{

constexpr int narrow = 104; // pixels; fields for paths have no fixed width

QString nameOf(const engine::OpenField& field)
{
    return QString::fromStdString(engine::jsonPathsOf(field).front());
}

} // namespace

OpenRow::OpenRow(const engine::OpenField& field) : m_field(field)
{
    switch (field.kind) {
    case engine::FieldKind::file:
        m_editor = makePath();
        break;
    case engine::FieldKind::whole:
        m_editor = makeNumber();
        break;
    case engine::FieldKind::boolean:
        m_editor = makeBox();
        break;
    case engine::FieldKind::choice:
        m_editor = makeList();
        break;
    default:
        m_editor = makeText();
    }
    if (field.kind != engine::FieldKind::file) {
        m_editor->setObjectName(nameOf(field));
        m_editor->setAccessibleName(translated(field.label));
        m_editor->setToolTip(translated(field.summary));
        m_editor->setFixedWidth(narrow);
    }
    m_label = labelled(translated(field.label), m_editor).label;
    m_label->setToolTip(translated(field.summary));
}

QWidget* OpenRow::makePath()
{
    const auto takes = m_field.form == "PATH" ? PathField::Takes::filesAndFolders : PathField::Takes::files;
    auto* path = new PathField(nameOf(m_field).toUtf8(), translated(m_field.summary), takes);
    connect(path, &PathField::changed, this, [this, path] { take(path->path().string()); });
    m_show = [path](const std::string& text, const QString& unset) { path->show(text, unset); };
    return path;
}

// The minimum of the box stands for "not given".
QWidget* OpenRow::makeNumber()
{
    auto* box = new MeasureBox(translated(m_field.use.suffix), m_field.least, m_field.most, 0, 1);
    connect(box, &QDoubleSpinBox::valueChanged, this, [this, box](double value) {
        take(value > box->minimum() ? engine::textOfNumber(m_field.kind, m_field.choices, value) : std::string());
    });
    m_show = [this, box](const std::string& text, const QString& unset) {
        box->setSpecialValueText(unset);
        box->setValue(engine::numberOfText(m_field.kind, m_field.choices, text).value_or(box->minimum()));
    };
    return box;
}

QWidget* OpenRow::makeBox()
{
    auto* box = new QCheckBox;
    connect(box, &QCheckBox::toggled, this, [this](bool isOn) { take(isOn ? "true" : ""); });
    m_show = [box](const std::string& text, const QString&) { box->setChecked(text == "true"); };
    return box;
}

QWidget* OpenRow::makeList()
{
    auto* list = new ChoiceCombo;
    list->addChoice({}, QString()); // stands for "not given"
    for (const engine::FieldChoice& choice : m_field.choices)
        list->addChoice(translated(choice.label.empty() ? choice.id : choice.label), QString::fromStdString(choice.id),
                        translated(choice.summary));
    connect(list, &QComboBox::currentIndexChanged, this,
            [this, list] { take(list->currentData().toString().toStdString()); });
    m_show = [list](const std::string& text, const QString& unset) {
        list->setItemText(0, unset);
        list->select(QString::fromStdString(text));
    };
    return list;
}

QWidget* OpenRow::makeText()
{
    auto* edit = new QLineEdit;
    connect(edit, &QLineEdit::editingFinished, this, [this, edit] { take(edit->text().trimmed().toStdString()); });
    m_show = [edit](const std::string& text, const QString& unset) {
        edit->setPlaceholderText(unset);
        edit->setText(QString::fromStdString(text));
    };
    return edit;
}

void OpenRow::take(const std::string& text)
{
    emit changed([&field = m_field, text](engine::OpenOptions& said) {
        if (text.empty())
            said = engine::openedWithout(field, said);
        else
            engine::setField(field, said, text);
    });
}

void OpenRow::setFolder(const QString& folder)
{
    if (auto* path = qobject_cast<PathField*>(m_editor))
        path->setFolder(folder);
}

void OpenRow::show(const engine::OpenOptions& said, const QString& unset)
{
    const QSignalBlocker quiet(m_editor);
    m_show(m_field.get(said), unset);
}

} // namespace ui
