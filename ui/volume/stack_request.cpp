// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/volume/stack_request.h"

#include "ui/background/volume_preview.h"

#include <QComboBox>
#include <QPushButton>
#include <QVBoxLayout>

namespace ui
{

StackRequest::StackRequest(QWidget* parent) : QWidget(parent), m_resolution(new QComboBox(this))
{
    m_resolution->addItem(tr("Every pixel and slice"), 1);
    m_resolution->addItem(tr("Every 2nd pixel and slice"), 2);
    m_resolution->addItem(tr("Every 4th pixel and slice"), 4);
    m_resolution->setCurrentIndex(1);
    m_resolution->setAccessibleName(tr("Resolution of the stack"));
    m_resolution->setToolTip(tr("Half resolution takes an eighth of the memory and time, a quarter 1/64."));
    auto* const layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    auto* const button = new QPushButton(tr("Rec&onstruct the stack"), this);
    connect(button, &QPushButton::clicked, this, [this] { emit requested(m_resolution->currentData().toInt()); });
    layout->addWidget(m_resolution);
    layout->addWidget(button);
}

void StackRequest::showSizes(const std::shared_ptr<const engine::Scan>& scan)
{
    for (int k = 0; k < m_resolution->count(); ++k)
        m_resolution->setItemData(k, stackSizeText(sizeOfStack(scan, m_resolution->itemData(k).toInt())),
                                  Qt::ToolTipRole);
}

void StackRequest::propose(int step)
{
    m_resolution->setCurrentIndex(m_resolution->findData(step));
}

QString stackSizeText(const std::array<int, 3>& counts)
{
    const double bytes = 4.0 * counts[0] * counts[1] * counts[2];
    const QString memory = bytes < 1e9 ? StackRequest::tr("%1 MB").arg(bytes / 1e6, 0, 'f', bytes < 1e7 ? 1 : 0)
                                       : StackRequest::tr("%1 GB").arg(bytes / 1e9, 0, 'f', 1);
    return StackRequest::tr("%1 × %2 × %3 voxels · %4").arg(counts[0]).arg(counts[1]).arg(counts[2]).arg(memory);
}

} // namespace ui
