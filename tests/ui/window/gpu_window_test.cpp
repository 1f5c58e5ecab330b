// SPDX-License-Identifier: GPL-3.0-or-later
// The window on a machine with an NVIDIA GPU: every kernel of the combo box, and its messages.
#include "tests/gpu/device.h"
#include "tests/gpu/hoard.h"
#include "tests/ui/fixtures.h"

#include "engine/backends/backend.h"
#include "engine/backends/method.h"
#include "engine/measure/paper_steps.h"
#include "engine/measure/verify.h"
#include "engine/reconstruct/reconstruct.h"
#include "ui/numbers/speeds_panel.h"

#include <QLabel>
#include <QRegularExpression>

#include <map>

using namespace ui;
using namespace fixtures;

class GpuWindowTest : public QObject
{
    Q_OBJECT

  private slots:
    void init()
    {
        SINOSCOPE_NEEDS_GPU();
        m_window = std::make_unique<Window>();
    }

    void cleanup() { m_window.reset(); }

    // Every GPU kernel with all its options, compared with the exact method with the same interpolation.
    void everyKernel_data()
    {
        QTest::addColumn<QString>("id");
        QTest::addColumn<bool>("cone");
        for (const engine::Method& method : engine::methods())
            if (method.backend == &engine::cudaBackend) {
                const bool isCone = method.takes(engine::ConeBeam{});
                QTest::addRow("%s%s", method.id, isCone ? ", cone" : "") << QString::fromLatin1(method.id) << isCone;
            }
    }

    void everyKernel()
    {
        QFETCH(const QString, id);
        QFETCH(const bool, cone);
        engine::Simulation ofCone = coneOf(64, 48, 64);
        ofCone.axisOffsetBins = 0.37; // on the axis of a symmetric scan, rays meet the boundaries of bins exactly
        if (cone)
            QVERIFY2(m_window->opensSimulation(ofCone), qPrintable(m_window->message()));
        else
            open(160, 150, 8);
        if (QTest::currentTestFailed())
            return;
        m_exact.clear();
        auto* kernel = child<ChoiceCombo>(*m_window, "method");
        auto* interpolation = child<ChoiceCombo>(*m_window, "interpolation");
        auto* precision = child<ChoiceCombo>(*m_window, "precision");
        auto* slices = child<ChoiceCombo>(*m_window, "slices-per-pass");
        int tried = 0;
        for (int p = 0; p < precision->count(); ++p)
            for (int i = 0; i < interpolation->count(); ++i)
                for (int s = 0; s < slices->count(); ++s) {
                    kernel->setCurrentIndex(kernel->findData(id));
                    precision->setCurrentIndex(p);
                    if (!interpolation->isPossible(i))
                        continue;
                    interpolation->setCurrentIndex(i);
                    if (!slices->isPossible(s))
                        continue;
                    slices->setCurrentIndex(s);
                    QVERIFY(settles(*m_window));
                    QVERIFY2(m_window->message().isEmpty(), qPrintable(m_window->message()));
                    const engine::Reconstruction& a = *m_window->shown().a().result;
                    QCOMPARE(a.method, id.toStdString());
                    QCOMPARE(int(a.request.setting.kernel.precision), precision->currentData().toInt());
                    QCOMPARE(int(a.request.setting.kernel.interpolation), interpolation->currentData().toInt());
                    QCOMPARE(a.request.setting.kernel.slicesPerPass, slices->currentData().toInt());
                    const double error = relativeError(a.image.values, exactly(a.request));
                    const double bound = engine::errorBound(
                        *engine::findMethod(a.request), a.request.setting.kernel.interpolation,
                        a.request.setting.kernel.precision, cone ? 64 : 160, a.request.scan->projections());
                    QVERIFY2(error <= bound, qPrintable(child<QLabel>(*m_window, "settingsLine")->text() +
                                                        QStringLiteral(": %1 beyond %2").arg(error).arg(bound)));
                    saysDeviceAndKernel(id);
                    ++tried;
                }
        // Too few possible settings would test nothing.
        QVERIFY2(tried >= 4, qPrintable(QString::number(tried)));
        qInfo("%d settings", tried);
    }

    // The steps of Chilingaryan et al. 2020 by their presets: every step has a speed, beside the paper's factor. With
    // SINOSCOPE_PICTURES=DIR the window is saved there, to be looked at.
    void paperSteps_data()
    {
        QTest::addColumn<QString>("id");
        QTest::newRow("one slice") << QStringLiteral("steps-1");
        QTest::newRow("two slices") << QStringLiteral("steps-2");
    }

    void paperSteps()
    {
        QFETCH(const QString, id);
        m_window->resize(1280, 800);
        open(512, 512, 2);
        if (QTest::currentTestFailed())
            return;
        QAction* preset = presetAction(*m_window, qPrintable(id));
        QVERIFY2(preset->isEnabled(), qPrintable(preset->toolTip()));
        preset->trigger();
        QVERIFY(settles(*m_window));
        QVERIFY2(m_window->message().isEmpty(), qPrintable(m_window->message()));
        const engine::PaperSequence& sequence = engine::sequenceOf(id.toStdString());
        const SpeedBars made = m_window->findChild<SpeedsPanel*>()->bars();
        QCOMPARE(made.sequence, &sequence);
        QCOMPARE(made.bars.size(), sequence.steps.size());
        for (std::size_t k = 0; k < made.bars.size(); ++k) {
            QVERIFY2(made.bars[k].speed.count > 0, sequence.steps[k].name.c_str());
            QCOMPARE(made.bars[k].paperFactor.has_value(), sequence.steps[k].printed > 0);
        }
        if (const QString folder = qEnvironmentVariable("SINOSCOPE_PICTURES"); !folder.isEmpty())
            for (const QSize size : {QSize(1280, 800), QSize(1920, 1080)}) {
                m_window->resize(size);
                QVERIFY(isLaidOut(*m_window));
                QVERIFY(m_window->grab().save(QStringLiteral("%1/%2-%3.png").arg(folder, id).arg(size.width())));
            }
    }

    void automaticTakesTheGpu()
    {
        open(256, 200, 2);
        if (QTest::currentTestFailed())
            return;
        const engine::Reconstruction& a = *m_window->shown().a().result;
        QVERIFY(engine::findMethod(a.method)->backend == &engine::cudaBackend);
        saysDeviceAndKernel(QString::fromStdString(a.method));
        auto* device = child<ChoiceCombo>(*m_window, "device");
        QTRY_VERIFY(device->findData(QStringLiteral("cuda")) >= 0); // searched for in the background
        const int gpu = device->findData(QStringLiteral("cuda"));
        QVERIFY(device->itemText(gpu).startsWith(QString::fromStdString(engine::cudaBackend.devices().devices.front().name)));
        // If the user chooses the processor, it computes the image; if the user then chooses the GPU, the GPU does.
        device->setCurrentIndex(device->findData(QStringLiteral("cpu")));
        QVERIFY(settles(*m_window));
        QCOMPARE(m_window->shown().a().result->method, std::string("cpu"));
        QVERIFY(!child<QLabel>(*m_window, "deviceLine")->text().contains(QStringLiteral("texture peak")));
        device->setCurrentIndex(gpu);
        QVERIFY(settles(*m_window));
        saysDeviceAndKernel(QString::fromStdString(m_window->shown().a().result->method));
    }

    // Another program occupies the GPU's memory: the processor takes over with a message; then the GPU is used again.
    void memoryTaken()
    {
#if SINOSCOPE_HAS_CUDA
        {
            const Hoard hoard(std::size_t{2} << 20);
            open(1024, 200, 2);
            if (QTest::currentTestFailed())
                return;
            QVERIFY2(m_window->message().isEmpty(), qPrintable(m_window->message()));
            QCOMPARE(m_window->shown().a().result->method, std::string("cpu"));
            QVERIFY2(child<QLabel>(*m_window, "notes")->text().contains(QStringLiteral("the processor took over")),
                     qPrintable(child<QLabel>(*m_window, "notes")->text()));
        }
        m_window->computeAgain();
        QVERIFY(settles(*m_window));
        QVERIFY(m_window->shown().a().result->method != "cpu");
        QVERIFY(!child<QLabel>(*m_window, "notes")->text().contains(QStringLiteral("took over")));
#else
        QSKIP("built without CUDA");
#endif
    }

  private:
    void open(int size, int projections, int slices)
    {
        m_exact.clear();
        QVERIFY2(m_window->opensSimulation(simulationOf(engine::Phantom::sheppLogan3d, size, projections, slices)),
                 qPrintable(m_window->message()));
    }

    const engine::Values& exactly(engine::Request request)
    {
        const auto key = std::tuple(int(request.setting.kernel.interpolation), request.place.slices().first,
                                    request.place.slices().count);
        engine::Values& image = m_exact[key];
        if (image.empty()) {
            request.setting.kernel.method = "exact";
            request.setting.kernel.precision = engine::Precision::single;
            request.setting.kernel.slicesPerPass = 1;
            request.resources.device = {};
            image = engine::Reconstructor().run(request).image.values;
        }
        return image;
    }

    // Checks the text "NVIDIA H200 · alu", and that the speed is positive.
    void saysDeviceAndKernel(const QString& id)
    {
        const QString line = child<QLabel>(*m_window, "deviceLine")->text();
        const QString name = QString::fromStdString(engine::cudaBackend.devices().devices.front().name);
        const QRegularExpression expected(QStringLiteral("^%1 · %2$").arg(QRegularExpression::escape(name), id));
        QVERIFY2(expected.match(line).hasMatch(), qPrintable(line));
        const engine::Reconstruction& a = *m_window->shown().a().result;
        QVERIFY(a.kernelGups > 0 && a.texelsPerSecond == engine::cudaBackend.devices().devices.front().texelsPerSecond);
        QVERIFY(child<QLabel>(*m_window, "kernelGups")->text() != QStringLiteral("–"));
    }

    std::unique_ptr<Window> m_window;
    std::map<std::tuple<int, int, int>, engine::Values> m_exact; // by interpolation and slices per pass
};

SINOSCOPE_TEST(GpuWindowTest, QApplication)
#include "gpu_window_test.moc"
