// SPDX-License-Identifier: GPL-3.0-or-later
// The list of compared settings, each with its colour, speed and differences, and the choice of the reference.
#pragma once

#include "engine/measure/speed_spread.h"
#include "ui/background/comparison.h"
#include "ui/settings/presets.h"
#include "ui/settings/reference_combo.h"

#include <QWidget>

#include <functional>

class QAction;
class QListWidget;
class QListWidgetItem;
class QToolButton;

namespace ui
{

class ReferenceUnit;

using SpeedOf = std::function<engine::Spread(const Compared&)>; // GU/s of the back-projection

class SettingListView : public QWidget
{
    Q_OBJECT
  public:
    explicit SettingListView(QWidget* parent = nullptr);

    const SettingList& list() const { return m_list; }
    void setList(const SettingList& list);  // emits no signal
    void setScan(const engine::Scan* scan); // for the choice of a phantom as reference; emits no signal
    void showSpeeds(const Comparison& comparison, const SpeedOf& speedOf); // shows the medians of the runs
    void offerUnit(const std::string& unit); // in which a reference from a file would fit; empty: none
    void setSteps(const QString& back, const QString& forward); // the actions to undo and to redo; empty: none
    void addCopy(); // copies the chosen setting; emits edited(), as does removeChosen()
    void removeChosen();
    void offerPresets(const std::function<PresetOffer(const Preset&)>& offer);

  signals:
    void edited(const ui::SettingList& list); // by the user
    void presetChosen(int index);             // index in presets()
    void presetsOpened();                     // before their menu is shown
    void backRequested();
    void forwardRequested();

  protected:
    void changeEvent(QEvent* event) override;

  private:
    QToolButton* makePresets();
    void fill();
    void showReference();
    void edit(const std::function<void(SettingList&)>& change);
    void takeOver(QListWidgetItem* item);

    SettingList m_list;
    std::vector<QString> m_speeds;    // one per setting; empty: not known
    std::vector<QString> m_speedTips; // tooltips with the number of runs
    const engine::Scan* m_scan = nullptr;
    std::vector<QAction*> m_presets; // one per preset
    QListWidget* m_rows;
    ReferenceCombo* m_reference;
    ReferenceUnit* m_unit;
    QToolButton *m_remove, *m_up, *m_down, *m_back, *m_forward;
};

} // namespace ui
