// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/recorded/projection_bar.h"

#include "ui/recorded/small_combo.h"
#include "ui/widgets/boxes.h"
#include "ui/widgets/number_box.h"
#include "ui/widgets/sketch_icon.h"

#include <QComboBox>
#include <QEvent>
#include <QLabel>
#include <QSettings>
#include <QSignalBlocker>
#include <QSlider>
#include <QToolButton>

#include <algorithm>
#include <array>

namespace ui
{

namespace
{

constexpr std::array speeds = {1, 5, 10, 25, 50, 100}; // projections per second
constexpr int standardSpeed = 25;
constexpr int filmMs = 20; // milliseconds between two updates of the film
constexpr const char *playSketch = "M7 3l8 5l-8 5z", *stopSketch = "M7 3v10 M13 3v10";
const QString speedKey = QStringLiteral("recorded/speed");

} // namespace

ProjectionBar::ProjectionBar(QWidget* parent)
    : QWidget(parent), m_play(new QToolButton), m_slider(new QSlider(Qt::Horizontal)), m_number(new CountBox),
      m_last(new QLabel), m_speed(smallCombo("projectionSpeed", tr("Projections played per second")))
{
    m_play->setObjectName(QStringLiteral("playProjections"));
    m_play->setAutoRaise(true);
    m_play->setCheckable(true);
    m_play->setIconSize(sketchSize);
    m_slider->setObjectName(QStringLiteral("projectionSlider"));
    m_slider->setAccessibleName(tr("Projection"));
    m_slider->setMinimumWidth(40);
    m_number->setObjectName(QStringLiteral("projectionNumber"));
    m_number->setAccessibleName(tr("Number of the projection"));
    m_number->setWrapping(true);
    for (QWidget* each : {static_cast<QWidget*>(m_slider), static_cast<QWidget*>(m_number)})
        each->setToolTip(tr("Projection that is shown, counted from 0 (comma, full stop)"));
    for (const int each : speeds)
        m_speed->addItem(tr("%1/s").arg(each), each);
    m_speed->setCurrentIndex(m_speed->findData(standardSpeed));
    m_film.setInterval(filmMs);
    arrange();
    connectParts();
    makeIcon();
}

void ProjectionBar::arrange()
{
    filled(new QHBoxLayout(this), {m_play, {m_slider, 1}, m_number, m_last, m_speed}, {QMargins(0, 2, 0, 0), 4});
}

void ProjectionBar::connectParts()
{
    connect(m_play, &QToolButton::toggled, this, &ProjectionBar::play);
    connect(m_slider, &QSlider::valueChanged, this, [this](int value) {
        const QSignalBlocker blocker(m_number);
        m_number->setValue(value);
        emit projectionChanged();
    });
    connect(m_number, &QSpinBox::valueChanged, m_slider, &QSlider::setValue);
    connect(m_speed, &QComboBox::currentIndexChanged, this, &ProjectionBar::startClock);
    connect(&m_film, &QTimer::timeout, this, &ProjectionBar::advanceWanted);
}

void ProjectionBar::setCount(int projections, bool keepsProjection)
{
    const QSignalBlocker sliderBlocker(m_slider), numberBlocker(m_number);
    const int at = keepsProjection ? m_slider->value() : 0;
    m_slider->setRange(0, projections - 1);
    m_number->setRange(0, projections - 1);
    m_slider->setPageStep(std::max(1, projections / 10));
    m_slider->setValue(at);
    m_number->setValue(at);
    m_last->setText(tr("of %1").arg(projections));
}

void ProjectionBar::setPlayable(bool playable)
{
    m_playable = playable;
    m_play->setVisible(playable);
    m_speed->setVisible(playable);
}

int ProjectionBar::projection() const
{
    return m_slider->value();
}

void ProjectionBar::setProjection(int projection)
{
    m_slider->setValue(projection);
}

void ProjectionBar::step(int by)
{
    const int count = m_slider->maximum() + 1;
    play(false);
    setProjection((projection() + by % count + count) % count);
}

void ProjectionBar::play(bool on)
{
    on = on && m_playable && m_slider->maximum() > 0;
    const bool changed = on != m_film.isActive();
    startClock();
    if (on)
        m_film.start();
    else
        m_film.stop();
    const QSignalBlocker blocker(m_play);
    m_play->setChecked(on);
    makeIcon();
    if (changed)
        emit playingChanged(on);
}

void ProjectionBar::startClock()
{
    m_playedFrom = projection();
    m_playingSince.start();
}

void ProjectionBar::advance()
{
    const qint64 passed = m_playingSince.elapsed() * m_speed->currentData().toInt() / 1000;
    setProjection(static_cast<int>((m_playedFrom + passed) % (m_slider->maximum() + 1)));
}

void ProjectionBar::makeIcon()
{
    const bool on = m_play->isChecked();
    const QString text = on ? tr("Stop (P)") : tr("Play the projections (P)");
    m_play->setIcon(sketchIcon(on ? stopSketch : playSketch, palette()));
    m_play->setToolTip(text);
    m_play->setAccessibleName(text);
}

void ProjectionBar::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        makeIcon();
}

void ProjectionBar::saveState(QSettings& settings) const
{
    settings.setValue(speedKey, m_speed->currentData());
}

void ProjectionBar::restoreState(const QSettings& settings)
{
    const int stored = m_speed->findData(settings.value(speedKey, standardSpeed).toInt());
    m_speed->setCurrentIndex(stored >= 0 ? stored : m_speed->findData(standardSpeed));
}

} // namespace ui
