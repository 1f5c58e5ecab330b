// SPDX-License-Identifier: GPL-3.0-or-later
// Writing of whole files.
#pragma once

#include <QByteArray>
#include <QString>

class QFileDevice;
class QImage;

namespace ui
{

// Writes a file that gets its name only when it is complete. Returns the reason if it can't be written; else empty.
QString saveFile(const QString& path, const QByteArray& bytes);

// Opens a file and writes all bytes; false if that fails, with the reason in errorString().
bool writeWhole(QFileDevice& file, const QByteArray& bytes);

QByteArray pngOf(const QImage& image); // throws std::bad_alloc

} // namespace ui
