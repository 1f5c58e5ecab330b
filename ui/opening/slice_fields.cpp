// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/opening/slice_fields.h"

#include <QSignalBlocker>

#include <numbers>

namespace ui
{

namespace
{

constexpr double umPerMm = 1000;

} // namespace

SliceFields::SliceFields()
    : m_pixel(new LengthBox(QStringLiteral("µm"), 0, 1e6, 1)), m_size(new MeasureBox(tr(" px"), 0, 1 << 16, 0, 16)),
      m_outputPixel(new LengthBox(QStringLiteral("bins"), 0, 1e6, 0.25)),
      m_rotation(new MeasureBox(QStringLiteral("°"), -360, 360, 3, 1)),
      m_pixelLabel(labelled(tr("Pixel"), m_pixel).label), m_sizeLabel(labelled(tr("Slice"), m_size).label),
      m_outputPixelLabel(labelled(tr("Slice pixel"), m_outputPixel).label),
      m_rotationLabel(labelled(tr("Rotation"), m_rotation).label)
{
    describe();
    connectFields();
}

void SliceFields::describe()
{
    m_pixel->setObjectName(QStringLiteral("pixelSize"));
    m_pixel->setSpecialValueText(tr("from file"));
    m_pixel->setAccessibleName(tr("Pixel size"));
    m_pixel->setToolTip(tr("Width of a detector pixel, in µm or with another unit: 0.65, 650 nm, 0.2 mm. The slices, "
                           "the scale bar and phase retrieval use it."));
    m_pixel->setFixedWidth(104);
    m_size->setObjectName(QStringLiteral("sliceSize"));
    m_size->setSpecialValueText(tr("as detector"));
    m_size->setAccessibleName(tr("Slice size"));
    m_size->setToolTip(
        tr("Pixels along each side of a slice: more than the bins if the axis is off-centre over a full turn"));
    m_size->setFixedWidth(104);
    m_outputPixel->setObjectName(QStringLiteral("outputPixel"));
    m_outputPixel->setSpecialValueText(tr("as detector"));
    m_outputPixel->setAccessibleName(tr("Slice pixel"));
    m_outputPixel->setFixedWidth(104);
    m_rotation->setObjectName(QStringLiteral("rotation"));
    m_rotation->setAccessibleName(tr("Rotation of the slices"));
    m_rotation->setToolTip(tr("Rotates the slices anticlockwise, as displayed"));
    m_rotation->setFixedWidth(104);
}

void SliceFields::connectFields()
{
    connect(m_pixel, &QDoubleSpinBox::valueChanged, this, [this](double um) {
        emit changed([um](engine::OpenOptions& said) {
            said.cone.pixelUMm = um > 0 ? std::optional(um / umPerMm) : std::nullopt;
            said.cone.pixelVMm.reset();
        });
    });
    connect(m_size, &QDoubleSpinBox::valueChanged, this, [this](double pixels) {
        emit changed([pixels](engine::OpenOptions& said) {
            said.cone.size = pixels > 0 ? std::optional(static_cast<int>(pixels)) : std::nullopt;
        });
    });
    connect(m_outputPixel, &QDoubleSpinBox::valueChanged, this, [this](double size) {
        emit changed([this, size](engine::OpenOptions& said) {
            said.cone.voxelBins.reset();
            said.cone.voxelMm.reset();
            if (size > 0 && m_isOutputInUm)
                said.cone.voxelMm = size / umPerMm;
            else if (size > 0)
                said.cone.voxelBins = size;
        });
    });
    connect(m_rotation, &QDoubleSpinBox::valueChanged, this, [this](double degrees) {
        emit changed([degrees](engine::OpenOptions& said) {
            said.cone.rotateRad = degrees != 0 ? std::optional(degrees * (std::numbers::pi / 180)) : std::nullopt;
        });
    });
}

void SliceFields::show(const engine::OpenOptions& said, const engine::Scan* scan)
{
    const QSignalBlocker quiet(m_pixel);
    const auto* cone = scan ? std::get_if<engine::ConeBeam>(&scan->geometry) : nullptr;
    const auto* beam = scan ? std::get_if<engine::ParallelBeam>(&scan->geometry) : nullptr;
    // The fields show pixels as recorded, before binning.
    const int joined = scan && scan->reduced ? scan->reduced->by.bin : 1;
    double knownMm = 0;
    if (said.cone.pixelUMm)
        knownMm = *said.cone.pixelUMm;
    else if (cone)
        knownMm = cone->pixelUMm / joined; // 0 if the geometry comes from projection matrices
    else if (beam && beam->pixelSizeMm)
        knownMm = *beam->pixelSizeMm / joined;
    m_pixel->setSpecialValueText(tr("not known"));
    m_pixel->setValue(knownMm * umPerMm);
    const bool isCone = cone != nullptr;
    pixel().setVisible(!isCone);        // shown in the geometry panel
    const QSignalBlocker still(m_size); // the volume of a cone beam is set in the geometry panel
    m_size->setValue(said.cone.size.value_or(0));
    showOutputPixel(beam && beam->pixelBins != 1 ? std::optional(beam->pixelBins * joined) : said.cone.voxelBins,
                    knownMm);
    size().setVisible(!isCone);
    outputPixel().setVisible(!isCone);
    const QSignalBlocker calmToo(m_rotation);
    m_rotation->setValue(said.cone.rotateRad.value_or(0) * 180 / std::numbers::pi);
}

// Shows the pixel size in µm if the size of the bins is known, otherwise in bins.
void SliceFields::showOutputPixel(std::optional<double> bins, double binMm)
{
    const QSignalBlocker quiet(m_outputPixel);
    m_isOutputInUm = binMm > 0;
    const double umPerBin = binMm * umPerMm;
    m_outputPixel->setUnit(m_isOutputInUm ? QStringLiteral("µm") : QStringLiteral("bins"),
                           m_isOutputInUm ? std::optional(binMm) : std::nullopt);
    m_outputPixel->setSingleStep(m_isOutputInUm ? umPerBin / 4 : 0.25);
    m_outputPixel->setToolTip(
        tr("Width of a slice pixel: half a bin turns one pixel into four; slices stay one row apart.") +
        QLatin1Char('\n') +
        (m_isOutputInUm ? tr("In µm, or with another unit: 650 nm, 0.5 bins")
                        : tr("In bins, as their size isn't known")));
    m_outputPixel->setValue(bins.value_or(0) * (m_isOutputInUm ? umPerBin : 1));
}

} // namespace ui
