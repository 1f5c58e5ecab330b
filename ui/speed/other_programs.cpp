// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/speed/other_programs.h"

#include "ui/speed/speed_heading.h"
#include "ui/widgets/displayed_number.h"
#include "ui/widgets/side_area.h"

#include <QFileDialog>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QVBoxLayout>

#include <algorithm>

namespace ui
{

namespace
{

QLabel* wrappedLabel(const QString& text = {})
{
    auto* label = new QLabel(text);
    label->setWordWrap(true);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    return label;
}

QString problemText()
{
    const engine::OthersOptions options;
    return OtherPrograms::
        tr("A slice of %1 × %1 pixels from %2 projections, from the sinogram in memory to the image in memory, with "
           "the ramp filter and linear interpolation.")
            .arg(options.size)
            .arg(engine::projectionsOf(options));
}

} // namespace

std::vector<BarRow> otherProgramRows(const std::vector<engine::OtherProgram>& programs)
{
    double fastest = 0;
    for (const engine::OtherProgram& one : programs)
        fastest = std::max(fastest, one.gups);
    std::vector<BarRow> rows;
    for (const engine::OtherProgram& one : programs) {
        BarRow row;
        row.label = QString::fromStdString(one.name);
        if (!one.device.empty())
            row.label += QStringLiteral(" · ") + QString::fromStdString(one.device);
        const QString problem = QString::fromStdString(one.problem);
        if (one.seconds > 0) {
            row.share = one.gups / fastest;
            row.isQuiet = !one.isOurs;
            row.value = OtherPrograms::tr("%1 GU/s").arg(gupsText(one.gups));
            row.explanation =
                OtherPrograms::tr("%1 per slice. Error against the phantom: %2 (RMSE, in a disc of 90 % of the width).")
                    .arg(secondsText(one.seconds), errorText(one.rmse));
            if (!one.isOurs) {
                row.value += OtherPrograms::tr(" · 1/%1").arg(significantText(one.timesAsLong, 2));
                row.explanation +=
                    u'\n' +
                    OtherPrograms::tr("Sinoscope is %1 times as fast on the same cores; the images differ by %2.")
                        .arg(significantText(one.timesAsLong, 3), errorText(one.difference));
            }
        }
        if (!problem.isEmpty()) {
            row.value = one.seconds > 0 ? row.value + QStringLiteral(" · ") + problem : problem;
            row.explanation = problem;
        }
        rows.push_back(std::move(row));
    }
    return rows;
}

std::vector<BarRow> publishedRows(const engine::PublishedGroup& group)
{
    const double fastest = group.speeds.front().gups;
    std::vector<BarRow> rows;
    for (const engine::PublishedSpeed& one : group.speeds)
        rows.push_back(
            {.label = QString::fromStdString(one.program) + QStringLiteral(" · ") + QString::fromStdString(one.what),
             .value = OtherPrograms::tr("%1 GU/s").arg(gupsText(one.gups)),
             .share = one.gups / fastest,
             .isQuiet = !one.isOurs});
    return rows;
}

OtherSpeed slowestOther(const std::vector<engine::OtherProgram>& programs)
{
    OtherSpeed slowest;
    for (const engine::OtherProgram& one : programs)
        if (!one.isOurs && one.problem.empty() && one.timesAsLong > slowest.timesAsLong)
            slowest = {QString::fromStdString(one.name), QString::fromStdString(one.device), one.timesAsLong,
                       engine::OthersOptions().size};
    return slowest;
}

namespace
{

QWidget* measuredElsewhere()
{
    auto* content = new QWidget;
    auto* layout = new QVBoxLayout(content);
    layout->setContentsMargins(0, 0, besideScrollBar(content), 0);
    for (const engine::PublishedGroup& group : engine::publishedGroups()) {
        layout->addWidget(wrappedLabel(OtherPrograms::tr("%1: %2").arg(QString::fromStdString(group.device),
                                                                       QString::fromStdString(group.problem))));
        auto* bars = new BarRows(OtherPrograms::tr("Speeds on %1, %2")
                                     .arg(QString::fromStdString(group.device), QString::fromStdString(group.problem)));
        bars->setRows(publishedRows(group));
        layout->addWidget(bars);
        auto* source = wrappedLabel(
            OtherPrograms::tr("%1. %2").arg(QString::fromStdString(group.date), QString::fromStdString(group.source)));
        source->setForegroundRole(QPalette::PlaceholderText);
        layout->addWidget(source);
        layout->addSpacing(10);
    }
    layout->addStretch(1);
    QScrollArea* scroll = sideArea(content);
    scroll->viewport()->setAutoFillBackground(false);
    content->setAutoFillBackground(false);
    return scroll;
}

} // namespace

// The Python, and the button that measures its programs.
QWidget* OtherPrograms::measuredHere()
{
    auto* content = new QWidget;
    auto* line = new QHBoxLayout(content);
    line->setContentsMargins(0, 0, 0, 0);
    auto* label = new QLabel(tr("&Python:"));
    m_python = new QLineEdit(QString::fromStdString(engine::OthersOptions().python));
    m_python->setObjectName(QStringLiteral("otherPython"));
    m_python->setToolTip(
        tr("A command, or the path of the Python of an environment that has scikit-image, ASTRA, silx or "
           "tomopy, such as /home/me/venv/bin/python"));
    label->setBuddy(m_python);
    auto* choose = new QPushButton(tr("&Choose…"));
    m_measure = new QPushButton(tr("&Measure"));
    m_measure->setObjectName(QStringLiteral("measureOthers"));
    m_measure->setDefault(true);
    choose->setAutoDefault(false);
    m_measure->setToolTip(tr("Runs each of its programs six times on the same sinogram; scikit-image takes some "
                             "seconds for each run"));
    for (QWidget* widget : std::initializer_list<QWidget*>{label, m_python, choose, m_measure})
        line->addWidget(widget);
    connect(choose, &QPushButton::clicked, this, [this] {
        const QString path = QFileDialog::getOpenFileName(this, tr("Choose a Python"), m_python->text());
        if (!path.isEmpty())
            m_python->setText(path);
    });
    connect(m_measure, &QPushButton::clicked, this, &OtherPrograms::begin);
    return content;
}

void OtherPrograms::begin()
{
    engine::OthersOptions options;
    options.python = m_python->text().trimmed().toStdString();
    say({});
    m_measure->setEnabled(false);
    auto programs = std::make_shared<std::vector<engine::OtherProgram>>();
    measure(
        [options, programs](const std::stop_token& stop, const BackgroundTask::Progress& progress) {
            *programs = engine::measureOthers(options, progress, stop);
        },
        [this, programs] { take(*programs); });
}

void OtherPrograms::take(const std::vector<engine::OtherProgram>& programs)
{
    m_here->setRows(otherProgramRows(programs));
    const bool hasOther = std::ranges::any_of(programs, [](const auto& one) { return !one.isOurs; });
    const OtherSpeed slowest = slowestOther(programs);
    say(slowest.timesAsLong > 0
            ? tr("1/%1: Sinoscope is %1 times as fast on the same cores. Point at a bar for its error.")
                  .arg(significantText(slowest.timesAsLong, 2))
        : hasOther ? QString()
                   : tr("This Python has none of scikit-image, ASTRA, silx and tomopy."));
    emit measured(programs);
}

OtherPrograms::OtherPrograms(QWidget* parent)
    : MeasuringDialog("others", tr("Speed of other programs"), tr("Stops measuring"), parent),
      m_here(new BarRows(tr("Speeds of the programs on this machine")))
{
    resize(760, 620);
    m_here->setObjectName(QStringLiteral("othersHere"));
    for (QWidget* widget : {static_cast<QWidget*>(speedHeading(tr("Measure here"))),
                            static_cast<QWidget*>(wrappedLabel(problemText())), measuredHere()})
        m_above->addWidget(widget);
    m_below->addWidget(m_here);
    m_below->addSpacing(8);
    m_below->addWidget(speedHeading(tr("Measured elsewhere")));
    m_below->addWidget(measuredElsewhere(), 1);
    const auto end = [this] { m_measure->setEnabled(true); };
    connect(&m_task, &BackgroundTask::succeeded, this, end);
    connect(&m_task, &BackgroundTask::cancelled, this, end);
    connect(&m_task, &BackgroundTask::failed, this, end);
}

} // namespace ui
