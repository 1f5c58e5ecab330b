// All figures of all settings in a table that is sorted by a click and copied as text.
#pragma once

#include "ui/numbers/late_figures.h"
#include "ui/numbers/numbers_table.h"

#include <QWidget>

class QLabel;
class QTableView;

namespace ui
{

class NumbersModel;
class NumbersOrder;

class NumbersPanel : public QWidget
{
    Q_OBJECT
  public:
    explicit NumbersPanel(QWidget* parent = nullptr);

    void show(const Comparison& comparison, const TriedSettings& tried);
    void clear();

    NumbersTable table() const; // its rows as they stand

  signals:
    void chosen(int id); // by the user

  protected:
    void showEvent(QShowEvent* event) override;
    void changeEvent(QEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    QWidget* header();
    void fill();
    void wantNoise();
    void copy(QString (*write)(const NumbersTable&));

    Comparison m_shown;
    TriedSettings m_tried;
    LateFigures<engine::AreaStatistics> m_noise;
    NumbersModel* m_model;
    NumbersOrder* m_order;
    QTableView* m_view;
    QLabel* m_against;
    bool m_isFilling = false; // whatever is chosen meanwhile wasn't by the user
};

} // namespace ui
