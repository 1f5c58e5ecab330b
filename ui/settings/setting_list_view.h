// SPDX-License-Identifier: GPL-3.0-or-later
// The list of what is compared: each setting with its colour, its speed and what it differs in; and what all are
// measured against.
#pragma once

#include "ui/background/comparison.h"
#include "ui/settings/choice_combo.h"
#include "ui/widgets/measurements.h"

#include <QWidget>

#include <functional>

class QListWidget;
class QListWidgetItem;
class QToolButton;

namespace ui
{

using SpeedOf = std::function<Spread(const Compared&)>; // GU/s of back-projection

class SettingListView : public QWidget
{
    Q_OBJECT
  public:
    explicit SettingListView(QWidget* parent = nullptr);

    const SettingList& list() const { return m_list; }
    void setList(const SettingList& list);                                 // no signal
    void setScan(const engine::Scan* scan);                                // whether it has a phantom; no signal
    void showSpeeds(const Comparison& comparison, const SpeedOf& speedOf); // the medians of their runs
    void setSteps(bool back, bool forward);                                // whether there is one
    void addCopy(); // of the chosen one, as the user does; likewise:
    void removeChosen();

  signals:
    void edited(const ui::SettingList& list); // by the user
    void presetChosen(int index);             // of presets()
    void backRequested();
    void forwardRequested();

  protected:
    void changeEvent(QEvent* event) override;

  private:
    QToolButton* makePresets();
    void fill();
    void fillReferences();
    void edit(const std::function<void(SettingList&)>& change);
    void takeOver(QListWidgetItem* item);
    void takeReference();
    void askForFile(bool folder);

    SettingList m_list;
    std::vector<QString> m_speeds;    // as the list's settings; empty: not known
    std::vector<QString> m_speedTips; // of how many runs they are
    const engine::Scan* m_scan = nullptr;
    QListWidget* m_rows;
    ChoiceCombo* m_reference;
    QToolButton *m_remove, *m_up, *m_down, *m_back, *m_forward;
};

} // namespace ui
