#include "ui/numbers/number_tabs.h"

#include "ui/numbers/numbers_panel.h"
#include "ui/numbers/spectra_panel.h"
#include "ui/numbers/speed_quality_panel.h"

#include <QTabBar>

namespace ui
{

NumberTabs::NumberTabs(QWidget* profile, QWidget* parent)
    : QTabWidget(parent), m_numbers(new NumbersPanel), m_quality(new SpeedQualityPanel), m_spectra(new SpectraPanel)
{
    setObjectName(QStringLiteral("numberTabs"));
    setAccessibleName(tr("Profile and numbers"));
    setDocumentMode(true);
    tabBar()->setExpanding(false);
    addTab(profile, tr("Profile"));
    addTab(m_numbers, tr("Numbers"));
    addTab(m_quality, tr("Speed and quality"));
    addTab(m_spectra, tr("Spectra"));
    setTabToolTip(3, tr("Fourier ring correlation and ratio of powers: at which fineness images part"));
    setTabToolTip(1, tr("Speed, error and noise of all settings"));
    setTabToolTip(2,
                  tr("Every setting that was tried, by speed and error; the line joins those that none beats in both"));
    connect(m_quality, &SpeedQualityPanel::chosen, this, &NumberTabs::chosen);
    connect(m_quality, &SpeedQualityPanel::broughtBack, this, &NumberTabs::broughtBack);
    connect(m_numbers, &NumbersPanel::chosen, this, &NumberTabs::chosen);
}

void NumberTabs::show(const Comparison& comparison)
{
    m_tried.add(comparison);
    m_numbers->show(comparison, m_tried);
    m_quality->show(comparison, m_tried);
    m_spectra->show(comparison);
}

void NumberTabs::clear()
{
    m_tried.clear();
    m_numbers->clear();
    m_quality->clear();
    m_spectra->clear();
}

} // namespace ui
