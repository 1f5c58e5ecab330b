// Asks where a volume goes and how its values are stored.
#pragma once

#include "engine/io/slices/slice_writer.h"
#include "engine/volume/volume_needs.h"
#include "ui/background/background_task.h"

#include <QDialog>
#include <QTimer>

#include <optional>
#include <string>
#include <vector>

class QComboBox;
class QDialogButtonBox;
class QLabel;
class QLineEdit;
class QPushButton;
class QSettings;
class QSpinBox;
class QVBoxLayout;

namespace ui
{

// What the user chose last, wherever the volume went.
struct VolumeChoice {
    engine::OutputKind kind = engine::OutputKind::hdf5; // or a folder
    engine::OutputChoice stored;

    void save(QSettings& settings) const;
    static VolumeChoice restored(const QSettings& settings); // what is not there, or is no choice, is as by default
};

class SaveVolumeDialog : public QDialog
{
    Q_OBJECT
  public:
    struct Subject {
        QString name; // suggested, without suffix
        int slices = 0, height = 0, width = 0;
        QString unit;
        engine::Request request = {};   // whose needs are said; none without a scan
        engine::VolumeRates rates = {}; // of the last image
    };
    SaveVolumeDialog(const Subject& subject, const QString& folder, const VolumeChoice& choice, QWidget* parent);

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
    QWidget* makeRange(const VolumeChoice& choice);
    QWidget* makeCompression(int level);
    QString named(const QString& name) const; // with the suffix that its kind wants
    QString path() const;
    bool whole() const; // numbers of a range are chosen
    void renamed();
    void check();     // what can be chosen, and what will come of it
    bool showNeeds(); // of disk, memory and time; whether it is possible
    void measure();   // the disks, in the background
    QString measuredKey() const;
    QString timeText(const engine::VolumeNeeds& needs) const;
    void makeEnqueue();
    void offer(const std::vector<engine::Fit>& fits); // where memory or disk don't suffice
    void take(const engine::Fit& fit);

    Subject m_subject;
    bool m_overwrite = false;
    QLineEdit *m_name, *m_folder, *m_least, *m_most;
    QComboBox *m_kind, *m_type, *m_compression;
    QSpinBox* m_level;
    QLabel* m_facts;
    QLabel* m_needs;
    QVBoxLayout* m_fits;
    std::vector<std::string> m_offered;
    std::optional<engine::Fit> m_wantedFit;
    QDialogButtonBox* m_buttons;
    QPushButton* m_enqueue = nullptr;
    QTimer m_measureSoon;
    QString m_measured; // the folder and kind that the rates are of
    bool m_isForQueue = false, m_isPart = false;
    BackgroundTask m_measuring; // last: goes first
};

} // namespace ui
