// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/axis/axis_programs_table.h"

#include "engine/scan/axis_programs.h"
#include "ui/axis/axis_text.h"
#include "ui/widgets/flat_button.h"

#include <QApplication>
#include <QClipboard>
#include <QGridLayout>
#include <QLabel>

namespace ui
{

AxisProgramsTable::AxisProgramsTable() : m_heading(new QLabel), m_rows(new QGridLayout)
{
    m_heading->setObjectName(QStringLiteral("axisProgramsOf"));
    m_heading->setWordWrap(true);
    m_rows->setContentsMargins(0, 0, 0, 0);
    m_rows->setVerticalSpacing(0);
    m_rows->setColumnStretch(1, 1);
    for (const engine::AxisProgram& program : engine::axisPrograms()) {
        const int row = m_rows->rowCount();
        auto* number = new QLabel;
        number->setObjectName(QStringLiteral("axisOf_") + QLatin1String(program.id));
        number->setTextInteractionFlags(Qt::TextSelectableByMouse);
        number->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
        auto* name = new QLabel(QString::fromLatin1(program.label).section(QStringLiteral(" ("), 0, 0));
        if (std::string(program.id) == "tomopy-iterative")
            name->setText(tr("… iterative"));
        name->setToolTip(QString::fromLatin1(program.label) + QLatin1Char('\n') + QString::fromLatin1(program.source));
        auto* copy = flatButton(QStringLiteral("copyAxisOf_") + QLatin1String(program.id), tr("Copy"),
                                tr("Copy the axis as %1 counts it").arg(QString::fromLatin1(program.label)));
        connect(copy, &QToolButton::clicked, this, [number] { QApplication::clipboard()->setText(number->toolTip()); });
        m_numbers.push_back(number);
        m_copies.push_back(copy);
        m_rows->addWidget(name, row, 0);
        m_rows->addWidget(number, row, 1);
        m_rows->addWidget(copy, row, 2);
    }
}

// Describes the axis of the current image, even if another one was found.
QString AxisProgramsTable::headingText(const std::optional<engine::AxisTilt>& found) const
{
    QString text;
    if (m_axis)
        text = tr("The axis in use, %1 bins, in other programs:").arg(binsText(*m_axis));
    if (m_axis && m_tiltDeg != 0)
        text = tr("The axis in use, %1 bins in projections rotated by its tilt of %2, in other programs:")
                   .arg(binsText(*m_axis), degreesText(m_tiltDeg));
    const bool isOther = m_axis && found &&
                         (binsText(*m_axis) != binsText(shownBins(*found)) ||
                          degreesText(m_tiltDeg) != degreesText(shownTiltDeg(*found)));
    if (isOther)
        text.prepend(tr("The axis and tilt found from several rows aren't in use until you accept them.") +
                     QLatin1Char('\n'));
    return text;
}

void AxisProgramsTable::show(const std::optional<engine::AxisTilt>& found, const engine::Scan* scan)
{
    m_heading->setText(headingText(found));
    m_heading->setVisible(m_axis.has_value());
    std::size_t k = 0;
    for (const engine::AxisProgram& program : engine::axisPrograms()) {
        const QString there =
            m_axis && scan ? QString::fromStdString(engine::axisTextOf(program, *m_axis, scan->bins())) : QString();
        m_copies[k]->setToolTip(there.isEmpty() ? m_copies[k]->accessibleName() : tr("Copy “%1”").arg(there));
        QLabel* number = m_numbers[k++];
        number->setToolTip(there);
        number->setText(m_axis && scan ? QString::number(engine::axisOf(program, *m_axis, scan->bins()), 'f', 2)
                                       : QString());
        number->setAccessibleName(there);
    }
}

} // namespace ui
