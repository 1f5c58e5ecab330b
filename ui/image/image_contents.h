// SPDX-License-Identifier: GPL-3.0-or-later
// What the panel shows of a comparison: A, B, their difference and both composed; the images before, until these
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
    explicit ImageContents(QWidget* panel); // to which the headers and views belong
    ~ImageContents() override;

    void makeCompositions(); // whose controls come after every other control of the panel when tabbing

    ImageColumn& column(Content content) { return m_columns[static_cast<std::size_t>(content)]; }
    const ImageColumn& column(Content content) const { return m_columns[static_cast<std::size_t>(content)]; }
    CompositionSet& compositions() { return *m_compositions; }
    DifferenceRange& difference() { return m_difference; }
    const DifferenceRange& difference() const { return m_difference; }
    const Comparison& comparison() const { return m_comparison; } // that was shown last
    int sliceSize() const { return m_size; }                      // 0: nothing was shown yet
    const QString& unit() const { return m_unit; }
    std::optional<double> pixelSizeMm() const;

    bool isAnotherScan(const Comparison& comparison) const; // with an image of it
    void beginScan(const Comparison& comparison);
    bool show(const Comparison& comparison); // true: the values of A are others
    void clear(const QString& message);
    void setMessage(Content content, const QString& message); // unless the image is there
    void stop(const QString& why, bool isOutdated);           // see ImagePanel::showStopped()
    void resume();
    void markStale(); // dims what is not current, once that has lasted

    void setView(const View& view);              // which columns there are, and what is composed
    bool setDifferenceKind(DifferenceKind kind); // true: it was another one
    void measureRange();
    void measureDifference(); // its figures
    void showHeaders();
    void showDifferenceHeader();

    bool isInside(const QPointF& position) const;  // of an image
    QString textAt(const QPointF& position) const; // its values there

  private:
    void addColumn(const QString& objectName, const QString& accessibleName, QWidget* panel);
    void place(Content content, const Pixels& pixels, const QString& title, const QString& missing);
    void placeDifference();
    void placeComposed();
    void markOutdated();                   // all that is there
    void dropReference();                  // and the difference, where they are those before
    QString nameOf(Content content) const; // "half", or "image" where it has no name
    QString noteOfImage() const;

    QWidget* m_panel;
    std::vector<ImageColumn> m_columns; // by content
    std::unique_ptr<CompositionSet> m_compositions;
    DifferenceRange m_difference;
    QTimer m_staleTimer;
    Comparison m_comparison;
    int m_size = 0;
    QString m_unit;
    std::weak_ptr<const engine::Scan> m_scan;
    bool m_isOutdated = false;                // what is there is not what was asked for, and nothing else is coming
    std::optional<engine::Metrics> m_metrics; // of the difference
};

} // namespace ui
