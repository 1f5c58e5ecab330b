// SPDX-License-Identifier: GPL-3.0-or-later
// The rows of the panel for reading that the engine's table of openings asks for: files beside the scan, which
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

    // The row of an id of the table. Throws std::out_of_range for one that has none.
    LabelledField row(const char* id);
    // Those that haven't been asked for by row(), below what there is.
    void addOthers(QGridLayout* grid);

    void setFolder(const QString& folder); // where the dialogs of files begin
    // scan: nullptr where it isn't open. No signal.
    void show(const engine::OpenOptions& said, const engine::Scan* scan);

  signals:
    void changed(const OpenChange& change); // as a row's

  private:
    struct Placed {
        std::unique_ptr<OpenRow> row;
        bool hasPlace = false;
    };
    std::vector<Placed> m_rows;
};

} // namespace ui
