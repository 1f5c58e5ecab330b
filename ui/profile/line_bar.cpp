// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/profile/line_bar.h"

#include "engine/base/error.h"
#include "ui/widgets/boxes.h"
#include "ui/widgets/engine_text.h"
#include "ui/widgets/flat_button.h"
#include "ui/widgets/number_box.h"

#include <QComboBox>
#include <QLineEdit>
#include <QSignalBlocker>
#include <QStackedWidget>
#include <QToolButton>
#include <QToolTip>

namespace ui
{

LineBar::LineBar(QWidget* readout, QWidget* parent) : QWidget(parent), m_lines(new QComboBox)
{
    m_lines->setObjectName(QStringLiteral("profileLine"));
    m_lines->setAccessibleName(tr("Line of the profile"));
    m_lines->setToolTip(tr("The line of the profile; draw new ones on the images (Shift+L, Shift+C)"));
    m_lines->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    m_lines->setMaximumWidth(160);
    connect(m_lines, &QComboBox::activated, this, [this](int place) {
        m_marks.choose(m_lines->itemData(place).toInt());
        say();
    });
    m_all = flatButton(QStringLiteral("allLines"), tr("All"), tr("Curves of all lines that are shown on the images"));
    m_all->setCheckable(true);
    connect(m_all, &QToolButton::toggled, this, &LineBar::allSwitched);
    m_editing = flatButton(QStringLiteral("editLine"), tr("Edit"), tr("Coordinates, width and name of the line"));
    m_editing->setCheckable(true);
    auto* room = new QStackedWidget;
    room->addWidget(readout);
    room->addWidget(makeEditor());
    room->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
    connect(m_editing, &QToolButton::toggled, room, [room](bool on) { room->setCurrentIndex(on ? 1 : 0); });
    filled(new QHBoxLayout(this), {m_lines, m_all, m_editing, {room, 1}}, {QMargins(), 6});
    fill();
}

QWidget* LineBar::makeEditor()
{
    auto* editor = new QWidget;
    m_shape = new QLineEdit;
    m_shape->setObjectName(QStringLiteral("lineShape"));
    m_shape->setAccessibleName(tr("Coordinates of the line"));
    m_shape->setToolTip(tr("line X,Y X,Y or ring X,Y,R in pixels of the slice; Enter applies it"));
    m_shape->setMinimumWidth(120);
    connect(m_shape, &QLineEdit::editingFinished, this, &LineBar::takeShape);
    m_width = new CountBox;
    m_width->setObjectName(QStringLiteral("lineWidth"));
    m_width->setAccessibleName(tr("Width of the line"));
    m_width->setToolTip(tr("The mean over this many pixels across the line"));
    m_width->setRange(1, 1000);
    m_width->setSuffix(tr(" px wide"));
    m_width->setKeyboardTracking(false);
    connect(m_width, &QSpinBox::valueChanged, this,
            [this](int width) { change([width](engine::Mark& line) { line.width = width; }); });
    m_name = new QLineEdit;
    m_name->setObjectName(QStringLiteral("lineName"));
    m_name->setAccessibleName(tr("Name of the line"));
    m_name->setMaximumWidth(140);
    connect(m_name, &QLineEdit::editingFinished, this, [this] {
        const std::string name = m_name->text().trimmed().toStdString();
        if (name.empty())
            return fill();
        change([name](engine::Mark& line) { line.name = name; });
    });
    m_remove = flatButton(QStringLiteral("removeLine"), tr("Remove"), tr("Remove this line (Del)"));
    connect(m_remove, &QToolButton::clicked, this, [this] {
        m_marks.remove(m_marks.lineId);
        say();
    });
    filled(new QHBoxLayout(editor), {{m_shape, 1}, m_width, m_name, m_remove}, {QMargins(), 6});
    return editor;
}

bool LineBar::all() const
{
    return m_all->isChecked();
}

void LineBar::show(const engine::Marks& marks)
{
    if (m_marks == marks)
        return;
    m_marks = marks;
    fill();
}

void LineBar::say()
{
    emit edited(m_marks);
    fill();
}

void LineBar::fill()
{
    const QSignalBlocker lines(m_lines), width(m_width);
    m_lines->clear();
    for (const engine::Mark* line : m_marks.lines()) {
        m_lines->addItem(QString::fromStdString(line->name), line->id);
        if (line->id == m_marks.lineId)
            m_lines->setCurrentIndex(m_lines->count() - 1);
    }
    const engine::Mark* line = m_marks.line();
    for (QWidget* each :
         {static_cast<QWidget*>(m_lines), static_cast<QWidget*>(m_shape), static_cast<QWidget*>(m_width),
          static_cast<QWidget*>(m_name), static_cast<QWidget*>(m_remove), static_cast<QWidget*>(m_editing)})
        each->setEnabled(line != nullptr);
    m_all->setVisible(m_lines->count() > 1);
    m_shape->setText(line ? QString::fromStdString(engine::toText(line->shape)) : QString());
    m_shape->setCursorPosition(0);
    m_name->setText(line ? QString::fromStdString(line->name) : QString());
    m_width->setValue(line ? line->width : 1);
}

void LineBar::change(const std::function<void(engine::Mark&)>& act)
{
    engine::Mark* line = m_marks.find(m_marks.lineId);
    if (!line)
        return;
    const engine::Mark before = *line;
    act(*line);
    if (*line != before)
        say();
}

// Takes the typed shape. If it is invalid, reports why beside the field, and leaves the text there to be corrected.
void LineBar::takeShape()
{
    try {
        const engine::Shape shape = engine::shapeFromText(m_shape->text().trimmed().toStdString());
        if (engine::isArea(shape))
            throw engine::Error(engine::ErrorKind::badRequest,
                                "an area has no profile; give line X,Y X,Y or ring X,Y,R");
        change([&shape](engine::Mark& line) { line.shape = shape; });
    } catch (const engine::Error& error) {
        QToolTip::showText(m_shape->mapToGlobal(QPoint(0, m_shape->height())), inWindow(error.text()), m_shape);
    }
}

} // namespace ui
