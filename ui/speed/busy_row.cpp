// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/speed/busy_row.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QProgressBar>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

namespace ui
{

namespace
{

constexpr int busyDelayMs = 300; // shorter work shows no progress

} // namespace

BusyRow::BusyRow(QLabel* stage) : m_stage(stage), m_progress(new QProgressBar)
{
    setObjectName(QStringLiteral("busyRow"));
    QSizePolicy policy = sizePolicy();
    policy.setRetainSizeWhenHidden(true);
    setSizePolicy(policy);
    m_stage->setWordWrap(false);
    m_stage->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    m_progress->setRange(0, 1000);
    m_progress->setTextVisible(false);
    m_progress->setFixedHeight(4);
    m_progress->setAccessibleName(tr("Progress"));
    auto* cancel = new QToolButton;
    cancel->setObjectName(QStringLiteral("cancel"));
    cancel->setText(tr("Cancel"));
    cancel->setToolTip(tr("Stops the reconstruction; the current image stays"));
    auto* left = new QVBoxLayout;
    left->setSpacing(3);
    left->addWidget(m_stage);
    left->addWidget(m_progress);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->addLayout(left, 1);
    row->addWidget(cancel, 0, Qt::AlignBottom);
    hide();
    m_delay.setSingleShot(true);
    m_delay.setInterval(busyDelayMs);
    connect(&m_delay, &QTimer::timeout, this, &QWidget::show);
    connect(cancel, &QToolButton::clicked, this, &BusyRow::cancelRequested);
}

void BusyRow::setBusy(bool busy, const QString& stage, double fraction)
{
    if (!busy) {
        m_delay.stop();
        hide();
        return;
    }
    m_stage->setText(stage);
    m_progress->setValue(std::isfinite(fraction) ? static_cast<int>(std::clamp(fraction, 0.0, 1.0) * 1000) : 0);
    if (isHidden() && !m_delay.isActive())
        m_delay.start();
}

} // namespace ui
