// SPDX-License-Identifier: GPL-3.0-or-later
// A film of the object on a turntable: a new folder of PNGs, and an MP4 in it if that is wanted. The pictures get their
// names together when all are complete; after an error or a cancellation nothing of the folder is left.
#pragma once

#include "engine/io/files/created_folders.h"
#include "engine/io/files/pending_file.h"

#include <QImage>
#include <QObject>
#include <QProcess>
#include <QString>

#include <functional>
#include <memory>
#include <vector>

namespace ui
{

struct FilmPlan {
    QString folder; // doesn't exist yet, or is empty
    int pictures = 120;
    bool isMovieWanted = false; // by ffmpeg
    int perSecond = 24;         // of the movie
};

QString ffmpegPath(); // empty if ffmpeg isn't installed

// Draws and writes one picture per turn of the event loop.
class TurntableFilm : public QObject
{
    Q_OBJECT
  public:
    using Draw = std::function<QImage(double turnedDeg)>; // null: it can't be drawn

    // Throws engine::Error(output) if the folder can't be made or has files.
    TurntableFilm(FilmPlan plan, Draw draw);
    ~TurntableFilm() override; // cancels

    void cancel(); // a movie that is not complete is left out; its pictures stay

  signals:
    void progressed(double fraction);
    // One of these is emitted, by the event loop. remark: why there is no movie though it was wanted, else empty.
    void succeeded(const QString& remark);
    void failed(const QString& message);
    void cancelled();

  private:
    void next();
    void writePicture();
    void finishPictures();
    void startMovie();
    void endMovie();
    void removeMovie();

    const FilmPlan m_plan;
    const Draw m_draw;
    engine::MadeFolders m_folder; // destroyed after its files
    std::vector<std::unique_ptr<engine::PendingFile>> m_pictures;
    std::unique_ptr<engine::PendingFile> m_movie;
    QProcess m_ffmpeg;
    bool m_isCancelled = false;
};

} // namespace ui
