// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/slice_bar.h"

#include "ui/widgets/boxes.h"
#include "ui/widgets/flat_button.h"
#include "ui/widgets/number_box.h"

#include <QLabel>
#include <QSignalBlocker>
#include <QSlider>

#include <algorithm>

namespace ui
{

SliceBar::SliceBar(QWidget* parent)
    : QWidget(parent), m_slider(new QSlider(Qt::Horizontal)), m_number(new CountBox), m_last(new QLabel)
{
    auto* label = new QLabel(tr("&Slice"));
    label->setBuddy(m_number);
    const QString tooltip = tr("Slice that is shown, counted from 0 on top (Page Up, Page Down)");
    m_slider->setAccessibleName(tr("Slice"));
    m_slider->setToolTip(tooltip);
    m_slider->setObjectName(QStringLiteral("sliceSlider"));
    m_slider->setMinimumWidth(100);
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    m_number->setAccessibleName(tr("Number of the slice"));
    m_number->setToolTip(tooltip);
    m_number->setObjectName(QStringLiteral("sliceNumber"));
    filled(new QHBoxLayout(this), {label, {m_slider, 2}, m_number, m_last}, {QMargins(8, 0, 8, 0)});
    setRange(1);

    connect(m_slider, &QSlider::valueChanged, this, [this](int value) {
        const QSignalBlocker blocker(m_number);
        m_number->setValue(value);
        emit sliceChanged(value);
    });
    connect(m_number, &QSpinBox::valueChanged, m_slider, &QSlider::setValue);
}

void SliceBar::setRange(int slices)
{
    const QSignalBlocker sliderBlocker(m_slider), numberBlocker(m_number);
    m_slider->setRange(0, slices - 1);
    m_number->setRange(0, slices - 1);
    m_slider->setPageStep(std::max(1, slices / 10));
    m_slider->setValue(slices / 2);
    m_number->setValue(slices / 2);
    showIfPossible(m_slider, slices > 1);
    showIfPossible(m_number, slices > 1);
    m_last->setText(slices > 1 ? tr("(0–%1)").arg(slices - 1) : tr("one slice"));
    m_last->setEnabled(slices > 1);
}

void SliceBar::setSlice(int slice)
{
    m_slider->setValue(slice);
}
void SliceBar::step(int by)
{
    m_slider->setValue(m_slider->value() + by);
}
int SliceBar::slice() const
{
    return m_slider->value();
}

} // namespace ui
