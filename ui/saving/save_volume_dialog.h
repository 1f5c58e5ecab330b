// SPDX-License-Identifier: GPL-3.0-or-later
// Asks where a volume goes and how its values are stored.
#pragma once

#include "engine/io/slices/slice_writer.h"
#include "engine/volume/volume_needs.h"

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

// What the user chose last, wherever the volume went.
struct VolumeChoice {
    engine::OutputKind kind = engine::OutputKind::hdf5; // or a folder
    engine::OutputChoice stored;

    void save(QSettings& settings) const;
    static VolumeChoice restored(const QSettings& settings); // what is not there, or is no choice, is as by default
};

// What is saved.
struct VolumeSubject {
    QString name; // suggested, without suffix
    int slices = 0, height = 0, width = 0;
    QString unit;
    engine::Request request = {};   // whose needs are said; none without a scan
    engine::VolumeRates rates = {}; // of the last image
};

class SaveVolumeDialog : public QDialog
{
    Q_OBJECT
  public:
    using Subject = VolumeSubject;

    SaveVolumeDialog(const Subject& subject, const QString& folder, const VolumeChoice& choice, QWidget* parent);
    ~SaveVolumeDialog() override;

    VolumeChoice choice() const;                     // throws engine::Error where the range is none
    engine::VolumeOutput output() const;             // likewise; without a name
    QString folder() const;                          // that the user chose, for the next one
    bool isForQueue() const { return m_isForQueue; } // it is to wait for its turn

    // Of the scan read otherwise, which is to be opened again before anything is saved.
    const std::optional<engine::Fit>& wantedFit() const { return m_wantedFit; }
    const engine::Place& place() const { return m_subject.request.place; } // what of it is saved

    void accept() override; // asks before a file is replaced

  private:
    QWidget* makeFolder(const QString& folder);
    void layOut(const QString& folder);
    void connectParts();
    QString named(const QString& name) const; // with the suffix that its kind wants
    QString path() const;
    void renamed();
    void check();     // what can be chosen, and what will come of it
    bool showNeeds(); // of disk, memory and time; whether it is possible
    void measure();   // the disks, in the background
    QString measuredKey() const;
    QString timeText(const engine::VolumeNeeds& needs) const;
    void makeEnqueue();
    void take(const engine::Fit& fit);

    Subject m_subject;
    bool m_overwrite = false;
    QLineEdit *m_name, *m_folder;
    QComboBox* m_kind;
    std::unique_ptr<VolumeFormatFields> m_format;
    QLabel* m_facts;
    QLabel* m_needs;
    std::unique_ptr<FitButtons> m_fits;
    std::optional<engine::Fit> m_wantedFit;
    QDialogButtonBox* m_buttons;
    QPushButton* m_enqueue = nullptr;
    bool m_isForQueue = false, m_isPart = false;
    std::unique_ptr<DiskMeasurement> m_disks; // last: goes first
};

} // namespace ui
