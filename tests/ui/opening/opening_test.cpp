// What the window says and asks about a scan that was opened, and that it never writes over it.
#include "engine/io/readers.h"
#include "engine/io/write_slices.h"
#include "engine/scan/phantom.h"
#include "ui/main_window.h"
#include "ui/session.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QFile>
#include <QFileDialog>
#include <QLineEdit>
#include <QMenu>
#include <QMenuBar>
#include <QPushButton>
#include <QRegularExpression>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QTimer>

using namespace ui;

namespace
{

QByteArray bytesOf(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

} // namespace

class OpeningTest : public QObject
{
    Q_OBJECT
  private slots:
    void init()
    {
        m_window = std::make_unique<MainWindow>(m_session);
        m_window->resize(1280, 800);
        m_window->show();
        // Line integrals of a disc as reals: air at 0, no flat field.
        engine::Simulation simulation;
        simulation.phantom = engine::Phantom::disc;
        simulation.size = 64;
        simulation.projections = 60;
        simulation.counts = false;
        engine::Volume sinogram(1, simulation.projections, simulation.size);
        sinogram.values = engine::simulate(simulation)->read({0, 1}, {}).data;
        m_path = m_folder.filePath(QStringLiteral("lines.tif"));
        engine::writeTiffImage(m_path.toStdString(), sinogram, 0, true, {});
    }
    void cleanup() { m_window.reset(); }

    void guessIsSeenAndCorrected()
    {
        m_window->open(m_path, true);
        QVERIFY(settled());
        auto* quantity = m_window->findChild<QComboBox*>(QStringLiteral("quantity"));
        QVERIFY(quantity && quantity->isVisible() && quantity->isEnabled());
        QVERIFY2(quantity->currentText().contains(QStringLiteral("line integrals (guessed)")),
                 qPrintable(quantity->currentText()));
        QVERIFY(quantity->toolTip().contains(QStringLiteral("outer bins")));
        const float right = middle();
        QVERIFY(right > 0.01f);

        // As a click on the second entry, transmission: the image is inverted, and that is said with the way back.
        emit quantity->activated(1);
        QVERIFY(settled());
        QVERIFY(m_window->scan()->quantity == engine::Quantity::transmission);
        QCOMPARE(quantity->currentText(), QStringLiteral("transmission"));
        QVERIFY2(m_window->message().contains(QStringLiteral("inverted")), qPrintable(m_window->message()));
        auto* way = m_window->findChild<QWidget*>(QStringLiteral("messageBar"))->findChild<QPushButton*>();
        QCOMPARE(way->text(), QStringLiteral("They are line integrals"));
        way->click();
        QVERIFY(settled());
        QVERIFY(m_window->scan()->quantity == engine::Quantity::attenuation);
        QVERIFY(m_window->scan()->quantitySource == engine::QuantitySource::given);
        QCOMPARE(middle(), right);
        trigger(QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_C));
        QVERIFY2(QGuiApplication::clipboard()->text().contains(QStringLiteral("--sinogram --values line-integrals")),
                 qPrintable(QGuiApplication::clipboard()->text()));
    }

    // A single image is no stack, and its name doesn't say that it is a sinogram: the window asks.
    void sinogramIsOffered()
    {
        m_window->open(m_path);
        auto* bar = m_window->findChild<QWidget*>(QStringLiteral("messageBar"));
        QVERIFY(QTest::qWaitFor([&] { return m_window->message().contains(QStringLiteral("single image")); }, 30000));
        auto* way = bar->findChild<QPushButton*>();
        QCOMPARE(way->text(), QStringLiteral("Open as sinogram"));
        way->click();
        QVERIFY(settled());
        QCOMPARE(m_window->scan()->format, std::string("TIFF sinogram"));
    }

    void dialogShowsWhatTheReadersOpen()
    {
        QStringList filters;
        QTimer look;
        connect(&look, &QTimer::timeout, this, [&] {
            if (auto* dialog = qobject_cast<QFileDialog*>(QApplication::activeModalWidget())) {
                filters = dialog->nameFilters();
                dialog->reject();
            }
        });
        look.start(50);
        trigger(QKeySequence::Open);
        QVERIFY(!filters.isEmpty());
        for (const std::string& suffix : engine::scanSuffixes())
            QVERIFY2(filters[0].contains(QRegularExpression(QStringLiteral("\\*\\%1[ )]").arg(suffix.c_str()))),
                     suffix.c_str());
    }

    void simulatedValuesAreKnown()
    {
        m_window->openSample(QStringLiteral("disc"));
        QVERIFY(settled());
        auto* quantity = m_window->findChild<QComboBox*>(QStringLiteral("quantity"));
        QVERIFY(!quantity->isEnabled());
        QCOMPARE(quantity->currentText(), QStringLiteral("counts"));
    }

    void nothingIsSavedOverTheScan()
    {
        m_window->open(m_path, true);
        QVERIFY(settled());
        const QByteArray before = bytesOf(m_path);
        const QString link = m_folder.filePath(QStringLiteral("link.h5"));
        QVERIFY(QFile::link(m_path, link));
        QSignalSpy saved(m_window.get(), &MainWindow::saved);
        const auto refuses = [&](void (MainWindow::*save)(const QString&), const QString& path) {
            QSignalSpy failed(m_window.get(), &MainWindow::failed);
            (m_window.get()->*save)(path);
            return (failed.count() == 1 || failed.wait(5000)) &&
                   failed[0][0].toString().contains(QStringLiteral("read from"));
        };
        QVERIFY(refuses(&MainWindow::saveImage, m_path));
        QVERIFY(refuses(&MainWindow::saveDifference, m_path));
        QVERIFY(refuses(&MainWindow::saveVolume, link));
        const QString pdf = m_folder.filePath(QStringLiteral("link.pdf"));
        QVERIFY(QFile::link(m_path, pdf));
        QVERIFY(refuses(&MainWindow::saveProfile, pdf));
        QCOMPARE(saved.count(), 0);
        QCOMPARE(bytesOf(m_path), before);
    }

    void volumeIsNotCalledAsTheScan()
    {
        m_window->open(m_path, true);
        QVERIFY(settled());
        QString suggested;
        QTimer look;
        connect(&look, &QTimer::timeout, this, [&] {
            if (auto* dialog = qobject_cast<QFileDialog*>(QApplication::activeModalWidget())) {
                suggested = dialog->findChild<QLineEdit*>()->text();
                dialog->reject();
            }
        });
        look.start(50);
        trigger(QKeySequence(Qt::CTRL | Qt::Key_E));
        QCOMPARE(suggested, QStringLiteral("lines_reconstruction.h5"));
    }

  private:
    bool settled()
    {
        return QTest::qWaitFor([&] { return !m_window->busy() && m_window->shown().a && !m_window->shown().preview; },
                               30000);
    }
    void trigger(const QKeySequence& keys)
    {
        for (QAction* menu : m_window->menuBar()->actions())
            for (QAction* action : menu->menu()->actions())
                if (action->shortcuts().contains(keys))
                    return action->trigger();
        qFatal("no action has the shortcut %s", qPrintable(keys.toString()));
    }
    float middle() const
    {
        const Plane& plane = m_window->shown().planeA;
        return plane.values()[plane.grid.height / 2 * plane.grid.width + plane.grid.width / 2];
    }
    QTemporaryDir m_folder;
    QString m_path;
    Session m_session;
    std::unique_ptr<MainWindow> m_window;
};

int main(int argc, char** argv)
{
    QApplication application(argc, argv);
    OpeningTest test;
    return QTest::qExec(&test, argc, argv);
}

#include "opening_test.moc"
