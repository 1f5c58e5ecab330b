// SPDX-License-Identifier: GPL-3.0-or-later
// Writes a profile as a picture for a paper.
#include "engine/base/error.h"
#include "ui/profile/profile_plot.h"

#include <QPdfWriter>
#include <QSaveFile>

namespace ui
{

void writeProfileImage(const QString& path, const ProfileCurves& curves, bool logarithmic, int width, int height)
{
    const auto fail = [&path](const QString& why, const char* todo) {
        throw engine::Error(engine::ErrorKind::output, "can't write the profile to " + path.toStdString() + ": " +
                                                           why.toStdString() + "; " + todo);
    };
    if (curves.empty())
        fail(QStringLiteral("there is none yet"), "reconstruct a slice first");
    const bool pdf = path.endsWith(QLatin1String(".pdf"), Qt::CaseInsensitive);
    if (!pdf && !path.endsWith(QLatin1String(".png"), Qt::CaseInsensitive))
        fail(QStringLiteral("unknown kind of file"), "end the name in .pdf or .png");

    ProfilePlot plot(true);
    plot.resize(width, height);
    plot.setLogarithmic(logarithmic);
    plot.setCurves(curves);
    QSaveFile file(path);
    if (!file.open(QIODevice::WriteOnly))
        fail(file.errorString(), "choose another folder or name");
    bool written = true;
    if (pdf) {
        plot.figure(width, height, 1); // settles the layout
        QPdfWriter writer(&file);
        writer.setTitle(QStringLiteral("Profile"));
        writer.setCreator(QStringLiteral("Sinoscope"));
        writer.setPageMargins(QMarginsF(0, 0, 0, 0));
        // At the resolution of the screen, one unit of the page is one pixel of the screen: fonts, which are in points,
        // then have the same size relative to lengths in pixels as on the screen. The page size is in points (1/72
        // inch).
        writer.setResolution(plot.logicalDpiX());
        writer.setPageSize(
            QPageSize(QSizeF(width, height) * 72 / plot.logicalDpiX(), QPageSize::Point, {}, QPageSize::ExactMatch));
        QCPPainter painter;
        written = painter.begin(&writer);
        if (written) {
            painter.setWindow(0, 0, width, height);
            painter.setMode(QCPPainter::pmVectorized);
            painter.setMode(QCPPainter::pmNoCaching);
            plot.toPainter(&painter, width, height);
            written = painter.end();
        }
    } else {
        written = plot.figure(width, height, 2).save(&file, "PNG");
    }
    if (!written || !file.commit())
        fail(file.errorString(), "choose another folder or name");
}

} // namespace ui
