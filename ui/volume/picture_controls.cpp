// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/volume/picture_controls.h"

#include "ui/background/application.h"
#include "ui/background/background_task.h"
#include "ui/background/task_row.h"
#include "ui/widgets/boxes.h"
#include "ui/widgets/number_box.h"
#include "ui/widgets/save_file.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QLabel>
#include <QPushButton>

#include <utility>

namespace ui
{

namespace
{

QSpinBox* numberBox(const char* name, const QString& accessible, int least, int most, int value, const QString& unit)
{
    auto* const box = new CountBox;
    box->setObjectName(QLatin1String(name));
    box->setAccessibleName(accessible);
    box->setRange(least, most);
    box->setValue(value);
    box->setSuffix(QLatin1Char(' ') + unit);
    return box;
}

} // namespace

PictureControls::PictureControls(Draw draw, QWidget* parent)
    : QWidget(parent), m_draw(std::move(draw)), m_folder(QDir::currentPath())
{
    auto* const layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(4);
    addPicture(layout);
    addFilm(layout);
}

PictureControls::~PictureControls() = default;

void PictureControls::addPicture(QVBoxLayout* layout)
{
    m_width = numberBox("pictureWidth", tr("Width of the picture in pixels"), 16, 8192, 1920, tr("px"));
    m_height = numberBox("pictureHeight", tr("Height of the picture in pixels"), 16, 8192, 1080, tr("px"));
    auto* size =
        filled(new QHBoxLayout, {{m_width, 1}, new QLabel(QStringLiteral("×")), {m_height, 1}}, {.spacing = 4});
    layout->addLayout(size);
    m_backdrop = new QComboBox;
    m_backdrop->setObjectName(QStringLiteral("pictureBackground"));
    m_backdrop->setAccessibleName(tr("Background of the picture"));
    for (const auto& [backdrop, text] :
         {std::pair{Backdrop::asShown, tr("Background as here")}, std::pair{Backdrop::white, tr("White background")},
          std::pair{Backdrop::black, tr("Black background")},
          std::pair{Backdrop::transparent, tr("Transparent background")}})
        m_backdrop->addItem(text, static_cast<int>(backdrop));
    layout->addWidget(m_backdrop);
    m_scale = new QCheckBox(tr("With scale and axes"));
    m_scale->setChecked(true);
    layout->addWidget(m_scale);
    m_savePicture = new QPushButton(tr("Save picture…"));
    m_savePicture->setObjectName(QStringLiteral("savePicture"));
    m_savePicture->setToolTip(tr("Saves the view as PNG in this size. A picture of another shape shows more along its "
                                 "longer side."));
    connect(m_savePicture, &QPushButton::clicked, this, guarded([this] { askForPicture(); }));
    layout->addWidget(m_savePicture);
}

void PictureControls::addFilm(QVBoxLayout* layout)
{
    m_pictures = numberBox("filmPictures", tr("Number of pictures of the film"), 2, 9999, 120, tr("pictures"));
    m_pictures->setToolTip(tr("For one turn of the object about the rotation axis"));
    m_movie = new QCheckBox(tr("MP4 too"));
    m_movie->setObjectName(QStringLiteral("filmMovie"));
    m_perSecond = numberBox("filmPerSecond", tr("Pictures per second of the MP4"), 1, 120, 24, tr("per s"));
    connect(m_movie, &QCheckBox::toggled, this, &PictureControls::offerMovie);
    connect(m_backdrop, &QComboBox::currentIndexChanged, this, &PictureControls::offerMovie);
    offerMovie();
    layout->addSpacing(4);
    layout->addWidget(m_pictures);
    auto* const movie = new QHBoxLayout;
    movie->addWidget(m_movie, 1);
    movie->addWidget(m_perSecond);
    layout->addLayout(movie);
    m_saveFilm = new QPushButton(tr("Save turntable film…"));
    m_saveFilm->setObjectName(QStringLiteral("saveFilm"));
    m_saveFilm->setToolTip(tr("Saves a turn of the object as PNGs of this size in a new folder"));
    connect(m_saveFilm, &QPushButton::clicked, this, guarded([this] { askForFilm(); }));
    layout->addWidget(m_saveFilm);
    m_busy = new BusyRow(new QLabel, tr("Stops the film; nothing is left behind"));
    connect(m_busy, &BusyRow::cancelRequested, this, &PictureControls::cancelFilm);
    layout->addWidget(m_busy);
}

void PictureControls::offerMovie()
{
    const bool hasFfmpeg = !ffmpegPath().isEmpty(), isOpaque = look().backdrop != Backdrop::transparent;
    m_movie->setEnabled(hasFfmpeg && isOpaque);
    m_movie->setToolTip(!hasFfmpeg  ? tr("Install ffmpeg to save films as MP4, too")
                        : !isOpaque ? tr("An MP4 can't be transparent; choose another background")
                                    : tr("Made by ffmpeg, in the folder of the pictures"));
    m_perSecond->setEnabled(m_movie->isEnabled() && m_movie->isChecked());
}

PictureLook PictureControls::look() const
{
    return {{m_width->value(), m_height->value()},
            static_cast<Backdrop>(m_backdrop->currentData().toInt()),
            m_scale->isChecked()};
}

FilmPlan PictureControls::plan(const QString& folder) const
{
    return {folder, m_pictures->value(), m_movie->isEnabled() && m_movie->isChecked(), m_perSecond->value()};
}

void PictureControls::askForPicture()
{
    QString path = QFileDialog::getSaveFileName(
        this, tr("Save the picture"), QDir(m_folder).filePath(m_name + QStringLiteral("_3d.png")), tr("PNG (*.png)"));
    if (path.isEmpty())
        return;
    if (!path.endsWith(QLatin1String(".png"), Qt::CaseInsensitive)) {
        path += QStringLiteral(".png");
        if (QFileInfo::exists(path)) // the file dialog asked about the name without the suffix
            return emit failed(tr("%1 exists. Choose another name.").arg(QDir::toNativeSeparators(path)));
    }
    savePicture(path);
}

void PictureControls::savePicture(const QString& path)
{
    const QImage picture = m_draw(look(), 0);
    if (picture.isNull())
        return emit failed(tr("The picture can't be drawn. Choose a smaller size."));
    if (const QString why = saveFile(path, pngOf(picture)); !why.isEmpty())
        return emit failed(tr("The picture can't be written to %1: %2. Choose another folder.")
                               .arg(QDir::toNativeSeparators(path), why));
    emit saved(path, {});
}

void PictureControls::askForFilm()
{
    QString free = QDir(m_folder).filePath(m_name + QStringLiteral("_film"));
    for (int k = 2; QFileInfo::exists(free); ++k)
        free = QDir(m_folder).filePath(QStringLiteral("%1_film_%2").arg(m_name).arg(k));
    const QString folder = QFileDialog::getSaveFileName(this, tr("Name a new folder for the film"), free, {}, nullptr,
                                                        QFileDialog::DontConfirmOverwrite);
    if (folder.isEmpty())
        return;
    startFilm(folder);
}

void PictureControls::startFilm(const QString& folder)
{
    if (m_film)
        return;
    try {
        m_film = std::make_unique<TurntableFilm>(
            plan(folder), [this, look = look()](double turnedDeg) { return m_draw(look, turnedDeg); });
    } catch (...) {
        return emit failed(messageOfCurrentException());
    }
    connect(m_film.get(), &TurntableFilm::progressed, this, &PictureControls::showProgress);
    connect(m_film.get(), &TurntableFilm::succeeded, this, [this, folder](const QString& remark) {
        endFilm();
        emit saved(folder, remark);
    });
    connect(m_film.get(), &TurntableFilm::failed, this, [this](const QString& message) {
        endFilm();
        emit failed(message);
    });
    connect(m_film.get(), &TurntableFilm::cancelled, this, &PictureControls::endFilm);
    m_begun.start();
    showProgress(0);
    for (QPushButton* const each : {m_savePicture, m_saveFilm})
        each->setEnabled(false);
    emit filmingChanged(true);
}

void PictureControls::showProgress(double fraction)
{
    m_busy->setBusy(true, tr("Turntable film"), fraction, timeLeftAt(fraction, double(m_begun.elapsed()) / 1e3));
}

void PictureControls::cancelFilm()
{
    if (m_film)
        m_film->cancel();
}

// Deletes the film later: its signal may have led here.
void PictureControls::endFilm()
{
    m_film.release()->deleteLater();
    m_busy->setBusy(false);
    for (QPushButton* const each : {m_savePicture, m_saveFilm})
        each->setEnabled(true);
    emit filmingChanged(false);
}

} // namespace ui
