// SPDX-License-Identifier: GPL-3.0-or-later
// Linked views of the same slice: they share a viewpoint, the lines and areas, and a tool. Mouse actions in one of
// them apply to all.
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
    explicit LinkedViews(QWidget* panel); // panel: holds the views

    void add(ImageView* view); // from left to right; owned by its parent
    // Of a view whose viewpoint is linked elsewhere: it shares only the marks and the tool.
    void addMarksOnly(ImageView* view);
    ImageView* first() const; // first visible view; the first of all if none is visible
    // Begins another scan. A slice of another size is fitted. Marks are replaced if they don't lie on the slice, or
    // if its size changed and no marks were set for it.
    void beginScan(int size);
    void showScale(const std::optional<double>& pixelSizeMm); // only in the first view

    const Viewpoint& viewpoint() const { return m_viewpoint; }
    void setViewpoint(const Viewpoint& viewpoint);
    void fit();

    const engine::Marks& marks() const { return m_overlay.marks; }
    void setMarks(const engine::Marks& marks, bool areForNextScan); // emits no signal
    void editMarks(const engine::Marks& marks, bool continues);     // an edit by the user
    bool marksVisible() const { return m_overlay.visible; }
    void setMarksVisible(bool visible);
    void setGuides(const std::vector<Guide>& guides);

    Tool tool() const { return m_tool; }
    void setTool(Tool tool);

    const std::optional<QPointF>& pointer() const { return m_pointer; } // of the mouse, on the slice
    void setCursor(const std::optional<QPointF>& position);             // cursor of the profile
    void showMarker(bool isPointerInside);                              // at the pointer if inside, else at the cursor

  signals:
    void marksEdited(const engine::Marks& before, bool continues);
    void marksChanged();
    void marksVisibleChanged(bool visible);
    void toolChanged(ui::Tool tool);
    void axisMoved(double pixels);
    void axisReleased();
    void windowDragged(const QPointF& share);
    void menuRequested(const QPoint& globalPosition);
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
    bool m_marksGiven = false;  // marks were set before the scan's first image
    bool m_actUnderWay = false; // the next change of a mark belongs to the same user action
    Tool m_tool = Tool::none;
    std::optional<QPointF> m_pointer, m_cursor;
};

} // namespace ui
