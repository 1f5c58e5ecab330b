// Fields for the files beside a scan: geometry, dark and flat fields, shifts.
#pragma once

#include "engine/io/open/open_scan.h"
#include "ui/opening/labelled_field.h"
#include "ui/opening/path_field.h"

#include <QObject>

#include <functional>

namespace ui
{

using OpenChange = std::function<void(engine::OpenOptions&)>; // of what a scan is opened with

// The widgets belong to the layout that they are put into.
class FileFields : public QObject
{
    Q_OBJECT
  public:
    FileFields();

    LabelledField geometry() const { return {m_geometryLabel, m_geometry}; }
    LabelledField darks() const { return {m_darksLabel, m_darks}; }
    LabelledField flats() const { return {m_flatsLabel, m_flats}; }
    LabelledField shifts() const { return {m_shiftsLabel, m_shifts}; }

    void setFolder(const QString& folder); // where their dialogs begin
    // scan: nullptr where it isn't open. No signal.
    void show(const engine::OpenOptions& said, const engine::Scan* scan);

  signals:
    void changed(const OpenChange& change); // by the user

  private:
    PathField *m_geometry, *m_darks, *m_flats, *m_shifts;
    QLabel *m_geometryLabel, *m_darksLabel, *m_flatsLabel, *m_shiftsLabel;
};

} // namespace ui
