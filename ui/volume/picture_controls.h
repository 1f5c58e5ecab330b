// SPDX-License-Identifier: GPL-3.0-or-later
// Saves the 3-D view as a picture, and a film of the object on a turntable.
#pragma once

#include "ui/volume/scene_picture.h"
#include "ui/volume/turntable_film.h"

#include <QElapsedTimer>
#include <QWidget>

#include <functional>
#include <memory>

class QCheckBox;
class QComboBox;
class QPushButton;
class QSpinBox;
class QVBoxLayout;

namespace ui
{

class BusyRow;

class PictureControls : public QWidget
{
    Q_OBJECT
  public:
    // Draws the view after the object was turned; null if that is impossible.
    using Draw = std::function<QImage(const PictureLook& look, double turnedDeg)>;

    PictureControls(Draw draw, QWidget* parent);
    ~PictureControls() override;

    void setName(const QString& name) { m_name = name; }         // of the scan, for proposed file names
    void setFolder(const QString& folder) { m_folder = folder; } // where the dialogs start
    PictureLook look() const;
    FilmPlan plan(const QString& folder) const;

    void savePicture(const QString& path); // replaces a file
    void startFilm(const QString& folder);
    void cancelFilm();
    bool isFilming() const { return m_film != nullptr; }

  signals:
    void saved(const QString& path, const QString& remark);
    void failed(const QString& message);
    void filmingChanged(bool isFilming); // what the view shows must not change meanwhile

  private:
    void addPicture(QVBoxLayout* layout);
    void addFilm(QVBoxLayout* layout);
    void askForPicture();
    void askForFilm();
    void offerMovie();
    void showProgress(double fraction);
    void endFilm();

    const Draw m_draw;
    QString m_name = QStringLiteral("stack"), m_folder;
    QSpinBox *m_width, *m_height, *m_pictures, *m_perSecond;
    QComboBox* m_backdrop;
    QCheckBox *m_scale, *m_movie;
    QPushButton *m_savePicture, *m_saveFilm;
    BusyRow* m_busy;
    QElapsedTimer m_begun; // the film
    std::unique_ptr<TurntableFilm> m_film;
};

} // namespace ui
