// What ImagePanel keeps: the linked views, what they share, and the grey windows. Implemented by image_panel_impl.cpp
// (parts, view, mouse), image_panel_content.cpp (what is shown) and image_panel_windows.cpp (its colours).
#pragma once

#include "ui/image/image_header.h"
#include "ui/image/image_panel.h"
#include "ui/image/image_statistics.h"
#include "ui/image/image_view.h"
#include "ui/image/window_strip.h"

#include <QTimer>

#include <array>
#include <functional>
#include <vector>

class QGridLayout;
class QHBoxLayout;

namespace ui
{

struct ImagePanel::Impl {
    struct Column {
        ImageHeader* header = nullptr;
        QHBoxLayout* headerRow = nullptr; // with the controls of what is composed
        ImageView* view = nullptr;
        Pixels pixels;        // what is on screen
        bool current = false; // false: nothing, or the image before, kept until the next one is there
        bool kept = false;    // it is the image before
        QString title;
        QString explanation;               // of the title
        QString message;                   // while it isn't current
        std::optional<QString> beforeStop; // the message before the work was stopped
        long long notFinite = 0;
    };
    struct Range {
        double value = 0; // 0: not known yet
        bool automatic = true;
        bool given = false; // before the first image of a scan
    };
    struct Composed {
        std::unique_ptr<Composition> composition;
        QWidget* controls = nullptr;
    };

    explicit Impl(ImagePanel* panel);

    Column& column(Content content) { return columns[static_cast<std::size_t>(content)]; }
    const Column& column(Content content) const { return columns[static_cast<std::size_t>(content)]; }

    void build();
    void buildColumn(Content content);
    void fillColumn(Column& made, const QString& objectName, const QString& accessible, QWidget* parent);
    void placeGrid();
    void arrangeGrid(std::size_t count);
    void regrid();
    void forEachView(const std::function<void(ImageView&)>& act) const;
    std::vector<ImageView*> shownViews() const;
    void showScale();
    void buildCompositions();
    void connectView(ImageView* view);
    void connectStrip();

    // New values.
    bool isAnotherScan(const Comparison& comparison) const;
    void beginScan(const Comparison& comparison);
    void place(Content content, const Pixels& pixels, const QString& title, const QString& missing);
    void placeDifference();
    void placeComposed();
    void measureDifference();
    void markStale();     // dims what is not current, once that has lasted
    void markOutdated();  // at once, all that is there
    void dropReference(); // and the difference, where they are those before
    void showHeaders();
    QString nameOf(Content content) const; // "half", or "image" where it has no name
    void showDifferenceHeader();
    void say(Content content, const QString& message); // unless it is current

    // Shared by the views.
    void setViewpoint(const Viewpoint& next);
    void fit();
    void setOverlay();
    void setMarker(const std::optional<QPointF>& position);
    void setView(const View& next);
    Composition* composition() const;                     // of the view, if it has one
    ImageView* firstView() const;                         // of those on screen
    void edit(const engine::Marks& next, bool continues); // by the user
    void draw(const engine::Shape& shape);
    void reshape(int id, const engine::Shape& shape);
    void reportPointer();

    // Grey windows.
    const GreyWindow& windowOf(Content content) const;
    void automatic();
    void windowOfVisible();
    void automaticDifference();
    void editWindow(const GreyWindow& window);
    void setShared(bool share);
    void setDifferenceKind(DifferenceKind next);
    Colouring differenceColouring() const;
    QString differenceUnit() const;
    Range& range() { return ranges[static_cast<std::size_t>(kind)]; }
    const Range& range() const { return ranges[static_cast<std::size_t>(kind)]; }
    void showColours();
    void showHistogram(bool chooseDomain);

    ImagePanel* panel;
    // Of the grid of all: as many as there are compared, and the reference.
    std::vector<Column> cells;
    QWidget* grid = nullptr;
    int gridAcross = 0;                 // its columns
    QWidget* beside = nullptr;          // of Content::recorded
    std::array<Column, 4> columns;      // by their content
    std::vector<Composed> compositions; // by place in the table of views
    WindowStrip* strip = nullptr;
    QTimer staleTimer;

    Comparison comparison; // what was shown last
    int size = 0;          // of the whole slice; 0: nothing was shown yet
    QString unit;
    std::weak_ptr<const engine::Scan> scan;
    Viewpoint viewpoint;
    Overlay overlay;
    bool marksGiven = false;  // before the first image of a scan
    bool isOutdated = false;  // what is there is not what was asked for, and nothing else is coming
    bool actUnderWay = false; // a drag that has changed something
    Tool tool = Tool::none;
    std::optional<QPointF> pointer, cursor; // of the mouse, of the profile

    GreyWindow windowA, windowB;
    bool windowBKnown = false;
    std::optional<GreyWindow> givenA, givenB; // before the first image of a scan
    bool windowOfPreview = false;             // windowA was taken from a coarse preview, and nobody has chosen another
    bool shared = true;
    const View* view = &views().front();
    QGridLayout* images = nullptr;
    WindowStrip::Target target = WindowStrip::Target::a;
    GreyWindow domain; // of the histogram: stays while the values stay inside
    int colourMap = 0;
    DifferenceKind kind = DifferenceKind::plain;
    std::array<Range, differenceKindCount> ranges; // of the difference, by its kind
    std::optional<engine::Metrics> differenceMetrics;
};

} // namespace ui
