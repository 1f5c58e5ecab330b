// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/opening/angles_file_page.h"

#include "engine/base/error.h"
#include "engine/io/geometry/angles_file.h"
#include "ui/opening/labelled_field.h"
#include "ui/opening/path_field.h"
#include "ui/widgets/boxes.h"
#include "ui/widgets/number_box.h"

#include <QPushButton>
#include <QSignalBlocker>

#include <algorithm>
#include <numbers>

namespace ui
{

namespace
{

constexpr int mostLines = 1'000'000;

QSpinBox* countBox(const char* name, const QString& says, const QString& none, int width)
{
    auto* box = new CountBox;
    box->setObjectName(QLatin1String(name));
    box->setRange(0, mostLines);
    box->setSpecialValueText(none);
    box->setKeyboardTracking(false);
    box->setAccessibleName(says);
    box->setToolTip(says);
    box->setFixedWidth(width);
    return box;
}

} // namespace

QGridLayout* anglesPageLayout(QWidget* page)
{
    auto* grid = new QGridLayout(page);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setHorizontalSpacing(6);
    grid->setVerticalSpacing(4);
    grid->setColumnStretch(8, 1);
    grid->setRowStretch(9, 1);
    return grid;
}

AnglesFilePage::AnglesFilePage()
{
    makeFields();
    arrange();
    connectFields();
}

void AnglesFilePage::makeFields()
{
    m_file = new PathField("anglesFile", tr("File of angles"), PathField::Takes::files);
    m_column = countBox("angleColumn", tr("Column of the file, from 1"), tr("only"), 58);
    m_skip = countBox("angleSkip", tr("Lines to skip at the beginning"), tr("none"), 64);
    m_fromLine = countBox("angleFromLine", tr("First line to use, from 1"), tr("all"), 70);
    m_toLine = countBox("angleToLine", tr("Last line to use"), tr("all"), 70);
    m_unit = new ChoiceCombo;
    m_unit->setObjectName(QStringLiteral("angleUnit"));
    m_unit->setAccessibleName(tr("Unit of the angles"));
    m_unit->addChoice(tr("degrees"), false);
    m_unit->addChoice(tr("radians"), true);
    m_found = new QLabel;
    m_found->setObjectName(QStringLiteral("anglesFound"));
    m_found->setTextFormat(Qt::PlainText);
    m_found->setWordWrap(true);
    m_useFirst = new QPushButton;
    m_useFirst->setObjectName(QStringLiteral("useFirstLines"));
    m_useLast = new QPushButton;
    m_useLast->setObjectName(QStringLiteral("useLastLines"));
}

void AnglesFilePage::arrange()
{
    QGridLayout* grid = anglesPageLayout(this);
    grid->addWidget(m_file, 0, 0, 1, 9);
    grid->addWidget(labelled(tr("Column"), m_column).label, 1, 0);
    grid->addWidget(m_column, 1, 1);
    grid->addWidget(m_unit, 1, 2, 1, 3);
    grid->addWidget(labelled(tr("Skip"), m_skip).label, 2, 0);
    grid->addWidget(m_skip, 2, 1);
    grid->addWidget(labelled(tr("Lines"), m_fromLine).label, 3, 0);
    grid->addWidget(m_fromLine, 3, 1);
    grid->addWidget(labelled(tr("to"), m_toLine).label, 3, 2, Qt::AlignRight);
    grid->addWidget(m_toLine, 3, 3);
    grid->addWidget(m_found, 4, 0, 1, 9);
    auto* row = filled(new QHBoxLayout, {m_useFirst, m_useLast, BoxItem::stretch(1)});
    grid->addLayout(row, 5, 0, 1, 9);
}

void AnglesFilePage::connectFields()
{
    connect(m_file, &PathField::changed, this, &AnglesFilePage::take);
    for (QSpinBox* box : {m_column, m_skip, m_fromLine, m_toLine})
        connect(box, &QSpinBox::valueChanged, this, &AnglesFilePage::take);
    connect(m_unit, &QComboBox::activated, this, &AnglesFilePage::take);
    for (QPushButton* button : {m_useFirst, m_useLast})
        connect(button, &QPushButton::clicked, this, [this, button] {
            const QPoint lines = button->property("lines").toPoint();
            useLines({lines.x(), lines.y()});
        });
}

void AnglesFilePage::take()
{
    look();
    if (hasFile())
        emit changed();
}

bool AnglesFilePage::hasFile() const
{
    return !m_file->path().empty();
}

void AnglesFilePage::setFolder(const QString& folder)
{
    m_file->setFolder(folder);
}

void AnglesFilePage::focusFile()
{
    m_file->setFocus();
}

void AnglesFilePage::show(const engine::OpenOptions& options, int projections, bool isChosen)
{
    const QSignalBlocker column(m_column), skip(m_skip), from(m_fromLine), to(m_toLine), unit(m_unit);
    m_projections = projections;
    m_file->show(options.anglesFile, tr("a text with one angle per line, or a table"));
    m_column->setValue(options.angleColumn.column.value_or(0));
    m_skip->setValue(options.angleColumn.skip);
    m_fromLine->setValue(options.angleColumn.lines ? options.angleColumn.lines->first : 0);
    m_toLine->setValue(options.angleColumn.lines ? options.angleColumn.lines->second : 0);
    m_unit->select(options.angleColumn.radians);
    if (isChosen)
        return look();
    m_useFirst->hide();
    m_useLast->hide();
    m_found->clear();
}

void AnglesFilePage::applyTo(engine::OpenOptions& options) const
{
    options.anglesFile = m_file->path();
    if (m_column->value() > 0)
        options.angleColumn.column = m_column->value();
    options.angleColumn.radians = m_unit->currentData().toBool();
    options.angleColumn.skip = m_skip->value();
    if (m_fromLine->value() > 0 || m_toLine->value() > 0) {
        const int first = std::max(1, m_fromLine->value());
        options.angleColumn.lines = {first, m_toLine->value() > 0 ? m_toLine->value() : mostLines};
    }
}

// Shows how many angles the file has. If it has more angles than the scan has projections, offers to use the first or
// the last lines.
void AnglesFilePage::look()
{
    m_useFirst->hide();
    m_useLast->hide();
    m_found->clear();
    if (m_file->path().empty())
        return;
    engine::OpenOptions said;
    applyTo(said);
    try {
        const engine::AnglesInFile found = engine::anglesIn(said.anglesFile, said.angleColumn);
        const int count = static_cast<int>(found.anglesRad.size());
        const auto degreesText = [](double rad) {
            return QString::number(rad * (180 / std::numbers::pi), 'g', 6).replace(u'-', QChar(0x2212)) + u'°';
        };
        m_found->setText(tr("%1 angles, %2 to %3")
                             .arg(count)
                             .arg(degreesText(found.anglesRad.front()), degreesText(found.anglesRad.back())));
        if (m_projections <= 0 || count <= m_projections)
            return;
        m_found->setText(tr("%1 angles for %2 projections: use").arg(count).arg(m_projections));
        const auto linesFrom = [&](int first) {
            return std::pair(found.lines[std::size_t(first)], found.lines[std::size_t(first + m_projections - 1)]);
        };
        offer(m_useFirst, linesFrom(0));
        offer(m_useLast, linesFrom(count - m_projections));
    } catch (const engine::Error&) {
        // No message here: opening the scan with this file reports the same error.
    }
}

void AnglesFilePage::offer(QPushButton* button, std::pair<int, int> lines)
{
    button->setText(tr("lines %1–%2").arg(lines.first).arg(lines.second));
    button->setProperty("lines", QPoint(lines.first, lines.second));
    button->show();
}

void AnglesFilePage::useLines(std::pair<int, int> lines)
{
    {
        const QSignalBlocker from(m_fromLine), to(m_toLine);
        m_fromLine->setValue(lines.first);
        m_toLine->setValue(lines.second);
    }
    look();
    emit changed();
}

} // namespace ui
