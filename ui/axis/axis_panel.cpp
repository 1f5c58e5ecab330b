#include "ui/axis/axis_panel.h"

#include "engine/scan/axis_programs.h"
#include "engine/stages/stages.h"
#include "ui/axis/opposite_view.h"
#include "ui/widgets/flat_button.h"
#include "ui/widgets/fold_out.h"

#include <QApplication>
#include <QClipboard>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace ui
{

namespace
{

QString binsText(double bins)
{
    return QString::number(bins, 'f', 2);
}

constexpr double degreesPerRad = 180 / std::numbers::pi;

// As they are said, and taken.
double shownBins(const engine::AxisTilt& tilt)
{
    return std::round(100 * tilt.bins) / 100;
}
double shownTiltDeg(const engine::AxisTilt& tilt)
{
    return std::round(1000 * tilt.tiltRad * degreesPerRad) / 1000;
}

int tiltRowsOf(const engine::Scan& scan)
{
    return std::min(engine::standardTiltRows, scan.rows);
}

double tiltDegOf(const engine::Request& request)
{
    const engine::Preparation preparation = engine::preparationOf(request);
    const engine::PlannedStep* tilt = preparation.find("tilt");
    return tilt ? tilt->value("axis-tilt") : 0;
}

QString degreesText(double degrees)
{
    return QString::number(degrees, 'f', 3).replace(u'-', u'−') + QChar(0xb0);
}

QLabel* dimLabel(const QString& text)
{
    auto* label = new QLabel(text);
    label->setEnabled(false);
    return label;
}

} // namespace

AxisPanel::AxisPanel(QWidget* parent)
    : QWidget(parent),
      m_fold(new FoldOut("axisHeading", tr("Ways to find the rotation axis beside each other, opposite "
                                           "views, and what other programs call it"))),
      m_together(new QLabel), m_opposite(new OppositeView), m_programs(new QGridLayout)
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_fold);
    m_together->setObjectName(QStringLiteral("axisTogether"));
    m_together->setWordWrap(true);
    auto* trials = flatButton(QStringLiteral("showTrials"), tr("Trial slices…"),
                              tr("Slices with the axis a little to the left and right, under the images"));
    makePrograms();
    m_findTilt = flatButton(QStringLiteral("findTilt"), tr("Tilt from %1 rows").arg(engine::standardTiltRows),
                            tr("Looks for the axis in several rows: where it is in the middle, and how it leans"));
    connect(m_findTilt, &QToolButton::clicked, this, &AxisPanel::searchTilt);
    m_tiltText = new QLabel;
    m_tiltText->setObjectName(QStringLiteral("tiltText"));
    m_tiltText->setWordWrap(true);
    m_takeTilt = flatButton(QStringLiteral("takeTilt"), tr("Take both"), tr("Take the axis and its tilt"));
    connect(m_takeTilt, &QToolButton::clicked, this,
            [this] { emit chosenWithTilt(shownBins(*m_tilt), shownTiltDeg(*m_tilt)); });
    m_useTogether = flatButton(QStringLiteral("useTogether"), tr("Use"), tr("Take what all say together"));
    connect(m_useTogether, &QToolButton::clicked, this, [this] {
        if (m_found)
            emit chosen(m_found->found.bins);
    });
    auto* together = new QHBoxLayout;
    together->addWidget(m_together, 1);
    together->addWidget(m_useTogether, 0, Qt::AlignTop);
    m_fold->body()->addLayout(together);
    m_fold->body()->addWidget(m_opposite);
    m_fold->body()->addWidget(trials, 0, Qt::AlignLeft);
    auto* tilt = new QHBoxLayout;
    tilt->addWidget(m_findTilt);
    tilt->addStretch(1);
    tilt->addWidget(m_takeTilt);
    m_fold->body()->addLayout(tilt);
    m_fold->body()->addWidget(m_tiltText);
    m_programsOf = new QLabel;
    m_programsOf->setObjectName(QStringLiteral("axisProgramsOf"));
    m_programsOf->setWordWrap(true);
    m_fold->body()->addWidget(m_programsOf);
    m_fold->body()->addLayout(m_programs);
    connect(trials, &QToolButton::clicked, this, &AxisPanel::trialsWanted);
    connect(m_opposite, &OppositeView::moved, this, &AxisPanel::moved);
    connect(m_opposite, &OppositeView::released, this, &AxisPanel::released);
    connect(m_fold->findChild<QToolButton*>(QStringLiteral("axisHeading")), &QToolButton::toggled, this,
            [this](bool unfolded) {
                m_isUnfolded = unfolded;
                search();
            });
    connect(&m_task, &BackgroundTask::failed, m_together, &QLabel::setText);
    connect(&m_tiltTask, &BackgroundTask::failed, this, [this](const QString& message) { showTilt(message); });
    connect(&m_tiltTask, &BackgroundTask::progressed, this,
            [this](double fraction) { showTilt(tr("Looking… %1 %").arg(100 * fraction, 0, 'f', 0)); });
    clear();
}

// What other programs call the axis, a row for each.
void AxisPanel::makePrograms()
{
    m_programs->setContentsMargins(0, 0, 0, 0);
    m_programs->setVerticalSpacing(0);
    m_programs->setColumnStretch(1, 1);
    for (const engine::AxisProgram& program : engine::axisPrograms()) {
        const int row = m_programs->rowCount();
        auto* number = new QLabel;
        number->setObjectName(QStringLiteral("axisOf_") + QLatin1String(program.id));
        number->setTextInteractionFlags(Qt::TextSelectableByMouse);
        number->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
        auto* name = new QLabel(QString::fromLatin1(program.label).section(QStringLiteral(" ("), 0, 0));
        if (std::string(program.id) == "tomopy-iterative")
            name->setText(tr("… iterative"));
        name->setToolTip(QString::fromLatin1(program.label) + QLatin1Char('\n') + QString::fromLatin1(program.source));
        auto* copy = flatButton(QStringLiteral("copyAxisOf_") + QLatin1String(program.id), tr("Copy"),
                                tr("Copy what %1 calls this axis").arg(QString::fromLatin1(program.label)));
        connect(copy, &QToolButton::clicked, this, [number] { QApplication::clipboard()->setText(number->toolTip()); });
        m_numbers.push_back(number);
        m_copies.push_back(copy);
        m_programs->addWidget(name, row, 0);
        m_programs->addWidget(number, row, 1);
        m_programs->addWidget(copy, row, 2);
    }
}

AxisPanel::~AxisPanel() = default;

void AxisPanel::clear()
{
    m_task.cancel();
    m_tiltTask.cancel();
    m_tilt.reset();
    m_request.reset();
    m_found.reset();
    m_searched.reset();
    m_axis.reset();
    m_tiltDeg = 0;
    m_isDoubtful = false;
    m_opposite->setLines({});
    showCandidates();
    showTilt();
    showPrograms();
    setTitle();
}

void AxisPanel::setTitle()
{
    m_fold->setTitle(m_isDoubtful ? tr("⚠ Axis: compare ways") : tr("Axis: compare ways"));
}

void AxisPanel::setRequest(const engine::Request& request)
{
    if (m_request && m_request->scan != request.scan)
        clear();
    m_request = request;
    setVisible(std::holds_alternative<engine::ParallelBeam>(request.scan->geometry));
    showTilt(m_tiltTask.busy() ? m_tiltText->text() : QString());
    search();
}

void AxisPanel::showUsed(const engine::Reconstruction& made)
{
    if (!m_request || made.request.scan != m_request->scan)
        return;
    m_isDoubtful = !made.axisDoubt.empty();
    setTitle();
    m_tiltDeg = tiltDegOf(made.request);
    setAxis(made.axisBins);
}

void AxisPanel::setAxis(double bins)
{
    m_axis = bins;
    m_opposite->setAxis(bins);
    showPrograms();
}

void AxisPanel::search()
{
    if (!m_isUnfolded || !m_request || !std::holds_alternative<engine::ParallelBeam>(m_request->scan->geometry))
        return;
    const Searched wanted{m_request->scan, m_request->setting.preparation};
    if (m_searched == wanted)
        return;
    m_searched = wanted;
    m_together->setText(tr("Looking…"));
    auto found = std::make_shared<engine::AxisCandidates>();
    m_task.start(
        [found, request = *m_request](std::stop_token stop, const BackgroundTask::Progress&) {
            giveWayToTheWindow();
            *found = engine::findAxisCandidates(request, stop);
        },
        [this, found] {
            m_found = *found;
            m_opposite->setLines(m_found->lines);
            showCandidates();
        });
}

void AxisPanel::searchTilt()
{
    if (!m_request)
        return;
    m_tilt.reset();
    showTilt(tr("Looking…"));
    auto found = std::make_shared<engine::AxisTilt>();
    m_tiltTask.start(
        [found, request = *m_request](std::stop_token stop, const BackgroundTask::Progress& progress) {
            giveWayToTheWindow();
            *found = engine::findAxisTilt(request, tiltRowsOf(*request.scan), progress, stop);
        },
        [this, found] {
            m_tilt = *found;
            showTilt();
        });
}

// instead: of what was found.
void AxisPanel::showTilt(const QString& instead)
{
    showPrograms(); // whether what was found is what they have numbers for
    const bool hasRows = m_request && m_request->scan->rows >= engine::fewestTiltRows;
    if (hasRows)
        m_findTilt->setText(tr("Tilt from %1 rows").arg(tiltRowsOf(*m_request->scan)));
    m_findTilt->setEnabled(hasRows);
    m_findTilt->setToolTip(hasRows ? m_findTilt->accessibleName() : tr("The scan has too few rows."));
    m_takeTilt->setVisible(m_tilt.has_value());
    m_tiltText->setVisible(m_tilt || !instead.isEmpty());
    m_tiltText->setToolTip({});
    m_tiltText->setText(instead);
    if (!m_tilt || !instead.isEmpty())
        return;
    const auto agreeing = std::ranges::count_if(m_tilt->rows, &engine::AxisOfRow::agrees);
    m_tiltText->setText(tr("%1%2 bins in the middle row, tilt %3 ± %4; %5 of %6 rows agree, confidence %7 %")
                            .arg(m_tilt->doubt.empty() ? QString() : QStringLiteral("⚠ "))
                            .arg(binsText(shownBins(*m_tilt)))
                            .arg(degreesText(shownTiltDeg(*m_tilt)))
                            .arg(degreesText(m_tilt->uncertaintyRad * degreesPerRad))
                            .arg(agreeing)
                            .arg(m_tilt->rows.size())
                            .arg(100 * m_tilt->confidence, 0, 'f', 0));
    m_tiltText->setToolTip(QString::fromStdString(m_tilt->doubt));
}

void AxisPanel::showCandidates()
{
    delete m_table;
    m_table = new QWidget;
    auto* grid = new QGridLayout(m_table);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setVerticalSpacing(0);
    grid->setColumnStretch(0, 1);
    m_fold->body()->insertWidget(0, m_table);
    if (!m_found) {
        m_together->clear();
        m_useTogether->hide();
        return;
    }
    grid->addWidget(dimLabel(tr("way")), 0, 0);
    grid->addWidget(dimLabel(tr("bins")), 0, 1, Qt::AlignRight);
    grid->addWidget(dimLabel(tr("score")), 0, 2, Qt::AlignRight);
    for (const engine::AxisCandidate& each : m_found->candidates) {
        const int row = grid->rowCount();
        auto* name = new QLabel(tr(each.method->label));
        name->setToolTip(tr(each.method->summary) + QLatin1Char('\n') + QString::fromUtf8(each.method->reference));
        grid->addWidget(name, row, 0);
        if (!each.unsuited.empty()) {
            name->setEnabled(false);
            name->setToolTip(tr(each.unsuited.c_str()));
            grid->addWidget(dimLabel(QStringLiteral("–")), row, 1, Qt::AlignRight);
            continue;
        }
        const double bins = each.guess.bins;
        auto* take = flatButton(QStringLiteral("take_") + QLatin1String(each.method->id), binsText(bins),
                                tr("Take %1 bins").arg(binsText(bins)));
        connect(take, &QToolButton::clicked, this, [this, bins] { emit chosen(bins); });
        grid->addWidget(take, row, 1, Qt::AlignRight);
        auto* score = new QLabel(tr("%1 %").arg(100 * each.guess.score, 0, 'f', 0));
        score->setToolTip(tr("How far it stands out of all other places"));
        grid->addWidget(score, row, 2, Qt::AlignRight);
        auto* agrees = new QLabel(each.agrees ? QStringLiteral("✓") : QStringLiteral("≠"));
        agrees->setToolTip(each.agrees ? tr("Agrees within %1 bins").arg(m_found->toleranceBins, 0, 'g', 3)
                                       : tr("Says another place"));
        grid->addWidget(agrees, row, 3);
    }
    const auto said = [](const QString& text, const engine::AxisFound& found) {
        return text.arg(binsText(found.bins)).arg(100 * found.confidence.value_or(0), 0, 'f', 0);
    };
    m_together->setText((m_found->found.doubt.empty() ? QString() : QStringLiteral("⚠ ")) +
                        said(tr("Together: %1 bins, confidence %2 %"), m_found->found));
    m_useTogether->setVisible(true);
    m_together->setToolTip(QString::fromStdString(m_found->found.doubt));
}

// The axis that the image was made with, whatever else was found.
void AxisPanel::showPrograms()
{
    QString text;
    if (m_axis)
        text = tr("The axis in use, %1 bins, elsewhere:").arg(binsText(*m_axis));
    if (m_axis && m_tiltDeg != 0)
        text = tr("The axis in use, %1 bins in projections turned by its tilt of %2, elsewhere:")
                   .arg(binsText(*m_axis), degreesText(m_tiltDeg));
    const bool isOther = m_axis && m_tilt &&
                         (binsText(*m_axis) != binsText(shownBins(*m_tilt)) ||
                          degreesText(m_tiltDeg) != degreesText(shownTiltDeg(*m_tilt)));
    if (isOther)
        text.prepend(tr("What was found from several rows isn't in use until it is taken.") + QLatin1Char('\n'));
    m_programsOf->setText(text);
    m_programsOf->setVisible(m_axis.has_value());
    std::size_t k = 0;
    for (const engine::AxisProgram& program : engine::axisPrograms()) {
        const QString there =
            m_axis && m_request ? QString::fromStdString(engine::axisTextOf(program, *m_axis, m_request->scan->bins()))
                                : QString();
        m_copies[k]->setToolTip(there.isEmpty() ? m_copies[k]->accessibleName() : tr("Copy “%1”").arg(there));
        QLabel* number = m_numbers[k++];
        number->setToolTip(there);
        number->setText(m_axis && m_request
                            ? QString::number(engine::axisOf(program, *m_axis, m_request->scan->bins()), 'f', 2)
                            : QString());
        number->setAccessibleName(there);
    }
}

} // namespace ui
