// SPDX-License-Identifier: GPL-3.0-or-later
// The choice of the reference that all settings are compared with: the exact method, a phantom, a setting, or an image
// from a file.
#pragma once

#include "ui/background/comparison.h"
#include "ui/settings/choice_combo.h"

namespace ui
{

class ReferenceCombo : public ChoiceCombo
{
    Q_OBJECT
  public:
    explicit ReferenceCombo(QWidget* parent = nullptr);

    // Shows the choices for the list, with its reference selected; emits no signal. scan: may be null; only used until
    // the next call.
    void showChoices(const SettingList& list, const engine::Scan* scan);

  signals:
    void chosen(const ui::ReferenceChoice& reference); // by the user

  protected:
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override; // a file that is dropped becomes the reference

  private:
    void takeEntry();
    void askForFile(bool folder);
    void takeFile(const QString& path);

    SettingList m_list;
    const engine::Scan* m_scan = nullptr;
};

} // namespace ui
