// SPDX-License-Identifier: GPL-3.0-or-later
// A dialog to choose which data sets of an HDF5 file are the projections, angles, flats and darks of a scan. It lists
// all data sets with shape, picture and role.
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
    // chosen: the initial choice; replaced by the guess of the list if its data sets aren't in the file.
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
    void take(const engine::DataSetFound& set); // chooses it for the first role that its shape fits
    const engine::DataSetFound* found(const std::string& path) const;
    QString misfitOf(const engine::DataSets& sets) const; // empty: all fit
    int frameAxis() const;

    QString m_path;
    engine::DataSetList m_list;
    QTreeWidget* m_tree;
    std::vector<QTreeWidgetItem*> m_items; // one per entry of m_list.found
    QLabel *m_picture, *m_caption, *m_problem;
    std::vector<QComboBox*> m_roles; // one per entry of dataSetRoles(); the last is for the axes
    QPushButton* m_open;
    BackgroundTask m_looking; // declared last: destroyed first
};

} // namespace ui
