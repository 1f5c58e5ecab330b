// SPDX-License-Identifier: GPL-3.0-or-later
// The compositions of A and B: one for each view that has one, and the one that is on screen.
#pragma once

#include "ui/views/views.h"

#include <QObject>

#include <memory>
#include <vector>

class QHBoxLayout;

namespace ui
{

class ImageColumn;

// Compositions of all views. A composition lives on while another view is chosen, so that its divider or lens stays
// where it was.
class CompositionSet : public QObject
{
    Q_OBJECT
  public:
    // The controls of the compositions become children of `panel` and are added to `controlsRow`.
    CompositionSet(QWidget* panel, QHBoxLayout* controlsRow);
    ~CompositionSet() override;

    Composition* active() const { return m_active; }     // of the view on screen; null if that view has none
    void setView(const View& view, ImageColumn& column); // column: the one that shows the composition
    void setPlanes(const GridSlice& a, const GridSlice& b);
    void saveState(QSettings& settings) const;
    void restoreState(const QSettings& settings);

  signals:
    void titleChanged();

  private:
    struct Composed {
        std::unique_ptr<Composition> composition;
        QWidget* controls = nullptr;
    };

    std::vector<Composed> m_all; // indexed as in the table of views
    Composition* m_active = nullptr;
};

} // namespace ui
