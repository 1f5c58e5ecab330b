// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/speed/other_programs.h"

#include "ui/background/background_task.h"
#include "ui/background/task_row.h"
#include "ui/speed/speed_heading.h"
#include "ui/widgets/displayed_number.h"
#include "ui/widgets/side_area.h"

#include <QDialogButtonBox>
#include <QFileDialog>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QVBoxLayout>

#include <algorithm>
#include <functional>

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

struct OtherPrograms::Impl {
    QLineEdit* python = nullptr;
    QPushButton* measure = nullptr;
    TaskRow* running = nullptr;
    BarRows* here = nullptr;
    QLabel* message = nullptr;
    BackgroundTask task{BackgroundTask::Priority::normal}; // destroyed first, which cancels and waits

    std::function<void(const std::vector<engine::OtherProgram>&)> measured;

    QWidget* measuredHere();
    void begin();
    void take(const std::vector<engine::OtherProgram>& programs);
};

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

QWidget* OtherPrograms::Impl::measuredHere()
{
    auto* content = new QWidget;
    auto* layout = new QVBoxLayout(content);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(wrappedLabel(problemText()));
    auto* line = new QHBoxLayout;
    auto* label = new QLabel(tr("&Python:"));
    python = new QLineEdit(QString::fromStdString(engine::OthersOptions().python));
    python->setObjectName(QStringLiteral("otherPython"));
    python->setToolTip(
        tr("A command, or the path of the Python of an environment that has scikit-image, ASTRA, silx or "
           "tomopy, such as /home/me/venv/bin/python"));
    label->setBuddy(python);
    auto* choose = new QPushButton(tr("&Choose…"));
    measure = new QPushButton(tr("&Measure"));
    measure->setObjectName(QStringLiteral("measureOthers"));
    measure->setDefault(true);
    choose->setAutoDefault(false);
    measure->setToolTip(tr("Runs each of its programs six times on the same sinogram; scikit-image takes some seconds "
                           "for each run"));
    for (QWidget* widget : std::initializer_list<QWidget*>{label, python, choose, measure})
        line->addWidget(widget);
    layout->addLayout(line);
    running = new TaskRow(task, tr("Stops measuring"), new QLabel);
    layout->addWidget(running);
    here = new BarRows(tr("Speeds of the programs on this machine"));
    here->setObjectName(QStringLiteral("othersHere"));
    layout->addWidget(here);
    message = wrappedLabel();
    message->setObjectName(QStringLiteral("othersMessage"));
    message->hide();
    layout->addWidget(message);
    connect(choose, &QPushButton::clicked, python, [this] {
        const QString path = QFileDialog::getOpenFileName(python->window(), tr("Choose a Python"), python->text());
        if (!path.isEmpty())
            python->setText(path);
    });
    connect(measure, &QPushButton::clicked, measure, [this] { begin(); });
    const auto end = [this] { measure->setEnabled(true); };
    connect(&task, &BackgroundTask::succeeded, measure, end);
    connect(&task, &BackgroundTask::cancelled, measure, end);
    connect(&task, &BackgroundTask::failed, measure, [this, end](const QString& text) {
        end();
        message->setText(text);
        message->show();
    });
    return content;
}

void OtherPrograms::Impl::begin()
{
    engine::OthersOptions options;
    options.python = python->text().trimmed().toStdString();
    message->hide();
    measure->setEnabled(false);
    running->begin(tr("Measuring"));
    auto programs = std::make_shared<std::vector<engine::OtherProgram>>();
    task.start(
        [options, programs](const std::stop_token& stop, const BackgroundTask::Progress& progress) {
            *programs = engine::measureOthers(options, progress, stop);
        },
        [this, programs] { take(*programs); });
}

void OtherPrograms::Impl::take(const std::vector<engine::OtherProgram>& programs)
{
    here->setRows(otherProgramRows(programs));
    const bool hasOther = std::ranges::any_of(programs, [](const auto& one) { return !one.isOurs; });
    const OtherSpeed slowest = slowestOther(programs);
    message->setText(slowest.timesAsLong > 0
                         ? tr("1/%1: Sinoscope is %1 times as fast on the same cores. Point at a bar for its error.")
                               .arg(significantText(slowest.timesAsLong, 2))
                     : hasOther ? QString()
                                : tr("This Python has none of scikit-image, ASTRA, silx and tomopy."));
    message->show();
    measured(programs);
}

OtherPrograms::OtherPrograms(QWidget* parent) : QDialog(parent), m_impl(std::make_unique<Impl>())
{
    setObjectName(QStringLiteral("otherPrograms"));
    m_impl->measured = [this](const auto& programs) { emit measured(programs); };
    setWindowTitle(tr("Speed of other programs"));
    resize(760, 620);
    auto* layout = new QVBoxLayout(this);
    layout->addWidget(speedHeading(tr("Measure here")));
    layout->addWidget(m_impl->measuredHere());
    layout->addSpacing(8);
    layout->addWidget(speedHeading(tr("Measured elsewhere")));
    layout->addWidget(measuredElsewhere(), 1);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(this, &QDialog::finished, this, [this] { m_impl->task.cancel(); });
    layout->addWidget(buttons);
}

OtherPrograms::~OtherPrograms() = default;

} // namespace ui
