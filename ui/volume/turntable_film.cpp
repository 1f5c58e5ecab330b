// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/volume/turntable_film.h"

#include "engine/base/error.h"
#include "ui/background/background_task.h"

#include <QBuffer>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QStandardPaths>
#include <QTimer>

namespace ui
{

namespace
{

constexpr double movieShare = 0.05; // of the progress

[[noreturn]] void failFilm(const QString& message)
{
    throw engine::Error(engine::ErrorKind::output, message.toStdString());
}

const QString& requireEmpty(const QString& folder)
{
    const QFileInfo info(folder);
    const bool isFree =
        !info.exists() ||
        (info.isDir() && QDir(folder).isEmpty(QDir::AllEntries | QDir::Hidden | QDir::System | QDir::NoDotAndDotDot));
    if (!isFree)
        failFilm(TurntableFilm::tr("%1 exists and is not an empty folder. Choose another name for the film.")
                     .arg(QDir::toNativeSeparators(folder)));
    return folder;
}

void writeTo(const std::filesystem::path& path, const QByteArray& bytes)
{
    QFile file(QString::fromStdString(path.string()));
    if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size() || !file.flush())
        failFilm(TurntableFilm::tr("The film can't be written to %1: %2. Choose another folder.")
                     .arg(QDir::toNativeSeparators(QFileInfo(file).absolutePath()), file.errorString()));
}

} // namespace

QString ffmpegPath()
{
    return QStandardPaths::findExecutable(QStringLiteral("ffmpeg"));
}

TurntableFilm::TurntableFilm(FilmPlan plan, Draw draw)
    : m_plan(std::move(plan)), m_draw(std::move(draw)), m_folder(requireEmpty(m_plan.folder).toStdString())
{
    connect(&m_ffmpeg, &QProcess::finished, this, &TurntableFilm::endMovie);
    connect(&m_ffmpeg, &QProcess::errorOccurred, this, [this](QProcess::ProcessError error) {
        if (error == QProcess::FailedToStart)
            endMovie();
    });
    QTimer::singleShot(0, this, &TurntableFilm::next);
}

TurntableFilm::~TurntableFilm()
{
    removeMovie();
}

void TurntableFilm::removeMovie()
{
    m_ffmpeg.disconnect(this);
    if (m_ffmpeg.state() != QProcess::NotRunning) {
        m_ffmpeg.kill();
        m_ffmpeg.waitForFinished();
    }
    m_movie.reset();
}

void TurntableFilm::cancel()
{
    m_isCancelled = true;
    if (m_ffmpeg.state() == QProcess::NotRunning)
        return; // next() sees it
    removeMovie();
    emit succeeded(tr("The MP4 was cancelled; the pictures are complete."));
}

void TurntableFilm::next()
{
    if (m_isCancelled) {
        m_pictures.clear();
        emit cancelled();
        return;
    }
    try {
        if (static_cast<int>(m_pictures.size()) < m_plan.pictures)
            writePicture();
        else
            return finishPictures();
    } catch (...) {
        m_pictures.clear();
        emit failed(messageOfCurrentException());
        return;
    }
    QTimer::singleShot(0, this, &TurntableFilm::next);
}

void TurntableFilm::writePicture()
{
    const auto k = static_cast<int>(m_pictures.size());
    const QImage picture = m_draw(360.0 * k / m_plan.pictures);
    QBuffer png;
    png.open(QIODevice::WriteOnly);
    if (picture.isNull() || !picture.save(&png, "PNG"))
        failFilm(tr("The pictures of the film can't be drawn. Choose a smaller size."));
    const QString name = QStringLiteral("picture_%1.png").arg(k, 4, 10, QLatin1Char('0'));
    auto file = std::make_unique<engine::PendingFile>(QDir(m_plan.folder).filePath(name).toStdString(), false,
                                                      engine::ProtectedInputs(), false);
    writeTo(file->temporary(), png.data());
    m_pictures.push_back(std::move(file));
    emit progressed((1 - movieShare) * (k + 1) / m_plan.pictures);
}

void TurntableFilm::finishPictures()
{
    std::vector<engine::PendingFile*> files;
    for (const auto& file : m_pictures)
        files.push_back(file.get());
    engine::PendingFile::commit(files);
    m_pictures.clear();
    m_folder.keep();
    if (m_plan.isMovieWanted)
        startMovie();
    else
        emit succeeded({});
}

// The pattern of the pictures is relative to the folder, whose name may have a % in it.
void TurntableFilm::startMovie()
{
    const QString name = QFileInfo(m_plan.folder).fileName() + QStringLiteral(".mp4");
    m_movie = std::make_unique<engine::PendingFile>(QDir(m_plan.folder).filePath(name).toStdString(), false,
                                                    engine::ProtectedInputs(), false);
    m_ffmpeg.setWorkingDirectory(m_plan.folder);
    m_ffmpeg.setStandardInputFile(QProcess::nullDevice());
    m_ffmpeg.setStandardOutputFile(QProcess::nullDevice());
    // H.264 and most players want even sizes and this format of the colours.
    m_ffmpeg.start(ffmpegPath(),
                   {"-hide_banner", "-loglevel", "error", "-y", "-framerate", QString::number(m_plan.perSecond), "-i",
                    "picture_%04d.png", "-vf", "pad=ceil(iw/2)*2:ceil(ih/2)*2", "-pix_fmt", "yuv420p", "-movflags",
                    "+faststart", "-f", "mp4", QString::fromStdString(m_movie->temporary().filename().string())});
}

void TurntableFilm::endMovie()
{
    QString why;
    if (m_ffmpeg.error() == QProcess::FailedToStart)
        why = m_ffmpeg.errorString();
    else if (m_ffmpeg.exitStatus() != QProcess::NormalExit)
        why = tr("it was terminated");
    else if (m_ffmpeg.exitCode() != 0)
        why = QString::fromLocal8Bit(m_ffmpeg.readAllStandardError()).trimmed().section('\n', -1);
    if (why.isEmpty() && m_ffmpeg.exitCode() != 0)
        why = tr("exit status %1").arg(m_ffmpeg.exitCode());
    try {
        if (why.isEmpty())
            m_movie->commit();
    } catch (...) {
        why = messageOfCurrentException();
    }
    m_movie.reset();
    emit succeeded(why.isEmpty() ? QString()
                                 : tr("ffmpeg couldn't make the MP4 (%1); the pictures are complete.").arg(why));
}

} // namespace ui
