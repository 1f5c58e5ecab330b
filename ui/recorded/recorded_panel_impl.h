// What RecordedPanel is made of: its two images, what they read, and what links them. Implemented by
// recorded_panel.cpp (parts and the film), recorded_reading.cpp (what is read) and recorded_links.cpp (points).
#pragma once

#include "ui/background/background_task.h"
#include "ui/image/image_header.h"
#include "ui/image/image_view.h"
#include "ui/recorded/recorded_panel.h"

#include <QElapsedTimer>
#include <QTimer>

#include <functional>
#include <mutex>

class QComboBox;
class QLabel;
class QSlider;
class QSpinBox;
class QToolButton;

namespace ui
{

struct RecordedPanel::Impl {
    // All that an image depends on.
    struct Wanted {
        std::shared_ptr<const engine::Scan> scan;
        engine::Look look = {};
        engine::PreparationSettings preparation = {};         // of what is prepared
        int number = 0;                                       // of the row or the projection
        engine::Quantity quantity = engine::Quantity::counts; // what its values are
        bool operator==(const Wanted&) const = default;

        bool isAlike(const Wanted& other) const // but for its number
        {
            return scan == other.scan && look == other.look && preparation == other.preparation;
        }
    };
    struct Picture {
        ImageHeader* header = nullptr;
        ImageView* view = nullptr;
        Viewpoint viewpoint;
        std::optional<Wanted> shown, reading; // shown: or why it can't be
        Pixels pixels;
        GreyWindow window;
        std::unique_ptr<BackgroundTask> task;
    };
    // Kept from one to the next; one thread at a time.
    struct Shared {
        std::mutex mutex;
        engine::Projections projections;
    };
    using Read = std::function<engine::Volume(const std::stop_token&)>;

    explicit Impl(RecordedPanel* panel);

    void build();
    void buildPicture(Picture& picture, const char* name, const QString& accessible, const QString& handling);
    QWidget* makeBar();

    // Reading.
    void update(); // reads what is to be shown and isn't
    void ask(Picture& picture, const Wanted& wanted, Read read);
    void take(Picture& picture, engine::Volume image);
    void giveUp(Picture& picture, const QString& message);
    void drop(Picture& picture);
    Wanted wantedOf(int number) const;
    engine::Look look() const;                       // that is chosen
    void offerSteps();                               // those that are on
    QString valueName(const Picture& picture) const; // "line integral": before a value
    int rowShown() const;
    void reportIfSettled();

    // Shared by both.
    void setViewpoint(Picture& picture, const Viewpoint& next);
    void fit(Picture& picture);
    void showColours();
    void showTitles();
    QString angleText(int projection) const;
    void showSlow(); // what is still being read
    void advance();  // the film
    void makeIcons();

    // Points.
    std::optional<engine::Sight> sight; // of the image that is shown
    void pointInSinogram(const QPointF& position);
    void pointInProjection(const QPointF& position);
    void pointNowhere();
    void showLinks();

    RecordedPanel* panel;
    QComboBox *how = nullptr, *step = nullptr;
    QString wantedStep;
    bool waitsForDifference = false; // of the next step that has one
    QSlider* slider = nullptr;
    QSpinBox* number = nullptr;
    QLabel* last = nullptr;
    QToolButton* playButton = nullptr;
    QComboBox* speed = nullptr;

    std::shared_ptr<const engine::Scan> scan;
    std::optional<engine::Request> request; // of the image that is shown
    int slice = 0;
    bool held = true;
    int colourMap = 0;
    std::optional<QPointF> point;                    // on the slice
    std::optional<QPointF> onSinogram, onProjection; // where the pointer is
    QTimer film, slow;
    QElapsedTimer playingSince;
    int playedFrom = 0;

    std::shared_ptr<Shared> shared = std::make_shared<Shared>();
    Picture sinogram, projection; // last: their tasks cancel and wait
};

} // namespace ui
