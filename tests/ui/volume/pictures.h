// SPDX-License-Identifier: GPL-3.0-or-later
// A ball as a stack, and pictures of the three-dimensional view of it.
#pragma once

#include "tests/ui/fixtures.h"
#include "ui/volume/transfer_editor.h"
#include "ui/volume/volume_panel.h"

#include <QCheckBox>
#include <QImage>
#include <QSlider>

#include <cmath>
#include <limits>

namespace fixtures
{

// Returns a ball with a radius of 0.35 of the width, surrounded by zeros.
inline std::shared_ptr<engine::Reconstruction> ball(int slices, int size, std::optional<double> pixelSizeMm = {})
{
    auto scan = std::make_shared<engine::Scan>();
    engine::ParallelBeam beam;
    beam.bins = size;
    beam.pixelSizeMm = pixelSizeMm;
    scan->geometry = beam;
    scan->rows = slices;
    auto result = std::make_shared<engine::Reconstruction>();
    result->request.scan = scan;
    result->request.place.setSlices({0, slices});
    result->grid = {size, 0, 0, size, size, 1};
    result->unit = pixelSizeMm ? "1/mm" : "1/pixel";
    result->image = engine::Volume(slices, size, size);
    std::size_t i = 0;
    for (int z = 0; z < slices; ++z)
        for (int y = 0; y < size; ++y)
            for (int x = 0; x < size; ++x, ++i) {
                const double r = std::hypot(x - (size - 1) / 2.0, y - (size - 1) / 2.0, z - (slices - 1) / 2.0);
                result->image.values[i] = r < 0.35 * size ? 1.0F : 0.0F;
            }
    return result;
}

// Returns a stack of 48³ voxels with a block of 12 × 24 × 36 voxels along x, y and z in the middle.
inline std::shared_ptr<engine::Reconstruction> block()
{
    auto result = ball(48, 48);
    std::size_t i = 0;
    for (int z = 0; z < 48; ++z)
        for (int y = 0; y < 48; ++y)
            for (int x = 0; x < 48; ++x, ++i) {
                const bool isIn = x >= 18 && x < 30 && y >= 12 && y < 36 && z >= 6 && z < 42;
                result->image.values[i] = isIn ? 1.0F : 0.0F;
            }
    return result;
}

// Returns a ball with a cavity beside its middle and a dense core.
inline std::shared_ptr<engine::Reconstruction> hollowBall()
{
    auto result = ball(64, 64);
    std::size_t i = 0;
    for (int z = 0; z < 64; ++z)
        for (int y = 0; y < 64; ++y)
            for (int x = 0; x < 64; ++x, ++i) {
                float& value = result->image.values[i];
                const double fromCavity = std::hypot(x - 40, y - 40, z - 32),
                             fromCore = std::hypot(x - 32, y - 32, z - 20);
                value = fromCavity < 8 ? 0.0F : fromCore < 4 ? 1.0F : 0.5F * value;
            }
    return result;
}

inline QWidget* viewOf(const QWidget& panel)
{
    return panel.findChild<QWidget*>(QStringLiteral("stackView"));
}

inline QImage picture(const QWidget& panel)
{
    QWidget* const view = viewOf(panel);
    return view ? view->grab().toImage().convertToFormat(QImage::Format_RGB32) : QImage();
}

inline QList<QCheckBox*> switches(const QWidget& panel)
{
    return panel.findChildren<QCheckBox*>().mid(0, 4); // volume, slices, open corner, slices with background
}

inline bool differs(QRgb a, QRgb b)
{
    return std::abs(qRed(a) - qRed(b)) + std::abs(qGreen(a) - qGreen(b)) + std::abs(qBlue(a) - qBlue(b)) > 24;
}

// The part of the view that the stack covers: where the view differs from the same view without volume and slices.
// part: share of all pixels; middle: whether the middle is covered; around: the smallest rectangle.
struct Cover {
    double part = 0;
    bool middle = false;
    QRect around;
};

inline Cover cover(const QWidget& panel)
{
    const QImage with = picture(panel);
    QList<bool> before;
    for (QCheckBox* const box : switches(panel)) {
        before.append(box->isChecked());
        box->setChecked(false);
    }
    const QImage without = picture(panel);
    for (int i = 0; i < before.size(); ++i)
        switches(panel)[i]->setChecked(before[i]);
    if (with.isNull() || with.size() != without.size())
        return {};
    long count = 0;
    QRect around;
    for (int y = 0; y < with.height(); ++y)
        for (int x = 0; x < with.width(); ++x)
            if (differs(with.pixel(x, y), without.pixel(x, y))) {
                ++count;
                around |= QRect(x, y, 1, 1);
            }
    const QPoint middle = with.rect().center();
    return {static_cast<double>(count) / (static_cast<double>(with.width()) * with.height()),
            differs(with.pixel(middle), without.pixel(middle)), around};
}

// Returns the mean difference of two views, 0…255.
inline double meanDifference(const QImage& a, const QImage& b)
{
    if (a.isNull() || a.size() != b.size())
        return std::numeric_limits<double>::quiet_NaN();
    double sum = 0;
    for (int y = 0; y < a.height(); ++y)
        for (int x = 0; x < a.width(); ++x)
            sum += std::abs(qGreen(a.pixel(x, y)) - qGreen(b.pixel(x, y)));
    return sum / (static_cast<double>(a.width()) * a.height());
}

inline QSlider* slider(const QWidget& panel, const QString& name)
{
    for (QSlider* const candidate : panel.findChildren<QSlider*>())
        if (candidate->accessibleName().startsWith(name))
            return candidate;
    return nullptr;
}

inline ui::TransferEditor* editor(const QWidget& panel)
{
    return panel.findChild<ui::TransferEditor*>();
}

// Presses and drags in the editor of the opacity, from one value and opacity to another.
inline void dragInEditor(ui::TransferEditor* editor, const ui::OpacityPoint& from, const ui::OpacityPoint& to)
{
    drag(editor, editor->positionOf(from).toPoint(), editor->positionOf(to).toPoint());
}

// Whether this display can show three dimensions.
inline bool hasOpenGl()
{
    static const bool has = ui::VolumePanel().available();
    return has;
}

// The panel with a stack in it.
class ShownVolume : public ui::VolumePanel
{
  public:
    // seconds: that a picture may take on the processor; as a default, full resolution even on a busy machine
    ShownVolume(QSize size, std::shared_ptr<engine::Reconstruction> stack, double seconds = 1000)
    {
        resize(size);
        show();
        if (stack)
            setVolume(std::move(stack));
        if (QWidget* view = viewOf(*this))
            view->setProperty("pictureSeconds", seconds);
        if (!isExposed(this))
            QTest::qFail("the panel does not come", __FILE__, __LINE__);
    }
};

} // namespace fixtures
