// SPDX-License-Identifier: GPL-3.0-or-later
// The image of one plane with its header and its cross-hairs, alone or compared with its reference.
#pragma once

#include "ui/image/figure.h"
#include "ui/image/image_header.h"
#include "ui/image/image_view.h"
#include "ui/image/linked_views.h"
#include "ui/planes/cross_hairs.h"
#include "ui/planes/plane_references.h"
#include "ui/views/views.h"

#include <QWidget>

#include <map>
#include <memory>

namespace ui
{

// An image with over so many times as many columns as rows would look like a line; it is stretched.
constexpr double lineShape = 6;
inline bool isLine(const QSizeF& size)
{
    return size.width() > lineShape * size.height();
}

class PlaneCell : public QWidget
{
    Q_OBJECT
  public:
    PlaneCell(const QString& name, const QString& accessible, QWidget* parent = nullptr);

    ImageHeader& header() { return *m_header; }
    ImageView& view() const { return *m_view; }
    CrossHairs& crossHairs() const { return *m_cross; }
    LinkedViews& marks() const { return *m_marks; } // lines and areas, in pixels of the image
    // The marks that were set or edited last; without a mark: the initial ones are shown. Where they don't fit the
    // image, initial ones stand in for them.
    const engine::Marks& givenMarks() const { return m_givenMarks; }
    void setMarks(const engine::Marks& marks); // emits no signal
    const Image& image() const { return m_image; }
    const Pixels& pixels() const { return m_pixels; }         // of the image
    const Pixels& difference() const { return m_difference; } // empty unless it is shown
    const Pixels& shownPixels() const { return m_difference ? m_difference : m_pixels; }
    bool isItself() const;                                             // the image is its own reference
    const Comparison& comparison() const { return m_pair.comparison; } // of the last pair

    // Shows the image of the plane in its request, which may be coarse.
    void showImage(const Image& image);
    // Shows the image with its reference as the view demands, as long as the image isn't replaced.
    void showPair(const PairedPlane& pair);
    void setShownView(const ui::View& view); // one image, the difference or a composition
    // Uses the same composition as other cells. It must not depend on the pixels.
    void share(const ui::View& view, const std::shared_ptr<Composition>& composition);
    void setColours(const Colouring& images, const Colouring& differences);
    void clear(const QString& message); // removes the image
    void fit();
    QImage rendered() const; // the image, one pixel per pixel
    FigureImage
    figureImage(bool isDifference) const; // for a figure, without title; with the difference, if there is one

  signals:
    void titlePressed();
    void marksEdited(const engine::Marks& before, bool continues); // given ones; continues: part of the last edit

  protected:
    void mousePressEvent(QMouseEvent* event) override;

  private:
    void setViewpoint(const Viewpoint& viewpoint);
    void setComposed(Composition* composition);
    void showContents();
    void fitMarks();
    void showColours();
    QString caption() const;
    bool isPaired() const; // the pair belongs to the image on screen, and has a reference

    ImageHeader* m_header;
    ImageView* m_view;
    CrossHairs* m_cross;
    std::unique_ptr<LinkedViews> m_marks;
    engine::Marks m_givenMarks;
    std::optional<double> m_pixelSizeMm; // along the image's rows
    Image m_image;
    Pixels m_pixels, m_difference;
    PairedPlane m_pair;
    const ui::View* m_shown;
    std::map<const ui::View*, std::shared_ptr<Composition>> m_compositions;
    Composition* m_composed = nullptr; // on screen
    Colouring m_ofImages, m_ofDifferences;
    QSize m_size; // of the full image
    Viewpoint m_viewpoint;
};

} // namespace ui
