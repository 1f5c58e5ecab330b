// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/window_layout.h"

#include "ui/axis/axis_panel.h"
#include "ui/axis/trial_strip.h"
#include "ui/image/image_panel.h"
#include "ui/image/pointer_label.h"
#include "ui/image/tool_chooser.h"
#include "ui/numbers/number_tabs.h"
#include "ui/opening/reading_panel.h"
#include "ui/opening/scan_bar.h"
#include "ui/opening/welcome.h"
#include "ui/planes/axis_drags.h"
#include "ui/planes/planes_panel.h"
#include "ui/profile/profile_panel.h"
#include "ui/recorded/recorded_panel.h"
#include "ui/settings/settings_panel.h"
#include "ui/speed/speed_panel.h"
#include "ui/views/view_chooser.h"
#include "ui/volume/volume_panel.h"
#include "ui/widgets/boxes.h"
#include "ui/widgets/fold_out.h"
#include "ui/widgets/manual_page.h"
#include "ui/widgets/side_area.h"
#include "ui/window/actions.h"
#include "ui/window/folding_row.h"
#include "ui/window/message_bar.h"
#include "ui/window/slice_bar.h"

#include <QEvent>
#include <QFrame>
#include <QGraphicsView>
#include <QMainWindow>
#include <QScrollArea>
#include <QSettings>
#include <QSplitter>
#include <QTabBar>
#include <QTabWidget>

#include <algorithm>
#include <utility>

namespace ui
{

namespace
{

constexpr int speedWidth = 196, smallestPages = 460; // widths
constexpr int slimProfile = 98;                      // least height, while it is set automatically
// Pixels on the screen per bin when the axis is dragged, ten times as many with Shift.
constexpr double pixelsPerBin = 4;

ResultPanels newResultPanels()
{
    auto* images = new ImagePanel;
    auto* recorded = new RecordedPanel;
    auto* sliceBar = new SliceBar;
    auto* profile = new ProfilePanel;
    return {images,          recorded,        sliceBar,      profile, new NumberTabs(profile),
            new PlanesPanel, new VolumePanel, new SpeedPanel};
}

InputPanels newInputPanels()
{
    auto* settings = new SettingsPanel;
    return {new ScanBar, new ReadingPanel(settings->labelWidth()), settings, new AxisPanel, new TrialStrip};
}

} // namespace

WindowLayout::WindowLayout(QMainWindow& window)
    : m_inputs(newInputPanels()), m_results(newResultPanels()), m_splitter(new QSplitter(Qt::Vertical)),
      m_tabs(new QTabWidget)
{
    auto* central = new QWidget;
    auto* column = new QVBoxLayout(central);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_inputs.scanBar);
    auto* line = new QFrame;
    line->setFrameShape(QFrame::HLine);
    line->setFrameShadow(QFrame::Plain);
    line->setForegroundRole(QPalette::Midlight);
    column->addWidget(line);
    column->addWidget(makeMiddle(), 1);
    window.setCentralWidget(central);
    m_welcome = new Welcome(m_splitter->parentWidget());
    m_welcome->installEventFilter(this);
    showOpen(false);
    // Below the titles of the images, so that the titles stay visible.
    m_messages = new MessageBar(m_tabs, m_tabs->tabBar()->sizeHint().height() + m_results.images->titleHeight() + 8);
    for (QWidget* seen :
         {static_cast<QWidget*>(m_results.recorded), m_results.images->insetView(), m_results.volume->side()})
        m_messages->keepLeftOf(seen);
    const std::pair<QWidget*, const char*> pages[] = {{m_inputs.scanBar, "opening-scans.md"},
                                                      {m_inputs.reading, "opening-scans.md"},
                                                      {m_inputs.axis, "rotation-axis.md"},
                                                      {m_inputs.trials, "rotation-axis.md"},
                                                      {&m_inputs.settings->geometry(), "cone-and-fan-beams.md"},
                                                      {m_results.numbers, "quality.md"},
                                                      {m_results.planes, "window.md"},
                                                      {m_results.profile, "window.md"},
                                                      {m_results.speed, "gus.md"}};
    for (const auto& [widget, page] : pages)
        setManualPage(widget, QLatin1String(page));
    // Graphics views accept all drags for their scenes, but files dropped on an image should reach the window.
    for (QGraphicsView* view : window.findChildren<QGraphicsView*>()) {
        view->setAcceptDrops(false);
        view->viewport()->setAcceptDrops(false);
    }
}

QWidget* WindowLayout::makeMiddle()
{
    m_inputs.settings->placeUnderAxis(m_inputs.axis);
    QWidget* side = makeSide();

    m_splitter->addWidget(makeImages());
    m_splitter->addWidget(makeLower());
    m_splitter->setStretchFactor(0, 1);
    m_splitter->setCollapsible(0, false);
    m_splitter->setCollapsible(1, false);
    m_splitter->installEventFilter(this);
    m_results.pages = m_tabs;
    m_tabs->setDocumentMode(true);
    m_tabs->setCornerWidget(makeCorner(), Qt::TopRightCorner);
    auto* slices = new QWidget;
    auto* only = new QVBoxLayout(slices);
    only->setContentsMargins(0, 0, 0, 0);
    only->addWidget(m_splitter);
    m_tabs->addTab(slices, tr("Slice"));
    m_tabs->addTab(m_results.volume, tr("3-D"));
    m_tabs->addTab(m_results.planes, tr("Planes"));
    showPlanesFor(1);
    m_tabs->setAccessibleName(tr("Views"));

    // A click on a tab gives its bar the focus, so that F1 opens the page about what is shown.
    for (const QTabWidget* tabs : {m_tabs, static_cast<QTabWidget*>(m_results.numbers)})
        tabs->tabBar()->setFocusPolicy(Qt::StrongFocus);
    m_row = new FoldingRow(side, m_tabs);
    return m_row;
}

// The settings, and below them the section for reading. The notice about kept settings stays above while they scroll.
QWidget* WindowLayout::makeSide()
{
    m_reading =
        new FoldOut("readingHeading", tr("How the scan is read: angles, geometry, darks, flats and pixel size"));
    m_reading->body()->addWidget(m_inputs.reading);
    m_reading->hide(); // until a file is open
    auto* content = new QWidget;
    filled(new QVBoxLayout(content), {m_inputs.settings, m_reading, BoxItem::stretch(1)},
           {QMargins(10, 8, std::max(8, besideScrollBar(content)), 8), 8});
    auto* side = new QWidget;
    filled(new QVBoxLayout(side), {m_inputs.settings->notice(), {sideArea(content), 1}}, flush);
    side->setFixedWidth(content->minimumSizeHint().width());
    return side;
}

QWidget* WindowLayout::makeImages()
{
    ImagePanel* images = m_results.images;
    images->setBeside(m_results.recorded);
    images->setBesideStrip(m_results.sliceBar);
    const int title = images->titleHeight() + 8;
    m_pointer = new PointerLabel(images, title, m_results.sliceBar->sizeHint().height() + 12);
    return images;
}

// The profile and the numbers, and the speed beside them.
QWidget* WindowLayout::makeLower()
{
    QWidget* lower = m_lower = new QWidget;
    lower->setMinimumWidth(smallestPages);
    lower->installEventFilter(this);
    auto* row = new QHBoxLayout(lower);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(0);
    NumberTabs* numbers = m_results.numbers;
    SpeedPanel* speed = m_results.speed;
    speed->setFixedWidth(speedWidth);
    numbers->placeInBar(m_results.profile->header());
    row->addWidget(numbers, 1);
    row->addWidget(speed);
    connect(numbers, &NumberTabs::foldedChanged, this, [this] {
        placeSpeed();
        m_splitByHand = m_isFoldedForRoom = false;
        shareHeight();
    });
    connect(numbers, &QTabWidget::currentChanged, this, &WindowLayout::shareHeight);
    connect(numbers, &NumberTabs::usefulHeightChanged, this, &WindowLayout::shareHeight);
    connect(speed, &SpeedPanel::speedChanged, numbers, [numbers, speed] { numbers->showBeside(speed->shortText()); });
    return lower;
}

// Shows the speed beside the numbers, or in the bar of their tabs if that is all there is room for.
void WindowLayout::placeSpeed()
{
    NumberTabs* numbers = m_results.numbers;
    const bool isBeside = !numbers->isFolded() && m_lower->width() >= smallestPages + speedWidth;
    m_results.speed->setVisible(isBeside);
    numbers->setBesideVisible(!isBeside);
}

QWidget* WindowLayout::makeCorner()
{
    auto* corner = new QWidget;
    auto* row = new QHBoxLayout(corner);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(0);
    auto* drawing = new ToolChooser;
    auto* chooser = new ViewChooser;
    row->addWidget(drawing);
    row->addWidget(chooser);
    ImagePanel* images = m_results.images;
    connect(drawing, &ToolChooser::chosen, images, &ImagePanel::setTool);
    connect(images, &ImagePanel::toolChanged, drawing, &ToolChooser::setTool);
    connect(chooser, &ViewChooser::chosen, images, &ImagePanel::setView);
    connect(images, &ImagePanel::viewChanged, chooser, &ViewChooser::setView);
    return corner;
}

void WindowLayout::connectPanels()
{
    ImagePanel* images = m_results.images;
    ProfilePanel* profile = m_results.profile;
    NumberTabs* numbers = m_results.numbers;
    connect(m_splitter, &QSplitter::splitterMoved, this, [this] { m_splitByHand = true; });
    connect(m_inputs.reading, &ReadingPanel::placeWanted, this, [this] {
        emit sideWanted();
        m_reading->unfold();
    });
    connect(m_inputs.reading, &ReadingPanel::titled, m_reading, [this](const QString& title) {
        m_reading->setTitle(title);
        m_reading->setVisible(!title.isEmpty());
    });
    connect(profile, &ProfilePanel::marksEdited, images, &ImagePanel::editMarks);
    connect(profile, &ProfilePanel::pointedAt, images, &ImagePanel::showCursor);
    connect(images, &ImagePanel::pointerAt, profile, &ProfilePanel::pointFrom);
    connect(m_inputs.settings, &SettingsPanel::speedsWanted, numbers, &NumberTabs::showSpeeds);
    connect(numbers, &NumberTabs::chosen, m_inputs.settings, &SettingsPanel::choose);
    connect(numbers, &NumberTabs::broughtBack, m_inputs.settings, &SettingsPanel::bring);
    connect(numbers, &NumberTabs::marksEdited, images, &ImagePanel::editMarks);
    connect(numbers, &NumberTabs::toolWanted, images, &ImagePanel::setTool);
    connect(images, &ImagePanel::pointerMoved, m_pointer, &PointerLabel::showValues);
    connectRecorded();
    connectAxis();
}

void WindowLayout::connectRecorded()
{
    ImagePanel* images = m_results.images;
    RecordedPanel* recorded = m_results.recorded;
    connect(images, &ImagePanel::pointerAt, recorded, &RecordedPanel::pointAt);
    connect(images, &ImagePanel::colourMapChanged, recorded, &RecordedPanel::setColourMap);
    connect(images, &ImagePanel::colourMapChanged, m_results.planes, &PlanesPanel::setColourMap);
    connect(recorded, &RecordedPanel::guidesChanged, images, &ImagePanel::setGuides);
    connect(recorded, &RecordedPanel::pointKept, images, &ImagePanel::showCursor);
    connect(recorded, &RecordedPanel::pointerMoved, m_pointer, &PointerLabel::showValues);
    connect(recorded, &RecordedPanel::sliceWanted, m_results.sliceBar, &SliceBar::setSlice);
    connect(m_inputs.settings, &SettingsPanel::lookWanted, this, [this](const QString& step) {
        showRecorded();
        m_results.recorded->lookAt(step);
    });
    connect(m_inputs.settings, &SettingsPanel::stepChosen, recorded, [recorded](const QString& step) {
        if (recorded->isVisible() && recorded->isAtStep() && !step.isEmpty())
            recorded->lookAt(step);
    });
}

// Connects the ways to set the axis: drags on the slice, drags of the two opposite views, and clicks on a found axis.
// Adds the tab with the trial slices.
void WindowLayout::connectAxis()
{
    SettingsPanel* settings = m_inputs.settings;
    const AxisPanel* axis = m_inputs.axis;
    NumberTabs* numbers = m_results.numbers;
    connect(m_results.images, &ImagePanel::axisMoved, settings,
            [settings](double pixels) { settings->dragAxis(pixels / pixelsPerBin); });
    connect(m_results.images, &ImagePanel::axisReleased, settings, &SettingsPanel::endAxisDrag);
    const AxisDrags& drags = m_results.planes->axis();
    connect(&drags, &AxisDrags::axisMoved, settings, &SettingsPanel::dragAxis);
    connect(&drags, &AxisDrags::tiltMoved, settings, &SettingsPanel::dragTilt);
    connect(&drags, &AxisDrags::released, settings, &SettingsPanel::endAxisDrag);
    connect(axis, &AxisPanel::moved, settings, &SettingsPanel::dragAxis);
    connect(axis, &AxisPanel::released, settings, &SettingsPanel::endAxisDrag);
    connect(axis, &AxisPanel::chosen, settings, [settings](double bins) { settings->setAxis(bins); });
    connect(axis, &AxisPanel::chosenWithTilt, settings,
            [settings](double bins, double tiltDeg) { settings->setAxis(bins, tiltDeg); });
    connect(axis, &AxisPanel::trialsWanted, numbers,
            [numbers, trials = m_inputs.trials] { numbers->showPage(trials); });
    // Added after the menus, because the focus order is the order in which widgets are added to the window.
    auto* trials = new QScrollArea; // the strip is wider than a small window
    trials->setFrameShape(QFrame::NoFrame);
    trials->setFocusPolicy(Qt::NoFocus); // it scrolls to the control that has the focus
    trials->setWidgetResizable(true);
    trials->setWidget(m_inputs.trials);
    numbers->addMore(trials, tr("Axis"), tr("Trial slices with the axis to the left and right of the present one"));
    numbers->addMore(m_results.speed->details(), tr("Performance"),
                     tr("Seconds of each stage, what limits the kernel, the speed of each result, and the error of the "
                        "chosen setting"));
}

void WindowLayout::connectActions(Actions& actions)
{
    connect(&actions, &Actions::projectionRequested, this, [this](int by) {
        showRecorded();
        m_results.recorded->step(by);
    });
    connect(&actions, &Actions::playRequested, this, [this] {
        showRecorded();
        m_results.recorded->play(!m_results.recorded->isPlaying());
    });
    connect(&actions, &Actions::stepRequested, this, [this](int by) {
        if (m_results.planes->isVisible())
            m_results.planes->step(by);
        else
            m_results.sliceBar->step(by);
    });
    connect(&actions, &Actions::viewRequested, this, &WindowLayout::showTab);
    connect(m_tabs, &QTabWidget::currentChanged, this,
            [this](int tab) { m_tabs->cornerWidget(Qt::TopRightCorner)->setVisible(tab == 0); });
    connect(&actions, &Actions::sidePanelsSwitched, m_row, &FoldingRow::setWanted);
    connect(this, &WindowLayout::sideWanted, &actions, &Actions::showSidePanel);
    connect(&actions, &Actions::foldRequested, this, &WindowLayout::switchFold);
}

// What belongs to a scan is disabled while the start page is shown: Tab doesn't lead to what it covers.
void WindowLayout::showOpen(bool isOpen)
{
    m_splitter->setEnabled(isOpen);
    m_inputs.settings->setEnabled(isOpen);
}

void WindowLayout::showRecorded()
{
    m_results.images->setView(*findView(QStringLiteral("recorded")));
}

void WindowLayout::showTab(int tab)
{
    if (m_tabs->isTabVisible(tab))
        m_tabs->setCurrentIndex(tab);
    else
        m_messages->showInformation(tr("This scan has one slice; planes in other directions need several."));
}

void WindowLayout::showPlanesFor(int slices)
{
    const int tab = m_tabs->indexOf(m_results.planes);
    if (slices < 2 && m_tabs->currentIndex() == tab)
        showSlices();
    m_tabs->setTabVisible(tab, slices > 1);
}

void WindowLayout::showSlices()
{
    m_tabs->setCurrentIndex(0);
}

void WindowLayout::switchFold()
{
    m_results.numbers->setFolded(!m_results.numbers->isFolded());
}

void WindowLayout::restoreState(const QSettings& settings)
{
    m_results.numbers->setFolded(settings.value(QStringLiteral("numbersFolded"), false).toBool());
    m_splitByHand = m_splitter->restoreState(settings.value(QStringLiteral("splitter")).toByteArray());
}

void WindowLayout::saveState(QSettings& settings) const
{
    settings.setValue(QStringLiteral("numbersFolded"), m_results.numbers->isFolded() && !m_isFoldedForRoom);
    if (m_splitByHand)
        settings.setValue(QStringLiteral("splitter"), m_splitter->saveState());
    else
        settings.remove(QStringLiteral("splitter"));
}

// Folds the lower panel while the window is low, so that the image keeps its height, and unfolds it when there is room
// again. Has no effect on a panel that the user has folded or unfolded since.
void WindowLayout::foldForRoom()
{
    constexpr int lowWindow = 600; // logical pixels
    const bool isLow = m_splitter->window()->height() < lowWindow;
    if (std::exchange(m_isLow, isLow) == isLow)
        return;
    NumberTabs* numbers = m_results.numbers;
    if (isLow && !numbers->isFolded()) {
        numbers->setFolded(true);
        m_isFoldedForRoom = true;
    } else if (!isLow && m_isFoldedForRoom) {
        numbers->setFolded(false);
    }
}

// Gives the images nearly all of the height beside the profile, and two thirds or more beside tables. It doesn't depend
// on the view, so that nothing moves with it. Has no effect after the user has moved the splitter.
void WindowLayout::shareHeight()
{
    const int room = m_splitter->height() - m_splitter->handleWidth();
    if (m_splitByHand || room <= 0)
        return;
    const NumberTabs* numbers = m_results.numbers;
    const int share = numbers->currentIndex() == 0 ? 13 : 36; // per cent; tables need more than the profile
    int page = numbers->isFolded() ? 0 : std::max(slimProfile, room * share / 100);
    if (const int useful = numbers->usefulHeight(); useful > 0)
        page = std::min(page, std::max(slimProfile, useful));
    const int lower = numbers->tabBar()->sizeHint().height() + page;
    m_splitter->setSizes({room - lower, lower});
}

bool WindowLayout::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == m_welcome) {
        if (event->type() == QEvent::ShowToParent || event->type() == QEvent::HideToParent)
            showOpen(m_welcome->isHidden());
    } else if (watched == m_splitter && event->type() == QEvent::Resize) {
        foldForRoom();
        shareHeight();
    } else if (watched == m_lower && event->type() == QEvent::Resize) {
        placeSpeed();
    }
    return QObject::eventFilter(watched, event);
}

} // namespace ui
