// SPDX-License-Identifier: GPL-3.0-or-later
// The rows of the reading panel for fields of the engine's table openFields(): files beside the scan, which
// projections and pixels are read, and which projections are dark or flat fields.
#pragma once

#include "ui/opening/open_row.h"

#include <QObject>

#include <memory>
#include <vector>

namespace ui
{

class OpenRows : public QObject
{
    Q_OBJECT
  public:
    OpenRows();

    // Returns the row of a field by its id. Throws std::out_of_range if no row has this id.
    LabelledField row(const char* id);
    // Adds the rows that were not requested by row() below the rows of the grid.
    void addOthers(QGridLayout* grid);

    void setFolder(const QString& folder); // where the file dialogs start
    // scan: nullptr if it isn't open. Emits no signal.
    void show(const engine::OpenOptions& said, const engine::Scan* scan);

  signals:
    void changed(const OpenChange& change); // as OpenRow::changed

  private:
    struct Placed {
        std::unique_ptr<OpenRow> row;
        bool hasPlace = false;
    };
    std::vector<Placed> m_rows;
};

} // namespace ui
