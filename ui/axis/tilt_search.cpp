// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/axis/tilt_search.h"

#include "ui/axis/axis_text.h"
#include "ui/background/task_row.h"
#include "ui/widgets/engine_text.h"
#include "ui/widgets/flat_button.h"

#include <QLabel>

#include <algorithm>

namespace ui
{

namespace
{

int tiltRowsOf(const engine::Scan& scan)
{
    return std::min(engine::standardTiltRows, scan.rows);
}

} // namespace

TiltSearch::TiltSearch()
    : m_find(flatButton(QStringLiteral("findTilt"), tr("Tilt from %1 rows").arg(engine::standardTiltRows),
                        tr("Finds the axis in several rows: its position in the middle row and its tilt"))),
      m_take(flatButton(QStringLiteral("takeTilt"), tr("Use both"), tr("Use this axis and tilt"))), m_text(new QLabel)
{
    m_text->setObjectName(QStringLiteral("tiltText"));
    m_text->setWordWrap(true);
    connect(m_find, &QToolButton::clicked, this, &TiltSearch::search);
    connect(m_take, &QToolButton::clicked, this, [this] { emit chosen(shownBins(*m_found), shownTiltDeg(*m_found)); });
    connect(&m_task, &BackgroundTask::failed, this, &TiltSearch::show);
    connect(&m_task, &BackgroundTask::cancelled, this, [this] { show(); });
    m_busy = new TaskRow(m_task, tr("Stops the search for axis and tilt"), new QLabel);
}

TiltSearch::~TiltSearch() = default;

QWidget* TiltSearch::busyRow() const
{
    return m_busy;
}

void TiltSearch::setRequest(const engine::Request& request)
{
    m_request = request;
    show();
}

void TiltSearch::clear()
{
    m_task.cancel();
    m_found.reset();
    m_request.reset();
    show();
}

void TiltSearch::search()
{
    if (!m_request)
        return;
    m_found.reset();
    show();
    m_busy->begin(tr("Looking for axis and tilt"));
    auto found = std::make_shared<engine::AxisTilt>();
    m_task.start(
        [found, request = *m_request](std::stop_token stop, const BackgroundTask::Progress& progress) {
            giveWayToTheWindow();
            *found = engine::findAxisTilt(request, tiltRowsOf(*request.scan), progress, stop);
        },
        [this, found] {
            m_found = *found;
            show();
        });
}

void TiltSearch::show(const QString& instead)
{
    emit foundChanged();
    const bool hasRows = m_request && m_request->scan->rows >= engine::fewestTiltRows;
    if (hasRows)
        m_find->setText(tr("Tilt from %1 rows").arg(tiltRowsOf(*m_request->scan)));
    m_find->setEnabled(hasRows);
    m_find->setToolTip(hasRows ? m_find->accessibleName() : tr("The scan has too few rows."));
    m_take->setVisible(m_found.has_value());
    m_text->setVisible(m_found || !instead.isEmpty());
    m_text->setToolTip({});
    m_text->setText(instead);
    if (!m_found || !instead.isEmpty())
        return;
    const auto agreeing = std::ranges::count_if(m_found->rows, &engine::AxisOfRow::agrees);
    m_text->setText(tr("%1%2 bins in the middle row, tilt %3 ± %4; %5 of %6 rows agree, confidence %7 %")
                        .arg(m_found->doubt.empty() ? QString() : QStringLiteral("⚠ "))
                        .arg(binsText(shownBins(*m_found)))
                        .arg(degreesText(shownTiltDeg(*m_found)))
                        .arg(degreesText(degreesOf(m_found->uncertaintyRad)))
                        .arg(agreeing)
                        .arg(m_found->rows.size())
                        .arg(100 * m_found->confidence, 0, 'f', 0));
    m_text->setToolTip(inWindow(m_found->doubt));
}

} // namespace ui
