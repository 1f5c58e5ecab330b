// SPDX-License-Identifier: GPL-3.0-or-later
// The panels of the window, in two groups. They are children of the window, which deletes them.
#pragma once

class QTabWidget;

namespace ui
{

class AxisPanel;
class ImagePanel;
class NumberTabs;
class PlanesPanel;
class ProfilePanel;
class ReadingPanel;
class RecordedPanel;
class ScanBar;
class SettingsPanel;
class SliceBar;
class SpeedPanel;
class TrialStrip;
class VolumePanel;

// Panels that control how the scan is read and reconstructed.
struct InputPanels {
    ScanBar* scanBar;
    ReadingPanel* reading;
    SettingsPanel* settings;
    AxisPanel* axis;
    TrialStrip* trials;
};

// Panels that show what was recorded and reconstructed.
struct ResultPanels {
    ImagePanel* images;
    RecordedPanel* recorded;
    SliceBar* sliceBar;
    ProfilePanel* profile;
    NumberTabs* numbers;
    PlanesPanel* planes;
    VolumePanel* volume;
    SpeedPanel* speed;
    QTabWidget* pages = nullptr; // slices, volume, planes
};

} // namespace ui
