// MainWindow's parts, where they stand and how they share the room; and keys that fields would take.
#include "ui/window/main_window_impl.h"

#include "ui/image/tool_chooser.h"
#include "ui/views/view_chooser.h"
#include "ui/widgets/side_area.h"

#include <QAbstractSpinBox>
#include <QGraphicsView>
#include <QKeyEvent>
#include <QLineEdit>
#include <QScrollArea>
#include <QSpinBox>
#include <QTabBar>
#include <QVBoxLayout>

#include <algorithm>

namespace ui
{

namespace
{

constexpr int sideWidth = 224;
constexpr int smallestProfile = 136; // in height, while the window shares it out

} // namespace

QWidget* MainWindow::Impl::makeMiddle()
{
    settings->placeUnderAxis(axis);
    QScrollArea* side = sideArea(settings);
    side->setFixedWidth(settings->minimumSizeHint().width());
    speed->setFixedWidth(std::max(sideWidth, speed->minimumSizeHint().width()));

    images->setBeside(recorded);
    auto* top = new QWidget;
    auto* topLayout = new QVBoxLayout(top);
    topLayout->setContentsMargins(0, 0, 0, 0);
    topLayout->setSpacing(0);
    topLayout->addWidget(images, 1);
    topLayout->addWidget(sliceBar);
    splitter->addWidget(top);
    splitter->addWidget(numbers);
    numbers->setMinimumHeight(100); // whatever is in the tabs
    splitter->setStretchFactor(0, 1);
    splitter->setCollapsible(0, false);
    splitter->installEventFilter(this);
    tabs->setDocumentMode(true);
    auto* corner = new QWidget;
    auto* cornerRow = new QHBoxLayout(corner);
    cornerRow->setContentsMargins(0, 0, 0, 0);
    cornerRow->setSpacing(0);
    auto* drawing = new ToolChooser;
    auto* chooser = new ViewChooser;
    cornerRow->addWidget(drawing);
    cornerRow->addWidget(chooser);
    tabs->setCornerWidget(corner, Qt::TopRightCorner);
    QObject::connect(drawing, &ToolChooser::chosen, images, &ImagePanel::setTool);
    QObject::connect(images, &ImagePanel::toolChanged, drawing, &ToolChooser::setTool);
    QObject::connect(chooser, &ViewChooser::chosen, images, &ImagePanel::setView);
    QObject::connect(images, &ImagePanel::viewChanged, chooser, &ViewChooser::setView);
    tabs->addTab(splitter, tr("Slice"));
    tabs->addTab(volume, tr("3-D"));
    tabs->setAccessibleName(tr("Views"));

    row = new FoldingRow(side, tabs, speed);
    return row;
}

void MainWindow::Impl::layOut()
{
    auto* central = new QWidget;
    auto* column = new QVBoxLayout(central);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(scanBar);
    auto* line = new QFrame;
    line->setFrameShape(QFrame::HLine);
    line->setFrameShadow(QFrame::Plain);
    line->setForegroundRole(QPalette::Midlight);
    column->addWidget(line);
    column->addWidget(reading);
    column->addWidget(makeMiddle(), 1);
    window->setCentralWidget(central);
    welcome = new Welcome(images);
    // Under the titles of the images, which say what one looks at.
    messages = new MessageBar(tabs, tabs->tabBar()->sizeHint().height() + images->titleHeight() + 8);
    messages->keepLeftOf(recorded);
    // Graphics views take every drag for their scenes; files dropped on an image are for the window.
    for (QGraphicsView* view : window->findChildren<QGraphicsView*>()) {
        view->setAcceptDrops(false);
        view->viewport()->setAcceptDrops(false);
    }
}

// The images get the height at which they fill their width, and the curves the rest; no less than
// they need. Until the user draws that line.
void MainWindow::Impl::shareHeight()
{
    if (splitByHand)
        return;
    const int wanted = images->heightFor(splitter->width()) + sliceBar->sizeHint().height();
    const int room = splitter->height() - splitter->handleWidth();
    const int top = std::clamp(wanted, 0, std::max(room - smallestProfile - numbers->tabBar()->sizeHint().height(), 0));
    splitter->setSizes({top, room - top});
}

namespace
{

// What a box shows of its value.
template <typename Box>
QString textOfValue(const Box& box)
{
    struct Opened : Box {
        using Box::textFromValue; // which isn't public of all
    };
    if (!box.specialValueText().isEmpty() && box.value() == box.minimum())
        return box.specialValueText();
    return box.prefix() + (box.*(&Opened::textFromValue))(box.value()) + box.suffix();
}

// It has text that is neither taken nor given up yet.
bool isEdited(const QObject* field)
{
    if (const auto* const box = qobject_cast<const QSpinBox*>(field))
        return box->text() != textOfValue(*box);
    if (const auto* const box = qobject_cast<const QDoubleSpinBox*>(field))
        return box->text() != textOfValue(*box);
    return true;
}

} // namespace

bool MainWindow::Impl::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == splitter && event->type() == QEvent::Resize)
        shareHeight();
    if (event->type() != QEvent::ShortcutOverride || !actions)
        return false;
    // Fields would take Ctrl+E for the end of their line.
    const bool isField = (qobject_cast<QLineEdit*>(watched) || qobject_cast<QAbstractSpinBox*>(watched)) &&
                         static_cast<QWidget*>(watched)->window() == window;
    const auto keys = QKeySequence(static_cast<QKeyEvent*>(event)->keyCombination());
    if (!isField || !actions->goBeforeFields(keys, isEdited(watched)))
        return false;
    event->ignore();
    return true;
}

} // namespace ui
