// SPDX-License-Identifier: GPL-3.0-or-later
// Films of the object on a turntable, and pictures of the 3-D view: what is written, and that nothing incomplete stays.
#include "tests/engine/io/full_disk.h"
#include "tests/ui/volume/pictures.h"
#include "ui/volume/picture_controls.h"
#include "ui/volume/scene_picture.h"

#include <QComboBox>
#include <QImage>
#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <QSpinBox>

using namespace fixtures;

namespace
{

QStringList filesIn(const QString& folder)
{
    return QDir(folder).entryList(QDir::AllEntries | QDir::NoDotAndDotDot | QDir::Hidden | QDir::System);
}

QImage grey(double turnedDeg)
{
    QImage image(8, 6, QImage::Format_RGB32);
    image.fill(QColor::fromRgbF(float(turnedDeg / 360), 0, 0));
    return image;
}

// A film, and which of its signals came.
struct Film {
    Film(const ui::FilmPlan& plan, const ui::TurntableFilm::Draw& draw = &grey)
        : film(plan, draw), succeeded(&film, &ui::TurntableFilm::succeeded), failed(&film, &ui::TurntableFilm::failed),
          cancelled(&film, &ui::TurntableFilm::cancelled)
    {
    }
    bool ends()
    {
        return comes([this] { return succeeded.count() + failed.count() + cancelled.count() > 0; });
    }
    QString remark() const { return succeeded.isEmpty() ? QString("none") : succeeded.first().first().toString(); }
    QString failure() const { return failed.isEmpty() ? QString("none") : failed.first().first().toString(); }

    ui::TurntableFilm film;
    QSignalSpy succeeded, failed, cancelled;
};

// Makes `script` the program ffmpeg, for this process.
class FakeFfmpeg
{
  public:
    explicit FakeFfmpeg(const QByteArray& script) : m_before(qgetenv("PATH"))
    {
        QFile file(m_folder.file("ffmpeg"));
        if (!file.open(QIODevice::WriteOnly) || file.write("#!/bin/sh\n" + script) < 0)
            qFatal("no script");
        file.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
        file.close();
        qputenv("PATH", m_folder.file({}).toLocal8Bit() + ':' + m_before);
    }
    ~FakeFfmpeg() { qputenv("PATH", m_before); }
    Q_DISABLE_COPY_MOVE(FakeFfmpeg)

  private:
    TemporaryFolder m_folder;
    QByteArray m_before;
};

ui::PictureControls* controls(const QWidget& panel)
{
    return panel.findChild<ui::PictureControls*>();
}

} // namespace

class TurntableFilmTest : public QObject
{
    Q_OBJECT

  private slots:
    void init() { m_noWarnings.emplace(); }
    void cleanup() { m_noWarnings.reset(); }

    void onePicturePerAngle()
    {
        const TemporaryFolder folder;
        std::vector<double> angles;
        Film film({folder.file("film"), 5}, [&angles](double turnedDeg) {
            angles.push_back(turnedDeg);
            return grey(turnedDeg);
        });
        QSignalSpy progressed(&film.film, &ui::TurntableFilm::progressed);
        QVERIFY(film.ends());
        QCOMPARE(film.remark(), QString());
        QCOMPARE(angles, (std::vector<double>{0, 72, 144, 216, 288}));
        QCOMPARE(filesIn(folder.file("film")), (QStringList{"picture_0000.png", "picture_0001.png", "picture_0002.png",
                                                            "picture_0003.png", "picture_0004.png"}));
        QCOMPARE(QImage(folder.file("film/picture_0002.png")).pixel(3, 3), grey(144).pixel(3, 3));
        QCOMPARE(progressed.count(), 5);
    }

    void cancelledFilmLeavesNothing()
    {
        const TemporaryFolder folder;
        int drawn = 0;
        {
            ui::TurntableFilm* self = nullptr;
            Film film({folder.file("film"), 50}, [&](double turnedDeg) {
                if (++drawn == 3)
                    self->cancel();
                return grey(turnedDeg);
            });
            self = &film.film;
            QVERIFY(film.ends());
            QCOMPARE(film.cancelled.count(), 1);
        }
        QCOMPARE(drawn, 3);
        QVERIFY(filesIn(folder.file({})).isEmpty());
    }

    void deletedFilmLeavesNothing()
    {
        const TemporaryFolder folder;
        {
            int drawn = 0;
            Film film({folder.file("new/film"), 1000}, [&drawn](double turnedDeg) {
                ++drawn;
                return grey(turnedDeg);
            });
            QVERIFY(comes([&drawn] { return drawn > 2; }));
            QVERIFY(!filesIn(folder.file("new/film")).isEmpty());
        }
        QVERIFY(filesIn(folder.file({})).isEmpty());
    }

    void folderWithFilesIsRefused()
    {
        const TemporaryFolder folder;
        QDir().mkdir(folder.file("film"));
        QFile file(folder.file("film/mine.txt"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.close();
        QVERIFY_EXCEPTION_THROWN(ui::TurntableFilm({folder.file("film"), 3}, &grey), engine::Error);
        QVERIFY_EXCEPTION_THROWN(ui::TurntableFilm({folder.file("film/mine.txt"), 3}, &grey), engine::Error);
        QVERIFY_EXCEPTION_THROWN(ui::TurntableFilm({folder.file("film/mine.txt/film"), 3}, &grey), engine::Error);
        QCOMPARE(filesIn(folder.file("film")), QStringList{"mine.txt"});
    }

    void emptyFolderIsTaken()
    {
        const TemporaryFolder folder;
        QDir().mkdir(folder.file("film"));
        Film film({folder.file("film"), 2});
        QVERIFY(film.ends());
        QCOMPARE(filesIn(folder.file("film")).size(), 2);
    }

    void failureLeavesNothing_data()
    {
        QTest::addColumn<bool>("fullDisk");
        QTest::newRow("not drawn") << false;
        QTest::newRow("full disk") << true;
    }

    void failureLeavesNothing()
    {
        QFETCH(bool, fullDisk);
        const TemporaryFolder folder;
        std::optional<made::FullDisk> full;
        {
            Film film({folder.file("film"), 5}, [&](double turnedDeg) {
                if (turnedDeg < 100)
                    return grey(turnedDeg);
                if (!fullDisk)
                    return QImage();
                full.emplace(10);
                return grey(turnedDeg);
            });
            QVERIFY(film.ends());
            full.reset();
            QCOMPARE(film.failed.count(), 1);
            QVERIFY2(film.failure().contains(fullDisk ? "Choose another folder" : "Choose a smaller size"),
                     qPrintable(film.failure()));
        }
        QVERIFY(filesIn(folder.file({})).isEmpty());
    }

    void ffmpegMakesTheMovie()
    {
        // Writes its arguments into the file that the last one names.
        const FakeFfmpeg ffmpeg("for last; do :; done; test -f picture_0000.png && echo \"$@\" > \"$last\"");
        const TemporaryFolder folder;
        Film film({folder.file("50% film"), 3, true, 12});
        QVERIFY(film.ends());
        QCOMPARE(film.remark(), QString());
        QCOMPARE(filesIn(folder.file("50% film")),
                 (QStringList{"50% film.mp4", "picture_0000.png", "picture_0001.png", "picture_0002.png"}));
        const QByteArray arguments = contentOf(folder.file("50% film/50% film.mp4"));
        QVERIFY2(arguments.contains("-framerate 12 -i picture_%04d.png"), arguments.constData());
    }

    void failingFfmpegLeavesThePictures()
    {
        const FakeFfmpeg ffmpeg("echo 'Unknown encoder' >&2; exit 3");
        const TemporaryFolder folder;
        Film film({folder.file("film"), 3, true});
        QVERIFY(film.ends());
        QVERIFY2(film.remark().contains("Unknown encoder"), qPrintable(film.remark()));
        QCOMPARE(filesIn(folder.file("film")),
                 (QStringList{"picture_0000.png", "picture_0001.png", "picture_0002.png"}));
    }

    void cancelledMovieLeavesThePictures()
    {
        const FakeFfmpeg ffmpeg("echo $$ > started; exec sleep 1000");
        const TemporaryFolder folder;
        Film film({folder.file("film"), 2, true});
        QVERIFY(comes([&] { return QFile::exists(folder.file("film/started")); }));
        film.film.cancel();
        QVERIFY(film.ends());
        QVERIFY(!film.remark().isEmpty());
        QCOMPARE(filesIn(folder.file("film")), (QStringList{"picture_0000.png", "picture_0001.png", "started"}));
    }

    void backgroundIsRemoved()
    {
        QImage black(3, 1, QImage::Format_RGB32), white(3, 1, QImage::Format_RGB32);
        const QRgb pairs[3][2] = {{qRgb(0, 0, 0), qRgb(255, 255, 255)},     // transparent
                                  {qRgb(200, 100, 0), qRgb(200, 100, 0)},   // opaque
                                  {qRgb(100, 50, 0), qRgb(228, 178, 128)}}; // half transparent
        for (int x = 0; x < 3; ++x) {
            black.setPixel(x, 0, pairs[x][0]);
            white.setPixel(x, 0, pairs[x][1]);
        }
        const QImage picture = ui::withoutBackground(black, white);
        QCOMPARE(qAlpha(picture.pixel(0, 0)), 0);
        QCOMPARE(picture.pixel(1, 0), qRgb(200, 100, 0));
        QCOMPARE(qAlpha(picture.pixel(2, 0)), 127);
        QVERIFY(std::abs(picture.pixelColor(2, 0).red() - 200) < 3);
    }

    void picturesHaveTheChosenSize()
    {
        if (!hasOpenGl())
            QSKIP("no OpenGL here");
        ShownVolume panel({800, 500}, ball(48, 48));
        QVERIFY(!ui::VolumePanel().picture({100, 100}).width());
        const QImage before = picture(panel);
        QCOMPARE(panel.picture({640, 360}).size(), QSize(640, 360));
        QCOMPARE(panel.picture({300, 700}).size(), QSize(300, 700));
        QVERIFY(panel.picture({}).isNull());
        // The same scene at the same size is the same picture.
        QVERIFY(meanDifference(panel.picture(before.size()).convertToFormat(QImage::Format_RGB32), before) < 1);
        QCOMPARE(picture(panel), before);
        const QImage doubled =
            panel.picture(2 * before.size()).scaled(before.size(), Qt::IgnoreAspectRatio, Qt::SmoothTransformation);
        QVERIFY(meanDifference(doubled.convertToFormat(QImage::Format_RGB32), before) < 4);
    }

    // A wider picture shows what the view shows, and more on both sides; its scale is at the box.
    void widePictureShowsTheView()
    {
        if (!hasOpenGl())
            QSKIP("no OpenGL here");
        ShownVolume panel({800, 500}, block());
        const QImage view = picture(panel);
        const QSize half(view.width() / 2, view.height());
        const QRect middle(half.width() / 2, 0, view.width(), view.height() - 80); // without the axes below
        const QImage wide = panel.picture({view.width() + 2 * (half.width() / 2), view.height()});
        const double off = meanDifference(wide.copy(middle).convertToFormat(QImage::Format_RGB32),
                                          view.copy(0, 0, view.width(), view.height() - 80));
        QVERIFY2(off < 0.3, qPrintable(QString::number(off)));
    }

    // A picture that is asked for before the view has drawn one is of the same scene.
    void pictureBeforeTheFirstPainting()
    {
        if (!hasOpenGl())
            QSKIP("no OpenGL here");
        ShownVolume panel({800, 500}, ball(48, 48));
        panel.setVolume(block()); // of another scan: the camera starts again
        const QImage early = panel.picture({320, 500});
        const QImage shown = picture(panel);
        QVERIFY(meanDifference(early, panel.picture({320, 500})) < 0.5);
        QTest::keyClick(viewOf(panel), Qt::Key_R);
        QVERIFY(meanDifference(shown, picture(panel)) < 0.5);
    }

    void picturesHaveTheChosenBackground()
    {
        if (!hasOpenGl())
            QSKIP("no OpenGL here");
        ShownVolume panel({800, 500}, ball(48, 48));
        const TemporaryFolder folder;
        QSignalSpy saved(&panel, &ui::VolumePanel::saved), failed(&panel, &ui::VolumePanel::failed);
        controls(panel)->findChild<QSpinBox*>("pictureWidth")->setValue(320);
        controls(panel)->findChild<QSpinBox*>("pictureHeight")->setValue(240);
        auto* const background = controls(panel)->findChild<QComboBox*>("pictureBackground");
        const QRgb corners[] = {0, qRgb(255, 255, 255), qRgb(0, 0, 0), qRgba(0, 0, 0, 0)};
        for (int k = 1; k < 4; ++k) {
            background->setCurrentIndex(k);
            const QString path = folder.file(QString("%1.png").arg(k));
            controls(panel)->savePicture(path);
            const QImage picture(path);
            QCOMPARE(picture.size(), QSize(320, 240));
            QCOMPARE(picture.pixel(319, 0), corners[k]);
            QCOMPARE(qAlpha(picture.pixel(160, 120)), 255);
        }
        QCOMPARE(saved.count(), 3);
        controls(panel)->savePicture(folder.file("no/such/folder.png"));
        QCOMPARE(failed.count(), 1);
    }

    void panelFilmsItsScene()
    {
        if (!hasOpenGl())
            QSKIP("no OpenGL here");
        ShownVolume panel({800, 500}, block());
        const TemporaryFolder folder;
        QSignalSpy saved(&panel, &ui::VolumePanel::saved);
        const QImage before = picture(panel);
        for (const auto& [name, value] : {std::pair{"pictureWidth", 200}, {"pictureHeight", 160}, {"filmPictures", 4}})
            controls(panel)->findChild<QSpinBox*>(name)->setValue(value);
        controls(panel)->startFilm(folder.file("film"));
        QVERIFY(controls(panel)->isFilming());
        QVERIFY(!editor(panel)->isEnabled()); // the film shows one scene
        QVERIFY(comes([&saved] { return !saved.isEmpty(); }));
        QVERIFY(editor(panel)->isEnabled());
        QCOMPARE(filesIn(folder.file("film")).size(), 4);
        const QImage first(folder.file("film/picture_0000.png")), quarter(folder.file("film/picture_0001.png"));
        QCOMPARE(first.size(), QSize(200, 160));
        QVERIFY(meanDifference(first.convertToFormat(QImage::Format_RGB32),
                               panel.picture({200, 160}).convertToFormat(QImage::Format_RGB32)) < 0.5);
        QVERIFY(meanDifference(first, quarter) > 2);
        QCOMPARE(picture(panel), before);
        // Another stack ends the film.
        controls(panel)->findChild<QSpinBox*>("filmPictures")->setValue(1000);
        controls(panel)->startFilm(folder.file("second"));
        panel.setVolume(ball(32, 32));
        QVERIFY(comes([&panel] { return !controls(panel)->isFilming(); }));
        QVERIFY(comes([&folder] { return !QFile::exists(folder.file("second")); }));
    }

  private:
    std::optional<NoWarnings> m_noWarnings;
};

SINOSCOPE_TEST(TurntableFilmTest, QApplication)
#include "turntable_film_test.moc"
