// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/busy_row.h"

#include "ui/widgets/boxes.h"

#include <QLabel>
#include <QProgressBar>
#include <QToolButton>

#include <algorithm>
#include <cmath>

namespace ui
{

namespace
{

constexpr int busyDelayMs = 300; // shorter work shows no progress

} // namespace

BusyRow::BusyRow(QLabel* stage, const QString& cancelTip)
    : m_stage(stage), m_left(new QLabel), m_progress(new QProgressBar), m_cancel(new QToolButton)
{
    m_stage->setWordWrap(false);
    m_stage->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    m_left->setFont(m_stage->font());
    m_left->setForegroundRole(m_stage->foregroundRole());
    m_progress->setRange(0, 1000);
    m_progress->setTextVisible(false);
    m_progress->setFixedHeight(4);
    m_progress->setAccessibleName(tr("Progress"));
    m_cancel->setObjectName(QStringLiteral("cancel"));
    m_cancel->setText(tr("Cancel"));
    m_cancel->setToolTip(cancelTip);
    auto* texts = new QHBoxLayout;
    texts->addWidget(m_stage, 1);
    texts->addWidget(m_left);
    auto* left = filled(new QVBoxLayout, {texts, m_progress}, {.spacing = 3});
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->addLayout(left, 1);
    row->addWidget(m_cancel, 0, Qt::AlignBottom);
    hide();
    m_delay.setSingleShot(true);
    m_delay.setInterval(busyDelayMs);
    connect(&m_delay, &QTimer::timeout, this, &QWidget::show);
    connect(m_cancel, &QToolButton::clicked, this, &BusyRow::cancelRequested);
}

void BusyRow::setBusy(bool busy, const QString& stage, double fraction, const QString& timeLeft)
{
    if (!busy) {
        m_delay.stop();
        hide();
        return;
    }
    m_stage->setText(stage);
    m_stage->setToolTip(stage); // the whole text
    m_left->setText(timeLeft);
    m_left->setVisible(!timeLeft.isEmpty());
    m_progress->setValue(std::isfinite(fraction) ? static_cast<int>(std::clamp(fraction, 0.0, 1.0) * 1000) : 0);
    m_cancel->setAccessibleName(tr("Cancel: %1").arg(stage));
    if (isHidden() && !m_delay.isActive())
        m_delay.start();
}

void BusyRow::showNow()
{
    if (!isBusy())
        return;
    m_delay.stop();
    show();
}

QString BusyRow::text() const
{
    const QString left = m_left->text();
    return left.isEmpty() ? m_stage->text() : m_stage->text() + QStringLiteral(" · ") + left;
}

} // namespace ui
