#include "ui/background/volume_preview.h"
#include "ui/volume/volume_panel_impl.h"

#include <vtkGenericOpenGLRenderWindow.h>

#include <algorithm>
#include <cmath>

namespace ui
{

namespace
{

using Counts = std::array<int, 3>;

Counts countsOf(const engine::Volume& volume)
{
    return {volume.width, volume.height, volume.slices};
}

QString sizeText(const Counts& counts)
{
    const double bytes = 4.0 * counts[0] * counts[1] * counts[2];
    const QString memory = bytes < 1e9 ? VolumePanel::tr("%1 MB").arg(bytes / 1e6, 0, 'f', bytes < 1e7 ? 1 : 0)
                                       : VolumePanel::tr("%1 GB").arg(bytes / 1e9, 0, 'f', 1);
    return VolumePanel::tr("%1 × %2 × %3 voxels · %4").arg(counts[0]).arg(counts[1]).arg(counts[2]).arg(memory);
}

} // namespace

VolumePanel::Impl::Impl(VolumePanel* owner) : panel(owner)
{
    pages = new QStackedLayout(panel);
    makeEmptyPage();
    makeViewPage();
    // One choice, wherever it was made.
    connect(emptyStep, &QComboBox::currentIndexChanged, viewStep, &QComboBox::setCurrentIndex);
    connect(viewStep, &QComboBox::currentIndexChanged, emptyStep, &QComboBox::setCurrentIndex);
}

VolumePanel::Impl::~Impl()
{
    scene.reset();
    delete widget; // VTK lets go of the buffer before `shown` does
}

bool VolumePanel::Impl::probe()
{
    if (!available) {
        const QString problem = openGlProblem();
        available = problem.isEmpty();
        if (!*available)
            fail(problem);
    }
    return *available;
}

void VolumePanel::Impl::fail(const QString& reason)
{
    available = false;
    scene.reset();
    if (widget) {
        widget->hide();
        widget->deleteLater(); // this may be called from its own initializeGL
        widget = nullptr;
    }
    message->setText(
        tr("The stack can't be shown in three dimensions here. %1\nEverything else works without it.").arg(reason));
    reconstruct->hide();
    pages->setCurrentWidget(emptyPage);
}

void VolumePanel::Impl::makeScene()
{
    if (widget)
        return;
    widget = new VtkWidget(viewPage);
    widget->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
    widget->setMinimumSize(160, 120);
    widget->setObjectName(QStringLiteral("stackView"));
    widget->setAccessibleName(tr("The stack in three dimensions"));
    widget->installEventFilter(this);
    connect(
        widget, &VtkWidget::failed, this, [this](const QString& reason) { fail(reason); }, Qt::QueuedConnection);
    connect(widget, &VtkWidget::softwareRendered, this, [this] { scene->setProcessorRendering(true); });
    scene = std::make_unique<VolumeScene>(widget->renderWindow());
    viewLayout->insertWidget(0, widget, 1);
}

// Into the scene, once it is worth having one: the panel is on screen and has a stack.
void VolumePanel::Impl::showVolume()
{
    if (!shown || !panel->isVisible() || !probe())
        return;
    const bool first = !widget;
    makeScene();
    pages->setCurrentWidget(viewPage);
    if (sceneIsCurrent)
        return;
    scene->setVolume(shown);
    sceneIsCurrent = true;
    updateLook();
    if (first)
        scene->resetCamera();
}

double VolumePanel::Impl::valueOf(const QSlider* slider) const
{
    return range.low + (range.high - range.low) * slider->value() / sliderSteps;
}

void VolumePanel::Impl::takeRange()
{
    const ValueRange values = valueRange(shown->image.values);
    range = values;
    const QSignalBlocker quiet(threshold);
    threshold->setValue(
        static_cast<int>(std::lround(sliderSteps * (values.threshold - values.low) / (values.high - values.low))));
}

void VolumePanel::Impl::placeSlices(const engine::Reconstruction* before)
{
    const Counts counts = countsOf(shown->image);
    for (int k = 0; k < 3; ++k) {
        const double wanted = before ? position[k]->value() * voxelSpacing(*before)[k] / voxelSpacing(*shown)[k]
                                     : static_cast<double>(counts[k] / 2);
        const QSignalBlocker quiet(position[k]);
        position[k]->setRange(0, counts[k] - 1);
        position[k]->setValue(static_cast<int>(std::lround(wanted)));
    }
}

// After another stack has come: what is impossible with it.
void VolumePanel::Impl::updateControls()
{
    const engine::Volume& volume = shown->image;
    size->setText(sizeText(countsOf(volume)));
    const bool thin = volume.slices <= 2;
    note->setText(volume.slices == 1
                      ? tr("One slice: there is no volume to look into. A stack of three or more has one.")
                  : thin ? tr("Two slices are too few for a volume: the planes alone are shown.")
                         : QString());
    note->setVisible(thin);
    for (QWidget* const control : {static_cast<QWidget*>(volumeOn), static_cast<QWidget*>(corner),
                                   static_cast<QWidget*>(threshold), static_cast<QWidget*>(opacity)})
        control->setEnabled(!thin);
    const Counts counts = countsOf(volume);
    for (int k = 0; k < 3; ++k)
        position[k]->setEnabled(counts[k] > 1 && (volume.slices > 1 || k == 2));
}

void VolumePanel::Impl::updateLook()
{
    if (!shown)
        return;
    const std::array<QString, 3> names = {tr("Column (x) %1"), tr("Row (y) %1"), tr("Slice (z) %1")};
    const engine::Reconstruction& stack = *shown;
    const auto pixel = [&stack](int k, int value) { // as the image views count
        const bool everySlice = stack.image.slices == stack.request.place.slices.count;
        const double step = k == 2 && everySlice ? 1 : stack.grid.step;
        return (k == 0 ? stack.grid.x0 : k == 1 ? stack.grid.y0 : stack.request.place.slices.first) + value * step;
    };
    VolumeLook look;
    for (int k = 0; k < 3; ++k) {
        look.position[k] = position[k]->value();
        positionValue[k]->setText(names[k].arg(pixel(k, position[k]->value())));
    }
    look.low = range.low;
    look.high = range.high;
    look.threshold = valueOf(threshold);
    look.opacity = static_cast<double>(opacity->value()) / sliderSteps;
    look.colours = colourMaps()[std::max(colours->currentIndex(), 0)].colours;
    look.volumeVisible = volumeOn->isChecked() && stack.image.slices > 2;
    look.slicesVisible = slicesOn->isChecked();
    look.cornerOpen = corner->isChecked();
    look.background = panel->palette().color(QPalette::Window);
    look.pixelRatio = panel->devicePixelRatioF();
    look.text = panel->palette().color(QPalette::WindowText);
    const QString unit = stack.unit.empty() ? QString() : QLatin1Char(' ') + QString::fromStdString(stack.unit);
    thresholdValue->setText(tr("Clear below %1%2").arg(QString::number(look.threshold, 'g', 3), unit));
    if (!scene || !sceneIsCurrent)
        return;
    scene->setLook(look);
    widget->render();
}

// Ctrl-drag on a slice moves it; everything else is the camera's.
bool VolumePanel::Impl::eventFilter(QObject* watched, QEvent* event)
{
    if (watched != widget || !scene)
        return false;
    const QEvent::Type type = event->type();
    if (type == QEvent::MouseButtonPress) {
        const auto* const mouse = static_cast<QMouseEvent*>(event);
        if (mouse->button() != Qt::LeftButton || !mouse->modifiers().testFlag(Qt::ControlModifier))
            return false;
        dragFrom = widget->devicePosition(mouse->position());
        dragged = scene->sliceAt(dragFrom);
        if (dragged)
            dragStart = position[static_cast<int>(*dragged)]->value();
        return dragged.has_value();
    }
    if (type == QEvent::MouseMove && dragged) {
        const QPoint to = widget->devicePosition(static_cast<QMouseEvent*>(event)->position());
        position[static_cast<int>(*dragged)]->setValue(
            dragStart + static_cast<int>(std::lround(scene->slicesMoved(*dragged, dragFrom, to))));
        return true;
    }
    if (type == QEvent::MouseButtonRelease && dragged) {
        dragged.reset();
        return true;
    }
    return false;
}

VolumePanel::VolumePanel(QWidget* parent) : QWidget(parent), m_impl(std::make_unique<Impl>(this))
{
    clear();
}

VolumePanel::~VolumePanel() = default;

void VolumePanel::setVolume(std::shared_ptr<const engine::Reconstruction> reconstruction)
{
    Impl& d = *m_impl;
    if (!reconstruction || reconstruction->image.values.empty()) {
        clear();
        return;
    }
    const auto previous = std::exchange(d.shown, std::move(reconstruction)); // the scene still shows it
    const bool sameScan = previous && previous->request.scan == d.shown->request.scan;
    d.sceneIsCurrent = false;
    if (!sameScan || previous->request.setting.filter != d.shown->request.setting.filter)
        d.takeRange();
    d.placeSlices(sameScan ? previous.get() : nullptr);
    d.updateControls();
    d.updateLook();
    if (d.scene) {
        d.scene->setVolume(d.shown);
        d.sceneIsCurrent = true;
        d.updateLook();
        if (!sameScan)
            d.scene->resetCamera();
    }
    d.showVolume();
}

void VolumePanel::setScan(const std::shared_ptr<const engine::Scan>& scan)
{
    QComboBox* const choice = m_impl->emptyStep;
    for (int k = 0; k < choice->count(); ++k) {
        const QString text = sizeText(sizeOfStack(scan, choice->itemData(k).toInt()));
        for (QComboBox* const one : {m_impl->emptyStep, m_impl->viewStep})
            one->setItemData(k, text, Qt::ToolTipRole);
    }
    choice->setCurrentIndex(choice->findData(proposedStep(scan)));
}

void VolumePanel::clear(const QString& message)
{
    Impl& d = *m_impl;
    if (d.scene)
        d.scene->setVolume(nullptr);
    d.shown.reset();
    d.sceneIsCurrent = false;
    d.pages->setCurrentWidget(d.emptyPage);
    if (d.available == false)
        return; // the page says why already
    d.message->setText(message.isEmpty() ? tr("The whole stack in three dimensions, with slices along each axis.\n"
                                              "It is reconstructed with the chosen setting.")
                                         : message);
}

bool VolumePanel::available() const
{
    return m_impl->probe();
}

void VolumePanel::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    m_impl->probe();
    m_impl->showVolume();
}

void VolumePanel::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        m_impl->updateLook();
}

} // namespace ui
