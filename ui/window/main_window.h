// SPDX-License-Identifier: GPL-3.0-or-later
// The window: settings on the left, images over profiles in the middle, speed on the right.
#pragma once

#include "engine/scan/cone_options.h"
#include "engine/simulate/phantom.h"
#include "ui/background/comparison.h"
#include "ui/background/persistent_state.h"
#include "ui/report/command_line.h"

#include <QMainWindow>

#include <memory>

namespace engine
{
struct VolumeOutput;
}

namespace ui
{

class ImagePanel;
class SettingsPanel;
class ThemeFollower;
class VolumeQueue;

class MainWindow : public QMainWindow
{
    Q_OBJECT
  public:
    // state: outlives the window. theme: may be null (tests).
    explicit MainWindow(PersistentState& state, ThemeFollower* theme = nullptr, QWidget* parent = nullptr);
    ~MainWindow() override;

    void begin(const StartOptions& options); // opens the requested scan or sample

    void open(const QString& path, bool asSinogram = false); // in the background
    void openWithArc(double degrees); // reopens the scan with angles evenly spread over an arc that excludes its end
    void openWithQuantity(engine::Quantity quantity); // reopens the scan with its values interpreted as this quantity
    // Shows the same recorded rows with another geometry. Settings, marks and the position in the volume stay.
    void takeAsCone(const engine::ConeOptions& options);
    void takeAsParallel();
    void openSession(const QString& path); // opens its scan and restores its comparison
    void openSample(const QString& id);    // an id of samples()
    void runAgainWhenIdle();               // from now on, measures the settings again when idle (speed/speed_meter.h)
    void openSimulation(const engine::Simulation& simulation, const QString& label);
    void setSlice(int slice);
    void computeAgain();
    void cancel();
    void endFromOutside();   // closes the window; the next start offers to restore the comparison
    void keepForNextStart(); // only stores it, when the desktop session ends

    // Save without asking, in the background if it takes time. An existing file is replaced, a volume only if
    // `output` allows it.
    void saveImage(const QString& path);      // image A; .tif: 32-bit values, .png: as on screen
    void saveDifference(const QString& path); // A − B, same formats
    void saveProfile(const QString& path);    // .csv, .pdf, .png
    void saveVolume(const engine::VolumeOutput& output);

    void saveSession(const QString& path);
    void saveRecipe(const QString& path); // of the chosen setting
    void openRecipe(const QString& path); // adds it as a setting; reopens the scan if the recipe requires it
    void showQueue();
    void showFound(); // shows the dialog "Scan contents"
    VolumeQueue& queue();
    void saveReport(const QString& path); // .pdf, .html or .json

    int slice() const;
    bool busy() const; // opening a scan or reconstructing
    const Comparison& shown() const;
    QString message() const; // in the message bar; empty if there is none
    const std::shared_ptr<const engine::Scan>& scan() const;
    SettingsPanel& settings();
    ImagePanel& images();

  signals:
    void settled();                      // all results are shown
    void failed(const QString& message); // also shown in the message bar
    void saved(const QString& path);

  protected:
    void closeEvent(QCloseEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;

  private:
    struct Impl;
    std::unique_ptr<Impl> m_impl;
};

} // namespace ui
