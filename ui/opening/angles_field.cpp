// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/opening/angles_field.h"

#include "ui/opening/angles_file_page.h"
#include "ui/opening/assumed_angles.h"
#include "ui/opening/labelled_field.h"
#include "ui/widgets/boxes.h"
#include "ui/widgets/measure_box.h"

#include <QCheckBox>
#include <QSignalBlocker>
#include <QStackedWidget>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace ui
{

namespace
{

constexpr double degreesPerRad = 180 / std::numbers::pi;

MeasureBox* angleBox(const char* name, const QString& says)
{
    auto* box = new MeasureBox(QStringLiteral("°"), -1e5, 1e5, 6, 1);
    box->setObjectName(QLatin1String(name));
    box->setAccessibleName(says);
    box->setToolTip(says);
    box->setFixedWidth(92);
    return box;
}

} // namespace

AnglesField::AnglesField(int labelWidth, QWidget* parent)
    : QWidget(parent), m_kind(new ChoiceCombo), m_pages(new QStackedWidget), m_filePage(new AnglesFilePage)
{
    m_kind->setObjectName(QStringLiteral("anglesKind"));
    m_kind->setAccessibleName(tr("Where the angles come from"));
    m_kind->addChoice(tr("from file"), asTheScan, tr("From the scan, or from files beside it"));
    m_kind->addChoice(tr("even, over 180°"), overHalf, tr("From 0, end excluded"));
    m_kind->addChoice(tr("even, over 360°"), overWhole, tr("From 0, end excluded"));
    m_kind->addChoice(tr("first and last"), firstLast, tr("Evenly spread between them"));
    m_kind->addChoice(tr("first and step"), firstStep, tr("The same step from each projection to the next"));
    m_kind->addChoice(tr("from a file"), ofFile, tr("A text file with one angle per line, or a column of a table"));
    for (QWidget* page : {makeEmpty(), makeRange(), makeSteps(), static_cast<QWidget*>(m_filePage)})
        m_pages->addWidget(page);
    const LabelledField kind = labelled(tr("Angles"), m_kind);
    kind.label->setMinimumWidth(labelWidth);
    auto* first = filled(new QHBoxLayout, {kind.label, {m_kind, 1}}, {.spacing = 6});
    filled(new QVBoxLayout(this), {first, m_pages}, {QMargins(), 4});
    setFocusProxy(m_kind);
    connect(m_kind, &QComboBox::activated, this, &AnglesField::choose);
    connect(m_filePage, &AnglesFilePage::changed, this, &AnglesField::changed);
}

QWidget* AnglesField::makeEmpty()
{
    return new QWidget;
}

QWidget* AnglesField::makeRange()
{
    auto* page = new QWidget;
    QGridLayout* grid = anglesPageLayout(page);
    m_first = angleBox("angleFirst", tr("Angle of the first projection"));
    m_last = angleBox("angleLast", tr("Last angle"));
    m_endExcluded = new QCheckBox(tr("one step beyond the last projection"));
    m_endExcluded->setObjectName(QStringLiteral("angleEndExcluded"));
    m_endExcluded->setToolTip(tr("The end is excluded: 0° to 360° is a full turn in which no direction occurs twice"));
    grid->addWidget(labelled(tr("From"), m_first).label, 0, 0);
    grid->addWidget(m_first, 0, 1);
    grid->addWidget(labelled(tr("to"), m_last).label, 0, 2);
    grid->addWidget(m_last, 0, 3);
    grid->addWidget(m_endExcluded, 1, 1, 1, 4);
    for (MeasureBox* box : {m_first, m_last})
        connect(box, &QDoubleSpinBox::valueChanged, this, &AnglesField::changed);
    connect(m_endExcluded, &QCheckBox::toggled, this, &AnglesField::changed);
    return page;
}

QWidget* AnglesField::makeSteps()
{
    auto* page = new QWidget;
    QGridLayout* grid = anglesPageLayout(page);
    m_begin = angleBox("angleBegin", tr("Angle of the first projection"));
    m_step = angleBox("angleStep", tr("From each projection to the next"));
    grid->addWidget(labelled(tr("From"), m_begin).label, 0, 0);
    grid->addWidget(m_begin, 0, 1);
    grid->addWidget(labelled(tr("by"), m_step).label, 0, 2);
    grid->addWidget(m_step, 0, 3);
    m_wrap =
        angleBox("angleWrap",
                 tr("Angle after which counting starts again at 0°, such as 180° for golden angles over half a turn"));
    m_wrap->setMinimum(0);
    m_wrap->setSpecialValueText(tr("never"));
    grid->addWidget(labelled(tr("starting again at"), m_wrap).label, 1, 0, 1, 3, Qt::AlignRight);
    grid->addWidget(m_wrap, 1, 3);
    for (MeasureBox* box : {m_begin, m_step, m_wrap})
        connect(box, &QDoubleSpinBox::valueChanged, this, &AnglesField::changed);
    return page;
}

void AnglesField::setFolder(const QString& folder)
{
    m_filePage->setFolder(folder);
}

void AnglesField::show(const engine::OpenOptions& options, const engine::Scan* scan)
{
    m_scanRad = scan ? scan->anglesRad() : std::vector<double>();
    const auto& range = options.angleRangeRad;
    const auto& steps = options.angleSteps;
    const auto isArc = [&](double degrees) {
        return range && options.angleEndExcluded && range->first == 0 &&
               std::abs(range->second * degreesPerRad - degrees) < 1e-9;
    };
    const Kind kind = isArc(180)                    ? overHalf
                      : isArc(360)                  ? overWhole
                      : range                       ? firstLast
                      : steps                       ? firstStep
                      : !options.anglesFile.empty() ? ofFile
                                                    : asTheScan;
    const QSignalBlocker kinds(m_kind), first(m_first), last(m_last), begin(m_begin), step(m_step), wrap(m_wrap),
        end(m_endExcluded);
    const bool isAssumed = scan && scan->anglesAssumed;
    const int own = m_kind->findData(asTheScan);
    m_kind->setItemText(own, isAssumed ? tr("none: assumed") : tr("from file"));
    m_kind->setItemData(own,
                        isAssumed ? tr("The scan has none. Assumed: %1").arg(assumedAnglesText(*scan))
                                  : tr("From the scan, or from files beside it"),
                        Qt::ToolTipRole);
    m_kind->select(kind);
    const double known = m_scanRad.empty() ? 0 : m_scanRad.front(), beyond = m_scanRad.empty() ? 0 : m_scanRad.back();
    const double between = m_scanRad.size() > 1 ? m_scanRad[1] - m_scanRad[0] : 0;
    m_first->setValue((range ? range->first : known) * degreesPerRad);
    m_last->setValue((range ? range->second : beyond) * degreesPerRad);
    m_endExcluded->setChecked(options.angleEndExcluded);
    m_begin->setValue((steps ? steps->firstRad : known) * degreesPerRad);
    m_step->setValue((steps ? steps->stepRad : between) * degreesPerRad);
    m_wrap->setValue(steps ? steps->wrapRad * degreesPerRad : 0);
    showPage();
    m_filePage->show(options, scan ? scan->projections() : 0, kind == ofFile);
}

// Shows the page of the chosen kind; the stack is as large as that page.
void AnglesField::showPage()
{
    const int current = std::max(0, kind() - overWhole);
    for (int page = 0; page < m_pages->count(); ++page) {
        const auto policy = page == current ? QSizePolicy::Preferred : QSizePolicy::Ignored;
        m_pages->widget(page)->setSizePolicy(policy, policy);
    }
    m_pages->setCurrentIndex(current);
    m_pages->setVisible(current > 0);
}

void AnglesField::applyTo(engine::OpenOptions& options) const
{
    options.anglesRad.clear();
    options.angleRangeRad.reset();
    options.angleSteps.reset();
    options.angleEndExcluded = false;
    options.anglesFile.clear();
    options.angleColumn = {};
    const auto pair = [](double a, double b) { return std::pair(a / degreesPerRad, b / degreesPerRad); };
    switch (kind()) {
    case asTheScan:
        break;
    case overHalf:
    case overWhole:
        options.angleRangeRad = pair(0, kind() == overHalf ? 180 : 360);
        options.angleEndExcluded = true;
        break;
    case firstLast:
        options.angleRangeRad = pair(m_first->value(), m_last->value());
        options.angleEndExcluded = m_endExcluded->isChecked();
        break;
    case firstStep:
        options.angleSteps = engine::AngleSteps{m_begin->value() / degreesPerRad, m_step->value() / degreesPerRad,
                                                m_wrap->value() / degreesPerRad};
        break;
    case ofFile:
        m_filePage->applyTo(options);
        break;
    }
}

void AnglesField::askForFile()
{
    m_kind->select(ofFile);
    choose();
    m_filePage->focusFile();
}

// Shows the page of the chosen kind. Emits changed() immediately only for kinds that need no further input; for the
// other kinds, the fields of the page emit it.
void AnglesField::choose()
{
    showPage();
    if (kind() <= overWhole || (kind() == ofFile && m_filePage->hasFile()))
        emit changed();
}

} // namespace ui
