// SPDX-License-Identifier: GPL-3.0-or-later
// Which data sets of an HDF5 file are a scan's: all of them with their shapes and a look at each, and what each is
// taken as.
#pragma once

#include "engine/io/formats/hdf5_data_sets.h"
#include "ui/background/background_task.h"

#include <QDialog>

#include <vector>

class QComboBox;
class QLabel;
class QPushButton;
class QTreeWidget;
class QTreeWidgetItem;

namespace ui
{

class DataSetsDialog : public QDialog
{
    Q_OBJECT
  public:
    // chosen: to begin with; what is guessed where it isn't in the file.
    DataSetsDialog(const QString& path, engine::DataSetList list, const engine::DataSets& chosen,
                   QWidget* parent = nullptr);

    engine::DataSets chosen() const;

  private:
    QWidget* makeTree();
    QWidget* makePicture();
    QWidget* makeRoles();
    void offerAxes();
    void show(const engine::DataSets& sets);
    void roleChanged();
    void look(const engine::DataSetFound& set);
    void take(const engine::DataSetFound& set); // as what its shape fits
    const engine::DataSetFound* found(const std::string& path) const;
    QString misfitOf(const engine::DataSets& sets) const; // empty: all fit
    int frameAxis() const;

    QString m_path;
    engine::DataSetList m_list;
    QTreeWidget* m_tree;
    std::vector<QTreeWidgetItem*> m_items; // of m_list.found
    QLabel *m_picture, *m_caption, *m_problem;
    std::vector<QComboBox*> m_roles; // of the table of roles; the axes last
    QPushButton* m_open;
    BackgroundTask m_looking; // last, so that it goes first
};

} // namespace ui
