// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/volume/volume_controls.h"

#include "ui/volume/view_buttons.h"
#include "ui/widgets/fold_out.h"

#include <QCheckBox>
#include <QFormLayout>
#include <QLabel>
#include <QSignalBlocker>
#include <QSlider>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

namespace ui
{

namespace
{

std::array<int, 3> countsOf(const engine::Volume& volume)
{
    return {volume.width, volume.height, volume.slices};
}

} // namespace

VolumeControls::VolumeControls(PictureControls::Draw draw, QWidget* parent) : QWidget(parent)
{
    auto* const column = new QVBoxLayout(this);
    auto* const scene = new QWidget(this);
    auto* const form = new QFormLayout(scene);
    form->setContentsMargins(0, 0, 0, 0);
    form->setVerticalSpacing(4);
    form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
    addView(form);
    addParts(form);
    addLook(form);
    addPositions(form);
    column->addWidget(scene);
    addPictures(column, std::move(draw));
    auto* const hint = new QLabel(tr("Drag: turn · Shift: move\nWheel: zoom · Ctrl on a slice or plane: shift it\n"
                                     "Dot of a plane: turn the plane\n"
                                     "Keys: X, Y, Z, F, R, arrows, +, −"),
                                  this);
    hint->setWordWrap(true);
    hint->setForegroundRole(QPalette::PlaceholderText);
    column->addWidget(hint);
    m_request = new StackRequest(this);
    column->addWidget(m_request);
    column->addStretch();
    connect(m_pictures, &PictureControls::filmingChanged, this, [this, scene](bool isFilming) {
        for (QWidget* const each : {scene, static_cast<QWidget*>(m_request)}) // a film shows one scene
            each->setEnabled(!isFilming);
    });
}

void VolumeControls::addView(QFormLayout* form)
{
    m_size = new QLabel(this);
    m_note = new QLabel(this);
    m_note->setObjectName(QStringLiteral("note"));
    for (QLabel* const label : {m_size, m_note})
        label->setWordWrap(true);
    form->addRow(m_size);
    form->addRow(m_note);
    auto* const buttons = new ViewButtons(this);
    connect(buttons, &ViewButtons::lookWanted, this, &VolumeControls::lookWanted);
    connect(buttons, &ViewButtons::fitWanted, this, &VolumeControls::fitWanted);
    connect(buttons, &ViewButtons::resetWanted, this, &VolumeControls::resetWanted);
    form->addRow(buttons);
}

void VolumeControls::addParts(QFormLayout* form)
{
    m_volumeOn = new QCheckBox(tr("Volu&me"), this);
    m_slicesOn = new QCheckBox(tr("Slices"), this);
    m_corner = new QCheckBox(tr("Corner cut ope&n"), this);
    m_corner->setToolTip(tr("Takes the corner between the slices and you out of the volume"));
    m_whole = new QCheckBox(tr("Slices with background"), this);
    m_whole->setToolTip(tr("Shows slices and planes also where the volume is transparent because of low values"));
    m_planesOn = new QCheckBox(tr("Planes"), this);
    m_planesOn->setObjectName(QStringLiteral("scenePlanes"));
    m_planesOn->setToolTip(tr("Shows the three planes of the page Planes: drag a dot to turn a plane in steps of 15° "
                              "(Shift: by any angle), drag a plane with Ctrl to move it"));
    for (QCheckBox* const box : {m_volumeOn, m_slicesOn, m_corner, m_whole, m_planesOn}) {
        box->setChecked(box != m_whole && box != m_planesOn);
        connect(box, &QCheckBox::toggled, this, &VolumeControls::changed);
        form->addRow(box);
    }
}

void VolumeControls::addLook(QFormLayout* form)
{
    m_transfer = new TransferControls(this);
    connect(m_transfer, &TransferControls::changed, this, &VolumeControls::changed);
    connect(m_transfer, &TransferControls::dragged, this, &VolumeControls::dragged);
    form->addRow(m_transfer);
}

void VolumeControls::addPictures(QVBoxLayout* column, PictureControls::Draw draw)
{
    auto* const section =
        new FoldOut("pictureSection", tr("Save the view as PNG, or a turn of the object as a film"), this);
    section->setTitle(tr("Picture and film"));
    m_pictures = new PictureControls(std::move(draw), section);
    section->body()->addWidget(m_pictures);
    column->addWidget(section);
}

void VolumeControls::addPositions(QFormLayout* form)
{
    const std::array<QString, 3> names = {tr("Column (x)"), tr("Row (y)"), tr("Slice (z)")};
    for (const int k : {2, 1, 0}) {
        m_position[k] = new QSlider(Qt::Horizontal, this);
        m_position[k]->setAccessibleName(names[k]);
        connect(m_position[k], &QSlider::valueChanged, this, &VolumeControls::changed);
        connect(m_position[k], &QSlider::sliderPressed, this, [this] { emit dragged(true); });
        connect(m_position[k], &QSlider::sliderReleased, this, [this] { emit dragged(false); });
        m_positionValue[k] = new QLabel(names[k], this); // showNumbers() adds the position
        form->addRow(m_positionValue[k], m_position[k]);
    }
}

int VolumeControls::position(Axis axis) const
{
    return m_position[static_cast<int>(axis)]->value();
}

void VolumeControls::setPosition(Axis axis, int position)
{
    m_position[static_cast<int>(axis)]->setValue(position);
}

bool VolumeControls::planesOn() const
{
    return m_planesOn->isChecked();
}

void VolumeControls::setPlanesOn(bool isOn)
{
    m_planesOn->setChecked(isOn);
}

void VolumeControls::showPlanesState(const QString& state)
{
    m_planesOn->setText(state.isEmpty() ? tr("Planes") : tr("Planes: %1").arg(state));
}

void VolumeControls::takeRange(const engine::Reconstruction& stack)
{
    m_transfer->takeRange(stackValuesOf(stack.image.values), QString::fromStdString(stack.unit));
}

void VolumeControls::placeSlices(const engine::Reconstruction& stack, const engine::Reconstruction* before)
{
    const std::array<int, 3> counts = countsOf(stack.image);
    for (int k = 0; k < 3; ++k) {
        const double wanted = before ? m_position[k]->value() * voxelSpacing(*before)[k] / voxelSpacing(stack)[k]
                                     : static_cast<double>(counts[k] / 2);
        const QSignalBlocker quiet(m_position[k]);
        m_position[k]->setRange(0, counts[k] - 1);
        m_position[k]->setValue(static_cast<int>(std::lround(wanted)));
    }
}

void VolumeControls::offer(const engine::Volume& volume)
{
    const std::array<int, 3> counts = countsOf(volume);
    m_size->setText(stackSizeText(counts));
    m_slicesOn->setEnabled(true);
    m_planesOn->setEnabled(volume.slices > 1);
    const bool thin = volume.slices <= 2;
    m_note->setText(volume.slices == 1 ? tr("A single slice has no volume view; three or more slices do.")
                    : thin             ? tr("Two slices are too few for a volume: the planes alone are shown.")
                                       : QString());
    m_note->setVisible(thin);
    for (QWidget* const control : {static_cast<QWidget*>(m_volumeOn), static_cast<QWidget*>(m_corner),
                                   static_cast<QWidget*>(m_whole), static_cast<QWidget*>(m_transfer)})
        control->setEnabled(!thin);
    for (int k = 0; k < 3; ++k)
        m_position[k]->setEnabled(counts[k] > 1 && (volume.slices > 1 || k == 2));
}

void VolumeControls::offerPlanesOnly()
{
    m_size->setText(tr("No stack yet: the planes alone are shown."));
    m_note->hide();
    for (QWidget* const control :
         {static_cast<QWidget*>(m_volumeOn), static_cast<QWidget*>(m_slicesOn), static_cast<QWidget*>(m_corner),
          static_cast<QWidget*>(m_whole), static_cast<QWidget*>(m_transfer)})
        control->setEnabled(false);
    for (int k = 0; k < 3; ++k)
        m_position[k]->setEnabled(false);
    m_planesOn->setEnabled(true);
}

void VolumeControls::showNumbers(const engine::Reconstruction& stack)
{
    const std::array<QString, 3> names = {tr("Column (x) %1"), tr("Row (y) %1"), tr("Slice (z) %1")};
    const auto pixel = [&stack](int k, int value) { // numbered as in the image views
        const bool everySlice = stack.image.slices == stack.request.place.slices().count;
        const double step = k == 2 && everySlice ? 1 : stack.grid.step;
        return (k == 0 ? stack.grid.x0 : k == 1 ? stack.grid.y0 : stack.request.place.slices().first) + value * step;
    };
    for (int k = 0; k < 3; ++k)
        m_positionValue[k]->setText(names[k].arg(pixel(k, m_position[k]->value())));
}

VolumeLook VolumeControls::look(const engine::Reconstruction& stack) const
{
    VolumeLook look;
    for (int k = 0; k < 3; ++k)
        look.position[k] = m_position[k]->value();
    m_transfer->apply(look);
    look.volumeVisible = m_volumeOn->isChecked() && stack.image.slices > 2;
    look.slicesVisible = m_slicesOn->isChecked();
    look.slicesWhole = m_whole->isChecked() || stack.image.slices <= 2;
    look.cornerOpen = m_corner->isChecked();
    return look;
}

} // namespace ui
