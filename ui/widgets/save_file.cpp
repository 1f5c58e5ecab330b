// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/save_file.h"

#include <QBuffer>
#include <QImage>
#include <QSaveFile>

#include <new>

namespace ui
{

QString saveFile(const QString& path, const QByteArray& bytes)
{
    QSaveFile file(path);
    // commit() flushes too, but then loses the reason of a failure.
    if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size() || !file.flush() || !file.commit())
        return file.errorString();
    return {};
}

QByteArray pngOf(const QImage& image)
{
    QByteArray bytes;
    QBuffer buffer(&bytes);
    if (!buffer.open(QIODevice::WriteOnly) || !image.save(&buffer, "PNG"))
        throw std::bad_alloc();
    return bytes;
}

} // namespace ui
