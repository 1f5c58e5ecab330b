// SPDX-License-Identifier: GPL-3.0-or-later
// The left side: the list of what is compared, and the chosen one's options: the four choices first, then filter, axis
// what is the same for all, and how the scan was taken.
#pragma once

#include "engine/cuda/devices.h"
#include "ui/background/comparison.h"
#include "ui/settings/choice_group.h"
#include "ui/settings/geometry_panel.h"
#include "ui/settings/setting_edits.h"
#include "ui/settings/setting_list_view.h"

#include <QWidget>

#include <memory>
#include <optional>

class QSettings;

namespace ui
{

class CarriedOver;
class FoldOut;
class OptionRows;
class SettingHeading;

class SettingsPanel : public QWidget
{
    Q_OBJECT
  public:
    explicit SettingsPanel(QWidget* parent = nullptr);

    // A given axis and a file to compare with belonged to the scan before; what this one can't do becomes what it can.
    void setScan(std::shared_ptr<const engine::Scan> scan);
    void setDevices(const engine::CudaDevices& devices);
    void setThreads(int threads) { m_resources.threads = threads; }

    GeometryPanel& geometry() { return *m_geometry; }
    const SettingList& list() const { return m_settings->list(); }
    // Every setting as a request that shows this slice of the scan; without results.
    Comparison comparison(int slice) const;
    engine::Request request(int slice) const; // the chosen one's

    void setList(const SettingList& list);                           // only edited(): a step back undoes it
    void setResources(const engine::Resources& resources);           // no signal
    void setRequest(const engine::Request& request);                 // the chosen setting and the resources; no signal
    void show(const Comparison& comparison, const SpeedOf& speedOf); // speeds, and the axis that was used

    void addSetting();   // a copy of the chosen one; with a signal
    void removeChosen(); // unless it is the last; with a signal
    // The one of the list with this setting is chosen, else it is added; with a signal.
    void bring(const engine::Setting& setting, const QString& name);
    void choose(int id); // of the list; with a signal
    // Of the chosen one; with a signal. tiltDeg: how it leans, where that is to change too.
    void setAxis(double bins, std::optional<double> tiltDeg = {});
    // The chosen one's axis by so many bins, as part of a drag that is one act: with dragged(); its end with changed().
    void dragAxis(double bins);
    void endAxisDrag();
    // On top, until something is edited: what of the last scan's settings isn't the default and is used for this one,
    // and a way back. false: they are this scan's own.
    void showCarriedOver(bool areCarried);
    void placeUnderAxis(QWidget* tools);    // it goes with this panel
    void reset();                           // everything to its default; a step back undoes it
    void showList(const SettingList& list); // of a step back or forward; no signal
    void setSteps(bool back, bool forward); // whether there is one
    void saveState(QSettings& settings) const;
    void restoreState(const QSettings& settings);

  signals:
    void changed(); // once for each act of the user
    void dragged(); // something is under way
    // Before that: what the list was. continues: a quick edit after the one before.
    void edited(const SettingList& before, bool continues);
    void lookWanted(const QString& step); // of preparation, at what it does
    void stepChosen(const QString& step); // in the list of them
    void backRequested();
    void forwardRequested();

  private:
    QWidget* makeResetButton();
    void connectParts();
    void titlePreparation(const engine::Request& request);
    engine::Request requestOf(const engine::Setting& setting, int slice) const;
    engine::Setting ofFields() const;
    void showChosen();
    void makePossible();
    void offer();
    void react();
    void take(const SettingList& list);
    void takePreset(int index);
    void resetByUser();

    std::shared_ptr<const engine::Scan> m_scan;
    engine::Resources m_resources; // of all
    double m_usedAxisBins = 0;     // by the chosen one
    SettingEdits m_edits;

    CarriedOver* m_carried;
    SettingListView* m_settings;
    SettingHeading* m_heading; // whose rows follow
    ChoiceGroup* m_choices;
    OptionRows* m_rows;
    FoldOut* m_preparation;
    QWidget* m_underAxis;
    GeometryPanel* m_geometry;
};

} // namespace ui
