// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/slice_bar.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QSignalBlocker>
#include <QSlider>
#include <QSpinBox>

#include <algorithm>

namespace ui
{

SliceBar::SliceBar(QWidget* parent)
    : QWidget(parent), m_slider(new QSlider(Qt::Horizontal)), m_number(new QSpinBox), m_last(new QLabel),
      m_pointer(new QLabel)
{
    auto* label = new QLabel(tr("&Slice"));
    label->setBuddy(m_number);
    const QString tooltip = tr("Slice that is shown, counted from 0 on top (Page Up, Page Down)");
    m_slider->setAccessibleName(tr("Slice"));
    m_slider->setToolTip(tooltip);
    m_slider->setObjectName(QStringLiteral("sliceSlider"));
    m_slider->setMinimumWidth(80);
    m_slider->setMaximumWidth(240);
    m_number->setAccessibleName(tr("Number of the slice"));
    m_number->setToolTip(tooltip);
    m_number->setObjectName(QStringLiteral("sliceNumber"));
    m_pointer->setObjectName(QStringLiteral("pointerValues"));
    m_pointer->setAccessibleName(tr("Values under the pointer"));
    m_pointer->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    m_pointer->setTextFormat(Qt::PlainText);
    m_pointer->setMinimumWidth(1);
    m_pointer->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred); // so that it doesn't move the slider
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(12, 0, 12, 1);
    layout->addWidget(label);
    layout->addWidget(m_slider, 2);
    layout->addWidget(m_number);
    layout->addWidget(m_last);
    layout->addSpacing(10);
    layout->addWidget(m_pointer, 9);
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
    m_slider->setEnabled(slices > 1);
    m_number->setEnabled(slices > 1);
    m_last->setText(slices > 1 ? tr("of %1").arg(slices) : tr("one slice"));
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
// If the text is too long, first narrows the letters, then truncates the text and shows it as tooltip.
void SliceBar::showPointer(const QString& text)
{
    constexpr int narrowest = 80; // per cent
    QFont letters = font();
    const auto width = [&] { return QFontMetrics(letters).horizontalAdvance(text); };
    if (const int wide = width(); wide > m_pointer->width())
        letters.setStretch(std::clamp(99 * m_pointer->width() / wide, narrowest, 99));
    const bool fits = width() <= m_pointer->width();
    m_pointer->setFont(letters);
    m_pointer->setText(fits ? text : QFontMetrics(letters).elidedText(text, Qt::ElideRight, m_pointer->width()));
    m_pointer->setToolTip(fits ? QString() : text);
    m_pointer->setAccessibleDescription(text);
}
int SliceBar::slice() const
{
    return m_slider->value();
}

} // namespace ui
