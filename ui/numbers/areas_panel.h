// SPDX-License-Identifier: GPL-3.0-or-later
// Table of all areas: their figures for the chosen setting, and their names and shapes, which can be edited.
#pragma once

#include "ui/image/shapes.h"
#include "ui/numbers/areas_table.h"
#include "ui/numbers/late_figures.h"
#include "ui/numbers/numbers_page.h"

class QToolButton;

namespace ui
{

class ChoiceCombo;

class AreasPanel : public TablePage
{
    Q_OBJECT
  public:
    explicit AreasPanel(QWidget* parent = nullptr);
    // The chosen area doesn't matter to other statistics.
    void setLocal();

    void show(const Comparison& comparison, const engine::Marks& marks);
    void showMarks(const engine::Marks& marks);
    void clear();

  signals: // actions of the user
    void marksEdited(const engine::Marks& marks);
    void toolWanted(ui::Tool tool);

  private:
    QWidget* header();
    void fill() override;
    void fillBackgrounds();
    void want() override;
    void edit(const std::function<void(engine::Marks&)>& change);
    void rename(int id, const QString& name);
    void reshape(int id, const QString& text);
    void refuse(const QString& why);
    void duplicate();
    const engine::Mark* background() const; // area that contrasts refer to; null if there is only one area
    FigureOf figureOf(const engine::Mark& area) const;
    int sliceSize() const;

    engine::Marks m_marks;
    int m_backgroundId = 0; // chosen by the user; if it is gone, the first area is used
    bool m_isLocal = false;
    QString m_error; // why the typed text is no area
    LateFigures<engine::AreaFigures> m_figures;
    QLabel *m_line, *m_help;
    ChoiceCombo* m_background;
    QToolButton *m_add, *m_duplicate, *m_remove;
};

} // namespace ui
