// What the panel of volumes is made of, for its own files.
#pragma once

#include "ui/volume/volume_panel.h"

#include "ui/image/colour_map.h"
#include "ui/volume/value_range.h"
#include "ui/volume/volume_scene.h"
#include "ui/volume/vtk_widget.h"

#include <QCheckBox>
#include <QComboBox>
#include <QEvent>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QMouseEvent>
#include <QPushButton>
#include <QScrollArea>
#include <QSignalBlocker>
#include <QSlider>
#include <QStackedLayout>
#include <QVBoxLayout>

#include <array>
#include <memory>
#include <optional>

namespace ui
{

inline constexpr int sliderSteps = 1000;

// Members belong to the panel through Qt's parents; the scene goes before the widget it draws in.
struct VolumePanel::Impl : QObject {
    explicit Impl(VolumePanel* panel);
    ~Impl() override;

    void makeEmptyPage();
    void makeViewPage();
    void makeSlices(QFormLayout* form);
    QSlider* makeSlider(const QString& name);
    QWidget* makeReconstructRow(QWidget* parent, QComboBox*& choice);

    bool probe(); // whether OpenGL is there; asks once
    void fail(const QString& reason);
    void makeScene(); // when there is something to show, and the panel is on screen
    void showVolume();
    void takeRange();                                       // of the values, for another scan or filter
    void placeSlices(const engine::Reconstruction* before); // in the middle, or where they were in `before`
    void updateControls();
    void updateLook();
    void updatePosition(Axis axis, int position);
    bool eventFilter(QObject* watched, QEvent* event) override;

    double valueOf(const QSlider* slider) const;

    VolumePanel* panel;
    QStackedLayout* pages = nullptr;
    QWidget* emptyPage = nullptr;
    QWidget* viewPage = nullptr;
    QLabel* message = nullptr;
    QWidget* reconstruct = nullptr;
    QComboBox *emptyStep = nullptr, *viewStep = nullptr;
    QHBoxLayout* viewLayout = nullptr;
    QLabel *size = nullptr, *note = nullptr;
    QCheckBox *volumeOn = nullptr, *slicesOn = nullptr, *corner = nullptr;
    QSlider *threshold = nullptr, *opacity = nullptr;
    QLabel* thresholdValue = nullptr;
    QComboBox* colours = nullptr;
    std::array<QSlider*, 3> position{};
    std::array<QLabel*, 3> positionValue{};

    VtkWidget* widget = nullptr;
    std::unique_ptr<VolumeScene> scene;
    std::shared_ptr<const engine::Reconstruction> shown;
    ValueRange range;
    bool sceneIsCurrent = false;   // the scene holds `shown`
    std::optional<bool> available; // not asked yet
    QString idleMessage;
    std::optional<Axis> dragged;
    QPoint dragFrom;
    int dragStart = 0;
};

} // namespace ui
