// SPDX-License-Identifier: GPL-3.0-or-later
// What the window costs of the speed that it shows: kernel GU/s of the same setting by the engine alone, and in the
// loop of the page *Performance* while the page is shown and while it is hidden, in turns. Also the speed that the
// window measures when it is idle. Built by `ninja bench_loop`; arguments: size, projections.
#include "engine/measure/speed_spread.h"
#include "engine/reconstruct/reconstruct.h"
#include "engine/simulate/phantom.h"
#include "ui/background/persistent_state.h"
#include "ui/numbers/number_tabs.h"
#include "ui/speed/history_chart.h"
#include "ui/speed/speed_panel.h"
#include "ui/window/main_window.h"

#include <QApplication>
#include <QElapsedTimer>
#include <QLabel>
#include <QPushButton>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <thread>
#include <vector>

namespace
{

constexpr int turns = 9;
constexpr double secondsPerTurn = 1;

void wait(const std::function<bool()>& until)
{
    while (!until()) {
        QCoreApplication::processEvents();
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
}

double engineAlone(const engine::Request& request)
{
    engine::Reconstructor reconstructor;
    reconstructor.run(request);
    std::vector<double> gups;
    QElapsedTimer timer;
    timer.start();
    while (double(timer.elapsed()) < 1e3 * secondsPerTurn)
        gups.push_back(reconstructor.run(request).kernelGups);
    return engine::spreadOf(gups).median;
}

double inLoop(ui::MainWindow& window)
{
    auto* button = window.findChild<QPushButton*>(QStringLiteral("loopAxis"));
    const auto* chart = window.findChild<ui::HistoryChart*>(QStringLiteral("loopChart"));
    button->click();
    QElapsedTimer timer;
    timer.start();
    wait([&] { return double(timer.elapsed()) > 1e3 * secondsPerTurn; });
    button->click();
    std::vector<double> gups;
    for (const ui::SpeedEntry& entry : chart->entries())
        gups.push_back(entry.kernelGups);
    return engine::spreadOf(gups).median;
}

} // namespace

int main(int argc, char** argv)
{
    QApplication application(argc, argv);
    engine::Simulation simulation;
    simulation.size = argc > 1 ? std::atoi(argv[1]) : 512;
    simulation.projections = argc > 2 ? std::atoi(argv[2]) : simulation.size;
    ui::PersistentState state;
    ui::MainWindow window(state);
    window.resize(1280, 800);
    window.runAgainWhenIdle();
    window.show();
    window.openSimulation(simulation, QStringLiteral("bench"));
    const auto* unit = window.findChild<QLabel*>(QStringLiteral("kernelUnit"));
    wait([&] { return !window.busy() && unit->text().contains(QStringLiteral("runs")); });
    std::printf("idle: %s %s\n", qPrintable(window.findChild<QLabel*>(QStringLiteral("kernelGups"))->text()),
                qPrintable(unit->text().replace(u'\n', u' ')));
    engine::Request request = window.shown().a().result->request;
    request.setting.axis = {engine::AxisSettings::Mode::given, window.shown().a().result->axisBins};
    auto* tabs = window.findChild<ui::NumberTabs*>();
    const QWidget* page = window.findChild<ui::SpeedPanel*>()->details();
    std::vector<double> alone, shown, hidden;
    for (int turn = 0; turn < turns; ++turn) {
        alone.push_back(engineAlone(request));
        tabs->showPage(page);
        shown.push_back(inLoop(window));
        tabs->setCurrentIndex(0);
        hidden.push_back(inLoop(window));
    }
    std::vector<double> ofPage, whole;
    for (int turn = 0; turn < turns; ++turn) {
        ofPage.push_back(shown[turn] / hidden[turn]);
        whole.push_back(shown[turn] / alone[turn]);
    }
    std::printf("engine alone %.2f, loop with the page %.2f, page hidden %.2f GU/s\n", engine::spreadOf(alone).median,
                engine::spreadOf(shown).median, engine::spreadOf(hidden).median);
    std::printf("medians of ratios: page shown / hidden %.3f, page shown / engine alone %.3f\n",
                engine::spreadOf(ofPage).median, engine::spreadOf(whole).median);
}
