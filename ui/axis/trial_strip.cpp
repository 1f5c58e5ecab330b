#include "ui/axis/trial_strip.h"

#include "engine/reconstruct/reconstruct.h"
#include "ui/background/comparison.h"
#include "ui/image/colour_map.h"
#include "ui/image/shading.h"
#include "ui/widgets/curve_colours.h"
#include "ui/widgets/flat_button.h"

#include <QApplication>
#include <QDoubleSpinBox>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QMouseEvent>
#include <QPainter>
#include <QPointer>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>
#include <mutex>

namespace ui
{

namespace
{

constexpr double leastTrialStep = 0.01, usualTrialStep = 1, mostTrialStep = 64; // bins
constexpr int mostTrialPixels = 512;                                            // along each side of a trial slice

// So coarse that it is quick, and so fine that a step shows.
int previewStepFor(int size, double stepBins)
{
    const int quick = (size + mostTrialPixels - 1) / mostTrialPixels;
    return std::clamp(static_cast<int>(4 * stepBins), 1, std::max(1, quick));
}

// All of the slice, or as much of its middle as is quick.
engine::Request trialRequest(engine::Request request, double axisBins, double stepBins)
{
    const int size = request.scan->sliceSize();
    request.setting.axis = {engine::AxisSettings::Mode::given, axisBins};
    request.setting.kernel.slicesPerPass = 1;
    request.place.previewStep = previewStepFor(size, stepBins);
    const int side = std::min(size, mostTrialPixels * request.place.previewStep);
    if (side < size)
        request.place.region = engine::Region{(size - side) / 2, (size - side) / 2, side, side};
    else
        request.place.region.reset();
    return request;
}

} // namespace

// Keeps the filtered rows from one strip to the next.
struct TrialStrip::Maker {
    std::mutex mutex; // one run at a time; one that was replaced has yet to notice
    engine::Reconstructor reconstructor;
};

// The pictures in a row, and the curve below.
class TrialStrip::Pictures : public QWidget
{
  public:
    explicit Pictures(TrialStrip* strip) : QWidget(strip), m_strip(strip)
    {
        setObjectName(QStringLiteral("trialPictures"));
        setAccessibleName(tr("Trial slices"));
        setToolTip(tr("Slices with the axis where the number says. A click takes one, and the step halves."));
        setMinimumHeight(96);
        setFocusPolicy(Qt::StrongFocus);
        setCursor(Qt::PointingHandCursor);
    }

    QRectF cell(std::size_t k) const
    {
        const double wide = width() / static_cast<double>(count);
        return {wide * static_cast<double>(k), 0, wide, static_cast<double>(height())};
    }

  protected:
    void paintEvent(QPaintEvent*) override
    {
        QPainter painter(this);
        painter.setRenderHint(QPainter::SmoothPixmapTransform);
        painter.setRenderHint(QPainter::Antialiasing);
        const CurveColours colours = curveColours(palette());
        const auto& trials = m_strip->trials();
        const int line = fontMetrics().height();
        const double curveHeight = std::max(16.0, height() * 0.18);
        for (std::size_t k = 0; k < trials.size(); ++k) {
            const QRectF all = cell(k).adjusted(2, 0, -2, 0);
            const double side = std::min(all.width(), all.height() - line - curveHeight - 2);
            const QRectF picture(all.center().x() - side / 2, 0, side, side);
            if (trials[k].image.isNull())
                painter.fillRect(picture, colours.grid);
            else
                painter.drawImage(picture, trials[k].image);
            const bool isPresent = k == count / 2;
            if (isPresent || (hasFocus() && k == m_focused)) {
                painter.setPen(QPen(isPresent ? colours.a : colours.b, 2));
                painter.drawRect(picture.adjusted(1, 1, -1, -1));
            }
            painter.setPen(colours.text);
            painter.drawText(QRectF(all.left(), side, all.width(), line), Qt::AlignCenter,
                             QString::number(trials[k].axisBins, 'f', 2));
        }
        // Right below, as tall as is useful.
        const double side = std::min(cell(0).width() - 4, height() - line - curveHeight - 2);
        const QRectF curves(0, side + line + 2, width(), std::min(height() - side - line - 4, 5.0 * line));
        drawCurve(painter, &engine::Sharpness::entropy, colours.a, curves);
        drawCurve(painter, &engine::Sharpness::totalVariation, colours.b, curves);
    }

    void mousePressEvent(QMouseEvent* event) override
    {
        for (std::size_t k = 0; k < m_strip->trials().size(); ++k)
            if (event->button() == Qt::LeftButton && cell(k).contains(event->position()))
                return m_strip->take(k);
    }

    void keyPressEvent(QKeyEvent* event) override
    {
        if (event->key() == Qt::Key_Left)
            m_focused = m_focused == 0 ? 0 : m_focused - 1;
        else if (event->key() == Qt::Key_Right)
            m_focused = std::min<std::size_t>(count - 1, m_focused + 1);
        else if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Space)
            m_strip->take(m_focused);
        else
            return QWidget::keyPressEvent(event);
        update();
    }

  private:
    // From the least to the most of the strip: high is sharp.
    void drawCurve(QPainter& painter, double engine::Sharpness::*measure, const QColor& colour,
                   const QRectF& place) const
    {
        std::vector<double> values;
        for (const TrialSlice& trial : m_strip->trials())
            if (trial.sharpness)
                values.push_back((*trial.sharpness).*measure);
        if (values.size() < 2)
            return;
        const auto [least, most] = std::ranges::minmax(values);
        QPolygonF points;
        for (std::size_t k = 0; k < m_strip->trials().size(); ++k)
            if (const auto& sharpness = m_strip->trials()[k].sharpness) {
                const double share = most > least ? ((*sharpness).*measure - least) / (most - least) : 0;
                points << QPointF(cell(k).center().x(), place.top() + 3 + share * (place.height() - 6));
            }
        painter.setPen(QPen(colour, 1.5));
        painter.drawPolyline(points);
        painter.setBrush(colour);
        for (const QPointF& point : points)
            painter.drawEllipse(point, 2, 2);
        painter.setBrush(Qt::NoBrush);
    }

    TrialStrip* m_strip;
    std::size_t m_focused = count / 2;
};

TrialStrip::TrialStrip(QWidget* parent)
    : QWidget(parent), m_maker(std::make_shared<Maker>()), m_pictures(new Pictures(this)), m_step(new QDoubleSpinBox),
      m_said(new QLabel)
{
    setObjectName(QStringLiteral("trialStrip"));
    m_step->setObjectName(QStringLiteral("trialStep"));
    m_step->setAccessibleName(tr("Step between the trial slices, in bins"));
    m_step->setToolTip(m_step->accessibleName());
    m_step->setRange(leastTrialStep, mostTrialStep);
    m_step->setValue(usualTrialStep);
    m_step->setDecimals(2);
    m_step->setSuffix(tr(" bins"));
    m_step->setKeyboardTracking(false);
    m_said->setObjectName(QStringLiteral("trialSaid"));
    m_said->setTextFormat(Qt::RichText);
    auto* finer = flatButton(QStringLiteral("trialFiner"), tr("Half"), tr("Half the step"));
    auto* coarser = flatButton(QStringLiteral("trialCoarser"), tr("Double"), tr("Twice the step"));
    auto* row = new QHBoxLayout;
    row->setContentsMargins(6, 2, 6, 0);
    row->addWidget(new QLabel(tr("Step")));
    row->addWidget(m_step);
    row->addWidget(finer);
    row->addWidget(coarser);
    row->addSpacing(8);
    row->addWidget(m_said, 1);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 2);
    layout->setSpacing(2);
    layout->addLayout(row);
    layout->addWidget(m_pictures, 1);
    connect(m_step, &QDoubleSpinBox::valueChanged, this, &TrialStrip::make);
    connect(finer, &QToolButton::clicked, this, [this] { setStep(stepBins() / 2); });
    connect(coarser, &QToolButton::clicked, this, [this] { setStep(stepBins() * 2); });
    connect(&m_task, &BackgroundTask::failed, m_said,
            [this](const QString& message) { m_said->setText(message.toHtmlEscaped()); });
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
    m_trials.clear();
    showLegend();
    m_pictures->update();
}

void TrialStrip::setRequest(const engine::Request& request)
{
    const bool isOther = m_request && m_request->scan != request.scan;
    if (isOther)
        clear();
    m_request = request;
    if (request.setting.axis.mode == engine::AxisSettings::Mode::given)
        m_axis = request.setting.axis.bins;
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

void TrialStrip::showLegend()
{
    const CurveColours colours = curveColours(palette());
    const auto entry = [](const QColor& colour, const QString& name) {
        return QStringLiteral("<span style=\"color:%1\">●</span>&nbsp;%2").arg(colour.name(), name.toHtmlEscaped());
    };
    m_said->setText(entry(colours.a, tr("entropy")) + QStringLiteral("&nbsp; ") + entry(colours.b, tr("gradient")) +
                    QStringLiteral("&nbsp; ") + tr("of these (high is sharp)"));
}

void TrialStrip::make()
{
    if (!isVisible() || !m_request || !m_axis ||
        !std::holds_alternative<engine::ParallelBeam>(m_request->scan->geometry))
        return;
    Made wanted{*m_request, *m_axis, stepBins()};
    wanted.request.setting.axis = {};
    if (m_made == wanted)
        return;
    m_made = wanted;
    m_trials.assign(count, {});
    for (int k = 0; k < count; ++k)
        m_trials[k].axisBins =
            std::clamp(wanted.axis + (k - count / 2) * wanted.step, 0.0, m_request->scan->bins() - 1.0);
    showLegend();
    m_pictures->update();
    std::vector<engine::Request> requests;
    for (const TrialSlice& trial : m_trials)
        requests.push_back(trialRequest(*m_request, trial.axisBins, wanted.step));
    m_task.start(
        [requests, maker = m_maker, run = ++m_run, strip = QPointer(this)](std::stop_token stop,
                                                                           const BackgroundTask::Progress&) {
            giveWayToTheWindow();
            const std::lock_guard lock(maker->mutex);
            std::optional<GreyWindow> window;
            // The present one first, whose values the others are shown and measured by.
            for (const int k : {3, 2, 4, 1, 5, 0, 6}) {
                const engine::Reconstruction made = maker->reconstructor.run(requests[k], {}, stop);
                auto volume = std::make_shared<engine::Volume>(made.image);
                const int width = volume->width, height = volume->height;
                if (!window) {
                    std::vector<float> sorted(volume->values.begin(), volume->values.end());
                    std::ranges::sort(sorted);
                    window = {sorted[sorted.size() / 200], sorted[sorted.size() - 1 - sorted.size() / 200]};
                }
                TrialSlice trial{requests[k].setting.axis.bins, {}, {}};
                trial.sharpness =
                    engine::sharpnessOf(volume->values, std::min(width, height), window->low, window->high);
                Plane plane;
                plane.volume = volume;
                plane.grid = engine::SliceGrid{width, 0, 0, width, height, 1};
                trial.image = shade(Pixels(plane), *window, colourMaps().front().colours);
                QMetaObject::invokeMethod(
                    qApp,
                    [strip, run, k, trial] {
                        if (strip && strip->m_run == run)
                            strip->add(static_cast<std::size_t>(k), trial);
                    },
                    Qt::QueuedConnection);
            }
        },
        [] {});
}

void TrialStrip::add(std::size_t k, TrialSlice trial)
{
    m_trials[k] = std::move(trial);
    m_pictures->update();
}

void TrialStrip::take(std::size_t k)
{
    const double axis = m_trials[k].axisBins;
    emit chosen(std::round(axis * 1000) / 1000);
    setStep(stepBins() / 2);
}

} // namespace ui
