// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/axis/axis_panel.h"

#include "engine/prepare/steps.h"
#include "ui/axis/axis_programs_table.h"
#include "ui/axis/axis_text.h"
#include "ui/axis/opposite_view.h"
#include "ui/axis/tilt_search.h"
#include "ui/background/task_row.h"
#include "ui/widgets/boxes.h"
#include "ui/widgets/engine_text.h"
#include "ui/widgets/flat_button.h"
#include "ui/widgets/fold_out.h"

#include <QGridLayout>
#include <QLabel>

namespace ui
{

namespace
{

double tiltDegOf(const engine::Request& request)
{
    return engine::valueOf(*engine::findParameter("axis-tilt").parameter, request.setting.preparation);
}

QLabel* dimLabel(const QString& text)
{
    auto* label = new QLabel(text);
    label->setEnabled(false);
    return label;
}

} // namespace

AxisPanel::AxisPanel(QWidget* parent)
    : QWidget(parent), m_fold(new FoldOut("axisHeading", tr("Methods to find the rotation axis side by side, opposite "
                                                            "views, and the axis as other programs count it"))),
      m_together(new QLabel), m_opposite(new OppositeView),
      m_useTogether(flatButton(QStringLiteral("useTogether"), tr("Use"), tr("Use the consensus of all methods"))),
      m_programs(std::make_unique<AxisProgramsTable>()), m_tilt(std::make_unique<TiltSearch>())
{
    arrange();
    connectParts();
    clear();
}

void AxisPanel::arrange()
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_fold);
    m_together->setObjectName(QStringLiteral("axisTogether"));
    m_together->setWordWrap(true);
    auto* trials = flatButton(QStringLiteral("showTrials"), tr("Trial slices…"),
                              tr("Slices with the axis slightly to the left and right, below the images"));
    connect(trials, &QToolButton::clicked, this, &AxisPanel::trialsWanted);
    auto* together = new QHBoxLayout;
    together->addWidget(m_together, 1);
    together->addWidget(m_useTogether, 0, Qt::AlignTop);
    auto* tilt = filled(new QHBoxLayout, {m_tilt->findButton(), BoxItem::stretch(1), m_tilt->takeButton()});
    QVBoxLayout* body = m_fold->body();
    body->addLayout(together);
    m_busy = new TaskRow(m_task, tr("Stops the search for the axis"), new QLabel);
    body->addWidget(m_busy);
    body->addWidget(m_opposite);
    body->addWidget(trials, 0, Qt::AlignLeft);
    body->addLayout(tilt);
    body->addWidget(m_tilt->text());
    body->addWidget(m_tilt->busyRow());
    body->addWidget(m_programs->heading());
    body->addLayout(m_programs->rows());
}

void AxisPanel::connectParts()
{
    connect(m_tilt.get(), &TiltSearch::foundChanged, this, &AxisPanel::showPrograms);
    connect(m_tilt.get(), &TiltSearch::chosen, this, &AxisPanel::chosenWithTilt);
    connect(m_useTogether, &QToolButton::clicked, this, [this] {
        if (m_found)
            emit chosen(m_found->found.bins);
    });
    connect(m_opposite, &OppositeView::moved, this, &AxisPanel::moved);
    connect(m_opposite, &OppositeView::released, this, &AxisPanel::released);
    connect(m_fold->findChild<QToolButton*>(QStringLiteral("axisHeading")), &QToolButton::toggled, this,
            [this](bool unfolded) {
                m_isUnfolded = unfolded;
                if (std::exchange(m_isCancelled, false))
                    m_searched.reset();
                search();
            });
    connect(&m_task, &BackgroundTask::failed, m_together, &QLabel::setText);
    connect(&m_task, &BackgroundTask::cancelled, this, [this] {
        m_isCancelled = m_searched.has_value(); // else the scan was closed
        if (m_isCancelled)
            m_together->setText(tr("Cancelled. Unfold this section again to search."));
    });
}

AxisPanel::~AxisPanel() = default;

void AxisPanel::clear()
{
    m_task.cancel();
    m_request.reset();
    m_found.reset();
    m_searched.reset();
    m_programs->setAxis({});
    m_programs->setTilt(0);
    m_isDoubtful = false;
    m_opposite->setLines({});
    showCandidates();
    m_tilt->clear(); // also updates the table of other programs
    setTitle();
}

void AxisPanel::setTitle()
{
    m_fold->setTitle(m_isDoubtful ? tr("⚠ Axis: compare methods") : tr("Axis: compare methods"));
}

void AxisPanel::setRequest(const engine::Request& request)
{
    if (m_request && m_request->scan != request.scan)
        clear();
    m_request = request;
    setVisible(std::holds_alternative<engine::ParallelBeam>(request.scan->geometry));
    m_tilt->setRequest(request);
    search();
}

void AxisPanel::showUsed(const engine::Reconstruction& made)
{
    if (!m_request || made.request.scan != m_request->scan)
        return;
    m_isDoubtful = !made.axisDoubt.empty();
    setTitle();
    m_programs->setTilt(tiltDegOf(made.request));
    setAxis(made.axisBins);
}

void AxisPanel::setAxis(double bins)
{
    m_programs->setAxis(bins);
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
    m_together->clear();
    m_isCancelled = false;
    m_busy->begin(tr("Looking for the axis"));
    auto found = std::make_shared<engine::AxisCandidates>();
    m_task.start(
        [found, request = *m_request](std::stop_token stop, const BackgroundTask::Progress& progress) {
            giveWayToTheWindow();
            *found = engine::findAxisCandidates(request, stop, progress);
        },
        [this, found] {
            m_found = *found;
            m_opposite->setLines(m_found->lines);
            showCandidates();
        });
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
    grid->addWidget(dimLabel(tr("method")), 0, 0);
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
                                tr("Use %1 bins").arg(binsText(bins)));
        connect(take, &QToolButton::clicked, this, [this, bins] { emit chosen(bins); });
        grid->addWidget(take, row, 1, Qt::AlignRight);
        auto* score = new QLabel(tr("%1 %").arg(100 * each.guess.score, 0, 'f', 0));
        score->setToolTip(tr("How clearly this position stands out from all others"));
        grid->addWidget(score, row, 2, Qt::AlignRight);
        auto* agrees = new QLabel(each.agrees ? QStringLiteral("✓") : QStringLiteral("≠"));
        agrees->setToolTip(each.agrees ? tr("Agrees within %1 bins").arg(m_found->toleranceBins, 0, 'g', 3)
                                       : tr("Finds another position"));
        grid->addWidget(agrees, row, 3);
    }
    const auto said = [](const QString& text, const engine::AxisFound& found) {
        return text.arg(binsText(found.bins)).arg(100 * found.confidence.value_or(0), 0, 'f', 0);
    };
    m_together->setText((m_found->found.doubt.empty() ? QString() : QStringLiteral("⚠ ")) +
                        said(tr("Consensus: %1 bins, confidence %2 %"), m_found->found));
    m_useTogether->setVisible(true);
    m_together->setToolTip(inWindow(m_found->found.doubt));
}

// Also to be called when the tilt has changed: the heading says whether the found axis and tilt are in use.
void AxisPanel::showPrograms()
{
    m_programs->show(m_tilt->found(), m_request ? m_request->scan.get() : nullptr);
}

const std::optional<engine::AxisTilt>& AxisPanel::tilt() const
{
    return m_tilt->found();
}

bool AxisPanel::busy() const
{
    return m_task.busy() || m_tilt->isBusy();
}

} // namespace ui
