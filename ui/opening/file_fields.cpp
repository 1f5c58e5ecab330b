#include "ui/opening/file_fields.h"

namespace ui
{

FileFields::FileFields()
    : m_geometry(new PathField("geometryFile", tr("File of the geometry: RTK, Nikon, JSON or projection matrices"),
                               PathField::Takes::files)),
      m_darks(new PathField("darks", tr("Dark fields"), PathField::Takes::filesAndFolders)),
      m_flats(new PathField("flats", tr("Flat fields"), PathField::Takes::filesAndFolders)),
      m_shifts(new PathField("shiftsFile",
                             tr("File of shifts: how far each projection is off, in bins, and in rows in a second "
                                "column; towards higher bins and rows"),
                             PathField::Takes::files)),
      m_geometryLabel(labelled(tr("Geometry"), m_geometry).label), m_darksLabel(labelled(tr("Darks"), m_darks).label),
      m_flatsLabel(labelled(tr("Flats"), m_flats).label), m_shiftsLabel(labelled(tr("Shifts"), m_shifts).label)
{
    connect(m_geometry, &PathField::changed, this, [this] {
        emit changed([this](engine::OpenOptions& said) {
            said.geometryFile = m_geometry->path();
            said.beam.reset(); // as the file says
            const auto pixel = said.cone.pixelUMm;
            said.cone = {}; // of the geometry before
            said.cone.pixelUMm = pixel;
        });
    });
    connect(m_darks, &PathField::changed, this,
            [this] { emit changed([this](engine::OpenOptions& said) { said.darks = m_darks->path(); }); });
    connect(m_flats, &PathField::changed, this,
            [this] { emit changed([this](engine::OpenOptions& said) { said.flats = m_flats->path(); }); });
    connect(m_shifts, &PathField::changed, this,
            [this] { emit changed([this](engine::OpenOptions& said) { said.shiftsFile = m_shifts->path(); }); });
}

void FileFields::setFolder(const QString& folder)
{
    for (PathField* field : {m_geometry, m_darks, m_flats, m_shifts})
        field->setFolder(folder);
}

void FileFields::show(const engine::OpenOptions& said, const engine::Scan* scan)
{
    const auto fieldsOf = [&](int frames) {
        return frames > 0 ? tr("as the scan has them: %1").arg(frames) : tr("none known");
    };
    m_geometry->show(said.geometryFile,
                     scan && !scan->geometryFile.empty()
                         ? QString::fromStdString(scan->geometryFile.filename().string()) + tr(", beside the scan")
                         : tr("as the scan says"));
    m_darks->show(said.darks, fieldsOf(scan ? scan->darkFrames : 0));
    m_flats->show(said.flats, fieldsOf(scan ? scan->flatFrames : 0));
    m_shifts->show(said.shiftsFile, tr("none"));
}

} // namespace ui
