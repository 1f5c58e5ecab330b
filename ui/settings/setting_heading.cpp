// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/settings/setting_heading.h"

#include "ui/widgets/curve_colours.h"

#include <QPainter>

namespace ui
{

namespace
{

constexpr int besideSample = 6;

} // namespace

SettingHeading::SettingHeading(QWidget* parent) : QWidget(parent)
{
    setObjectName(QStringLiteral("chosenSetting"));
    setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
    QFont bold = font();
    bold.setBold(true);
    setFont(bold);
}

void SettingHeading::show(const QString& name, int colour)
{
    m_name = name;
    m_colour = colour;
    setAccessibleName(tr("Setting %1").arg(name));
    setToolTip(tr("The options below belong to setting %1 only").arg(name).toHtmlEscaped());
    update();
}

QSize SettingHeading::sizeHint() const
{
    return {120, fontMetrics().height() + 2};
}

QSize SettingHeading::minimumSizeHint() const
{
    return {40, sizeHint().height()};
}

void SettingHeading::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    const QPixmap sample = strokeSample(palette(), m_colour, devicePixelRatioF());
    painter.drawPixmap(0, (height() - strokeSampleSize.height()) / 2, sample);
    const QRect room = rect().adjusted(strokeSampleSize.width() + besideSample, 0, 0, 0);
    painter.setPen(palette().color(QPalette::WindowText));
    painter.drawText(room, Qt::AlignLeft | Qt::AlignVCenter,
                     fontMetrics().elidedText(m_name, Qt::ElideMiddle, room.width()));
}

} // namespace ui
