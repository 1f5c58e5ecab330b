// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/saving/export.h"

#include "engine/base/error.h"
#include "engine/compare/profile.h"
#include "engine/io/open/readers.h"
#include "engine/io/slices/slice_writer.h"
#include "engine/io/tiff/tiff_file.h"
#include "ui/report/report_formats.h"
#include "ui/widgets/save_file.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QMessageBox>
#include <QRegularExpression>

#include <algorithm>

namespace ui
{

namespace
{

class SaveText
{
    Q_DECLARE_TR_FUNCTIONS(SaveText)
};

[[noreturn]] void fail(const QString& message)
{
    throw engine::Error(engine::ErrorKind::output, message.toStdString());
}

void writePng(const QString& path, const QImage& image, const engine::ProtectedInputs& inputs)
{
    inputs.refuse(path.toStdString());
    if (const QString why = saveFile(path, pngOf(image)); !why.isEmpty())
        fail(QStringLiteral("can't write %1: %2").arg(path, why));
}

void write(const QString& path, const engine::Volume& volume, int slice, const QImage& rendered,
           const engine::ProtectedInputs& inputs, const std::string& unit = {}, const engine::SliceFacts& facts = {})
{
    if (engine::hasTiffSuffix(path.toStdString()))
        engine::writeTiffImage(path.toStdString(), volume, slice, true, inputs, unit, facts);
    else if (path.endsWith(QLatin1String(".png"), Qt::CaseInsensitive))
        writePng(path, rendered, inputs);
    else
        fail(QStringLiteral("can't tell the format of %1 from its name; end it in .tiff or .png").arg(path));
}

QString filterOf(const ReportFormat& format)
{
    return QStringLiteral("%1 (*%2)").arg(format.label, format.suffix);
}

QString reportFilters()
{
    QStringList filters;
    for (const ReportFormat& format : reportFormats())
        filters << filterOf(format);
    return filters.join(QStringLiteral(";;"));
}

// Asks before a file is replaced whose name the file dialog has not asked about, as it had no suffix. Returns an empty
// text if the file stays.
QString completed(QWidget* parent, const QString& path)
{
    const bool isWanted =
        !QFileInfo::exists(path) ||
        QMessageBox::question(parent, SaveText::tr("Replace?"), SaveText::tr("%1 exists. Replace it?").arg(path),
                              QMessageBox::Yes | QMessageBox::No, QMessageBox::No) == QMessageBox::Yes;
    return isWanted ? path : QString();
}

QString withSuffix(QWidget* parent, const QString& path, const QString& suffix)
{
    return path.isEmpty() || !QFileInfo(path).suffix().isEmpty() ? path : completed(parent, path + suffix);
}

} // namespace

RecipeFile askForRecipe(QWidget* parent, const QString& name, const QString& folder, const QString& plane)
{
    const QString withPlane = SaveText::tr("Recipe of the setting and plane %1 (*.json)").arg(plane);
    const QString filters = plane.isEmpty() ? SaveText::tr("Sinoscope recipes (*.json)")
                                            : SaveText::tr("Recipe of the setting (*.json)") + ";;" + withPlane;
    QString chosen;
    const QString path = QFileDialog::getSaveFileName(parent, SaveText::tr("Save the recipe"),
                                                      QDir(folder).filePath(name + "_recipe.json"), filters, &chosen);
    return {withSuffix(parent, path, QStringLiteral(".json")), !plane.isEmpty() && chosen == withPlane};
}

QString askForFile(QWidget* parent, Save what, const QString& name, const QString& folder)
{
    const auto ask = [&](const QString& title, const QString& file, const QString& filters) {
        return QFileDialog::getSaveFileName(parent, title, QDir(folder).filePath(file), filters);
    };
    switch (what) {
    case Save::image:
        return withSuffix(parent,
                          ask(SaveText::tr("Save the image"), name + ".tiff",
                              SaveText::tr("TIFF, 32-bit values (*.tiff *.tif);;PNG, as on screen (*.png)")),
                          QStringLiteral(".tiff"));
    case Save::difference:
        return withSuffix(parent,
                          ask(SaveText::tr("Save the difference"), name + "_difference.tiff",
                              SaveText::tr("TIFF, 32-bit values (*.tiff *.tif);;PNG, as on screen (*.png)")),
                          QStringLiteral(".tiff"));
    case Save::figure:
    case Save::plot:
        return withSuffix(parent,
                          ask(SaveText::tr("Save the figure"), name + ".png",
                              SaveText::tr("PNG, pixels (*.png);;PDF, vectors (*.pdf);;SVG, vectors (*.svg)")),
                          QStringLiteral(".png"));
    case Save::profile:
        return withSuffix(
            parent,
            ask(SaveText::tr("Save the profile"), name + "_profile.csv",
                SaveText::tr("CSV, values (*.csv);;PDF, plot (*.pdf);;SVG, plot (*.svg);;PNG, plot (*.png)")),
            QStringLiteral(".csv"));
    case Save::session:
        return withSuffix(parent,
                          ask(SaveText::tr("Save the session"), name + ".sinoscope",
                              SaveText::tr("Sinoscope sessions (*.sinoscope)")),
                          QStringLiteral(".sinoscope"));
    case Save::report: {
        QString filter; // the chosen filter determines the suffix of a name without one
        const QString path =
            QFileDialog::getSaveFileName(parent, SaveText::tr("Save a report of the comparison"),
                                         QDir(folder).filePath(name + "_report"), reportFilters(), &filter);
        const auto chosen = std::ranges::find(reportFormats(), filter, filterOf);
        return path.isEmpty() || reportFormatOf(path)
                   ? path
                   : completed(parent,
                               path + (chosen == reportFormats().end() ? reportFormats().front() : *chosen).suffix);
    }
    case Save::recipe:
    case Save::volume:
        break; // askForRecipe() and SaveVolumeDialog ask
    }
    return {};
}

BackgroundTask::Work imageWriter(const QString& path, const GridSlice& plane, const QImage& rendered,
                                 const engine::ProtectedInputs& inputs, const std::string& unit,
                                 const engine::SliceFacts& facts)
{
    return [path, plane, rendered, inputs, unit, facts](std::stop_token, const BackgroundTask::Progress&) {
        if (!plane)
            fail(QStringLiteral("there is no image to save yet"));
        write(path, *plane.volume, plane.index, rendered, inputs, unit, facts);
    };
}

BackgroundTask::Work differenceWriter(const QString& path, const GridSlice& a, const GridSlice& b,
                                      const QImage& rendered, const engine::ProtectedInputs& inputs)
{
    return [path, a, b, rendered, inputs](std::stop_token, const BackgroundTask::Progress&) {
        engine::Volume volume(1, a.grid.height, a.grid.width);
        volume.values = engine::difference(a.values(), b.values());
        write(path, volume, 0, rendered, inputs);
    };
}

} // namespace ui
