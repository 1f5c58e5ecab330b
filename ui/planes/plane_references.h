// SPDX-License-Identifier: GPL-3.0-or-later
// The references of the planes on screen, computed in the background while nothing moves, and the figures against them.
#pragma once

#include "ui/background/figure_cache.h"
#include "ui/background/references.h"
#include "ui/background/section_job.h"

#include <QTimer>

#include <array>
#include <optional>

namespace ui
{

// One plane of the chosen setting, beside the same plane of its reference. Only images of the same plane, made with the
// settings as they are now, are paired.
struct PairedPlane {
    Comparison comparison; // the chosen setting has the image, its reference and the figures, as far as they are there
    QString missing = {};  // why there is no reference, a sentence; empty: there is one, or the plane is moving
};

// Pairs planes with their references, as References makes them. One that is there is used as long as it is the right
// one.
class PlaneReferences : public SectionJob
{
    Q_OBJECT
  public:
    using Images = std::array<Image, 3>;

    explicit PlaneReferences(QObject* parent = nullptr);
    ~PlaneReferences() override; // cancels and waits

    // The requests and the reference of all settings; their place doesn't matter. keptBytes: of the memory limit, by
    // the rows of the planes themselves.
    void setComparison(const Comparison& settings, double keptBytes = 0);
    void refuse(const QString& why); // stops; nothing is computed before setComparison() is called again
    // Emits paired() for each plane. isMoving: nothing will be computed, and computing pauses.
    void pair(const Images& images, bool isMoving);
    // Computes the references and the figures of the last images that are missing. Returns whether there are any.
    bool compute();
    void stop();    // keeps what is finished
    void pause();   // stops, but not before rows are read, which other planes need, too
    void release(); // frees the memory, for example for another scan

  signals:
    void paired(int plane, const ui::PairedPlane& pair);

  private:
    Comparison comparisonOf(int plane) const; // its image is that of the chosen setting
    Image referenceOf(int plane) const;       // null if it isn't there
    bool isNeeded(int plane) const;           // must be computed
    bool isFull(const Image& image) const;
    void work(std::array<std::optional<Comparison>, 3> wanted, const Turn& turn);
    void complete(Comparison& now, int plane, const Turn& turn);
    void take(int plane, const Comparison& made, const QString& refusal);
    void show(int plane);
    QString missingText(int plane) const;
    void showAll();

    Comparison m_settings;
    double m_keptBytes = 0;
    QString m_objection; // why nothing is computed
    Images m_images;
    std::array<Comparison, 3> m_made; // the last ones, with images, references and figures
    std::array<QString, 3> m_refusals;
    bool m_isMoving = false;
    QTimer m_late; // while it runs, nothing tells that references are being computed: it would flicker

    // Used only by the worker.
    References m_references{0}; // those in use are in m_made
    KeptFigures m_figures;
};

} // namespace ui
