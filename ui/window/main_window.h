// SPDX-License-Identifier: GPL-3.0-or-later
// The window: settings on the left, images over profiles in the middle, speed on the right.
#pragma once

#include "engine/scan/cone_options.h"
#include "engine/scan/phantom.h"
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
    // session: outlives the window. theme: may be null (tests).
    explicit MainWindow(PersistentState& state, ThemeFollower* theme = nullptr, QWidget* parent = nullptr);
    ~MainWindow() override;

    void begin(const StartOptions& options); // opens the scan or the sample that was asked for

    void open(const QString& path, bool asSinogram = false); // in the background
    void openWithArc(double degrees); // the scan again, its angles evenly spread over an arc, end excluded
    void openWithQuantity(engine::Quantity quantity); // the scan again, its numbers taken as said
    // The same recorded rows, their rays as said: settings, marks and the place in the volume stay.
    void takeAsCone(const engine::ConeOptions& options);
    void takeAsParallel();
    void openSession(const QString& path); // its scan, and what is compared
    void openSample(const QString& id);    // of samples()
    void runAgainWhenIdle();               // from now on, for the speeds of the settings (speed/speed_meter.h)
    void openSimulation(const engine::Simulation& simulation, const QString& label);
    void setSlice(int slice);
    void computeAgain();
    void cancel();
    void endFromOutside();   // closes; what is compared is offered by the next start
    void keepForNextStart(); // that alone, where the session of the desktop ends

    // Without asking; an existing file is replaced, a volume only where it says so. In the background where it takes
    // time.
    void saveImage(const QString& path);      // A: .tif 32-bit values, .png as on screen
    void saveDifference(const QString& path); // A − B: the same
    void saveProfile(const QString& path);    // .csv, .pdf, .png
    void saveVolume(const engine::VolumeOutput& output);

    void saveSession(const QString& path);
    void saveRecipe(const QString& path); // of the chosen setting
    void openRecipe(const QString& path); // as another setting; the scan is read again where the recipe says how
    void showQueue();
    void showFound(); // what of the scan was found, and its pictures
    VolumeQueue& queue();
    void saveReport(const QString& path); // .pdf, .html or .json

    int slice() const;
    bool busy() const; // opening or reconstructing
    const Comparison& shown() const;
    QString message() const; // of the message bar; empty when there is none
    const std::shared_ptr<const engine::Scan>& scan() const;
    SettingsPanel& settings();
    ImagePanel& images();

  signals:
    void settled();                      // everything that was asked for is shown
    void failed(const QString& message); // and it is shown in the message bar
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
