// SPDX-License-Identifier: GPL-3.0-or-later
// How the scan is read: its angles, the files beside it, its pixel, and of numbers without a header their shape.
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

// Hidden until it is asked for. What is said is asked for at once; where the scan can't be opened so, it is held, the
// reason stands below, and more may be said.
class ReadingPanel : public QWidget
{
    Q_OBJECT
  public:
    explicit ReadingPanel(QWidget* parent = nullptr);
    ~ReadingPanel() override;

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
    void describeButtons();
    void layOut();
    QWidget* makeGrid();
    void connectFields();
    void connectButtons();
    void showFields();
    void want(const std::function<void(engine::OpenOptions&)>& change);

    QString m_path;                     // of what is read
    engine::OpenOptions m_held, m_said; // as it was opened, and with what is said since
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
