// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/save_file.h"

#include <QBuffer>
#include <QImage>
#include <QSaveFile>

#include <new>

namespace ui
{

bool writeWhole(QFileDevice& file, const QByteArray& bytes)
{
    // Without a buffer, whose flush loses the reason of a failure. The system writes a part before it reports an error.
    bool isWritten = file.open(QIODevice::WriteOnly | QIODevice::Unbuffered);
    for (qint64 at = 0, part = 0; isWritten && at < bytes.size(); at += part) {
        part = file.write(bytes.constData() + at, bytes.size() - at);
        isWritten = part > 0;
    }
    return isWritten;
}

QString saveFile(const QString& path, const QByteArray& bytes)
{
    QSaveFile file(path);
    return writeWhole(file, bytes) && file.commit() ? QString() : file.errorString();
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
