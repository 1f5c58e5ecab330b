// SPDX-License-Identifier: GPL-3.0-or-later
// The sinogram of a row or a projection, read in the background, with its header and its view.
#pragma once

#include "engine/stages/recorded_images.h"
#include "ui/background/background_task.h"
#include "ui/image/image_header.h"
#include "ui/image/image_view.h"

#include <QObject>

#include <functional>
#include <memory>
#include <optional>

namespace ui
{

// Everything that a recorded image depends on.
struct RecordedRequest {
    std::shared_ptr<const engine::Scan> scan;
    engine::Look look = {};
    engine::PreparationSettings preparation = {};         // if the values are prepared
    int number = 0;                                       // of the row or of the projection
    engine::Quantity quantity = engine::Quantity::counts; // kind of its values
    bool operator==(const RecordedRequest&) const = default;

    bool isAlike(const RecordedRequest& other) const // apart from its number
    {
        return scan == other.scan && look == other.look && preparation == other.preparation;
    }
};

class RecordedImage : public QObject
{
    Q_OBJECT
  public:
    using Read = std::function<engine::Volume(const std::stop_token&)>;
    enum class Fill { always, whereLow }; // which images are stretched to fill the view

    // `panel` owns the header and the view.
    RecordedImage(const char* name, const QString& accessible, const QString& handling, Fill fill, QWidget* panel);
    ~RecordedImage() override; // cancels reading and waits

    ImageHeader* header() const { return m_header; }
    ImageView* view() const { return m_view; }
    bool isThere() const { return static_cast<bool>(m_pixels); }
    bool isOn(const QPointF& position) const;
    bool isDifference() const;                       // whether a difference is shown
    double largest() const { return m_window.high; } // upper end of the grey window
    QString textAt(const QPointF& position) const;   // "line integral 0.0213"
    bool isBusy() const { return m_task.busy(); }

    bool ask(const RecordedRequest& wanted, Read read); // returns true if reading begins now
    void cancel() { m_task.cancel(); }
    void drop();                                              // removes the image
    void showSlow();                                          // shows that it is being read
    void setColours(const ColourTable& colours, bool isDark); // isDark: differences get the colours for a dark window

  signals:
    void taken();
    void failed();
    void cancelled();

  private:
    void take(engine::Volume image);
    void giveUp(const QString& message);
    void setViewpoint(const Viewpoint& viewpoint);
    void fit();
    QString valueName() const; // "line integral"

    ImageHeader* m_header;
    ImageView* m_view;
    Fill m_fill;
    Viewpoint m_viewpoint;
    std::optional<RecordedRequest> m_shown, m_reading; // m_shown: the shown request, or one that failed
    Pixels m_pixels;
    GreyWindow m_window;
    BackgroundTask m_task; // last member: its destructor cancels and waits
};

} // namespace ui
