// How the scan is read: its angles, the files beside it, its pixel, and of numbers without a header their shape.
#pragma once

#include "engine/io/open/open_scan.h"

#include <QString>
#include <QWidget>

#include <functional>
#include <memory>

class QLabel;
class QLineEdit;
class QPushButton;

namespace ui
{

class AnglesField;
class LengthBox;
class MeasureBox;
class PathField;
class RawField;

// Hidden until it is asked for. What is said is asked for at once; where the scan can't be opened so, it is held, the
// reason stands below, and more may be said.
class ReadingPanel : public QWidget
{
    Q_OBJECT
  public:
    explicit ReadingPanel(QWidget* parent = nullptr);

    void show(std::shared_ptr<const engine::Scan> scan, const engine::OpenOptions& openedWith); // no signal
    // Of what couldn't be opened so, until enough is said; it need not be the scan that is open.
    void ask(const QString& path, const engine::OpenOptions& openedWith);
    // Of a file that nothing is known of but its size.
    void askForShape(const QString& path, const engine::OpenOptions& openedWith);
    void askForAngles();                      // shows the field for a file of them
    void showProblem(const QString& message); // of what was wanted last
  signals:
    void wanted(const QString& path, const engine::OpenOptions& options);
    void dataSetsWanted(const QString& path, const engine::OpenOptions& options); // of an HDF5 file
    void foundWanted();                                                           // what was found of the scan
    void appeared(bool there);                                                    // or went

  protected:
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;

  private:
    using Ranges = std::function<std::vector<engine::RowRange>&(engine::OpenOptions&)>;

    QWidget* makeFiles();
    void makeSlices();
    void makeButtons();
    QWidget* makeRaw();
    void makeReduction();
    // A field for numbers and ranges of projections.
    QLineEdit* rangesField(const QString& id, const QString& name, const QString& none, const Ranges& ranges);
    void layOut();
    void connectFiles();
    void connectNumbers();
    void showFields();
    void showFrames(const engine::Scan* scan); // nullptr: not open
    void showSlices(const engine::Scan* scan);
    void showOutputPixel(std::optional<double> bins, double binMm); // 0: not known
    void want(const std::function<void(engine::OpenOptions&)>& say);

    QString m_path;                     // of what is read
    engine::OpenOptions m_held, m_said; // as it was opened, and with what is said since
    std::shared_ptr<const engine::Scan> m_scan;
    AnglesField* m_angles;
    PathField *m_geometry, *m_darks, *m_flats, *m_shifts;
    LengthBox *m_pixel, *m_outputPixel; // of the detector as recorded; of the slices
    bool m_isOutputInUm = false;        // else in bins
    MeasureBox *m_size, *m_rotation, *m_bin, *m_every;
    QLineEdit *m_leaveOut, *m_darkFrames, *m_flatFrames;
    QLabel *m_darkFramesName, *m_flatFramesName, *m_sizeName, *m_pixelName, *m_outputPixelName, *m_shiftsName;
    RawField* m_raw;
    QWidget* m_rawGroup;
    QLabel *m_rawName, *m_name, *m_problem;
    QPushButton *m_back, *m_dataSets, *m_found, *m_transpose;
};

} // namespace ui
