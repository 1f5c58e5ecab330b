// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/actions.h"

#include "engine/io/open/readers.h"
#include "ui/background/application.h"
#include "ui/background/persistent_state.h"
#include "ui/image/image_panel.h"
#include "ui/image/tool_chooser.h"
#include "ui/opening/sample_scans.h"
#include "ui/widgets/manual_page.h"
#include "ui/widgets/theme.h"
#include "ui/window/help_dialogs.h"
#include "ui/window/image_menu.h"

#include <QAction>
#include <QActionGroup>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QMainWindow>
#include <QMenuBar>
#include <QSettings>

namespace ui
{

Actions::Actions(QMainWindow& window, ImagePanel& images, PersistentState& state, ThemeFollower* theme)
    : QObject(&window), m_window(window), m_images(images), m_state(state), m_theme(theme)
{
    makeFileMenu();
    makeViewMenu();
    makeCompareMenu();
    makeDrawMenu();
    makeToolsMenu();
    makeHelpMenu();
    connect(new ImageMenu(images, &window), &ImageMenu::saveRequested, this, &Actions::saveRequested);
}

template <typename Act>
QAction* Actions::add(QMenu* menu, const QString& text, const QKeySequence& keys, Act act)
{
    QAction* action = menu->addAction(text);
    menu->setToolTipsVisible(true);
    action->setShortcut(keys);
    connect(action, &QAction::triggered, this, guarded(act));
    return action;
}

void Actions::makeFileMenu()
{
    QMenu* file = m_window.menuBar()->addMenu(tr("&File"));
    add(file, tr("&Open…"), QKeySequence::Open, [this] { askForScan(); });
    add(file, tr("Open &folder of TIFFs…"), Qt::CTRL | Qt::SHIFT | Qt::Key_O, [this] { askForFolder(); });
    add(file, tr("Open rec&ipe…"), {}, [this] { askForRecipe(); });
    m_recent = file->addMenu(tr("&Recent scans"));
    showRecent();
    connect(m_recent, &QMenu::aboutToShow, this, guarded([this] { showRecent(); })); // how they were opened
    QMenu* arcs = file->addMenu(tr("&Angles of this scan"));
    for (const double degrees : {180.0, 360.0})
        add(arcs, tr("Even, over %1°").arg(degrees), {}, [this, degrees] { emit arcRequested(degrees); });
    QMenu* sampleMenu = file->addMenu(tr("&Samples"));
    for (const Sample& sample : samples())
        add(sampleMenu, sample.label, {}, [this, id = sample.id] { emit sampleRequested(id); });
    add(file, tr("Start page"), {}, [this] {
        emit startPageRequested();
    })->setToolTip(tr("Recent scans, samples and the tour; once more leads back to the scan"));
    file->addSeparator();
    add(file, tr("&Save image…"), QKeySequence::Save, [this] { emit saveRequested(Save::image); });
    add(file, tr("Save &difference…"), Qt::CTRL | Qt::SHIFT | Qt::Key_S,
        [this] { emit saveRequested(Save::difference); });
    add(file, tr("Save fi&gure…"), Qt::CTRL | Qt::SHIFT | Qt::Key_F, [this] { emit saveRequested(Save::figure); });
    m_savePlot = add(file, tr("Save p&lot…"), {}, [this] { emit saveRequested(Save::plot); });
    add(file, tr("Save &profile…"), Qt::CTRL | Qt::SHIFT | Qt::Key_P, [this] { emit saveRequested(Save::profile); });
    add(file, tr("Save &volume…"), Qt::CTRL | Qt::Key_E, [this] { emit saveRequested(Save::volume); });
    add(file, tr("Save s&ession…"), Qt::CTRL | Qt::ALT | Qt::Key_S, [this] { emit saveRequested(Save::session); });
    add(file, tr("Save re&cipe…"), {}, [this] { emit saveRequested(Save::recipe); });
    add(file, tr("Save repor&t…"), Qt::CTRL | Qt::SHIFT | Qt::Key_R, [this] { emit saveRequested(Save::report); });
    file->addSeparator();
    add(file, tr("&Quit"), Qt::CTRL | Qt::Key_Q, [this] { m_window.close(); });
}

void Actions::showRecent()
{
    m_recent->clear();
    const QStringList paths = m_state.recentScans();
    for (const QString& path : paths) {
        const QString folder = QDir::toNativeSeparators(QFileInfo(path).absolutePath());
        QAction* action = add(m_recent, QFileInfo(path).fileName().replace('&', QLatin1String("&&")), {},
                              [this, path] { emit recentRequested(path); });
        const std::optional<engine::OpeningWay> way = m_state.wayOf(path);
        const QString words = way ? QString::fromStdString(engine::inWords(*way)) : QString();
        action->setToolTip(words.isEmpty() ? folder : folder + u'\n' + words);
    }
    if (!paths.isEmpty()) {
        m_recent->addSeparator();
        add(m_recent, tr("Forget these"), {}, [this] {
            m_state.forgetRecent();
            showRecent();
        });
    }
    m_recent->setEnabled(!paths.isEmpty());
}

void Actions::makeViewMenu()
{
    QMenu* view = m_window.menuBar()->addMenu(tr("&View"));
    add(view, tr("&Fit"), Qt::Key_F, [this] { m_images.fit(); });
    add(view, tr("Zoom &in"), Qt::Key_Plus, [this] {
        m_images.zoomIn();
    })->setShortcuts({Qt::Key_Plus, Qt::Key_Equal, QKeySequence::ZoomIn});
    add(view, tr("Zoom &out"), Qt::Key_Minus, [this] {
        m_images.zoomOut();
    })->setShortcuts({Qt::Key_Minus, QKeySequence::ZoomOut});
    add(view, tr("&Actual pixels"), Qt::Key_0, [this] { m_images.actualPixels(); });
    view->addSeparator();
    makeViewActions(view);
    view->addSeparator();
    add(view, tr("Automatic &grey window"), Qt::Key_W, [this] { m_images.autoWindow(); });
    add(view, tr("Grey window of the &visible part"), Qt::SHIFT | Qt::Key_W, [this] { m_images.windowOfVisible(); });
    QMenu* maps = view->addMenu(tr("&Colour map"));
    auto* mapGroup = new QActionGroup(this);
    for (const QString& name : m_images.colourMaps()) {
        QAction* action = add(maps, name, {}, [this, name] { m_images.setColourMap(name); });
        action->setCheckable(true);
        action->setChecked(name == m_images.colourMap());
        mapGroup->addAction(action);
        connect(&m_images, &ImagePanel::colourMapChanged, action,
                [action, name](const QString& now) { action->setChecked(now == name); });
    }
    makeDifferenceActions(view);
    view->addSeparator();
    add(view, tr("&Previous slice"), Qt::Key_PageUp, [this] { emit stepRequested(-1); });
    add(view, tr("&Next slice"), Qt::Key_PageDown, [this] { emit stepRequested(1); });
    add(view, tr("10 slices back"), Qt::SHIFT | Qt::Key_PageUp, [this] { emit stepRequested(-10); });
    add(view, tr("10 slices forward"), Qt::SHIFT | Qt::Key_PageDown, [this] { emit stepRequested(10); });
    view->addSeparator();
    add(view, tr("Play the p&rojections, or stop"), Qt::Key_P, [this] { emit playRequested(); });
    add(view, tr("Previous projection"), Qt::Key_Comma, [this] { emit projectionRequested(-1); });
    add(view, tr("Next projection"), Qt::Key_Period, [this] { emit projectionRequested(1); });
    view->addSeparator();
    add(view, tr("&Slice"), Qt::CTRL | Qt::Key_1, [this] { emit viewRequested(0); });
    add(view, tr("&3-D"), Qt::CTRL | Qt::Key_2, [this] { emit viewRequested(1); });
    add(view, tr("Pla&nes"), Qt::CTRL | Qt::Key_3, [this] { emit viewRequested(2); });
    m_themes = view->addMenu(tr("&Theme"));
    auto* group = new QActionGroup(this);
    for (const auto& [theme, label] : {std::pair{Theme::system, tr("As the desktop")},
                                       std::pair{Theme::light, tr("Light")}, std::pair{Theme::dark, tr("Dark")}}) {
        QAction* action = add(m_themes, label, {}, [this, theme = theme] {
            m_chosenTheme = theme;
            setTheme(theme);
        });
        action->setCheckable(true);
        action->setData(int(theme));
        group->addAction(action);
    }
    showTheme();
}

void Actions::makeViewActions(QMenu* menu)
{
    auto* group = new QActionGroup(this);
    m_otherView = &views().front();
    const auto remember = [this](const View& now) {
        if (!now.shows(Content::recorded))
            m_otherView = &now;
    };
    remember(m_images.view());
    connect(&m_images, &ImagePanel::viewChanged, this, remember);
    for (const View& view : views()) {
        QAction* action = add(menu, view.text(), view.keys(), [this, &view] {
            const bool goesBack = view.shows(Content::recorded) && &view == &m_images.view() && m_images.isVisible();
            emit viewRequested(0);
            m_images.setView(goesBack ? *m_otherView : view);
        });
        action->setCheckable(true);
        action->setChecked(&view == &m_images.view());
        group->addAction(action);
        connect(&m_images, &ImagePanel::viewChanged, action,
                [action, &view](const View& now) { action->setChecked(&now == &view); });
    }
    makeInsetActions(menu);
    add(menu, tr("Fold &profile and numbers"), Qt::Key_F8, [this] { emit foldRequested(); });
    m_sidePanels = add(menu, tr("Side &panel"), Qt::Key_F9, [] {});
    m_sidePanels->setCheckable(true);
    m_sidePanels->setChecked(true);
    connect(m_sidePanels, &QAction::toggled, this, &Actions::sidePanelsSwitched);
}

// Adds the rows of a table of choices, of which one is in force, and an action that turns to the next one.
template <typename Rows, typename Kind>
void Actions::addChoices(QMenu* menu, QMenu* choices, const Rows& rows, const QString& next, Qt::Key key,
                         Kind (ImagePanel::*chosen)() const, void (ImagePanel::*choose)(Kind),
                         void (ImagePanel::*changed)(Kind))
{
    auto* group = new QActionGroup(this);
    for (const auto& row : rows) {
        QAction* action = add(choices, row.text(), {}, [this, choose, kind = row.kind] { (m_images.*choose)(kind); });
        if constexpr (requires { row.description(); })
            action->setToolTip(row.description());
        action->setCheckable(true);
        action->setChecked(row.kind == (m_images.*chosen)());
        group->addAction(action);
        connect(&m_images, changed, action, [action, kind = row.kind](Kind now) { action->setChecked(now == kind); });
    }
    add(menu, next, key, [this, rows, chosen, choose] {
        (m_images.*choose)(rows[(static_cast<std::size_t>((m_images.*chosen)()) + 1) % rows.size()].kind);
    });
}

void Actions::makeInsetActions(QMenu* menu)
{
    addChoices(menu, menu->addMenu(tr("&Inset of the image")), insetKinds(), tr("Next inset"), Qt::Key_I,
               &ImagePanel::inset, &ImagePanel::setInset, &ImagePanel::insetChanged);
}

void Actions::makeDifferenceActions(QMenu* menu)
{
    QMenu* kinds = menu->addMenu(tr("&Difference as"));
    kinds->setToolTipsVisible(true);
    addChoices(menu, kinds, differenceKinds(), tr("Next kind of difference"), Qt::Key_D, &ImagePanel::differenceKind,
               &ImagePanel::setDifferenceKind, &ImagePanel::differenceKindChanged);
}

void Actions::showSidePanel()
{
    m_sidePanels->setChecked(true);
}

void Actions::restoreState(const QSettings& settings)
{
    m_chosenTheme = themeFromText(settings.value(QStringLiteral("theme")).toString());
    setTheme(m_chosenTheme);
}

void Actions::saveState(QSettings& settings) const
{
    settings.setValue(QStringLiteral("theme"), toText(m_chosenTheme));
}

void Actions::restoreSidePanels(const QSettings& settings)
{
    m_sidePanels->setChecked(settings.value(QStringLiteral("sidePanels"), true).toBool());
}

void Actions::saveSidePanels(QSettings& settings) const
{
    settings.setValue(QStringLiteral("sidePanels"), m_sidePanels->isChecked());
}

void Actions::setTheme(Theme theme)
{
    if (m_theme)
        m_theme->setTheme(theme);
    showTheme();
}

void Actions::showTheme()
{
    for (QAction* action : m_themes->actions())
        action->setChecked(action->data().toInt() == int(m_theme ? m_theme->theme() : Theme::system));
}

void Actions::makeCompareMenu()
{
    QMenu* compare = m_window.menuBar()->addMenu(tr("&Compare"));
    m_undo = add(compare, {}, QKeySequence::Undo, [this] { emit stepBackRequested(); });
    m_redo = add(compare, {}, Qt::CTRL | Qt::SHIFT | Qt::Key_Z, [this] { emit stepForwardRequested(); });
    showSteps({}, {});
    compare->addSeparator();
    add(compare, tr("Add a &setting"), Qt::Key_B, [this] { emit addRequested(); });
    add(compare, tr("Re&move the chosen setting"), Qt::SHIFT | Qt::Key_B, [this] { emit removeRequested(); });
    compare->addSeparator();
    add(compare, tr("&Reconstruct again"), Qt::Key_F5, [this] { emit againRequested(); });
    add(compare, tr("&Cancel"), Qt::Key_Escape, [this] { emit cancelRequested(); });
    compare->addSeparator();
    QAction* shared = add(compare, tr("One &grey window for both images"), Qt::Key_G, [this] {});
    shared->setCheckable(true);
    shared->setChecked(m_images.windowShared());
    connect(shared, &QAction::toggled, &m_images, &ImagePanel::setWindowShared);
    connect(&m_images, &ImagePanel::windowSharedChanged, shared, &QAction::setChecked);
    compare->addSeparator();
    add(compare, tr("Reset all settings"), Qt::CTRL | Qt::Key_R, [this] { emit resetRequested(); });
}

void Actions::showSteps(const QString& back, const QString& forward)
{
    const auto name = [](const QString& text, const QString& action) {
        return action.isEmpty() ? text
                                : text + QStringLiteral(": ") + QString(action).replace('&', QLatin1String("&&"));
    };
    m_undo->setText(name(tr("&Undo"), back));
    m_redo->setText(name(tr("Re&do"), forward));
}

void Actions::makeDrawMenu()
{
    QMenu* draw = m_window.menuBar()->addMenu(tr("D&raw"));
    draw->setToolTipsVisible(true);
    for (const ToolRow& row : tools()) {
        QAction* action = add(draw, row.text(), row.keys(), [this, &row] {
            emit viewRequested(0);
            m_images.setTool(m_images.tool() == row.tool ? Tool::none : row.tool);
        });
        action->setToolTip(row.description());
        action->setCheckable(true);
        connect(&m_images, &ImagePanel::toolChanged, action,
                [action, &row](Tool now) { action->setChecked(now == row.tool); });
    }
    draw->addSeparator();
    const auto remover = [this](int engine::Marks::*chosen) {
        return [this, chosen] {
            engine::Marks marks = m_images.marks();
            marks.remove(marks.*chosen);
            m_images.editMarks(marks);
        };
    };
    QAction* line = add(draw, tr("Remove the chosen line"), Qt::Key_Delete, remover(&engine::Marks::lineId));
    QAction* area =
        add(draw, tr("Remove the chosen area"), Qt::SHIFT | Qt::Key_Delete, remover(&engine::Marks::areaId));
    connect(draw, &QMenu::aboutToShow, this, guarded([this, line, area] {
                const engine::Marks& marks = m_images.marks();
                line->setEnabled(marks.line() != nullptr);
                area->setEnabled(marks.canRemove(marks.areaId));
            }));
    connect(draw, &QMenu::aboutToHide, this, [line, area] { // a disabled action would ignore its shortcut
        line->setEnabled(true);
        area->setEnabled(true);
    });
    draw->addSeparator();
    QAction* shown = add(draw, tr("&Show lines and areas"), Qt::Key_L, [this] {});
    shown->setCheckable(true);
    shown->setChecked(m_images.marksVisible());
    connect(shown, &QAction::toggled, &m_images, &ImagePanel::setMarksVisible);
    connect(&m_images, &ImagePanel::marksVisibleChanged, shown, &QAction::setChecked);
}

void Actions::makeToolsMenu()
{
    QMenu* tools = m_window.menuBar()->addMenu(tr("&Tools"));
    QAction* copy =
        add(tools, tr("&Copy command line"), Qt::CTRL | Qt::SHIFT | Qt::Key_C, [this] { emit commandLineRequested(); });
    copy->setToolTip(tr("The sinoscope-cli command that repeats the image of the chosen setting"));
    QAction* queue =
        add(tools, tr("&Queue of volumes…"), Qt::CTRL | Qt::SHIFT | Qt::Key_Q, [this] { emit queueRequested(); });
    queue->setToolTip(tr("Volumes of several scans, reconstructed one after the other in the background"));
    tools->addSeparator();
    add(tools, tr("Speed of &other programs…"), {}, [this] { emit otherProgramsRequested(); });
    add(tools, tr("&Benchmark…"), {}, [this] { emit benchmarkRequested(); });
    add(tools, tr("C&ard of this machine…"), {}, [this] { emit cardRequested(); });
    add(tools, tr("&Fastest methods…"), {}, [this] { emit tuningRequested(); });
    QAction* stand = add(tools, tr("&Stand mode"), {}, [this] { emit standRequested(); });
    stand->setToolTip(
        tr("Fills the screen with one kernel after another, their images, speed and error, until a key is "
           "pressed"));
}

void Actions::makeHelpMenu()
{
    QMenu* help = m_window.menuBar()->addMenu(tr("&Help"));
    add(help, tr("&Tour: compare in two minutes"), {}, [this] { emit tourRequested(); });
    add(help, tr("&Manual"), {}, [this] { showManual(m_window); });
    add(help, tr("&Page about this control"), Qt::Key_F1,
        [this] { showManual(m_window, manualPageOf(m_window.focusWidget())); });
    add(help, tr("&Keyboard shortcuts"), Qt::CTRL | Qt::Key_F1, [this] { showShortcuts(m_window); });
    add(help, tr("&About Sinoscope"), {}, [this] { showAbout(m_window); });
}

void Actions::askForScan()
{
    QStringList patterns; // such as *.h5
    for (const std::string& suffix : engine::scanSuffixes())
        patterns << QLatin1Char('*') + QString::fromStdString(suffix);
    askForFile(
        tr("Open a scan"),
        tr("Scans and sessions (%1 *.sinoscope);;Numbers without a header (*.raw *.bin *.dat *.img);;All files (*)")
            .arg(patterns.join(QLatin1Char(' '))));
}

void Actions::askForSession()
{
    askForFile(tr("Open a session"), tr("Sessions (*.sinoscope);;All files (*)"));
}

void Actions::askForRecipe()
{
    const QString path = QFileDialog::getOpenFileName(&m_window, tr("Open a recipe"), lastFolder(),
                                                      tr("Recipes (*.json);;All files (*)"));
    if (!path.isEmpty())
        emit recipeRequested(path);
}

void Actions::askForFile(const QString& title, const QString& filter)
{
    const QString path = QFileDialog::getOpenFileName(&m_window, title, lastFolder(), filter);
    if (!path.isEmpty())
        emit openRequested(path);
}

void Actions::askForFolder()
{
    const QString path = QFileDialog::getExistingDirectory(&m_window, tr("Open a folder of TIFFs"), lastFolder());
    if (!path.isEmpty())
        emit openRequested(path);
}

QString Actions::lastFolder() const
{
    const QStringList recent = m_state.recentScans();
    return recent.isEmpty() ? QString() : QFileInfo(recent.front()).absolutePath();
}

} // namespace ui
