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

    // Controls these axes. mostDecades: powers of ten that the logarithmic axis shows at most.
    ProfileRanges(QCPAxis* values, QCPAxis* differences, double mostDecades);

    void follow(const ProfileCurves& curves, bool isAnimated);
    void forget();                         // fits the next curves anew, for another scan
    void setLogarithmic(bool logarithmic); // scale of the differences
    bool isLogarithmic() const { return m_logarithmic; }

    bool isZoomed() const { return m_valuesZoomed || m_differencesZoomed; }
    void zoom(Pane pane, double factor, double pixel);      // about that pixel, by the user
    void move(Pane pane, double fromPixel, double toPixel); // if it is zoomed
    void showAll();                                         // undoes the zoom

  signals:
    void changed(); // a step of an animation is done

  private:
    void show(double fraction); // fraction: of the way from the previous ranges
    QCPAxis* axis(Pane pane) const { return pane == Pane::values ? m_values : m_differences; }
    bool& zoomed(Pane pane) { return pane == Pane::values ? m_valuesZoomed : m_differencesZoomed; }

    QCPAxis* m_values;
    QCPAxis* m_differences;
    double m_mostDecades;
    bool m_logarithmic = false;
    bool m_valuesZoomed = false, m_differencesZoomed = false;
    StableRange m_valueRange, m_errorRange, m_logErrorRange; // the last one in powers of ten
    QCPRange m_fromValue, m_fromError;
    QVariantAnimation m_animation{this};
};

} // namespace ui
