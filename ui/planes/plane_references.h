// SPDX-License-Identifier: GPL-3.0-or-later
// The references of the planes on screen, computed in the background while nothing moves, and the figures against them.
#pragma once

#include "engine/io/files/file_states.h"
#include "engine/request/keys.h"
#include "ui/planes/plane_job.h"
#include "ui/views/newest_wins.h"

#include <QObject>
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

// Pairs planes with their references, which are reconstructed, sampled from a phantom, or read from a file. A reference
// that is there is used as long as it is the right one.
class PlaneReferences : public QObject
{
    Q_OBJECT
  public:
    using Images = std::array<Image, 3>;

    explicit PlaneReferences(QObject* parent = nullptr);

    // The requests and the reference of all settings; their place doesn't matter. keptBytes: of the memory limit, by
    // the rows of the planes themselves.
    void setComparison(const Comparison& settings, double keptBytes = 0);
    void refuse(const QString& why); // stops; nothing is computed before setComparison() is called again
    // Emits paired() for each plane. isMoving: nothing will be computed, and computing pauses.
    void pair(const Images& images, bool isMoving);
    // Computes the references and the figures of the last images that are missing. Returns whether a reference was.
    bool compute();
    void stop();    // keeps what is finished
    void pause();   // stops, but not before rows are read, which other planes need, too
    void release(); // frees the memory, for example for another scan
    bool isReading() const { return m_job.isReading(); }
    bool busy() const { return m_job.busy() && !m_isReleasing; }

    // Returns the request for the reference of a plane's image; nothing if it isn't a reconstruction.
    std::optional<engine::Request> requestFor(const Image& image) const;

  signals:
    void paired(int plane, const ui::PairedPlane& pair);
    void progressed(const QString& stage, double fraction); // of the reference of one plane
    void failed(const QString& message);
    void finished(); // all references were computed, or failed; not if they were stopped

  private:
    struct Measured {
        Image image, reference;
        std::optional<engine::Metrics> metrics;
    };
    struct Sampled {
        Image like, image;       // image: the phantom or the file, in the plane of `like`
        ReferenceChoice of = {}; // what it is
        engine::FileStates files = {};
    };
    bool isSampled(const Image& image) const; // whether its reference is a phantom or a file
    void sample();
    Image referenceOf(int plane) const; // null if it isn't there
    bool isNeeded(int plane) const;     // must be computed
    bool isFull(const Image& image) const;
    void show(int plane);
    void take(const PlaneImages& images);
    bool resume(); // after a pause, if rows are there; returns whether references are being computed
    void measure();
    QString missingText(int plane) const;
    void showAll();

    Comparison m_settings;
    double m_keptBytes = 0;
    QString m_objection; // why nothing is computed
    bool m_isReleasing = false;
    bool m_isPaused = false, m_isWaiting = false; // until rows are there; m_isWaiting: then references are computed
    Images m_images;
    struct Made {
        Image image;
        engine::ImageKey key; // of its request
    };
    std::array<std::optional<Made>, 3> m_made;
    std::array<Sampled, 3> m_sampled;
    std::array<engine::Request, 3> m_wanted; // the last requests
    std::array<QString, 3> m_refusals;
    std::array<Measured, 3> m_measured;
    bool m_isMoving = false;
    QTimer m_late; // while it runs, nothing tells that references are being computed: it would flicker
    PlaneJob m_job;
    NewestWins m_measuring, m_sampling;
};

} // namespace ui
