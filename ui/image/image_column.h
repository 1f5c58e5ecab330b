// SPDX-License-Identifier: GPL-3.0-or-later
// One image of the panel: its header, its view, and the message that the view shows while the image is missing.
#pragma once

#include "ui/image/image_header.h"
#include "ui/image/image_view.h"

#include <QCoreApplication>

#include <optional>

class QHBoxLayout;

namespace ui
{

// Column of the image panel. The previous image stays on screen until the next one arrives. `parent` owns the
// widgets.
class ImageColumn
{
    Q_DECLARE_TR_FUNCTIONS(ui::ImageColumn)
  public:
    ImageColumn(const QString& objectName, const QString& accessibleName, QWidget* parent);

    static QString handling(); // what the mouse and the keys do in a view

    ImageHeader& header() { return *m_header; }
    const ImageHeader& header() const { return *m_header; }
    QHBoxLayout* headerRow() const { return m_headerRow; } // also holds the controls of the composition
    ImageView& view() const { return *m_view; }
    const Pixels& pixels() const { return m_pixels; } // on screen
    bool isCurrent() const { return m_current; }      // false: no image, or the previous one
    bool isKept() const { return m_kept; }            // the previous image is on screen
    const QString& message() const { return m_message; }

    // Shows `pixels`. If they are empty, the previous image stays as it is until markStale() dims it and shows
    // `missing` over it.
    void place(const Pixels& pixels, const QString& title, const QString& missing);
    void compose(const ImageColumn& a, const ImageColumn& b); // shows both in this view
    void beginScan(int size);                                 // removes everything of the previous scan
    void clear();
    void drop(); // removes the previous image and shows the message instead
    void countNotFinite();

    void setTitle(const QString& title) { m_title = title; }
    void setExplanation(const QString& explanation) { m_explanation = explanation; } // of the title, as a tooltip
    // Shows the title, or `untitled` if the title is empty. Also shows the note, or the number of pixels that aren't
    // finite if there are any. If `tip` is empty, the explanation of the title is the tooltip of the note.
    void showHeader(const QString& untitled, const QString& note, const QString& tip);

    void setMessage(const QString& message) { m_message = message; } // shown by showMessage()
    void showMessage();
    void rememberMessage();                  // unless a message is remembered already
    std::optional<QString> takeRemembered(); // returns and forgets it
    void markStale();                        // dims the previous image and shows the message
    void markOutdated();                     // the image on screen is not the requested one

  private:
    ImageHeader* m_header;
    QHBoxLayout* m_headerRow;
    ImageView* m_view;
    Pixels m_pixels;
    bool m_current = false;
    bool m_kept = false;
    QString m_title;
    QString m_explanation;
    QString m_message;                   // shown while the image isn't current
    std::optional<QString> m_remembered; // the message before the computation was stopped
    long long m_notFinite = 0;
};

} // namespace ui
