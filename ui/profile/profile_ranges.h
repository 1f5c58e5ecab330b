// SPDX-License-Identifier: GPL-3.0-or-later
// The ranges of a profile's values and differences: they follow the curves without jumping, unless the user has zoomed.
#pragma once

#include "ui/profile/profile_curves.h"
#include "ui/profile/stable_range.h"
#include "ui/widgets/plot_style.h"

#include <QObject>
#include <QVariantAnimation>

namespace ui
{

class ProfileRanges : public QObject
{
    Q_OBJECT
  public:
    enum class Pane { values, differences };

    // Of these axes. mostDecades: powers of ten that the logarithmic axis shows at most.
    ProfileRanges(QCPAxis* values, QCPAxis* differences, double mostDecades);

    void follow(const ProfileCurves& curves, bool isAnimated);
    void forget();                         // the next curves are another scan's: fit at once
    void setLogarithmic(bool logarithmic); // the differences
    bool isLogarithmic() const { return m_logarithmic; }

    bool isZoomed() const { return m_valuesZoomed || m_differencesZoomed; }
    void zoom(Pane pane, double factor, double pixel);      // about that place, by the user
    void move(Pane pane, double fromPixel, double toPixel); // where it is zoomed
    void showAll();                                         // not zoomed any more

  signals:
    void changed(); // a step of an animation

  private:
    void show(double fraction); // of the way from those before
    QCPAxis* axis(Pane pane) const { return pane == Pane::values ? m_values : m_differences; }
    bool& zoomed(Pane pane) { return pane == Pane::values ? m_valuesZoomed : m_differencesZoomed; }

    QCPAxis* m_values;
    QCPAxis* m_differences;
    double m_mostDecades;
    bool m_logarithmic = false;
    bool m_valuesZoomed = false, m_differencesZoomed = false;
    StableRange m_valueRange, m_errorRange, m_logErrorRange; // the last in powers of ten
    QCPRange m_fromValue, m_fromError;
    QVariantAnimation m_animation;
};

} // namespace ui
