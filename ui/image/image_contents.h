// SPDX-License-Identifier: GPL-3.0-or-later
// Contents of the image panel: A, B, their difference and their composition. Previous images stay until the next ones
// arrive.
#pragma once

#include "ui/background/comparison.h"
#include "ui/image/composition_set.h"
#include "ui/image/difference_range.h"
#include "ui/image/image_column.h"

#include <QObject>
#include <QTimer>

#include <memory>
#include <optional>
#include <vector>

namespace ui
{

class ImageContents : public QObject
{
    Q_OBJECT
  public:
    explicit ImageContents(QWidget* panel); // panel: parent of the headers and views
    ~ImageContents() override;

    void makeCompositions(); // call it last: their controls come last in the tab order

    ImageColumn& column(Content content) { return m_columns[static_cast<std::size_t>(content)]; }
    const ImageColumn& column(Content content) const { return m_columns[static_cast<std::size_t>(content)]; }
    CompositionSet& compositions() { return *m_compositions; }
    DifferenceRange& difference() { return m_difference; }
    const DifferenceRange& difference() const { return m_difference; }
    const Comparison& comparison() const { return m_comparison; } // the last one that was shown
    int sliceSize() const { return m_size; }                      // 0: nothing was shown yet
    const QString& unit() const { return m_unit; }
    std::optional<double> pixelSizeMm() const;

    bool isAnotherScan(const Comparison& comparison) const; // whether it holds an image of another scan
    void beginScan(const Comparison& comparison);
    bool show(const Comparison& comparison); // returns true if the values of A changed
    void clear(const QString& message);
    void setMessage(Content content, const QString& message); // ignored if the image is there
    void stop(const QString& why, bool isOutdated);           // see ImagePanel::showStopped()
    void resume();
    void markStale(); // dims images that aren't current, after a delay

    void setView(const View& view);              // chooses the columns and the composition
    bool setDifferenceKind(DifferenceKind kind); // returns true if it changed
    void measureRange();
    void measureDifference(); // shows its metrics
    void showHeaders();
    void showDifferenceHeader();

    bool isInside(const QPointF& position) const;  // whether it lies on the image
    QString textAt(const QPointF& position) const; // position and values there

  private:
    void addColumn(const QString& objectName, const QString& accessibleName, QWidget* panel);
    void place(Content content, const Pixels& pixels, const QString& title, const QString& missing);
    void placeDifference();
    void placeComposed();
    void markOutdated();                   // marks all images
    void dropReference();                  // removes a previous reference, and the difference from it
    QString nameOf(Content content) const; // "A · half", or "image" if it has no name
    QString noteOfImage() const;
    QString tipOfImage() const;

    QWidget* m_panel;
    std::vector<ImageColumn> m_columns; // indexed by content
    std::unique_ptr<CompositionSet> m_compositions;
    DifferenceRange m_difference;
    QTimer m_staleTimer{this};
    Comparison m_comparison;
    int m_size = 0;
    QString m_unit;
    std::weak_ptr<const engine::Scan> m_scan;
    bool m_isOutdated = false;                // the images are not the requested ones, and no others are coming
    std::optional<engine::Metrics> m_metrics; // of the difference
};

} // namespace ui
