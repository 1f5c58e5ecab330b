// SPDX-License-Identifier: GPL-3.0-or-later
// What was found of the scan and what wasn't, where that can be corrected, and small pictures of its projections.
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

// Beside the window. Its pictures are read in the background, one after the other, once the first slice is there and
// while it is seen.
class FoundDialog : public QDialog
{
    Q_OBJECT
  public:
    explicit FoundDialog(QWidget* parent = nullptr);
    ~FoundDialog() override; // cancels and waits

    void setScan(const std::shared_ptr<const engine::Scan>& scan); // what is being read is of another, and given up
    void hold(); // nothing is read until release(): an image comes first
    void release();
    bool isReading() const { return m_reading.busy(); }

  signals:
    void projectionWanted(int projection);
    void sinogramWanted(int row);
    void correctionWanted(const QString& option); // of the command line, without its dashes
    void settled();                               // all pictures are there

  protected:
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;

  private:
    struct Made; // by the thread that reads
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
    BackgroundTask m_reading; // last: goes first
};

} // namespace ui
