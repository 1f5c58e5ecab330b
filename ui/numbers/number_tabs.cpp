// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/numbers/number_tabs.h"

#include "ui/numbers/areas_panel.h"
#include "ui/numbers/histogram_panel.h"
#include "ui/numbers/numbers_panel.h"
#include "ui/numbers/spectra_panel.h"
#include "ui/numbers/speed_quality_panel.h"
#include "ui/numbers/speeds_panel.h"

#include <QContextMenuEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QStackedWidget>
#include <QTabBar>
#include <QToolButton>

#include <algorithm>

namespace ui
{

namespace
{

constexpr int smallestPage = 98; // height of any page
constexpr int alwaysShown = 2;   // tabs

} // namespace

NumberTabs::NumberTabs(QWidget* profile, QWidget* parent)
    : QTabWidget(parent), m_beside(new QLabel), m_more(new QToolButton), m_fold(new QToolButton),
      m_numbers(new NumbersPanel), m_areas(new AreasPanel), m_histograms(new HistogramPanel),
      m_quality(new SpeedQualityPanel), m_speeds(new SpeedsPanel), m_spectra(new SpectraPanel)
{
    setObjectName(QStringLiteral("numberTabs"));
    setAccessibleName(tr("Profile and numbers"));
    setDocumentMode(true);
    tabBar()->setExpanding(false);
    makeCorner();
    const auto add = [this](QWidget* tab, const QString& label, const QString& tip) {
        setTabToolTip(addTab(tab, label), tip);
    };
    add(profile, tr("Profile"),
        tr("Values and differences along lines. The wheel zooms along the line, over an axis or with Shift in the "
           "values; drag moves, a double-click shows all"));
    add(m_numbers, tr("Numbers"), tr("Speed, error and noise of all settings"));
    addMore(m_areas, tr("Areas"), tr("Mean, noise, contrast and error of every area that is drawn on the images"));
    addMore(m_histograms, tr("Histograms"), tr("Histograms of the values and differences in the chosen area"));
    addMore(
        m_quality, tr("Speed and quality"),
        tr("Every setting that was tried, by speed and error; the line joins those that no other setting beats in both "
           "speed and error"));
    addMore(m_speeds, tr("Speeds"),
            tr("Kernel speed of every setting in the list, as a multiple of the first one; beside it what the paper "
               "measured, for the steps of a paper"));
    addMore(m_spectra, tr("Spectra"),
            tr("Fourier ring correlation and power ratio: the finest detail at which images agree"));
    connect(m_quality, &SpeedQualityPanel::chosen, this, &NumberTabs::chosen);
    connect(m_quality, &SpeedQualityPanel::broughtBack, this, &NumberTabs::broughtBack);
    connect(m_numbers, &NumbersPanel::chosen, this, &NumberTabs::chosen);
    connect(m_numbers, &NumbersPanel::rowsChanged, this, &NumberTabs::usefulHeightChanged);
    connect(m_areas, &AreasPanel::marksEdited, this, &NumberTabs::marksEdited);
    connect(m_areas, &AreasPanel::toolWanted, this, &NumberTabs::toolWanted);
}

void NumberTabs::makeCorner()
{
    auto* menu = new QMenu(this);
    menu->setToolTipsVisible(true);
    connect(menu, &QMenu::aboutToShow, this, &NumberTabs::fillMenu);
    m_beside->setObjectName(QStringLiteral("foldedSpeed"));
    m_more->setObjectName(QStringLiteral("moreTabs"));
    m_more->setText(tr("More"));
    m_more->setToolTip(tr("More pages: areas, histograms, quality, spectra and others"));
    m_more->setAutoRaise(true);
    m_more->setMenu(menu);
    m_more->setPopupMode(QToolButton::InstantPopup);
    m_fold->setObjectName(QStringLiteral("foldTabs"));
    m_fold->setAutoRaise(true);
    connect(m_fold, &QToolButton::clicked, this, [this] { setFolded(!m_isFolded); });
    auto* corner = new QWidget;
    auto* row = new QHBoxLayout(corner);
    row->setContentsMargins(0, 0, 4, 0);
    row->setSpacing(4);
    for (QWidget* widget :
         {static_cast<QWidget*>(m_beside), static_cast<QWidget*>(m_more), static_cast<QWidget*>(m_fold)})
        row->addWidget(widget);
    setCornerWidget(corner, Qt::TopRightCorner);
    corner->installEventFilter(this);
    connect(this, &QTabWidget::currentChanged, this, &NumberTabs::keepOneMore);
    connect(this, &QTabWidget::tabBarClicked, this, [this] { setFolded(false); });
    setFolded(false);
}

void NumberTabs::addMore(QWidget* tab, const QString& label, const QString& tip)
{
    const int place = addTab(tab, label);
    setTabToolTip(place, tip);
    setTabVisible(place, false);
}

// Shows the current tab, and hides other tabs that the menu had shown, so that the bar stays short.
void NumberTabs::keepOneMore(int current)
{
    setTabVisible(current, true);
    for (int tab = alwaysShown; tab < count() && current >= alwaysShown; ++tab)
        setTabVisible(tab, tab == current);
    arrangeBar();
}

// All tabs are in the menu. The last one that was chosen there stays in the bar.
void NumberTabs::fillMenu()
{
    QMenu* menu = m_more->menu();
    menu->clear();
    for (int tab = 0; tab < count(); ++tab) {
        QAction* action = menu->addAction(tabText(tab));
        action->setToolTip(tabToolTip(tab));
        connect(action, &QAction::triggered, this, [this, tab] { showPage(widget(tab)); });
    }
}

void NumberTabs::setFolded(bool folded)
{
    const bool isChange = m_isFolded != folded;
    m_isFolded = folded;
    setMaximumHeight(folded ? tabBar()->sizeHint().height() : QWIDGETSIZE_MAX);
    setMinimumHeight(folded ? maximumHeight() : tabBar()->sizeHint().height() + smallestPage);
    findChild<QStackedWidget*>({}, Qt::FindDirectChildrenOnly)
        ->setVisible(!folded); // Tab doesn't lead to what is folded
    m_fold->setArrowType(folded ? Qt::UpArrow : Qt::DownArrow);
    m_fold->setToolTip(folded ? tr("Show the profile and the numbers again (F8)")
                              : tr("Fold the profile and the numbers to this bar (F8)"));
    m_fold->setAccessibleName(m_fold->toolTip());
    arrangeBar();
    if (isChange)
        emit foldedChanged(folded);
}

void NumberTabs::showPage(const QWidget* page)
{
    for (int tab = 0; tab < count(); ++tab)
        if (widget(tab) == page || widget(tab)->isAncestorOf(page)) {
            setTabVisible(tab, true);
            setCurrentIndex(tab);
        }
    setFolded(false);
}

void NumberTabs::setBesideVisible(bool visible)
{
    m_beside->setVisible(visible);
}

const DrawnPage* NumberTabs::drawnPage() const
{
    return m_isFolded ? nullptr : dynamic_cast<const DrawnPage*>(currentWidget());
}

int NumberTabs::usefulHeight() const
{
    return currentWidget() == m_numbers ? m_numbers->heightOfRows() : 0;
}

void NumberTabs::contextMenuEvent(QContextMenuEvent* event)
{
    if (drawnPage() && currentWidget()->rect().contains(currentWidget()->mapFromGlobal(event->globalPos())))
        emit menuRequested(event->globalPos());
    else
        event->ignore();
}

void NumberTabs::placeInBar(QWidget* ofFirst)
{
    m_ofFirst = ofFirst;
    m_ofFirst->setParent(this);
    arrangeBar();
}

void NumberTabs::arrangeBar()
{
    if (!m_ofFirst)
        return;
    constexpr int apart = 10, least = 160;
    int left = 0;
    for (int tab = 0; tab < count(); ++tab)
        if (isTabVisible(tab))
            left = std::max(left, tabBar()->mapTo(this, tabBar()->tabRect(tab).bottomRight()).x() + apart);
    const int room = cornerWidget(Qt::TopRightCorner)->x() - left - apart;
    m_ofFirst->setGeometry(left, tabBar()->y(), std::max(room, 0), tabBar()->height());
    m_ofFirst->setVisible(currentIndex() == 0 && !m_isFolded && room >= least);
    m_ofFirst->raise();
}

void NumberTabs::resizeEvent(QResizeEvent* event)
{
    QTabWidget::resizeEvent(event);
    arrangeBar();
}

// The corner leaves another place for what stands beside the tabs when a text in it becomes longer, which the layout
// finds out in several steps.
bool NumberTabs::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == cornerWidget(Qt::TopRightCorner) &&
        (event->type() == QEvent::Move || event->type() == QEvent::Resize))
        QMetaObject::invokeMethod(this, &NumberTabs::arrangeBar, Qt::QueuedConnection);
    return QTabWidget::eventFilter(watched, event);
}

void NumberTabs::showBeside(const QString& text)
{
    m_beside->setText(text);
}

void NumberTabs::showSpeeds()
{
    showPage(m_speeds);
}

void NumberTabs::show(const Comparison& comparison, const engine::Marks& marks)
{
    m_tried.add(comparison);
    m_numbers->show(comparison, m_tried, marks);
    m_areas->show(comparison, marks);
    m_histograms->show(comparison);
    m_quality->show(comparison, m_tried);
    m_speeds->show(comparison, m_tried);
    m_spectra->show(comparison);
}

void NumberTabs::showMarks(const engine::Marks& marks)
{
    m_numbers->showMarks(marks);
    m_areas->showMarks(marks);
}

void NumberTabs::setIdle(bool idle)
{
    m_numbers->setIdle(idle);
}

void NumberTabs::clear()
{
    m_tried.clear();
    m_numbers->clear();
    m_areas->clear();
    m_histograms->clear();
    m_quality->clear();
    m_speeds->clear();
    m_spectra->clear();
}

} // namespace ui
