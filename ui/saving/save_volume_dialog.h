// SPDX-License-Identifier: GPL-3.0-or-later
// A dialog that asks for the path of a volume and the format of its values.
#pragma once

#include "engine/io/slices/slice_writer.h"
#include "engine/volume/volume_needs.h"
#include "ui/saving/part_fields.h"

#include <QDialog>

#include <memory>
#include <optional>

class QComboBox;
class QDialogButtonBox;
class QLabel;
class QLineEdit;
class QPushButton;
class QSettings;

namespace ui
{

class DiskMeasurement;
class FitButtons;
class VolumeFormatFields;

// The last choice of the user, without the path.
struct VolumeChoice {
    engine::OutputKind kind = engine::OutputKind::hdf5; // or a folder
    engine::OutputChoice stored;

    void save(QSettings& settings) const;
    // Defaults for missing values, or for all if one is invalid.
    static VolumeChoice restored(const QSettings& settings);
};

// The volume to save.
struct VolumeSubject {
    QString name; // suggested file name without suffix
    int slices = 0, height = 0, width = 0;
    QString unit;
    engine::Request request = {};                      // for the requirements; without a scan, none are shown
    engine::VolumeRates rates = {};                    // of the last image
    std::vector<NamedRegion> regions = {};             // that can be saved alone
    std::optional<engine::RowRange> markedSlices = {}; // to be saved alone; all if not set
    QString setting = {};                              // its name, if there are several
};

class SaveVolumeDialog : public QDialog
{
    Q_OBJECT
  public:
    using Subject = VolumeSubject;

    SaveVolumeDialog(const Subject& subject, const QString& folder, const VolumeChoice& choice, QWidget* parent);
    ~SaveVolumeDialog() override;

    VolumeChoice choice() const;                     // throws engine::Error if the range is invalid
    engine::VolumeOutput output() const;             // throws engine::Error if the range is invalid
    QString folder() const;                          // to be suggested next time
    bool isForQueue() const { return m_isForQueue; } // to be added to the queue

    // Set if the user chose to open the scan with other options, so that the volume fits; nothing is to be saved yet.
    const std::optional<engine::Fit>& wantedFit() const { return m_wantedFit; }
    const engine::Place& place() const { return m_subject.request.place; } // the part of the volume to save

    void accept() override; // asks before a file is replaced

  private:
    QWidget* makeFolder(const QString& folder);
    void layOut(const QString& folder);
    void connectParts();
    QString named(const QString& name) const; // with the suffix for the chosen kind
    QString path() const;
    void renamed();
    void check();     // updates the texts and the enabled buttons
    bool showNeeds(); // shows the required disk space, memory and time; returns whether saving is possible
    void measure();   // measures the disks in the background
    QString measuredKey() const;
    QString timeText(const engine::VolumeNeeds& needs) const;
    void makeEnqueue();
    void take(const engine::Fit& fit);
    void takePart(); // of the fields

    Subject m_subject;
    bool m_overwrite = false;
    QLineEdit *m_name, *m_folder;
    QComboBox* m_kind;
    std::unique_ptr<VolumeFormatFields> m_format;
    std::unique_ptr<PartFields> m_part;
    QLabel* m_facts;
    QLabel* m_needs;
    std::unique_ptr<FitButtons> m_fits;
    std::optional<engine::Fit> m_wantedFit;
    QDialogButtonBox* m_buttons;
    QPushButton* m_enqueue = nullptr;
    bool m_isForQueue = false;
    std::unique_ptr<DiskMeasurement> m_disks; // declared last: destroyed first
};

} // namespace ui
