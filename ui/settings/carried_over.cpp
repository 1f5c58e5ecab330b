// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/settings/carried_over.h"

#include "ui/background/setting_differences.h"
#include "ui/widgets/flat_button.h"

#include <QHBoxLayout>
#include <QLabel>

namespace ui
{

CarriedOver::CarriedOver(QWidget* parent) : QWidget(parent), m_text(new QLabel)
{
    setObjectName(QStringLiteral("carriedOver"));
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(10, 8, 18, 0);
    m_text->setObjectName(QStringLiteral("carriedOverText"));
    m_text->setTextFormat(Qt::PlainText);
    m_text->setWordWrap(true);
    m_text->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    auto* reset = flatButton(QStringLiteral("resetCarriedOver"), tr("Reset"), tr("All settings to their defaults"));
    connect(reset, &QToolButton::clicked, this, &CarriedOver::resetRequested);
    row->addWidget(m_text, 1);
    row->addWidget(reset, 0, Qt::AlignTop);
    hide();
}

void CarriedOver::show(const engine::SettingList& list, const QString& replaced, bool areCarried)
{
    QStringList said;
    for (const engine::NamedSetting& one : list.settings)
        if (const QString unlike = unlikeText(one.setting, {}, Parts::all); !unlike.isEmpty())
            said << (list.settings.size() > 1 ? tr("%1: %2").arg(QString::fromStdString(one.name), unlike) : unlike);
    QStringList lines;
    if (!said.isEmpty())
        lines << tr("Kept from the last scan: %1").arg(said.join(QStringLiteral("; ")));
    if (!replaced.isEmpty())
        lines << tr("Not possible for this scan: %1").arg(replaced);
    m_text->setText(lines.join(u'\n'));
    setVisible(areCarried && !lines.isEmpty());
}

} // namespace ui
