// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/axis/trial_strip.h"

#include "engine/reconstruct/reconstruct.h"
#include "ui/background/comparison.h"
#include "ui/background/task_row.h"
#include "ui/image/colour_map.h"
#include "ui/image/shading.h"
#include "ui/widgets/boxes.h"
#include "ui/widgets/curve_colours.h"
#include "ui/widgets/flat_button.h"
#include "ui/widgets/number_box.h"

#include <QApplication>
#include <QLabel>
#include <QPointer>

#include <algorithm>
#include <array>
#include <cmath>
#include <mutex>
#include <optional>
#include <ranges>

namespace ui
{

namespace
{

constexpr std::array trialSteps = {0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 50.0}; // bins
constexpr double usualTrialStep = 1;
constexpr int mostTrialPixels = 512; // width and height of a trial slice

double finerThan(double step)
{
    const auto found = std::ranges::find_if(trialSteps | std::views::reverse, [=](double one) { return one < step; });
    return found == std::ranges::rend(trialSteps) ? trialSteps.front() : *found;
}

double coarserThan(double step)
{
    const auto found = std::ranges::find_if(trialSteps, [=](double one) { return one > step; });
    return found == trialSteps.end() ? trialSteps.back() : *found;
}

// Returns the place of the sharpest slice; nothing before all are made.
std::optional<std::size_t> sharpest(const std::vector<TrialSlice>& trials, double engine::Sharpness::*measure)
{
    if (trials.empty() || std::ranges::any_of(trials, [](const TrialSlice& one) { return !one.sharpness; }))
        return {};
    const auto found =
        std::ranges::min_element(trials, {}, [measure](const TrialSlice& one) { return (*one.sharpness).*measure; });
    return static_cast<std::size_t>(found - trials.begin());
}

// Returns a pixel step that is coarse enough to be quick, and fine enough for a step of the axis to be visible.
int previewStepFor(int size, double stepBins)
{
    const int quick = (size + mostTrialPixels - 1) / mostTrialPixels;
    return std::clamp(static_cast<int>(4 * stepBins), 1, std::max(1, quick));
}

// Requests the whole slice, or its middle if the whole takes too long.
engine::Request trialRequest(engine::Request request, double axisBins, double stepBins)
{
    const int size = request.scan->sliceSize();
    request.setting.axis = {engine::AxisSettings::Mode::given, axisBins};
    request.setting.kernel.slicesPerPass = 1;
    request.place.previewStep = previewStepFor(size, stepBins);
    const int side = std::min(size, mostTrialPixels * request.place.previewStep);
    if (side < size)
        request.place.setRegion(engine::Region{(size - side) / 2, (size - side) / 2, side, side});
    else
        request.place.setRegion({});
    return request;
}

} // namespace

// The reconstructor, which caches the filtered rows between runs.
struct TrialStrip::Maker {
    std::mutex mutex; // one run at a time: a replaced run may not have stopped yet
    engine::Reconstructor reconstructor;
};

TrialStrip::TrialStrip(QWidget* parent)
    : QWidget(parent), m_maker(std::make_shared<Maker>()), m_pictures(new TrialPictures(this)), m_step(new NumberBox),
      m_said(new QLabel)
{
    setObjectName(QStringLiteral("trialStrip"));
    m_step->setObjectName(QStringLiteral("trialStep"));
    m_step->setAccessibleName(tr("Step between the trial slices, in bins"));
    m_step->setToolTip(m_step->accessibleName());
    m_step->setRange(trialSteps.front(), trialSteps.back());
    m_step->setValue(usualTrialStep);
    m_step->setDecimals(2);
    m_step->setSuffix(tr(" bins"));
    m_step->setKeyboardTracking(false);
    m_said->setObjectName(QStringLiteral("trialSaid"));
    m_said->setTextFormat(Qt::RichText);
    m_said->setWordWrap(true); // else a long hint would widen the strip beyond its room
    m_said->setMinimumHeight(2 * m_said->fontMetrics().lineSpacing()); // a hint that comes and goes moves nothing
    auto* finer = flatButton(QStringLiteral("trialFiner"), tr("Finer"), tr("A finer step"));
    auto* coarser = flatButton(QStringLiteral("trialCoarser"), tr("Coarser"), tr("A coarser step"));
    m_steps = new QWidget;
    filled(new QHBoxLayout(m_steps), {new QLabel(tr("Step")), m_step, finer, coarser}, {QMargins(0, 0, 8, 0)});
    auto* row = filled(new QHBoxLayout, {m_steps, {m_said, 1}}, {QMargins(6, 2, 6, 0)});
    m_busy = new TaskRow(m_task, tr("Stops the trial slices"), new QLabel);
    m_busy->setMinimumWidth(220);
    QSizePolicy policy = m_busy->sizePolicy();
    policy.setRetainSizeWhenHidden(true); // so that nothing moves
    m_busy->setSizePolicy(policy);
    row->addWidget(m_busy);
    filled(new QVBoxLayout(this), {row, {m_pictures, 1}, BoxItem::stretch()}, {QMargins(0, 0, 0, 2), 2});
    connect(m_pictures, &TrialPictures::taken, this, &TrialStrip::take);
    connect(m_step, &QDoubleSpinBox::valueChanged, this, &TrialStrip::make);
    connect(finer, &QToolButton::clicked, this, [this] { setStep(finerThan(stepBins())); });
    connect(coarser, &QToolButton::clicked, this, [this] { setStep(coarserThan(stepBins())); });
    connect(&m_task, &BackgroundTask::failed, m_said,
            [this](const QString& message) { m_said->setText(message.toHtmlEscaped()); });
    connect(&m_task, &BackgroundTask::cancelled, this, [this] { m_made.reset(); }); // made again after the next change
    clear();
}

TrialStrip::~TrialStrip() = default;

double TrialStrip::stepBins() const
{
    return m_step->value();
}

void TrialStrip::setStep(double bins)
{
    m_step->setValue(bins);
}

void TrialStrip::clear()
{
    m_task.cancel();
    ++m_run;
    m_request.reset();
    m_axis.reset();
    m_made.reset();
    m_pictures->setTrials({});
    showLegend();
}

void TrialStrip::setRequest(const engine::Request& request)
{
    const bool isOther = m_request && m_request->scan != request.scan;
    if (isOther)
        clear();
    m_request = request;
    if (request.setting.axis.mode == engine::AxisSettings::Mode::given) {
        // A position that was typed far from the trial slices starts with the usual step. The undo of a click moves
        // the axis by up to 7.5 steps.
        const double far = 10 * stepBins();
        if (m_axis && std::abs(request.setting.axis.bins - *m_axis) > far && stepBins() < usualTrialStep)
            setStep(usualTrialStep);
        m_axis = request.setting.axis.bins;
    }
    make();
}

void TrialStrip::showUsed(const engine::Reconstruction& made)
{
    if (!m_request || made.request.scan != m_request->scan || made.request.place.previewStep > 1)
        return;
    m_axis = made.axisBins;
    make();
}

void TrialStrip::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    make();
}

void TrialStrip::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        showLegend();
}

// Returns what the sharpness says about these positions.
QString TrialStrip::hint() const
{
    const auto byEntropy = sharpest(trials(), &engine::Sharpness::entropy),
               byGradient = sharpest(trials(), &engine::Sharpness::totalVariation);
    if (!byEntropy || !byGradient)
        return {};
    const auto isEnd = [](std::size_t k) { return k == 0 || k == count - 1; };
    QString text;
    if (*byEntropy == *byGradient && isEnd(*byEntropy))
        text = tr("The sharpest is at the end: the axis may lie beyond. Click it, or use a coarser step.");
    else if (std::max(*byEntropy, *byGradient) - std::min(*byEntropy, *byGradient) > 1)
        text = tr("The two disagree: this step is too fine for them. Judge by eye.");
    return text.isEmpty() ? text : QStringLiteral("&nbsp; <b>") + text.toHtmlEscaped() + QStringLiteral("</b>");
}

void TrialStrip::showLegend()
{
    const CurveColours colours = curveColours(palette());
    const auto entry = [](const QColor& colour, const QString& name) {
        return QStringLiteral("<span style=\"color:%1\">●</span>&nbsp;%2").arg(colour.name(), name.toHtmlEscaped());
    };
    m_said->setText(entry(colours.a, tr("entropy")) + QStringLiteral("&nbsp; ") + entry(colours.b, tr("gradient")) +
                    QStringLiteral("&nbsp; ") + tr("of these (high is sharp)") + hint());
}

void TrialStrip::make()
{
    if (!isVisible() || !m_request || !m_axis)
        return;
    const bool isParallel = std::holds_alternative<engine::ParallelBeam>(m_request->scan->geometry);
    for (QWidget* part : {static_cast<QWidget*>(m_pictures), m_steps})
        part->setVisible(isParallel);
    if (!isParallel)
        return m_said->setText(tr("Trial slices need a parallel beam. Here the geometry of the scan gives the axis."));
    Made wanted{*m_request, *m_axis, stepBins()};
    wanted.request.setting.axis = {};
    if (m_made == wanted)
        return;
    m_made = wanted;
    std::vector<TrialSlice> trials(count);
    for (int k = 0; k < count; ++k)
        trials[k].axisBins =
            std::clamp(wanted.axis + (k - count / 2) * wanted.step, 0.0, m_request->scan->bins() - 1.0);
    showLegend();
    m_pictures->setTrials(trials);
    std::vector<engine::Request> requests;
    for (const TrialSlice& trial : trials)
        requests.push_back(trialRequest(*m_request, trial.axisBins, wanted.step));
    m_busy->begin(tr("Trial slices"));
    m_task.start(
        [requests, maker = m_maker, run = ++m_run, strip = QPointer(this)](std::stop_token stop,
                                                                           const BackgroundTask::Progress& progress) {
            giveWayToTheWindow();
            const std::lock_guard lock(maker->mutex);
            std::optional<GreyWindow> window;
            int made = 0;
            // The current axis first: its values determine the grey scale and the range for the sharpness of all
            // slices.
            for (const int k : {3, 2, 4, 1, 5, 0, 6}) {
                auto volume = std::make_shared<engine::Volume>(maker->reconstructor.run(requests[k], {}, stop).image);
                TrialSlice trial{requests[k].setting.axis.bins, greyPicture(volume, window), {}};
                trial.sharpness = engine::sharpnessOf(volume->values, std::min(volume->width, volume->height),
                                                      window->low, window->high);
                QMetaObject::invokeMethod(
                    qApp,
                    [strip, run, k, trial] {
                        if (!strip || strip->m_run != run)
                            return;
                        strip->m_pictures->setTrial(static_cast<std::size_t>(k), trial);
                        strip->showLegend();
                    },
                    Qt::QueuedConnection);
                progress(++made / static_cast<double>(requests.size()));
            }
        },
        [] {});
}

void TrialStrip::take(std::size_t k)
{
    if (k >= trials().size())
        return;
    const double axis = trials()[k].axisBins;
    const double step = k == 0 || k == count - 1 ? coarserThan(stepBins()) : finerThan(stepBins());
    emit chosen(std::round(axis * 1000) / 1000);
    setStep(step);
}

} // namespace ui
