// SPDX-License-Identifier: GPL-3.0-or-later
// The table of areas for a view: each is shown or hidden, named and typed in its cells.
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

  signals: // by the user; nothing is changed here
    void drawn(int id, bool visible);
    void named(int id, const QString& name);
    void typed(int id, const QString& shape);
};

} // namespace ui
