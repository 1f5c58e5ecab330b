// SPDX-License-Identifier: GPL-3.0-or-later
// Scans that refer to data outside their folder: the window refuses them with their path and a button that opens
// them. The permission holds for this scan while it is open.
#include "engine/documents/session.h"
#include "engine/io/slices/write_scan.h"
#include "tests/ui/fixtures.h"

#include <QLabel>
#include <QLineEdit>
#include <QPushButton>

#include <hdf5.h>

using namespace ui;
using namespace fixtures;

class OutsideWindowTest : public QObject
{
    Q_OBJECT

  private slots:
    void init()
    {
        m_folder = std::make_unique<TemporaryFolder>();
        m_window = std::make_unique<Window>();
        std::filesystem::create_directories(*m_folder / "scan");
        engine::Simulation head = simulationOf(engine::Phantom::sheppLogan3d, 32, 40, 4);
        engine::writeScan(*engine::simulate(head), nullptr, engine::ScanFormat::dxchange, *m_folder / "numbers.h5",
                          false);
        m_path = m_folder->file("scan/scan.h5");
        const hid_t file = H5Fcreate(m_path.toUtf8(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
        H5Lcreate_external("../numbers.h5", "/exchange", file, "/exchange", H5P_DEFAULT, H5P_DEFAULT);
        H5Fclose(file);
    }
    void cleanup() { m_window.reset(); }

    void isAsked()
    {
        m_window->open(m_path);
        QVERIFY(refused());
        QVERIFY(!m_window->scan());
        button()->click();
        QVERIFY2(showsImage(*m_window), qPrintable(m_window->message()));
        QCOMPARE(QString::fromStdString(m_window->scan()->path), m_path);

        // Reading the scan with other options does not ask again.
        auto* leaveOut = child<QLineEdit>(*m_window, "leaveOut");
        leaveOut->setText("3");
        emit leaveOut->editingFinished();
        QVERIFY2(showsImage(*m_window), qPrintable(m_window->message()));
        QCOMPARE(m_window->scan()->projections(), 39);

        // Opening its session asks again, since another person could have written the session.
        const QString session = m_folder->file("s.sinoscope");
        m_window->saveSession(session);
        m_window = std::make_unique<Window>();
        m_window->openSession(session);
        QVERIFY(refused());

        // Opening the scan anew asks again, too.
        m_window->open(m_path);
        QVERIFY(refused());
    }

    void isAskedOfASession()
    {
        engine::Session session;
        session.scan = m_path.toStdString();
        const QString file = m_folder->file("s.sinoscope");
        engine::writeSession(session, file.toStdString(), false);
        m_window->openSession(file);
        QVERIFY(refused());
        button()->click();
        QVERIFY2(showsImage(*m_window), qPrintable(m_window->message()));
    }

    void commandLine()
    {
        const auto options = parseCommandLine({"sinoscope", m_path, "--allow-outside"});
        QVERIFY(options && options->open.allowOutside);
        m_window->begin(*options);
        QVERIFY2(showsImage(*m_window), qPrintable(m_window->message()));
    }

  private:
    bool refused()
    {
        return settles(*m_window) && m_window->message().contains("numbers.h5") &&
               m_window->message().contains("outside the folder of the scan") && !m_window->message().contains("--") &&
               button()->text() == "Open it" && button()->isVisible();
    }
    QPushButton* button() { return child<QWidget>(*m_window, "messageBar")->findChild<QPushButton*>(); }

    std::unique_ptr<TemporaryFolder> m_folder;
    std::unique_ptr<Window> m_window;
    QString m_path;
};

SINOSCOPE_TEST(OutsideWindowTest, QApplication)
#include "outside_window_test.moc"
