// SPDX-License-Identifier: GPL-3.0-or-later
// The section "Reading" of the side panel, which sets how the scan is opened: its angles, files beside it, pixel size,
// and the layout of raw files.
#pragma once

#include "engine/io/open/open_scan.h"

#include <QString>
#include <QWidget>

#include <functional>
#include <memory>

class QLabel;
class QPushButton;

namespace ui
{

class AnglesField;
class OpenRows;
class PathField;
class RawGroup;
class SliceFields;

// Each edit immediately requests to open the scan again (signal wanted()). If the scan can't be opened with the new
// options, the panel keeps them, shows the reason on top, and the user can continue editing.
class ReadingPanel : public QWidget
{
    Q_OBJECT
  public:
    explicit ReadingPanel(int labelWidth, QWidget* parent = nullptr);
    ~ReadingPanel() override;

    void show(std::shared_ptr<const engine::Scan> scan, const engine::OpenOptions& openedWith); // emits no signal
    // Shows the options for a file that couldn't be opened with them, so that the user can complete them; the file
    // need not be the open scan.
    void ask(const QString& path, const engine::OpenOptions& openedWith);
    // Asks for the layout of a raw file, of which only the size is known.
    void askForShape(const QString& path, const engine::OpenOptions& openedWith);
    void askForAngles(); // shows the field for a file of angles
    void askForPixel();  // shows the field for the size of the detector's pixels
    void comeForward() { emit placeWanted(); }
    void showProblem(const QString& message); // why opening with the last requested options failed
  signals:
    void wanted(const QString& path, const engine::OpenOptions& options);
    void dataSetsWanted(const QString& path, const engine::OpenOptions& options); // for an HDF5 file
    void foundWanted(); // asks to show the dialog "Scan contents"
    void placeWanted(); // asks to unfold the section
    // Title of the section: what differs from the defaults. Empty: nothing is read from a file.
    void titled(const QString& title);

  private:
    void describeButtons();
    void layOut(int labelWidth);
    QWidget* makeGrid(int labelWidth);
    void connectFields();
    void connectButtons();
    void showFields();
    void want(const std::function<void(engine::OpenOptions&)>& change);

    QString m_path; // file that the fields describe
    // Options that the scan was opened with, and the same with the user's changes since then.
    engine::OpenOptions m_held, m_said;
    std::shared_ptr<const engine::Scan> m_scan;
    RawGroup* m_raw;
    AnglesField* m_angles;
    std::unique_ptr<OpenRows> m_rows;
    PathField* m_geometry;
    std::unique_ptr<SliceFields> m_slices;
    QLabel *m_name, *m_problem;
    QPushButton *m_back, *m_dataSets, *m_found, *m_transpose;
};

} // namespace ui
