// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/opening/raw_group.h"

#include "ui/widgets/separator.h"

#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QVBoxLayout>

namespace ui
{

RawGroup::RawGroup() : m_name(new QLabel), m_field(new RawField)
{
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(14);
    auto* column = new QVBoxLayout;
    column->setSpacing(4);
    m_name->setTextFormat(Qt::PlainText);
    column->addWidget(m_name);
    column->addWidget(m_field);
    column->addStretch(1);
    row->addLayout(column);
    row->addWidget(separator(QFrame::VLine));
}

void RawGroup::show(const QString& path, const std::optional<engine::RawLayout>& layout)
{
    m_name->setText(tr("Numbers of %1").arg(QFileInfo(path).fileName()));
    m_field->show(layout, path.toStdString());
}

} // namespace ui
