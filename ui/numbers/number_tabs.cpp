#include "ui/numbers/number_tabs.h"

#include "ui/numbers/numbers_panel.h"

#include <QTabBar>

namespace ui
{

NumberTabs::NumberTabs(QWidget* profile, QWidget* parent) : QTabWidget(parent), m_numbers(new NumbersPanel)
{
    setObjectName(QStringLiteral("numberTabs"));
    setAccessibleName(tr("Profile and numbers"));
    setDocumentMode(true);
    tabBar()->setExpanding(false);
    addTab(profile, tr("Profile"));
    addTab(m_numbers, tr("Numbers"));
    setTabToolTip(1, tr("Speed, error and noise of all settings"));
    connect(m_numbers, &NumbersPanel::chosen, this, &NumberTabs::chosen);
}

void NumberTabs::show(const Comparison& comparison)
{
    m_tried.add(comparison);
    m_numbers->show(comparison, m_tried);
}

void NumberTabs::clear()
{
    m_tried.clear();
    m_numbers->clear();
}

} // namespace ui
