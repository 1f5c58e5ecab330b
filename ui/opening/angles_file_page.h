// SPDX-License-Identifier: GPL-3.0-or-later
// A page to choose a file of angles: its column, lines and unit; shows what the file contains.
#pragma once

#include "engine/io/open/open_scan.h"
#include "ui/settings/choice_combo.h"

#include <QWidget>

class QGridLayout;
class QLabel;
class QPushButton;
class QSpinBox;

namespace ui
{

class PathField;

class AnglesFilePage : public QWidget
{
    Q_OBJECT
  public:
    AnglesFilePage();

    // projections: of the scan; 0: not known. isChosen: whether to read the file and show what it contains. Emits no
    // signal.
    void show(const engine::OpenOptions& options, int projections, bool isChosen);
    bool hasFile() const;
    void setFolder(const QString& folder);
    void focusFile();
    void applyTo(engine::OpenOptions& options) const;

  signals:
    void changed(); // by the user; only when a file is chosen

  private:
    void makeFields();
    void arrange();
    void connectFields();
    void look();
    void take();
    void offer(QPushButton* button, std::pair<int, int> lines);
    void useLines(std::pair<int, int> lines);

    int m_projections = 0;
    PathField* m_file;
    QSpinBox *m_column, *m_skip, *m_fromLine, *m_toLine;
    ChoiceCombo* m_unit;
    QLabel* m_found;
    QPushButton *m_useFirst, *m_useLast;
};

QGridLayout* anglesPageLayout(QWidget* page); // shared by the pages of AnglesField

} // namespace ui
