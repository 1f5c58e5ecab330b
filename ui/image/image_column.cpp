// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/image/image_column.h"

#include "ui/image/image_statistics.h"

#include <QHBoxLayout>

#include <utility>

namespace ui
{

ImageColumn::ImageColumn(const QString& objectName, const QString& accessibleName, QWidget* parent)
    : m_header(new ImageHeader(parent)), m_headerRow(new QHBoxLayout), m_view(new ImageView(parent))
{
    m_header->setObjectName(objectName + QStringLiteral("Header"));
    m_headerRow->addWidget(m_header, 1);
    m_view->setObjectName(objectName);
    m_view->setAccessibleName(accessibleName);
    m_view->setAccessibleDescription(handling());
    // Files dropped on an image are handled by the window.
    m_view->setAcceptDrops(false);
    m_view->viewport()->setAcceptDrops(false);
}

QString ImageColumn::handling()
{
    return tr(
        "Wheel, plus and minus zoom; drag or arrow keys pan; double click fits the slice. A drag with the right button "
        "changes the grey window: its width to the sides, its middle up and down. Drag lines and areas "
        "or their handles; Shift keeps them straight. Ctrl and drag draws an area for the statistics.");
}

void ImageColumn::place(const Pixels& pixels, const QString& title, const QString& missing)
{
    m_current = static_cast<bool>(pixels);
    m_kept = !m_current && m_pixels;
    m_message = missing;
    m_remembered.reset();
    if (!pixels)
        return;
    m_pixels = pixels;
    m_title = title;
    m_view->setPixels(pixels);
    m_view->setDimmed(false);
    m_view->setMessage({});
}

// A previous image that is still on screen is composed, too.
void ImageColumn::compose(const ImageColumn& a, const ImageColumn& b)
{
    m_current = a.m_current && b.m_current;
    m_kept = a.m_kept || b.m_kept;
    m_message = a.m_current ? b.m_message : a.m_message;
    m_pixels = a.m_pixels;
    m_view->setPixels(a.m_pixels, b.m_pixels);
    if (m_current) {
        m_view->setDimmed(false);
        m_view->setMessage({});
    }
}

void ImageColumn::beginScan(int size)
{
    m_pixels = {};
    m_title.clear();
    m_explanation.clear();
    m_notFinite = 0;
    m_view->setPixels({});
    m_view->setSliceSize(size);
}

void ImageColumn::clear()
{
    m_title.clear();
    m_explanation.clear();
    m_message.clear();
    m_remembered.reset();
    m_current = false;
    drop();
}

void ImageColumn::drop()
{
    m_pixels = {};
    m_kept = false;
    m_notFinite = 0;
    m_view->setPixels({});
    m_view->setDimmed(false);
    showMessage();
}

void ImageColumn::countNotFinite()
{
    m_notFinite = ui::countNotFinite(m_pixels);
}

void ImageColumn::showHeader(const QString& untitled, const QString& note, const QString& tip)
{
    m_header->setTitle(m_title.isEmpty() ? untitled : m_title);
    if (m_notFinite > 0)
        m_header->setNote(tr("%n not finite", nullptr, static_cast<int>(m_notFinite)), notFiniteColour(),
                          tr("Magenta pixels are NaN or infinite."));
    else
        m_header->setNote(note, {}, tip.isEmpty() ? m_explanation : tip);
}

void ImageColumn::showMessage()
{
    m_view->setMessage(m_message);
}

void ImageColumn::rememberMessage()
{
    if (!m_remembered)
        m_remembered = m_message;
}

std::optional<QString> ImageColumn::takeRemembered()
{
    return std::exchange(m_remembered, {});
}

void ImageColumn::markStale()
{
    m_view->setDimmed(m_kept);
    m_view->setMessage(m_current ? QString() : m_message);
}

void ImageColumn::markOutdated()
{
    m_current = false;
    m_kept = static_cast<bool>(m_pixels);
    markStale();
}

} // namespace ui
