// SPDX-License-Identifier: GPL-3.0-or-later
// A figure for a publication, black on white: what it shows, how large it is, and the files it is written to.
#pragma once

#include <QByteArray>
#include <QImage>
#include <QSizeF>
#include <QString>

#include <functional>

class QPainter;

namespace ui
{

struct DrawingLook {
    double widthMm = 160;
    double heightMm = 100; // of plots; images keep their shape
    int dotsPerInch = 300; // of PNG files; in SVG and PDF files, images have at most the pixels of the slice
    bool titles = true, colourBars = true, scaleBar = true, marks = false; // of images
    bool differences = true;                                               // of profiles
    bool operator==(const DrawingLook&) const = default;
};

struct Drawing {
    enum class Of { images, plot, picture };
    Of of = Of::images;          // determines which parts of the look apply; a picture has no chosen height
    QString name = {};           // end of the suggested file name: "histograms"
    bool hasDifferences = false; // which the look can leave out
    std::function<double(const DrawingLook&)> heightMm = {}; // of images and pictures
    // Draws into a rectangle of that size, at the origin; the painter's unit is a point, 1/72 inch. Empty: there is
    // nothing to draw yet.
    std::function<void(QPainter&, const QSizeF& points, const DrawingLook&)> draw = {};

    explicit operator bool() const { return draw != nullptr; }
};

QSizeF sizeMmOf(const Drawing& drawing, const DrawingLook& look);
QSizeF pointsOf(const QSizeF& sizeMm);
QImage imageOf(const Drawing& drawing, const DrawingLook& look); // null if it is too large

// Returns a file as .png, .svg or .pdf, depending on the suffix of the path, which is only named in errors. Throws
// engine::Error(output).
QByteArray fileOf(const QString& path, const Drawing& drawing, const DrawingLook& look);
// Writes such a file: under a temporary name, which is then renamed. Throws
// engine::Error(output).
void writeDrawing(const QString& path, const Drawing& drawing, const DrawingLook& look);

Drawing drawingOf(const QString& name, const QImage& picture);

// A page of the window that can be drawn and whose values can be copied.
class DrawnPage
{
  public:
    virtual ~DrawnPage() = default;
    virtual Drawing drawing() const = 0; // black on white; empty for a table, and while nothing is shown
    virtual QString values() const = 0;  // as CSV; empty if there are none
    virtual bool isTable() const { return false; }
};

} // namespace ui
