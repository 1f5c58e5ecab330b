// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/speed/speed_loop.h"

#include "engine/backends/devices.h"
#include "engine/measure/limits.h"
#include "engine/reconstruct/reconstruct.h"
#include "ui/widgets/displayed_number.h"

#include <chrono>
#include <utility>

namespace ui
{

namespace
{

// Between two signals. Painting takes a processor's time from the kernel: 20 times a second, a tenth of two cores.
constexpr int passMsOnGpu = 50, passMsOnProcessor = 250;
constexpr int axisSteps = 24;   // from one end to the other
constexpr double axisReach = 3; // bins

// Returns the place of a turn, 0 to `last`. Turns begin at `first`, run up to `last`, down to 0, and up again.
int toAndFro(int first, int last, int turn)
{
    if (last < 1)
        return 0;
    const int place = (first + turn) % (2 * last);
    return place <= last ? place : 2 * last - place;
}

QString placeOf(const engine::Request& request, LoopOver over)
{
    return over == LoopOver::slices ? SpeedLoop::tr("slice %1").arg(request.place.slices().first)
                                    : SpeedLoop::tr("axis %1 bins").arg(request.setting.axis.bins, 0, 'f', 2);
}

// Reads a GPU twice a second, and divides the updates between two readings by the energy.
class LoopPower
{
  public:
    explicit LoopPower(const engine::DeviceSettings& device) : m_device(device) { read(); }

    void add(double gigaUpdates)
    {
        m_gigaUpdates += gigaUpdates;
        if (Clock::now() - m_read > interval)
            read();
    }
    const engine::DeviceState& state() const { return m_state; }
    double gupsPerWatt() const { return m_gupsPerWatt; }

  private:
    using Clock = std::chrono::steady_clock;
    static constexpr auto interval = std::chrono::milliseconds(500);

    void read()
    {
        const double before = m_state.joules;
        m_state = engine::stateOf(m_device);
        m_gupsPerWatt = before > 0 && m_state.joules > before ? m_gigaUpdates / (m_state.joules - before) : 0;
        m_gigaUpdates = 0;
        m_read = Clock::now();
    }

    const engine::DeviceSettings m_device;
    engine::DeviceState m_state;
    Clock::time_point m_read;
    double m_gigaUpdates = 0, m_gupsPerWatt = 0;
};

} // namespace

engine::Request loopRequest(const engine::Reconstruction& made, LoopOver over, int turn)
{
    engine::Request request = made.request;
    request.setting.axis = {engine::AxisSettings::Mode::given, made.axisBins};
    if (over == LoopOver::slices) {
        const int count = made.request.place.slices().count, last = request.scan->slices() - count;
        request.place.setSlices({toAndFro(made.request.place.slices().first, last, turn), count});
    } else {
        const int step = toAndFro(axisSteps / 2, axisSteps, turn);
        request.setting.axis.bins += axisReach * (2.0 * step / axisSteps - 1);
    }
    return request;
}

SpeedLoop::SpeedLoop(QObject* parent) : QObject(parent)
{
    connect(&m_timer, &QTimer::timeout, this, &SpeedLoop::pass);
    connect(&m_task, &BackgroundTask::failed, this, &SpeedLoop::end);
    connect(&m_task, &BackgroundTask::cancelled, this, [this] { end({}); });
}

void SpeedLoop::start(const Image& made, LoopOver over)
{
    stop();
    m_over = over;
    m_shared = std::make_shared<Shared>();
    const engine::DeviceSettings device = engine::workOf(*made).device;
    m_timer.start(device.isAutomatic() || engine::isProcessor(device) ? passMsOnProcessor : passMsOnGpu);
    m_task.start([made, over, shared = m_shared](const std::stop_token& stop,
                                                 const BackgroundTask::Progress&) { work(made, over, *shared, stop); },
                 [] {});
}

// Runs until it is stopped, which throws.
void SpeedLoop::work(const Image& made, LoopOver over, Shared& shared, const std::stop_token& stop)
{
    engine::Reconstructor reconstructor;
    reconstructor.run(loopRequest(*made, over, 0), {}, stop); // warms up
    LoopPower power(engine::workOf(*made).device);
    for (int turn = 0;; ++turn) {
        const engine::Request request = loopRequest(*made, over, turn);
        auto image = std::make_shared<engine::Reconstruction>(reconstructor.run(request, {}, stop));
        power.add(image->totalGups * image->timings.totalSeconds);
        const std::lock_guard guard(shared.mutex);
        shared.turns.runs.push_back({image->kernelGups, placeOf(request, over), image->totalGups});
        shared.turns.newest = std::move(image);
        shared.turns.gpu = power.state();
        shared.turns.gupsPerWatt = power.gupsPerWatt();
    }
}

void SpeedLoop::stop()
{
    if (m_over == LoopOver::none)
        return;
    m_task.cancel();
    end({});
}

void SpeedLoop::pass()
{
    LoopTurns turns;
    {
        const std::lock_guard guard(m_shared->mutex);
        turns = std::exchange(m_shared->turns, {});
    }
    if (turns.newest)
        emit ran(turns);
}

void SpeedLoop::end(const QString& problem)
{
    if (m_over == LoopOver::none)
        return;
    m_over = LoopOver::none;
    m_timer.stop();
    emit ended(problem);
}

} // namespace ui
