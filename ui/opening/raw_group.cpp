// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/opening/raw_group.h"

#include <QFileInfo>
#include <QLabel>
#include <QVBoxLayout>

namespace ui
{

RawGroup::RawGroup() : m_name(new QLabel), m_field(new RawField)
{
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(4);
    m_name->setTextFormat(Qt::PlainText);
    m_name->setWordWrap(true);
    column->addWidget(m_name);
    column->addWidget(m_field);
}

void RawGroup::show(const QString& path, const std::optional<engine::RawLayout>& layout)
{
    m_name->setText(tr("Numbers of %1").arg(QFileInfo(path).fileName()));
    m_field->show(layout, path.toStdString());
}

} // namespace ui
