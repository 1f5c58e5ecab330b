// SPDX-License-Identifier: GPL-3.0-or-later
// All areas that are drawn, in a table: their figures of the chosen setting, and their names and shapes to type.
#pragma once

#include "ui/image/shapes.h"
#include "ui/numbers/areas_table.h"
#include "ui/numbers/late_figures.h"

#include <QWidget>

class QLabel;
class QToolButton;

namespace ui
{

class ChoiceCombo;
class NumbersView;

class AreasPanel : public QWidget
{
    Q_OBJECT
  public:
    explicit AreasPanel(QWidget* parent = nullptr);

    void show(const Comparison& comparison, const engine::Marks& marks);
    void showMarks(const engine::Marks& marks);
    void clear();

    NumbersTable table() const; // its rows as they stand

  signals: // by the user
    void marksEdited(const engine::Marks& marks);
    void toolWanted(ui::Tool tool);

  protected:
    void showEvent(QShowEvent* event) override;
    void changeEvent(QEvent* event) override;

  private:
    QWidget* header();
    void fill();
    void fillBackgrounds();
    void want();
    void edit(const std::function<void(engine::Marks&)>& change);
    void rename(int id, const QString& name);
    void reshape(int id, const QString& text);
    void refuse(const QString& why);
    void duplicate();
    const engine::Mark* background() const; // what contrasts are to: null where there is one area
    FigureOf figureOf(const engine::Mark& area) const;
    int sliceSize() const;

    Comparison m_shown;
    engine::Marks m_marks;
    int m_backgroundId = 0; // as the user chose; the first one where it is gone
    QString m_error;        // why what was typed is no area
    LateFigures<engine::AreaFigures> m_figures;
    NumbersView* m_view;
    QLabel *m_line, *m_help;
    ChoiceCombo* m_background;
    QToolButton *m_add, *m_duplicate, *m_remove;
};

} // namespace ui
