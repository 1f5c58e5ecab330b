// SPDX-License-Identifier: GPL-3.0-or-later
// Bar for the projection that is shown: a slider, its number, and a film of all projections.
#pragma once

#include <QElapsedTimer>
#include <QTimer>
#include <QWidget>

class QComboBox;
class QLabel;
class QSettings;
class QSlider;
class QSpinBox;
class QToolButton;

namespace ui
{

class ProjectionBar : public QWidget
{
    Q_OBJECT
  public:
    explicit ProjectionBar(QWidget* parent = nullptr);

    void setCount(int projections, bool keepsProjection); // emits no signal
    void setPlayable(bool playable);                      // offers the film
    int projection() const;
    void setProjection(int projection);
    void step(int by); // wraps around at both ends; stops the film
    void play(bool on);
    bool isPlaying() const { return m_film.isActive(); }
    void advance(); // moves the film to the projection that is due; skips some if reading is slow

    void saveState(QSettings& settings) const;
    void restoreState(const QSettings& settings);

  signals:
    void projectionChanged();
    void playingChanged(bool playing);
    void advanceWanted(); // every few milliseconds of the film

  protected:
    void changeEvent(QEvent* event) override;

  private:
    void arrange();
    void connectParts();
    void startClock();
    void makeIcon();

    QToolButton* m_play;
    QSlider* m_slider;
    QSpinBox* m_number;
    QLabel* m_last;
    QComboBox* m_speed;
    bool m_playable = false;
    QTimer m_film;
    QElapsedTimer m_playingSince;
    int m_playedFrom = 0;
};

} // namespace ui
