// SPDX-License-Identifier: GPL-3.0-or-later
// Table model of the areas: they are shown or hidden, named and reshaped by editing their cells.
#pragma once

#include "ui/numbers/numbers_model.h"

namespace ui
{

class AreasModel : public NumbersModel
{
    Q_OBJECT
  public:
    enum Column { name, shape };

    explicit AreasModel(QObject* parent = nullptr) : NumbersModel(parent, 2) {}

    Qt::ItemFlags flags(const QModelIndex& index) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    bool setData(const QModelIndex& index, const QVariant& value, int role) override;

  signals: // edits by the user; the model itself changes nothing
    void drawn(int id, bool visible);
    void named(int id, const QString& name);
    void typed(int id, const QString& shape);
};

} // namespace ui
