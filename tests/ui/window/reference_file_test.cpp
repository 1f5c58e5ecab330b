// SPDX-License-Identifier: GPL-3.0-or-later
// An image or a volume from a file as the reference, chosen in the real window.
#include "engine/compare/compare_settings.h"
#include "engine/documents/report.h"
#include "engine/io/hdf5/hdf5_output.h"
#include "engine/io/slices/slice_writer.h"
#include "tests/ui/fixtures.h"
#include "ui/image/image_header.h"
#include "ui/image/image_panel.h"
#include "ui/image/image_view.h"

#include <fstream>
#include <numeric>

#include <QDragEnterEvent>
#include <QInputDialog>
#include <QLineEdit>
#include <QMimeData>

using namespace ui;
using namespace fixtures;

namespace
{

// Returns a reconstruction of the window's slice with other values.
engine::Reconstruction otherThan(const MainWindow& window, float factor)
{
    engine::Reconstruction other = *window.shown().a().result;
    for (float& value : other.image.values)
        value *= factor;
    return other;
}

void write(const QString& path, const engine::Reconstruction& made)
{
    engine::SliceWriter writer(path.toStdString(), "other", made.request.place.slices(), true, {});
    writer.write(made);
    writer.finish({engine::configurationJson(made, {})});
}

// Chooses an entry that asks for a file, and answers the dialog.
void chooseFile(const MainWindow& window, const char* entry, const QString& path)
{
    bool isAnswered = false;
    QTimer answer;
    QObject::connect(&answer, &QTimer::timeout, &answer, [&] {
        if (auto* dialog = qobject_cast<QFileDialog*>(QApplication::activeModalWidget())) {
            child<QLineEdit>(*dialog, "fileNameEdit")->setText(path); // selectFile() ignores a field with focus
            isAnswered = true;
            QMetaObject::invokeMethod(dialog, path.isEmpty() ? "reject" : "accept");
        }
    });
    answer.start(50);
    chooseValue(child<QComboBox>(window, "reference"), QString::fromLatin1(entry));
    if (!comes([&] { return isAnswered && !QApplication::activeModalWidget(); }))
        qFatal("nothing was asked");
}

// Returns a cone beam with voxels of 0.25 mm.
engine::Simulation fineCone()
{
    engine::Simulation simulation = coneOf(32, 40, 1);
    simulation.cone->pixelUMm = 0.5;
    return simulation;
}

double rmseBetween(const MainWindow& window, const engine::Reconstruction& other)
{
    const engine::Reconstruction& made = *window.shown().a().result;
    return engine::compareImages(made.image.slice(0), other.image.slice(0), made.grid.width, made.grid.height,
                                 window.shown().mask)
        .rmse;
}

} // namespace

class ReferenceFileTest : public QObject
{
    Q_OBJECT

  private slots:
    void settingsAreMeasuredAgainstIt()
    {
        const TemporaryFolder folder;
        const QString path = folder.file(QStringLiteral("other.h5")), text = QStringLiteral("file:") + path;
        Window window;
        QVERIFY(window.opensSmall());
        const engine::Reconstruction other = otherThan(window, 1.5F);
        write(path, other);
        const auto* combo = child<QComboBox>(window, "reference");
        chooseFile(window, "file", {}); // the dialog is cancelled
        QVERIFY(window.settings().list().reference == ReferenceChoice());
        QCOMPARE(combo->currentData().toString(), QStringLiteral("exact"));

        chooseFile(window, "file", path);
        QCOMPARE(QString::fromStdString(toText(window.settings().list().reference)), text);
        QVERIFY(settles(window));
        QVERIFY2(window.message().isEmpty(), qPrintable(window.message()));
        const auto isShown = [&] {
            const Comparison& shown = window.shown();
            return shown.a().metrics && std::ranges::equal(shown.planeB().values(), other.image.slice(0)) &&
                   shown.a().metrics->rmse == rmseBetween(window, other);
        };
        QVERIFY(isShown());
        QVERIFY(window.shown().a().metrics->rmse > 0);
        QCOMPARE(combo->currentText(), QStringLiteral("other.h5"));
        QCOMPARE(combo->toolTip(), text);
        QCOMPARE(window.shown().referenceTitle(), QStringLiteral("other.h5, slice %1").arg(window.slice()));
        QVERIFY(window.shown().planeB().explanation.contains(path));

        trigger(window, QKeySequence::Undo);
        QVERIFY(settles(window));
        QCOMPARE(combo->currentData().toString(), QStringLiteral("exact"));
        QVERIFY(window.shown().a().metrics->rmse != rmseBetween(window, other));
        trigger(window, QKeySequence::Redo);
        QVERIFY(settles(window));
        QVERIFY(isShown());

        const QString session = folder.file(QStringLiteral("a.sinoscope"));
        window.saveSession(session);
        QVERIFY(contentOf(session).contains("\"file:other.h5\""));
        chooseValue(child<QComboBox>(window, "reference"), QStringLiteral("exact"));
        window.open(session);
        QVERIFY(comes([&] { return window.settings().list().reference.kind == ReferenceChoice::Kind::file; }));
        QVERIFY(settles(window));
        QVERIFY(isShown());

        QVERIFY(window.opensSimulation(simulationOf(engine::Phantom::disc, 64, 30))); // ends the choice of a file
        QVERIFY(window.settings().list().reference == ReferenceChoice());
    }

    // A file without a unit is read in that of the slices. The window offers the unit that fits, and changes nothing
    // by itself; the choice is kept in sessions.
    void theUnitIsOfferedAndChosen()
    {
        const TemporaryFolder folder;
        const QString path = folder.file(QStringLiteral("other.tif"));
        Window window;
        QVERIFY(window.opensSimulation(fineCone()));
        const auto* unit = child<QComboBox>(window, "referenceUnit");
        QVERIFY(!unit->isVisible());
        engine::writeTiffImage(path.toStdString(), otherThan(window, 0.25F).image, 0, true, {});
        chooseFile(window, "file", path);
        QVERIFY(settles(window));
        QVERIFY(unit->isVisible());
        QCOMPARE(unit->currentData().toString(), QString());
        QVERIFY2(window.message().contains(QStringLiteral("other.tif specifies no unit")),
                 qPrintable(window.message()));
        QVERIFY(window.shown().a().metrics->psnrDb < 20);
        QVERIFY(window.shown().referenceTitle().contains(QStringLiteral("interpreted as 1/mm")));
        auto* offer = child<QWidget>(window, "messageBar")->findChild<QPushButton*>();
        QCOMPARE(offer->text(), QStringLiteral("Read as per pixel"));
        offer->click();
        QVERIFY(settles(window));
        QVERIFY2(window.message().isEmpty(), qPrintable(window.message()));
        QCOMPARE(unit->currentData().toString(), QStringLiteral("1/pixel"));
        QVERIFY(window.shown().a().metrics->psnrDb > 100);
        QVERIFY2(window.shown().referenceTitle().endsWith(QStringLiteral("read as 1/pixel")),
                 qPrintable(window.shown().referenceTitle()));
        const QString session = folder.file(QStringLiteral("a.sinoscope"));
        window.saveSession(session);
        chooseValue(child<QComboBox>(window, "referenceUnit"), QString());
        QVERIFY(settles(window));
        auto* again = child<QPushButton>(window, "likelyUnit");
        QVERIFY(again->isVisible() && again->text().contains(QStringLiteral("per pixel")));
        again->click();
        QVERIFY(settles(window));
        QVERIFY(!again->isVisible());
        QCOMPARE(unit->currentData().toString(), QStringLiteral("1/pixel"));
        chooseValue(child<QComboBox>(window, "referenceUnit"), QStringLiteral("1/cm"));
        QVERIFY(settles(window));
        QVERIFY2(!window.message().contains(QStringLiteral("specifies no unit")), qPrintable(window.message()));
        window.open(session);
        QVERIFY(comes([&] { return unit->currentData().toString() == QStringLiteral("1/pixel"); }));
        QVERIFY(settles(window));
        QVERIFY(window.shown().a().metrics->psnrDb > 100);
        chooseValue(child<QComboBox>(window, "reference"), QStringLiteral("exact"));
        QVERIFY(!unit->isVisible());
    }

    // Without a pixel size, values per length can't be converted.
    void unitsThatCannotBeConverted()
    {
        const TemporaryFolder folder;
        Window window;
        QVERIFY(window.opensSmall());
        write(folder.file(QStringLiteral("other.h5")), otherThan(window, 2));
        chooseFile(window, "file", folder.file(QStringLiteral("other.h5")));
        QVERIFY(settles(window));
        const auto* unit = child<QComboBox>(window, "referenceUnit");
        for (const char* name : {"1/mm", "1/cm"})
            QVERIFY(!possible(unit, unit->findData(QString::fromLatin1(name))));
        QVERIFY(possible(unit, unit->findData(QStringLiteral("1/pixel"))));
    }

    // If a file has slices of another size, a button reconstructs that size. Until then, no view claims that the
    // reference is being computed.
    void aReferenceOfAnotherSize()
    {
        const TemporaryFolder folder;
        const QString path = folder.file(QStringLiteral("other.tif"));
        Window window;
        engine::Simulation larger = fineCone();
        larger.cone->size = 40;
        QVERIFY(window.opensSimulation(larger));
        engine::writeTiffImage(path.toStdString(), window.shown().a().result->image, 0, true, {});
        const engine::Volume expected = window.shown().a().result->image;
        QVERIFY(window.opensSimulation(fineCone()));
        QVERIFY(window.shown().a().result->image.width != 40);
        const QString cellName = QStringLiteral("imageCell2"),
                      stopped = QStringLiteral("Not computed: see the message");
        window.images().setView(*findView(QStringLiteral("grid")));
        QVERIFY(settles(window));
        QVERIFY(child<ImageView>(window, "imageCell2")->pixels());
        chooseFile(window, "file", path);
        QVERIFY(settles(window));
        QVERIFY2(window.message().contains(QStringLiteral("40 x 40")) &&
                     window.message().contains(QStringLiteral("“Size” in the section “Geometry”")),
                 qPrintable(window.message()));
        const auto isStopped = [&](const char* name) {
            const auto* view = child<ImageView>(window, name);
            return !view->pixels() && view->message().startsWith(stopped);
        };
        QVERIFY(isStopped("imageCell2"));
        QVERIFY(isStopped("imageB") && isStopped("imageDifference"));
        for (const char* name : {"swipe", "all", "difference", "grid"}) {
            window.images().setView(*findView(QString::fromLatin1(name)));
            for (const ImageView* view : window.findChildren<ImageView*>())
                QVERIFY2(!view->message().contains(QStringLiteral("computing")), name);
        }
        QVERIFY(isStopped("imageCell2"));
        QVERIFY(!child<ImageHeader>(window, "imageDifferenceHeader")->note().contains(u'±'));
        auto* offer = child<QWidget>(window, "messageBar")->findChild<QPushButton*>();
        QCOMPARE(offer->text(), QStringLiteral("Reconstruct 40 × 40"));
        offer->click();
        QVERIFY(settles(window));
        QVERIFY2(window.message().isEmpty(), qPrintable(window.message()));
        QCOMPARE(window.shown().a().result->image.width, 40);
        QCOMPARE(window.scan()->pixelSizeMm(), std::optional(0.25));
        QVERIFY(std::ranges::equal(window.shown().planeB().values(), expected.slice(0)));
        QVERIFY(window.shown().a().metrics);
        QVERIFY(child<ImageView>(window, "imageCell2")->pixels());
        trigger(window, QKeySequence::Undo);
        QVERIFY(settles(window));
        QVERIFY(window.shown().a().result->image.width != 40);
    }

    // A published fan-beam scan and the image of another program, which has fewer pixels and specifies no unit.
    void aPublishedImage()
    {
        const QString folder = QStringLiteral(SINOSCOPE_DATA_DIR "/htc2022-fanbeam/");
        if (!QFile::exists(folder + QStringLiteral("htc2022_01a_full.mat")))
            QSKIP("the fan-beam scan of HTC 2022 is not here");
        Window window;
        window.open(folder + QStringLiteral("htc2022_01a_full.mat"));
        QVERIFY(showsImage(window));
        auto* offer = child<QWidget>(window, "messageBar")->findChild<QPushButton*>();
        chooseFile(window, "file", folder + QStringLiteral("htc2022_01a_recon_fbp.mat"));
        QVERIFY(settles(window));
        QCOMPARE(offer->text(), QStringLiteral("Reconstruct 512 × 512"));
        offer->click();
        QVERIFY(settles(window));
        QCOMPARE(offer->text(), QStringLiteral("Read as per pixel"));
        QVERIFY(offer->isVisible());
        offer->click();
        QVERIFY(settles(window));
        const auto sumOf = [](std::span<const float> values) {
            return std::accumulate(values.begin(), values.end(), 0.0);
        };
        const double ours = sumOf(window.shown().planeA().values()), theirs = sumOf(window.shown().planeB().values());
        QVERIFY2(std::abs(theirs / ours - 1) < 0.02, qPrintable(QString::number(theirs / ours)));
    }

    // A file that does not fit is reported, and the images stay; a file that was written again is read again.
    void filesThatDoNotFit()
    {
        const TemporaryFolder folder;
        const QString path = folder.file(QStringLiteral("other.h5")), small = folder.file(QStringLiteral("small.tif"));
        Window window;
        QVERIFY(window.opensSmall());
        engine::writeTiffImage(small.toStdString(), engine::Volume(1, 20, 30), 0, false, {});
        const auto before = window.shown().a().result;
        chooseFile(window, "file", small);
        QVERIFY(settles(window));
        QVERIFY2(window.message().contains(small) && window.message().contains(QStringLiteral("30 x 20")) &&
                     window.message().contains(QStringLiteral("48 x 48")),
                 qPrintable(window.message()));
        QCOMPARE(window.shown().a().result, before);
        QVERIFY(!window.shown().a().reference);

        write(path, otherThan(window, 1.5F));
        chooseFile(window, "file", path);
        QVERIFY(settles(window));
        QVERIFY2(window.message().isEmpty(), qPrintable(window.message()));
        const engine::Reconstruction next = otherThan(window, 2.5F);
        write(path, next);
        window.computeAgain();
        QVERIFY(settles(window));
        QVERIFY(std::ranges::equal(window.shown().planeB().values(), next.image.slice(0)));
        QCOMPARE(window.shown().a().metrics->rmse, rmseBetween(window, next));

        const int slice = window.slice();
        window.setSlice(slice + 1); // missing in the file
        QVERIFY(settles(window));
        QVERIFY2(window.message().contains(path) &&
                     window.message().contains(QStringLiteral("not slice %1").arg(slice + 1)),
                 qPrintable(window.message()));
        QCOMPARE(window.shown().slice, slice + 1);
        for (const char* gone : {"imageB", "imageDifference"}) // old images would have new titles
            QVERIFY(!child<ImageView>(window, gone)->pixels());
        QVERIFY(child<ImageView>(window, "imageA")->pixels());
        QVERIFY(window.shown().a().result);
        window.setSlice(slice);
        QVERIFY(settles(window));
        QVERIFY2(window.message().isEmpty(), qPrintable(window.message()));
        QVERIFY(window.shown().a().metrics);
        QFile::remove(path);
        window.computeAgain();
        QVERIFY(settles(window));
        QVERIFY2(window.message().contains(path), qPrintable(window.message()));
    }

    // If several data sets fit, the window asks for one; a long name is shortened in the middle.
    void oneOfSeveralDataSets()
    {
        const TemporaryFolder folder;
        const QString path = folder.file(QStringLiteral("reconstruction_of_a_tooth_00040.h5"));
        Window window;
        QVERIFY(window.opensSmall());
        const engine::Reconstruction other = otherThan(window, 3);
        {
            std::ofstream(path.toStdString()); // the existing file is overwritten
            engine::Hdf5Output file(path.toStdString(), path.toStdString());
            for (const char* set : {"/first", "/second"}) {
                file.numbers(set, {1, 48, 48}, engine::OutputFormat::Type::float32);
                file.write(set, {0, 0, 0}, {1, 48, 48},
                           (*(set + 1) == 's' ? other : *window.shown().a().result).image.values.data());
            }
            file.close();
        }
        QTimer answer;
        connect(&answer, &QTimer::timeout, &answer, [] {
            if (auto* dialog = qobject_cast<QInputDialog*>(QApplication::activeModalWidget())) {
                dialog->setTextValue(QStringLiteral("/second"));
                dialog->accept();
            }
        });
        answer.start(50);
        chooseFile(window, "file", path);
        QVERIFY(comes([&] { return window.settings().list().reference.file.dataset == "/second"; }));
        QVERIFY(settles(window));
        QVERIFY2(window.message().isEmpty(), qPrintable(window.message()));
        QCOMPARE(window.shown().a().metrics->rmse, rmseBetween(window, other));
        const QString name = window.shown().referenceName();
        QVERIFY2(name.size() < 25 && name.startsWith(QStringLiteral("recons")) &&
                     name.endsWith(QStringLiteral("/second")),
                 qPrintable(name));
        QVERIFY2(window.shown().referenceTitle().startsWith(name + QStringLiteral(", its only image, used for slice")),
                 qPrintable(window.shown().referenceTitle()));
        QVERIFY(window.shown().planeB().explanation.contains(path));
    }

    void aFileIsDroppedOnTheChoice()
    {
        const TemporaryFolder folder;
        const QString path = folder.file(QStringLiteral("dropped.h5"));
        Window window;
        QVERIFY(window.opensSmall());
        const engine::Reconstruction other = otherThan(window, 2);
        write(path, other);
        auto* combo = child<QComboBox>(window, "reference");
        QMimeData data;
        data.setUrls({QUrl::fromLocalFile(path)});
        QDragEnterEvent enter(QPoint(5, 5), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(combo, &enter);
        QVERIFY(enter.isAccepted());
        QDropEvent drop(QPointF(5, 5), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(combo, &drop);
        QVERIFY(settles(window));
        QCOMPARE(window.shown().a().metrics->rmse, rmseBetween(window, other));
        QCOMPARE(window.shown().referenceName(), QStringLiteral("dropped.h5"));
        QMimeData text; // not a file
        text.setText(QStringLiteral("exact"));
        QDragEnterEvent words(QPoint(5, 5), Qt::CopyAction, &text, Qt::LeftButton, Qt::NoModifier);
        words.setAccepted(false);
        QApplication::sendEvent(combo, &words);
        QVERIFY(!words.isAccepted());
    }

    void aFolderOfSlices()
    {
        const TemporaryFolder folder;
        Window window;
        QVERIFY(window.opensSmall());
        const engine::Reconstruction other = otherThan(window, 0.5F);
        write(folder.file(QStringLiteral("slices")), other);
        chooseFile(window, "folder", folder.file(QStringLiteral("slices")));
        QVERIFY(settles(window));
        QVERIFY2(window.message().isEmpty(), qPrintable(window.message()));
        QCOMPARE(window.shown().a().metrics->rmse, rmseBetween(window, other));
        QCOMPARE(window.shown().referenceName(), QStringLiteral("slices"));
        QVERIFY2(window.shown().referenceTitle().startsWith(QStringLiteral("slices, slice")),
                 qPrintable(window.shown().referenceTitle()));
        QVERIFY(
            !window.shown().referenceTitle().contains(QStringLiteral("interpreted as"))); // the file specifies its unit
    }
};

SINOSCOPE_TEST(ReferenceFileTest, QApplication)
#include "reference_file_test.moc"
