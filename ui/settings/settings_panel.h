// SPDX-License-Identifier: GPL-3.0-or-later
// The panel on the left: the list of compared settings, the options of the chosen one (kernel, preparation,
// filter, axis), the options shared by all settings, and the geometry of the scan.
#pragma once

#include "engine/backends/backend.h"
#include "ui/background/comparison.h"
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

    // Resets a given axis, its tilt and a reference file, which belong to the previous scan, and replaces choices that
    // this scan doesn't support.
    void setScan(std::shared_ptr<const engine::Scan> scan);
    void setDevices(const engine::Backend& backend, const engine::Devices& devices);

    GeometryPanel& geometry() { return *m_geometry; }
    const SettingList& list() const { return m_settings->list(); }
    // Returns all settings as requests for this slice of the scan, without results.
    Comparison comparison(int slice) const;
    engine::Request request(int slice) const; // for the chosen setting

    void setList(const SettingList& list);                 // emits only edited(), so that it can be undone
    void setResources(const engine::Resources& resources); // emits no signal
    // Sets the chosen setting and the resources. Emits only edited().
    void setRequest(const engine::Request& request);
    void show(const Comparison& comparison, const SpeedOf& speedOf); // shows speeds and the used axis

    void addSetting();   // copies the chosen one; emits changed()
    void removeChosen(); // unless it is the only one; emits changed()
    // Chooses the setting of the list that equals this one, or adds it. Emits changed().
    void bring(const engine::Setting& setting, const QString& name);
    void choose(int id);                                 // id in the list; emits changed()
    void setReference(const ReferenceChoice& reference); // emits changed()
    void setReferenceUnit(const std::string& unit);      // of a reference from a file; emits changed()
    void setAir(); // lets the chosen setting bring the air at both margins to 0; emits changed()
    // Sets the axis of the chosen setting, and its tilt if given. Emits changed().
    void setAxis(double bins, std::optional<double> tiltDeg = {});
    // Moves the axis of the chosen setting by `bins`, as part of a drag, which is one user action. Emits dragged();
    // endAxisDrag() emits changed().
    void dragAxis(double bins);
    void dragTilt(double deg); // the same for its tilt; an axis that is found stays where it is
    double axisBins() const;   // of the chosen setting: given, or used last
    void endAxisDrag();
    bool isDragging() const { return m_edits.isDragging(); } // the axis or its tilt, which has moved
    // Shows a notice with a reset button if options carried over from the previous scan differ from their defaults, or
    // couldn't be carried over, until something is edited. false: the options were set for this scan.
    void showCarriedOver(bool areCarried);
    QWidget* notice() const;                                    // that notice; the caller places it
    int labelWidth() const;                                     // of its rows, so that others can align with them
    void placeUnderAxis(QWidget* tools);                        // takes ownership
    void reset();                                               // sets all options to their defaults; can be undone
    void showList(const SettingList& list);                     // for undo and redo; emits no signal
    void setSteps(const QString& back, const QString& forward); // the actions to undo and to redo; empty: none
    void saveState(QSettings& settings) const;
    void restoreState(const QSettings& settings);

  signals:
    void devicesWanted(const engine::Backend* backend); // see DeviceCombo
    void changed();                                     // once per user action
    void dragged();                                     // during a drag
    // Emitted before changed() or dragged(), with the list and the shared options before the edit. continues: the edit
    // quickly follows the previous one.
    void edited(const SettingList& before, const engine::Resources& sharedBefore, bool continues);
    void lookWanted(const QString& step); // asks to show the scan before and after a step of preparation
    void stepChosen(const QString& step); // in the list of steps
    void speedsWanted();                  // asks to show the chart of speeds
    void backRequested();
    void forwardRequested();

  private:
    QWidget* makeResetButton();
    void connectParts();
    void titleSections(const engine::Request& request);
    engine::Request requestOf(const engine::Setting& setting, int slice) const;
    engine::Setting ofFields() const;
    void showChosen();
    using Replaced = std::pair<NamedSetting, NamedSetting>; // before and after
    std::vector<Replaced> makePossible();
    static QString inWords(const std::vector<Replaced>& replaced);
    void fitToScan();
    void offer();
    void react();
    void take(const SettingList& list);
    void takeDragged(const SettingList& list);
    void takePreset(int index);
    void report(); // the next edit starts from this state
    void resetByUser();

    std::shared_ptr<const engine::Scan> m_scan;
    engine::Resources m_resources; // shared by all settings
    double m_usedAxisBins = 0;     // of the chosen setting
    QStringList m_notKept;         // lines about options that the last scan had, and why this one doesn't have them
    SettingEdits m_edits;
    engine::Resources m_lastShared; // before the next edit

    CarriedOver* m_carried;
    SettingListView* m_settings;
    SettingHeading* m_heading; // heading of the chosen setting's options
    OptionRows* m_rows;
    FoldOut* m_preparation;
    FoldOut* m_shared; // options shared by all settings
    QWidget* m_underAxis;
    GeometryPanel* m_geometry;
};

} // namespace ui
