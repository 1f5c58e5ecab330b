#include "ui/recorded/recorded_panel_impl.h"

#include "engine/prepare/steps.h"
#include "ui/settings/choice_combo.h"
#include "ui/widgets/sketch_icon.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QSettings>
#include <QSignalBlocker>
#include <QSlider>
#include <QSpinBox>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <array>

namespace ui
{

namespace
{

constexpr std::array speeds = {1, 5, 10, 25, 50, 100}; // projections a second
constexpr int standardSpeed = 25;
constexpr int filmMs = 20;  // between two looks at the clock
constexpr int slowMs = 300; // what takes longer is said
constexpr const char *playSketch = "M7 3l8 5l-8 5z", *stopSketch = "M7 3v10 M13 3v10";
const QString shownKey = QStringLiteral("recorded/shown"), speedKey = QStringLiteral("recorded/speed"),
              stepKey = QStringLiteral("recorded/step");

QComboBox* smallCombo(const char* name, const QString& accessible)
{
    auto* combo = new ChoiceCombo;
    combo->setObjectName(QLatin1String(name));
    combo->setAccessibleName(accessible);
    combo->setToolTip(accessible);
    combo->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    return combo;
}

} // namespace

RecordedPanel::Impl::Impl(RecordedPanel* panel_) : panel(panel_)
{
    build();
    film.setInterval(filmMs);
    QObject::connect(&film, &QTimer::timeout, panel, [this] { advance(); });
    slow.setSingleShot(true);
    slow.setInterval(slowMs);
    QObject::connect(&slow, &QTimer::timeout, panel, [this] { showSlow(); });
}

void RecordedPanel::Impl::build()
{
    how = smallCombo("recordedShown", RecordedPanel::tr("What is shown of them"));
    const auto addLook = [this](engine::Shown shown, const QString& label, const QString& tip) {
        how->addItem(label, static_cast<int>(shown));
        how->setItemData(how->count() - 1, tip, Qt::ToolTipRole);
    };
    using engine::Shown;
    addLook(Shown::raw, RecordedPanel::tr("As recorded"), RecordedPanel::tr("The numbers that the file has"));
    addLook(Shown::prepared, RecordedPanel::tr("Prepared"),
            RecordedPanel::tr("Line integrals, by the steps of the chosen setting"));
    addLook(Shown::before, RecordedPanel::tr("Before"), RecordedPanel::tr("What goes into the step beside it"));
    addLook(Shown::after, RecordedPanel::tr("After"), RecordedPanel::tr("What comes out of the step beside it"));
    addLook(Shown::difference, RecordedPanel::tr("Difference"),
            RecordedPanel::tr("What comes out of the step, less what goes in; of the logarithm and of phase retrieval "
                              "less −log of it"));
    step = smallCombo("recordedStep", RecordedPanel::tr("Step of preparation that is looked at"));
    const QString zoom = RecordedPanel::tr(" Wheel, plus and minus zoom; drag or arrow keys pan; double click fits.");
    buildPicture(sinogram, "sinogram", RecordedPanel::tr("Sinogram of the slice's row"),
                 RecordedPanel::tr("A click shows that projection.") + zoom);
    buildPicture(projection, "projection", RecordedPanel::tr("Projection"),
                 RecordedPanel::tr("A click shows the slice of that row.") + zoom);
    auto* top = new QHBoxLayout;
    top->setSpacing(4);
    top->addWidget(sinogram.header, 1);
    top->addWidget(how);
    top->addWidget(step);
    auto* layout = new QVBoxLayout(panel);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addLayout(top);
    layout->addWidget(sinogram.view, 1);
    layout->addWidget(projection.header);
    layout->addWidget(projection.view, 1);
    layout->addWidget(makeBar());

    QObject::connect(how, &QComboBox::currentIndexChanged, panel, [this] {
        waitsForDifference = false;
        update();
    });
    QObject::connect(step, &QComboBox::currentIndexChanged, panel, [this] {
        wantedStep = step->currentData().toString();
        update();
    });
    QObject::connect(sinogram.view, &ImageView::clicked, panel,
                     [this](const QPointF& at) { panel->setProjection(qRound(at.y())); });
    QObject::connect(projection.view, &ImageView::clicked, panel, [this](const QPointF& at) {
        if (sight && scan)
            emit panel->sliceWanted(
                std::clamp(qRound(sight->sliceAt(panel->projection(), qRound(at.y()))), 0, scan->slices() - 1));
    });
    QObject::connect(sinogram.view, &ImageView::pointerAt, panel, [this](const QPointF& at) { pointInSinogram(at); });
    QObject::connect(projection.view, &ImageView::pointerAt, panel,
                     [this](const QPointF& at) { pointInProjection(at); });
}

void RecordedPanel::Impl::buildPicture(Picture& picture, const char* name, const QString& accessible,
                                       const QString& handling)
{
    picture.header = new ImageHeader(panel);
    picture.header->setObjectName(QLatin1String(name) + QStringLiteral("Header"));
    picture.view = new ImageView(panel);
    picture.view->setObjectName(QLatin1String(name));
    picture.view->setAccessibleName(accessible);
    picture.view->setAccessibleDescription(handling);
    picture.view->setAcceptDrops(false); // files are for the window
    picture.view->viewport()->setAcceptDrops(false);
    picture.task = std::make_unique<BackgroundTask>();
    QObject::connect(picture.view, &ImageView::viewpointRequested, panel,
                     [this, &picture](const Viewpoint& next) { setViewpoint(picture, next); });
    QObject::connect(picture.view, &ImageView::fitRequested, panel, [this, &picture] { fit(picture); });
    QObject::connect(picture.view, &ImageView::resized, panel, [this, &picture] {
        if (picture.viewpoint.fitted)
            fit(picture);
    });
    QObject::connect(picture.view, &ImageView::pointerLeft, panel, [this] { pointNowhere(); });
    QObject::connect(picture.task.get(), &BackgroundTask::failed, panel,
                     [this, &picture](const QString& message) { giveUp(picture, message); });
    QObject::connect(picture.task.get(), &BackgroundTask::cancelled, panel, [this, &picture] {
        picture.reading.reset();
        if (held)
            reportIfSettled();
        else
            update(); // what was asked for while it hadn't noticed yet
    });
}

QWidget* RecordedPanel::Impl::makeBar()
{
    auto* bar = new QWidget;
    playButton = new QToolButton;
    playButton->setObjectName(QStringLiteral("playProjections"));
    playButton->setAutoRaise(true);
    playButton->setCheckable(true);
    playButton->setIconSize(sketchSize);
    slider = new QSlider(Qt::Horizontal);
    slider->setObjectName(QStringLiteral("projectionSlider"));
    slider->setAccessibleName(RecordedPanel::tr("Projection"));
    slider->setMinimumWidth(40);
    number = new QSpinBox;
    number->setObjectName(QStringLiteral("projectionNumber"));
    number->setAccessibleName(RecordedPanel::tr("Number of the projection"));
    number->setWrapping(true);
    for (QWidget* each : {static_cast<QWidget*>(slider), static_cast<QWidget*>(number)})
        each->setToolTip(RecordedPanel::tr("Projection that is shown, counted from 0 (comma, full stop)"));
    last = new QLabel;
    speed = smallCombo("projectionSpeed", RecordedPanel::tr("How many projections a second are played"));
    for (const int each : speeds)
        speed->addItem(RecordedPanel::tr("%1/s").arg(each), each);
    speed->setCurrentIndex(speed->findData(standardSpeed));
    auto* row = new QHBoxLayout(bar);
    row->setContentsMargins(0, 2, 0, 0);
    row->setSpacing(4);
    row->addWidget(playButton);
    row->addWidget(slider, 1);
    row->addWidget(number);
    row->addWidget(last);
    row->addWidget(speed);
    QObject::connect(playButton, &QToolButton::toggled, panel, [this](bool on) { panel->play(on); });
    QObject::connect(slider, &QSlider::valueChanged, panel, [this](int value) {
        const QSignalBlocker blocker(number);
        number->setValue(value);
        update();
    });
    QObject::connect(number, &QSpinBox::valueChanged, slider, &QSlider::setValue);
    QObject::connect(speed, &QComboBox::currentIndexChanged, panel, [this] {
        playedFrom = panel->projection();
        playingSince.start();
    });
    return bar;
}

void RecordedPanel::Impl::makeIcons()
{
    const bool on = playButton->isChecked();
    const QString text = on ? RecordedPanel::tr("Stop (P)") : RecordedPanel::tr("Play the projections (P)");
    playButton->setIcon(sketchIcon(on ? stopSketch : playSketch, panel->palette()));
    playButton->setToolTip(text);
    playButton->setAccessibleName(text);
}

// By the clock: what can't be read so fast is left out.
void RecordedPanel::Impl::advance()
{
    if (!scan || held || projection.task->busy())
        return;
    const qint64 passed = playingSince.elapsed() * speed->currentData().toInt() / 1000;
    panel->setProjection(static_cast<int>((playedFrom + passed) % scan->projections()));
}

RecordedPanel::RecordedPanel(QWidget* parent) : QWidget(parent), m_impl(std::make_unique<Impl>(this))
{
    setObjectName(QStringLiteral("recorded"));
    m_impl->makeIcons();
    setScan(nullptr);
}

RecordedPanel::~RecordedPanel() = default;

void RecordedPanel::setScan(const std::shared_ptr<const engine::Scan>& scan)
{
    Impl& d = *m_impl;
    const bool isSameSize = scan && d.scan && scan->projections() == d.scan->projections();
    d.scan = scan;
    d.request.reset();
    d.sight.reset();
    d.point.reset();
    d.onSinogram.reset(); // of projections that this one may not have
    d.onProjection.reset();
    hold();
    d.drop(d.sinogram);
    d.drop(d.projection);
    const int projections = scan ? scan->projections() : 1;
    if (!isSameSize)
        play(false);
    {
        const QSignalBlocker sliderBlocker(d.slider), numberBlocker(d.number);
        const int at = isSameSize ? d.slider->value() : 0;
        d.slider->setRange(0, projections - 1);
        d.number->setRange(0, projections - 1);
        d.slider->setPageStep(std::max(1, projections / 10));
        d.slider->setValue(at);
        d.number->setValue(at);
    }
    d.last->setText(tr("of %1").arg(projections));
    const bool hasRows = scan && scan->rows > 1;
    for (QWidget* each : {static_cast<QWidget*>(d.projection.header), static_cast<QWidget*>(d.projection.view),
                          static_cast<QWidget*>(d.playButton), static_cast<QWidget*>(d.speed)})
        each->setVisible(hasRows);
    setEnabled(scan != nullptr);
    d.showTitles();
    d.showLinks();
}

void RecordedPanel::hold()
{
    m_impl->held = true;
    for (Impl::Picture* picture : {&m_impl->sinogram, &m_impl->projection})
        picture->task->cancel();
}

void RecordedPanel::release()
{
    m_impl->held = false;
    m_impl->update();
}

void RecordedPanel::setShown(const engine::Look& look)
{
    if (!look.step.empty())
        m_impl->wantedStep = QString::fromStdString(look.step);
    const QSignalBlocker blocker(m_impl->how);
    m_impl->how->setCurrentIndex(m_impl->how->findData(static_cast<int>(look.how)));
    m_impl->update();
}

void RecordedPanel::lookAt(const QString& step)
{
    Impl& d = *m_impl;
    const auto found = std::ranges::find(engine::steps(), step.toStdString(), &engine::Step::id);
    const bool hasDifference = found != engine::steps().end() && !engine::noDifference(*found);
    engine::Shown how = d.waitsForDifference || !isAtStep() ? engine::Shown::difference : d.look().how;
    d.waitsForDifference = how == engine::Shown::difference && !hasDifference;
    if (d.waitsForDifference)
        how = engine::Shown::after;
    setShown({how, step.toStdString()});
}

bool RecordedPanel::isAtStep() const
{
    const engine::Shown how = m_impl->look().how;
    return how != engine::Shown::raw && how != engine::Shown::prepared;
}

void RecordedPanel::setProjection(int projection)
{
    m_impl->slider->setValue(projection);
}

void RecordedPanel::step(int by)
{
    const int count = m_impl->slider->maximum() + 1;
    play(false);
    setProjection((projection() + by % count + count) % count);
}

void RecordedPanel::play(bool on)
{
    Impl& d = *m_impl;
    on = on && d.scan && d.scan->projections() > 1 && d.scan->rows > 1;
    const bool changed = on != d.film.isActive();
    d.playedFrom = projection();
    d.playingSince.start();
    if (on)
        d.film.start();
    else
        d.film.stop();
    const QSignalBlocker blocker(d.playButton);
    d.playButton->setChecked(on);
    d.makeIcons();
    if (changed)
        emit playingChanged(on);
}

int RecordedPanel::projection() const
{
    return m_impl->slider->value();
}
bool RecordedPanel::isPlaying() const
{
    return m_impl->film.isActive();
}

void RecordedPanel::saveState(QSettings& settings) const
{
    settings.setValue(shownKey, m_impl->how->currentIndex());
    settings.setValue(stepKey, m_impl->wantedStep);
    settings.setValue(speedKey, m_impl->speed->currentData());
}

void RecordedPanel::restoreState(const QSettings& settings)
{
    m_impl->wantedStep = settings.value(stepKey).toString();
    m_impl->how->setCurrentIndex(std::clamp(settings.value(shownKey, 0).toInt(), 0, m_impl->how->count() - 1));
    const int stored = m_impl->speed->findData(settings.value(speedKey, standardSpeed).toInt());
    m_impl->speed->setCurrentIndex(stored >= 0 ? stored : m_impl->speed->findData(standardSpeed));
}

void RecordedPanel::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    m_impl->update();
    m_impl->showLinks();
}

void RecordedPanel::hideEvent(QHideEvent* event)
{
    QWidget::hideEvent(event);
    play(false);
    m_impl->point.reset();
    emit guidesChanged({});
    emit pointKept({});
}

void RecordedPanel::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        m_impl->makeIcons();
}

} // namespace ui
