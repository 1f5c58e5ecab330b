// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/speed/save_measured.h"

#include "engine/io/files/json_file.h"
#include "ui/background/background_task.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>

namespace ui
{

void writeMeasured(const QString& path, const Drawing& drawing, const std::string& json)
{
    if (QFileInfo(path).suffix().compare(QLatin1String("json"), Qt::CaseInsensitive) == 0)
        engine::writeJsonFile(QFile::encodeName(path).toStdString(), json, true, {});
    else
        writeDrawing(path, drawing, {});
}

QString saveMeasured(QWidget* parent, const QString& title, const QString& name, const Drawing& drawing,
                     const std::string& json)
{
    QFileDialog dialog(parent, title, QString(),
                       QFileDialog::tr("PNG (*.png);;SVG (*.svg);;PDF (*.pdf);;Figures as JSON (*.json)"));
    dialog.setAcceptMode(QFileDialog::AcceptSave);
    dialog.setDefaultSuffix(QStringLiteral("png"));
    QObject::connect(&dialog, &QFileDialog::filterSelected, &dialog, [&dialog](const QString& filter) {
        dialog.setDefaultSuffix(filter.section(QStringLiteral("*."), 1).chopped(1));
    });
    dialog.selectFile(name);
    if (dialog.exec() != QDialog::Accepted || dialog.selectedFiles().isEmpty())
        return {};
    const QString path = dialog.selectedFiles().constFirst();
    try {
        writeMeasured(path, drawing, json);
    } catch (...) {
        return messageOfCurrentException();
    }
    return QCoreApplication::translate("ui::SaveMeasured", "Saved %1").arg(QDir::toNativeSeparators(path));
}

} // namespace ui
