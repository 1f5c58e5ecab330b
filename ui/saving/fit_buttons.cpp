// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/saving/fit_buttons.h"

#include <QPushButton>
#include <QVBoxLayout>

#include <utility>

namespace ui
{

FitButtons::FitButtons() : m_layout(new QVBoxLayout)
{
    m_layout->setSpacing(2);
}

void FitButtons::offer(const std::vector<engine::Fit>& fits)
{
    std::vector<std::string> offered;
    for (const engine::Fit& fit : fits)
        offered.push_back(fit.options.plain() + fit.takes);
    if (offered == m_offered)
        return; // keeps the buttons and the focus
    m_offered = std::move(offered);
    while (QLayoutItem* item = m_layout->takeAt(0)) {
        item->widget()->deleteLater();
        delete item;
    }
    for (const engine::Fit& fit : fits) {
        auto* button = new QPushButton(tr("%1 → %2").arg(tr(fit.label.c_str()), QString::fromStdString(fit.takes)));
        button->setObjectName(QStringLiteral("volumeFit%1").arg(m_layout->count()));
        button->setAutoDefault(false);
        button->setToolTip(fit.reduction ? tr("Reopens the scan with this reduction and asks again")
                                         : tr("Saves only that part"));
        connect(button, &QPushButton::clicked, this, [this, fit] { emit chosen(fit); });
        m_layout->addWidget(button);
    }
}

} // namespace ui
