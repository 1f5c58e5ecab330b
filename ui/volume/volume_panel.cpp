// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/volume/volume_panel.h"

#include "ui/background/scan_names.h"
#include "ui/background/volume_preview.h"
#include "ui/volume/planes_in_scene.h"
#include "ui/volume/scene_view.h"
#include "ui/volume/stack_request.h"
#include "ui/volume/volume_controls.h"

#include <QComboBox>
#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QStackedLayout>
#include <QVBoxLayout>

#include <utility>

namespace ui
{

namespace
{

constexpr int controlsWidth = 256;

QWidget* scrolled(QWidget* controls, QWidget* parent)
{
    auto* const scroll = new QScrollArea(parent);
    scroll->setWidget(controls);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setFixedWidth(controlsWidth);
    return scroll;
}

} // namespace

// The panel owns the widgets. The view is destroyed before `shown`, whose buffer VTK draws from.
struct VolumePanel::Impl : QObject {
    explicit Impl(VolumePanel* panel);

    void makeEmptyPage();
    void makeViewPage();
    void connectParts();
    bool probe(); // whether OpenGL is available; tests it once
    void fail(const QString& reason);
    void makeView(); // call it when there is a stack and the panel is on screen
    void showVolume();
    void fillScene();
    void setPlanesOf(const std::shared_ptr<const engine::Scan>& scan);
    void tellPlanes(); // emits planesSeen() if that has changed
    void updateLook();
    QImage draw(const PictureLook& look, double turnedDeg = 0);

    VolumePanel* panel;
    QStackedLayout* pages;
    QWidget* emptyPage = nullptr; // shown before there is a volume
    QLabel* message = nullptr;
    StackRequest* request = nullptr;
    QPushButton* planesOnly = nullptr;
    QWidget* viewPage = nullptr;
    QHBoxLayout* viewLayout = nullptr;
    VolumeControls* controls = nullptr;
    QWidget* side = nullptr;       // with the controls
    std::optional<bool> available; // empty: not tested yet
    std::shared_ptr<const engine::Reconstruction> shown;
    std::unique_ptr<SceneView> view;
    bool sceneIsCurrent = false; // the scene holds `shown`
    PlanesInScene planes;
    bool hasPlanesOnly = false; // the user asked for the planes without a stack
    bool werePlanesSeen = false;
};

VolumePanel::Impl::Impl(VolumePanel* owner) : panel(owner), pages(new QStackedLayout(owner))
{
    makeEmptyPage();
    makeViewPage();
    connectParts();
}

void VolumePanel::Impl::makeEmptyPage()
{
    emptyPage = new QWidget(panel);
    auto* const layout = new QVBoxLayout(emptyPage);
    message = new QLabel(emptyPage);
    message->setObjectName(QStringLiteral("message"));
    message->setAlignment(Qt::AlignCenter);
    message->setWordWrap(true);
    request = new StackRequest(emptyPage);
    request->setMaximumWidth(280);
    layout->addStretch();
    layout->addWidget(message);
    layout->addSpacing(12);
    layout->addWidget(request, 0, Qt::AlignHCenter);
    planesOnly = new QPushButton(tr("Show three planes"), emptyPage);
    planesOnly->setObjectName(QStringLiteral("planesWithoutStack"));
    planesOnly->setToolTip(tr("Shows the planes of the page Planes in space, without reconstructing the stack"));
    planesOnly->hide();
    layout->addSpacing(6);
    layout->addWidget(planesOnly, 0, Qt::AlignHCenter);
    layout->addStretch();
    pages->addWidget(emptyPage);
}

void VolumePanel::Impl::makeViewPage()
{
    viewPage = new QWidget(panel);
    viewLayout = new QHBoxLayout(viewPage);
    viewLayout->setContentsMargins(0, 0, 0, 0);
    controls = new VolumeControls([this](const PictureLook& look, double turnedDeg) { return draw(look, turnedDeg); },
                                  viewPage);
    side = scrolled(controls, viewPage);
    viewLayout->addWidget(side);
    pages->addWidget(viewPage);
}

void VolumePanel::Impl::connectParts()
{
    connect(controls, &VolumeControls::changed, this, &Impl::updateLook);
    connect(planesOnly, &QPushButton::clicked, this, [this] {
        hasPlanesOnly = true;
        controls->setPlanesOn(true);
        showVolume();
    });
    connect(controls, &VolumeControls::dragged, this, [this](bool isDragged) {
        if (view)
            view->widget()->setHurried(isDragged);
    });
    // Afterwards the view has the focus, for its keys.
    const auto move = [this](const std::function<void(VolumeScene&)>& act) {
        if (!view)
            return;
        act(view->scene());
        view->widget()->render();
        view->widget()->setFocus(Qt::OtherFocusReason);
    };
    connect(controls, &VolumeControls::lookWanted, this, [move](int axis, bool fromOtherSide) {
        move([=](VolumeScene& scene) { scene.camera().lookFrom(gazeAlong(axis, fromOtherSide)); });
    });
    connect(controls, &VolumeControls::fitWanted, this,
            [move] { move([](VolumeScene& scene) { scene.camera().fit(); }); });
    connect(controls, &VolumeControls::resetWanted, this,
            [move] { move([](VolumeScene& scene) { scene.resetCamera(); }); });
    connect(controls->pictures(), &PictureControls::filmingChanged, this, [this](bool isFilming) {
        if (view) // a film is of one view
            view->widget()->setEnabled(!isFilming);
    });
    connect(controls->pictures(), &PictureControls::saved, panel, &VolumePanel::saved);
    connect(controls->pictures(), &PictureControls::failed, panel, &VolumePanel::failed);
    for (const StackRequest* each : {request, controls->request()})
        connect(each, &StackRequest::requested, panel, &VolumePanel::reconstructStackRequested);
    // Both boxes always show the same choice.
    QComboBox *const one = request->resolution(), *const other = controls->request()->resolution();
    connect(one, &QComboBox::currentIndexChanged, other, &QComboBox::setCurrentIndex);
    connect(other, &QComboBox::currentIndexChanged, one, &QComboBox::setCurrentIndex);
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
    if (view)
        view->discard(); // deleted later: its own signal may have led here
    view.reset();
    message->setText(
        tr("The stack can't be shown in three dimensions here. %1\nEverything else works without it.").arg(reason));
    request->hide();
    planesOnly->hide();
    pages->setCurrentWidget(emptyPage);
    tellPlanes();
}

void VolumePanel::Impl::makeView()
{
    if (view)
        return;
    view = std::make_unique<SceneView>(*controls, viewPage);
    connect(view->widget(), &VtkWidget::failed, this, &Impl::fail, Qt::QueuedConnection);
    connect(view.get(), &SceneView::planesDragged, panel, &VolumePanel::planesDragged);
    connect(view.get(), &SceneView::planesReleased, panel, &VolumePanel::planesReleased);
    viewLayout->insertWidget(0, view->widget(), 1);
    planes.showIn(*view);
}

// Shows the stack in the scene, as soon as the panel is on screen and has a stack.
void VolumePanel::Impl::showVolume()
{
    if ((!shown && !hasPlanesOnly) || !panel->isVisible() || !probe())
        return;
    const bool first = !view;
    makeView();
    pages->setCurrentWidget(viewPage);
    if (sceneIsCurrent)
        return;
    fillScene();
    if (first) {
        view->scene().resetCamera();
        view->widget()->setFocus(Qt::OtherFocusReason);
    }
    tellPlanes();
}

void VolumePanel::Impl::fillScene()
{
    controls->pictures()->cancelFilm();
    view->scene().setVolume(shown, shown ? controls->threshold() : 0);
    if (!shown)
        controls->offerPlanesOnly();
    sceneIsCurrent = true;
    updateLook();
}

void VolumePanel::Impl::updateLook()
{
    if (shown)
        controls->showNumbers(*shown);
    if (!view || !sceneIsCurrent)
        return;
    VolumeLook look = shown ? controls->look(*shown) : planes.look();
    look.planesVisible = controls->planesOn() && planes.isPossible();
    look.background = panel->palette().color(QPalette::Window);
    look.pixelRatio = panel->devicePixelRatioF();
    look.text = panel->palette().color(QPalette::WindowText);
    view->setLook(look);
    tellPlanes();
}

// Planes without a stack stay while the volume has the same size.
void VolumePanel::Impl::setPlanesOf(const std::shared_ptr<const engine::Scan>& scan)
{
    hasPlanesOnly = planes.setScan(scan, hasPlanesOnly && panel->isVisible()) && hasPlanesOnly;
    planesOnly->setVisible(planes.isPossible() && available != false);
    if (view)
        planes.showIn(*view);
    showVolume();
}

void VolumePanel::Impl::tellPlanes()
{
    const bool areSeen = panel->showsPlanes();
    if (std::exchange(werePlanesSeen, areSeen) != areSeen)
        emit panel->planesSeen(areSeen);
}

QImage VolumePanel::Impl::draw(const PictureLook& look, double turnedDeg)
{
    return view && sceneIsCurrent ? view->picture(look, turnedDeg) : QImage();
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
    const auto previous = std::exchange(d.shown, std::move(reconstruction)); // kept alive: the scene still shows it
    const bool sameScan = previous && previous->request.scan == d.shown->request.scan;
    d.sceneIsCurrent = false;
    if (!sameScan || previous->request.setting.filter != d.shown->request.setting.filter)
        d.controls->takeRange(*d.shown);
    d.controls->placeSlices(*d.shown, sameScan ? previous.get() : nullptr);
    d.controls->offer(d.shown->image);
    d.updateLook();
    if (d.view) {
        d.fillScene();
        if (!sameScan)
            d.view->scene().resetCamera();
    }
    d.showVolume();
}

void VolumePanel::setScan(const std::shared_ptr<const engine::Scan>& scan)
{
    for (StackRequest* const each : {m_impl->request, m_impl->controls->request()})
        each->showSizes(scan);
    m_impl->controls->pictures()->setName(scan ? nameOf(*scan) : QString());
    m_impl->request->propose(proposedStep(scan));
    m_impl->setPlanesOf(scan);
}

void VolumePanel::setPlanes(const LinkedPlanes& planes)
{
    m_impl->planes.setPlanes(planes);
    if (m_impl->view)
        m_impl->view->setPlanes(planes);
}

void VolumePanel::showPlaneImages(const PlaneImages& images)
{
    m_impl->planes.setImages(images);
    if (showsPlanes()) // hidden ones are coloured when they are seen
        m_impl->planes.showImagesIn(*m_impl->view);
}

void VolumePanel::showPlanesState(const QString& state)
{
    m_impl->controls->showPlanesState(state);
}

void VolumePanel::setPlaneColours(const GreyWindow& window, const ColourTable& colours)
{
    m_impl->planes.setColours(window, colours);
    if (!m_impl->shown)
        m_impl->updateLook();
}

bool VolumePanel::showsPlanes() const
{
    const Impl& d = *m_impl;
    return isVisible() && d.view && d.sceneIsCurrent && d.pages->currentWidget() == d.viewPage &&
           d.planes.isPossible() && d.controls->planesOn();
}

QWidget* VolumePanel::side() const
{
    return m_impl->side;
}

void VolumePanel::setFolder(const QString& folder)
{
    m_impl->controls->pictures()->setFolder(folder);
}

void VolumePanel::clear(const QString& message)
{
    Impl& d = *m_impl;
    d.controls->pictures()->cancelFilm();
    if (d.view)
        d.view->scene().setVolume(nullptr);
    d.shown.reset();
    d.sceneIsCurrent = false;
    d.pages->setCurrentWidget(d.emptyPage);
    d.tellPlanes();
    if (d.available == false)
        return; // the page shows the reason already
    d.message->setText(message.isEmpty() ? tr("The whole stack in three dimensions, with slices along each axis.\n"
                                              "It is reconstructed with the chosen setting.")
                                         : message);
}

QImage VolumePanel::picture(const QSize& size) const
{
    return m_impl->draw({.size = size});
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
    m_impl->tellPlanes();
}

void VolumePanel::hideEvent(QHideEvent* event)
{
    QWidget::hideEvent(event);
    m_impl->tellPlanes();
}

void VolumePanel::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        m_impl->updateLook();
}

} // namespace ui
