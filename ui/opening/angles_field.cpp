#include "ui/opening/angles_field.h"

#include "engine/base/error.h"
#include "engine/io/geometry/angles_file.h"
#include "ui/opening/assumed_angles.h"
#include "ui/opening/path_field.h"
#include "ui/widgets/measure_box.h"

#include <QCheckBox>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLocale>
#include <QPushButton>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QStackedWidget>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace ui
{

namespace
{

constexpr double degreesPerRad = 180 / std::numbers::pi;
constexpr int mostLines = 1'000'000;
constexpr int kindWidth = 150;

MeasureBox* angleBox(const char* name, const QString& says)
{
    auto* box = new MeasureBox(QStringLiteral("°"), -1e5, 1e5, 6, 1);
    box->setObjectName(QLatin1String(name));
    box->setAccessibleName(says);
    box->setToolTip(says);
    box->setFixedWidth(96);
    return box;
}

QSpinBox* countBox(const char* name, const QString& says, const QString& none, int width)
{
    auto* box = new QSpinBox;
    box->setObjectName(QLatin1String(name));
    box->setRange(0, mostLines);
    box->setSpecialValueText(none);
    box->setKeyboardTracking(false);
    box->setAccessibleName(says);
    box->setToolTip(says);
    box->setFixedWidth(width);
    return box;
}

QGridLayout* pageOf(QWidget* page)
{
    auto* grid = new QGridLayout(page);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setHorizontalSpacing(6);
    grid->setVerticalSpacing(4);
    grid->setColumnStretch(8, 1);
    grid->setRowStretch(9, 1);
    return grid;
}

QLabel* labelFor(const QString& text, QWidget* field)
{
    auto* label = new QLabel(text);
    label->setBuddy(field);
    return label;
}

} // namespace

AnglesField::AnglesField(QWidget* parent)
    : QWidget(parent), m_kind(new ChoiceCombo), m_pages(new QStackedWidget), m_found(new QLabel)
{
    m_kind->setObjectName(QStringLiteral("anglesKind"));
    m_kind->setAccessibleName(tr("Where the angles come from"));
    m_kind->addChoice(tr("as the scan says"), asTheScan, tr("Its own, or those of files beside it"));
    m_kind->addChoice(tr("even, over 180°"), overHalf, tr("From 0, the end left out"));
    m_kind->addChoice(tr("even, over 360°"), overWhole, tr("From 0, the end left out"));
    m_kind->addChoice(tr("first and last"), firstLast, tr("Evenly spread between them"));
    m_kind->addChoice(tr("first and step"), firstStep, tr("The same step from each projection to the next"));
    m_kind->addChoice(tr("from a file"), ofFile, tr("A text with one angle a line, or a column of a table"));
    for (QWidget* page : {makeEmpty(), makeRange(), makeSteps(), makeFile()})
        m_pages->addWidget(page);
    m_kind->setFixedWidth(kindWidth);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(6);
    row->addWidget(labelFor(tr("Angles"), m_kind), 0, Qt::AlignTop);
    row->addWidget(m_kind, 0, Qt::AlignTop);
    row->addWidget(m_pages);
    static_cast<QLabel*>(row->itemAt(0)->widget())->setMinimumHeight(m_kind->sizeHint().height());
    setFocusProxy(m_kind);
    connect(m_kind, &QComboBox::activated, this, &AnglesField::choose);
}

QWidget* AnglesField::makeEmpty()
{
    return new QWidget;
}

QWidget* AnglesField::makeRange()
{
    auto* page = new QWidget;
    QGridLayout* grid = pageOf(page);
    m_first = angleBox("angleFirst", tr("Angle of the first projection"));
    m_last = angleBox("angleLast", tr("Last angle"));
    m_endExcluded = new QCheckBox(tr("one step beyond the last projection"));
    m_endExcluded->setObjectName(QStringLiteral("angleEndExcluded"));
    m_endExcluded->setToolTip(tr("The end is left out: 0° to 360° is a full turn, and no direction is there twice"));
    grid->addWidget(labelFor(tr("From"), m_first), 0, 0);
    grid->addWidget(m_first, 0, 1);
    grid->addWidget(labelFor(tr("to"), m_last), 0, 2);
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
    QGridLayout* grid = pageOf(page);
    m_begin = angleBox("angleBegin", tr("Angle of the first projection"));
    m_step = angleBox("angleStep", tr("From each projection to the next"));
    grid->addWidget(labelFor(tr("From"), m_begin), 0, 0);
    grid->addWidget(m_begin, 0, 1);
    grid->addWidget(labelFor(tr("by"), m_step), 0, 2);
    grid->addWidget(m_step, 0, 3);
    m_wrap =
        angleBox("angleWrap", tr("Where angles start again at 0°, such as at 180° for golden angles of half a turn"));
    m_wrap->setMinimum(0);
    m_wrap->setSpecialValueText(tr("never"));
    grid->addWidget(labelFor(tr("starting again at"), m_wrap), 1, 0, 1, 3, Qt::AlignRight);
    grid->addWidget(m_wrap, 1, 3);
    for (MeasureBox* box : {m_begin, m_step, m_wrap})
        connect(box, &QDoubleSpinBox::valueChanged, this, &AnglesField::changed);
    return page;
}

QWidget* AnglesField::makeFile()
{
    auto* page = new QWidget;
    QGridLayout* grid = pageOf(page);
    m_file = new PathField("anglesFile", tr("File of angles"), PathField::Takes::files);
    m_column = countBox("angleColumn", tr("Column of the file, from 1"), tr("only"), 58);
    m_skip = countBox("angleSkip", tr("Lines to leave out at the beginning"), tr("none"), 64);
    m_fromLine = countBox("angleFromLine", tr("First line that counts, from 1"), tr("all"), 70);
    m_toLine = countBox("angleToLine", tr("Last line that counts"), tr("all"), 70);
    m_unit = new ChoiceCombo;
    m_unit->setObjectName(QStringLiteral("angleUnit"));
    m_unit->setAccessibleName(tr("Unit of the angles"));
    m_unit->addChoice(tr("degrees"), false);
    m_unit->addChoice(tr("radians"), true);
    m_found->setObjectName(QStringLiteral("anglesFound"));
    m_found->setTextFormat(Qt::PlainText);
    m_useFirst = new QPushButton;
    m_useFirst->setObjectName(QStringLiteral("useFirstLines"));
    m_useLast = new QPushButton;
    m_useLast->setObjectName(QStringLiteral("useLastLines"));
    grid->addWidget(m_file, 0, 0, 1, 9);
    grid->addWidget(labelFor(tr("Column"), m_column), 1, 0);
    grid->addWidget(m_column, 1, 1);
    grid->addWidget(m_unit, 1, 2);
    grid->addWidget(labelFor(tr("Skip"), m_skip), 1, 3);
    grid->addWidget(m_skip, 1, 4);
    grid->addWidget(labelFor(tr("Lines"), m_fromLine), 2, 0);
    grid->addWidget(m_fromLine, 2, 1);
    grid->addWidget(labelFor(tr("to"), m_toLine), 2, 2, Qt::AlignRight);
    grid->addWidget(m_toLine, 2, 3, 1, 2);
    auto* row = new QHBoxLayout;
    row->addWidget(m_found);
    row->addWidget(m_useFirst);
    row->addWidget(m_useLast);
    row->addStretch(1);
    grid->addLayout(row, 3, 0, 1, 9);
    const auto take = [this] {
        look();
        if (!m_file->path().empty())
            emit changed();
    };
    connect(m_file, &PathField::changed, this, take);
    for (QSpinBox* box : {m_column, m_skip, m_fromLine, m_toLine})
        connect(box, &QSpinBox::valueChanged, this, take);
    connect(m_unit, &QComboBox::activated, this, take);
    for (QPushButton* button : {m_useFirst, m_useLast})
        connect(button, &QPushButton::clicked, this, [this, button] {
            const QPoint lines = button->property("lines").toPoint();
            useLines({lines.x(), lines.y()});
        });
    return page;
}

void AnglesField::setFolder(const QString& folder)
{
    m_file->setFolder(folder);
}

void AnglesField::show(const engine::OpenOptions& options, const engine::Scan* scan)
{
    m_scanRad = scan ? scan->anglesRad() : std::vector<double>();
    m_projections = scan ? scan->projections() : 0;
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
        end(m_endExcluded), column(m_column), skip(m_skip), from(m_fromLine), to(m_toLine), unit(m_unit);
    const bool isAssumed = scan && scan->anglesAssumed;
    const int own = m_kind->findData(asTheScan);
    m_kind->setItemText(own, isAssumed ? tr("none: assumed") : tr("as the scan says"));
    m_kind->setItemData(own,
                        isAssumed ? tr("The scan has none. Assumed: %1").arg(assumedAnglesText(*scan))
                                  : tr("Its own, or those of files beside it"),
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
    m_file->show(options.anglesFile, tr("a text with one angle a line, or a table"));
    m_column->setValue(options.angleColumn.column.value_or(0));
    m_skip->setValue(options.angleColumn.skip);
    m_fromLine->setValue(options.angleColumn.lines ? options.angleColumn.lines->first : 0);
    m_toLine->setValue(options.angleColumn.lines ? options.angleColumn.lines->second : 0);
    m_unit->select(options.angleColumn.radians);
    showPage();
    look();
}

// As high as any, so that nothing moves, and as wide as it has to be.
void AnglesField::showPage()
{
    const int current = std::max(0, kind() - overWhole);
    for (int page = 0; page < m_pages->count(); ++page)
        m_pages->widget(page)->setSizePolicy(page == current ? QSizePolicy::Preferred : QSizePolicy::Ignored,
                                             QSizePolicy::Preferred);
    m_pages->setCurrentIndex(current);
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
        options.anglesFile = m_file->path();
        if (m_column->value() > 0)
            options.angleColumn.column = m_column->value();
        options.angleColumn.radians = m_unit->currentData().toBool();
        options.angleColumn.skip = m_skip->value();
        if (m_fromLine->value() > 0 || m_toLine->value() > 0) {
            const int first = std::max(1, m_fromLine->value());
            options.angleColumn.lines = {first, m_toLine->value() > 0 ? m_toLine->value() : mostLines};
        }
        break;
    }
}

void AnglesField::askForFile()
{
    m_kind->select(ofFile);
    choose();
    m_file->setFocus();
}

// What needs more than a choice is said by the fields that appear.
void AnglesField::choose()
{
    showPage();
    if (kind() <= overWhole || (kind() == ofFile && !m_file->path().empty()))
        emit changed();
}

// What is in the file, and what can be done where it isn't one angle a projection.
void AnglesField::look()
{
    m_useFirst->hide();
    m_useLast->hide();
    m_found->clear();
    if (kind() != ofFile || m_file->path().empty())
        return;
    engine::OpenOptions said;
    applyTo(said);
    try {
        const engine::AnglesInFile found = engine::anglesIn(said.anglesFile, said.angleColumn);
        const int count = static_cast<int>(found.anglesRad.size());
        const QLocale locale;
        const auto degreesText = [&](double rad) {
            return locale.toString(rad * degreesPerRad, 'g', 6) + QStringLiteral("°");
        };
        m_found->setText(tr("%1 angles, %2 to %3")
                             .arg(count)
                             .arg(degreesText(found.anglesRad.front()), degreesText(found.anglesRad.back())));
        if (m_projections <= 0 || count <= m_projections)
            return;
        m_found->setText(tr("%1 angles for %2 projections: use").arg(count).arg(m_projections));
        const auto offer = [&](QPushButton* button, int first) {
            const QPoint lines(found.lines[std::size_t(first)], found.lines[std::size_t(first + m_projections - 1)]);
            button->setText(tr("lines %1–%2").arg(lines.x()).arg(lines.y()));
            button->setProperty("lines", lines);
            button->show();
        };
        offer(m_useFirst, 0);
        offer(m_useLast, count - m_projections);
    } catch (const engine::Error&) {
        // the scan is opened with it, and says so
    }
}

void AnglesField::useLines(std::pair<int, int> lines)
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
