// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/settings/carried_over.h"

#include "ui/background/setting_differences.h"
#include "ui/widgets/flat_button.h"

#include <QHBoxLayout>
#include <QLabel>

namespace ui
{

CarriedOver::CarriedOver(QWidget* parent)
    : QWidget(parent), m_text(new QLabel),
      m_reset(flatButton(QStringLiteral("resetCarriedOver"), tr("Reset"), tr("All settings to their defaults")))
{
    setObjectName(QStringLiteral("carriedOver"));
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(10, 8, 18, 0);
    m_text->setObjectName(QStringLiteral("carriedOverText"));
    m_text->setTextFormat(Qt::PlainText);
    m_text->setWordWrap(true);
    m_text->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    connect(m_reset, &QToolButton::clicked, this, &CarriedOver::resetRequested);
    row->addWidget(m_text, 1);
    row->addWidget(m_reset, 0, Qt::AlignTop);
    hide();
}

void CarriedOver::showCarried(const engine::SettingList& list, const QStringList& notKept)
{
    QStringList said;
    for (const engine::NamedSetting& one : list.settings)
        if (const QString unlike = unlikeText(one.setting, {}, Parts::all); !unlike.isEmpty())
            said << (list.settings.size() > 1 ? tr("%1: %2").arg(QString::fromStdString(one.name), unlike) : unlike);
    QStringList lines = notKept;
    if (!said.isEmpty())
        lines.prepend(tr("Kept from the last scan: %1").arg(said.join(QStringLiteral("; "))));
    show(lines, !said.isEmpty() || list.settings.size() > 1);
}

void CarriedOver::showReplaced(const QString& replaced)
{
    show({tr("Not possible on this device: %1").arg(replaced)}, false);
}

void CarriedOver::show(const QStringList& lines, bool canReset)
{
    m_text->setText(lines.join(u'\n'));
    m_reset->setVisible(canReset);
    setVisible(!lines.isEmpty());
}

} // namespace ui
