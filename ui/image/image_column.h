// SPDX-License-Identifier: GPL-3.0-or-later
// One image of the panel: its header, its view, and what the view shows while the image isn't there.
#pragma once

#include "ui/image/image_header.h"
#include "ui/image/image_view.h"

#include <QCoreApplication>

#include <optional>

class QHBoxLayout;

namespace ui
{

// The image before stays on screen until the next one arrives. The widgets belong to their parent.
class ImageColumn
{
    Q_DECLARE_TR_FUNCTIONS(ui::ImageColumn)
  public:
    ImageColumn(const QString& objectName, const QString& accessibleName, QWidget* parent);

    static QString handling(); // what the mouse and the keys do in a view

    ImageHeader& header() { return *m_header; }
    const ImageHeader& header() const { return *m_header; }
    QHBoxLayout* headerRow() const { return m_headerRow; } // with the controls of what is composed
    ImageView& view() const { return *m_view; }
    const Pixels& pixels() const { return m_pixels; } // on screen
    bool isCurrent() const { return m_current; }      // false: nothing, or the image before
    bool isKept() const { return m_kept; }            // the image before
    const QString& message() const { return m_message; }

    // `missing`: the message while there is no image. The image before then stays as it is; see markStale().
    void place(const Pixels& pixels, const QString& title, const QString& missing);
    void compose(const ImageColumn& a, const ImageColumn& b); // both in this view
    void beginScan(int size);                                 // nothing of another scan is kept
    void clear();
    void drop(); // the image before; its message takes its place
    void countNotFinite();

    void setTitle(const QString& title) { m_title = title; }
    void setExplanation(const QString& explanation) { m_explanation = explanation; } // of the title
    // While nothing isn't finite, the note and its tip; without a tip, the explanation of the title.
    void showHeader(const QString& untitled, const QString& note, const QString& tip);

    void setMessage(const QString& message) { m_message = message; } // for showMessage()
    void showMessage();
    void rememberMessage();                  // unless one is remembered already
    std::optional<QString> takeRemembered(); // and forgets it
    void markStale();                        // dims the image before
    void markOutdated();                     // the image on screen is not the one that was asked for

  private:
    ImageHeader* m_header;
    QHBoxLayout* m_headerRow;
    ImageView* m_view;
    Pixels m_pixels;
    bool m_current = false;
    bool m_kept = false;
    QString m_title;
    QString m_explanation;
    QString m_message;                   // while it isn't current
    std::optional<QString> m_remembered; // the message before the work was stopped
    long long m_notFinite = 0;
};

} // namespace ui
