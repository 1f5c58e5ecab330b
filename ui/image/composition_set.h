// SPDX-License-Identifier: GPL-3.0-or-later
// The compositions of A and B, one for each view of the table that has one; the one that is on screen.
#pragma once

#include "ui/views/views.h"

#include <QObject>

#include <memory>
#include <vector>

class QHBoxLayout;

namespace ui
{

class ImageColumn;

// A composition is kept while its view isn't chosen, so that a divider or a lens is found where it was left.
class CompositionSet : public QObject
{
    Q_OBJECT
  public:
    // Its controls belong to that panel, and lie in that row.
    CompositionSet(QWidget* panel, QHBoxLayout* controlsRow);
    ~CompositionSet() override;

    Composition* active() const { return m_active; }     // of the view on screen; null where that has none
    void setView(const View& view, ImageColumn& column); // column: which shows what is composed
    void setPlanes(const Plane& a, const Plane& b);
    void saveState(QSettings& settings) const;
    void restoreState(const QSettings& settings);

  signals:
    void titleChanged();

  private:
    struct Composed {
        std::unique_ptr<Composition> composition;
        QWidget* controls = nullptr;
    };

    std::vector<Composed> m_all; // by place in the table of views
    Composition* m_active = nullptr;
};

} // namespace ui
