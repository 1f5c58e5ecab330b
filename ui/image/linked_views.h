// SPDX-License-Identifier: GPL-3.0-or-later
// Views of the same slice, linked: they share a viewpoint, the lines and areas, and a tool. What the mouse does in one
// of them counts for all.
#pragma once

#include "ui/image/image_view.h"

#include <QObject>

#include <functional>
#include <optional>
#include <vector>

namespace ui
{

class LinkedViews : public QObject
{
    Q_OBJECT
  public:
    explicit LinkedViews(QWidget* panel); // on which the views lie

    void add(ImageView* view); // from left to right; it belongs to its parent
    ImageView* first() const;  // of those on screen; the first of all where there is none
    // Of another scan: a slice of another size is fitted, and marks that don't lie on it are replaced.
    void beginScan(int size);
    void showScale(const std::optional<double>& pixelSizeMm); // in the first one alone

    const Viewpoint& viewpoint() const { return m_viewpoint; }
    void setViewpoint(const Viewpoint& viewpoint);
    void fit();

    const engine::Marks& marks() const { return m_overlay.marks; }
    void setMarks(const engine::Marks& marks, bool areForNextScan); // no signal
    void editMarks(const engine::Marks& marks, bool continues);     // by the user
    bool marksVisible() const { return m_overlay.visible; }
    void setMarksVisible(bool visible);
    void setGuides(const std::vector<Guide>& guides);

    Tool tool() const { return m_tool; }
    void setTool(Tool tool);

    const std::optional<QPointF>& pointer() const { return m_pointer; } // of the mouse, on the slice
    void setCursor(const std::optional<QPointF>& position);             // of the profile
    void showMarker(bool isPointerInside);                              // at the pointer, else at the cursor

  signals:
    void marksEdited(const engine::Marks& before, bool continues);
    void marksChanged();
    void marksVisibleChanged(bool visible);
    void toolChanged(ui::Tool tool);
    void axisMoved(double pixels);
    void axisReleased();
    void pointerChanged();
    void resized();

  private:
    void forEach(const std::function<void(ImageView&)>& act) const;
    std::vector<ImageView*> shown() const;
    void connectMarks(ImageView* view);
    void showOverlay();
    void setMarker(const std::optional<QPointF>& position);
    void draw(const engine::Shape& shape);
    void reshape(int id, const engine::Shape& shape);

    const QWidget* m_panel;
    std::vector<ImageView*> m_views;
    int m_size = 0; // of the whole slice; 0: nothing was shown yet
    Viewpoint m_viewpoint;
    Overlay m_overlay;
    bool m_marksGiven = false;  // before the first image of a scan
    bool m_actUnderWay = false; // a drag that has changed something
    Tool m_tool = Tool::none;
    std::optional<QPointF> m_pointer, m_cursor;
};

} // namespace ui
