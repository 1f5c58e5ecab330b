// SPDX-License-Identifier: GPL-3.0-or-later
// The dialog "Scan contents": what was found of the scan and what is missing, buttons that lead to where it can be
// corrected, and thumbnails.
#pragma once

#include "engine/reconstruct/thumbnails.h"
#include "engine/scan/scan_facts.h"
#include "ui/background/background_task.h"

#include <QDialog>

#include <memory>
#include <vector>

class QGridLayout;
class QLabel;
class QToolButton;

namespace ui
{

// A non-modal dialog. It reads its pictures in the background, one after the other, once the first slice is shown and
// only while the dialog is visible.
class FoundDialog : public QDialog
{
    Q_OBJECT
  public:
    explicit FoundDialog(QWidget* parent = nullptr);
    ~FoundDialog() override; // cancels the reading thread and waits for it

    void setScan(const std::shared_ptr<const engine::Scan>& scan); // cancels the reading of the previous scan
    void hold(); // stops reading until release(), so that the reconstruction of a slice comes first
    void release();
    bool isReading() const { return m_reading.busy(); }

  signals:
    void projectionWanted(int projection);
    void sinogramWanted(int row);
    void correctionWanted(const QString& option); // name of a command line option, without dashes
    void settled();                               // all pictures were read

  protected:
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;

  private:
    struct Made; // pictures read so far, shared with the reading thread
    void showFacts();
    void makeButtons();
    void read();
    void showPictures();
    QString nameOf(const engine::Thumbnail& thumbnail) const;
    QString accessibleNameOf(const engine::Thumbnail& thumbnail) const;
    static QString toolTipOf(const engine::Thumbnail& thumbnail);
    void choose(const engine::Thumbnail& thumbnail);

    std::shared_ptr<const engine::Scan> m_scan;
    std::vector<engine::Thumbnail> m_thumbnails;
    std::vector<QToolButton*> m_buttons;
    std::shared_ptr<Made> m_made;
    QGridLayout *m_facts, *m_grid;
    QLabel* m_instead;
    bool m_held = true, m_done = false;
    BackgroundTask m_reading; // declared last: destroyed first
};

} // namespace ui
