// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/numbers/number_tabs.h"

#include "ui/numbers/areas_panel.h"
#include "ui/numbers/histogram_panel.h"
#include "ui/numbers/numbers_panel.h"
#include "ui/numbers/spectra_panel.h"
#include "ui/numbers/speed_quality_panel.h"
#include "ui/numbers/speeds_panel.h"

#include <QTabBar>

namespace ui
{

NumberTabs::NumberTabs(QWidget* profile, QWidget* parent)
    : QTabWidget(parent), m_numbers(new NumbersPanel), m_areas(new AreasPanel), m_histograms(new HistogramPanel),
      m_quality(new SpeedQualityPanel), m_speeds(new SpeedsPanel), m_spectra(new SpectraPanel)
{
    setObjectName(QStringLiteral("numberTabs"));
    setAccessibleName(tr("Profile and numbers"));
    setDocumentMode(true);
    tabBar()->setExpanding(false);
    const auto add = [this](QWidget* tab, const QString& label, const QString& tip) {
        setTabToolTip(addTab(tab, label), tip);
    };
    add(profile, tr("Profile"),
        tr("Values and differences along lines. The wheel zooms along the line, over an axis or with Shift in the "
           "values; drag moves, a double-click shows all"));
    add(m_numbers, tr("Numbers"), tr("Speed, error and noise of all settings"));
    add(m_areas, tr("Areas"), tr("Mean, noise, contrast and error of every area that is drawn on the images"));
    add(m_histograms, tr("Histograms"), tr("Histograms of the values and differences in the chosen area"));
    add(m_quality, tr("Speed and quality"),
        tr("Every setting that was tried, by speed and error; the line joins those that no other setting beats in both "
           "speed and error"));
    add(m_speeds, tr("Speeds"),
        tr("Kernel speed of every setting in the list, as a multiple of the first one; beside it what the paper "
           "measured, for the steps of a paper"));
    add(m_spectra, tr("Spectra"),
        tr("Fourier ring correlation and power ratio: the finest detail at which images agree"));
    connect(m_quality, &SpeedQualityPanel::chosen, this, &NumberTabs::chosen);
    connect(m_quality, &SpeedQualityPanel::broughtBack, this, &NumberTabs::broughtBack);
    connect(m_numbers, &NumbersPanel::chosen, this, &NumberTabs::chosen);
    connect(m_areas, &AreasPanel::marksEdited, this, &NumberTabs::marksEdited);
    connect(m_areas, &AreasPanel::toolWanted, this, &NumberTabs::toolWanted);
}

void NumberTabs::showSpeeds()
{
    setCurrentWidget(m_speeds);
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
