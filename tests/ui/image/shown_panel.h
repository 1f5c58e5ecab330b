// SPDX-License-Identifier: GPL-3.0-or-later
// Images with known pixel values, and the image panel that shows them.
#pragma once

#include "tests/ui/fixtures.h"
#include "tests/ui/sample_comparison.h"
#include "ui/image/image_panel.h"
#include "ui/image/image_view.h"
#include "ui/image/value_spin_box.h"

#include <cmath>
#include <functional>

namespace fixtures
{

using Function = std::function<float(double x, double y)>; // of a pixel of the whole slice

inline ui::GridSlice plane(int size, const Function& value, double step = 1,
                           const QString& title = QStringLiteral("A · cpu"))
{
    const int count = static_cast<int>(std::ceil(size / step));
    auto volume = std::make_shared<engine::Volume>(1, count, count);
    ui::GridSlice result;
    result.grid = {size, (step - 1) / 2, (step - 1) / 2, count, count, step};
    for (int r = 0; r < count; ++r)
        for (int c = 0; c < count; ++c)
            volume->slice(0)[static_cast<std::size_t>(r) * count + c] =
                value(result.grid.x0 + c * step, result.grid.y0 + r * step);
    result.volume = volume;
    result.title = title;
    result.unit = QStringLiteral("1/mm");
    return result;
}

inline std::shared_ptr<const engine::Reconstruction> reconstructionOf(const ui::GridSlice& plane)
{
    if (!plane)
        return nullptr;
    auto made = std::make_shared<engine::Reconstruction>();
    made->method = "cpu";
    made->request.place.previewStep = std::max(1, static_cast<int>(plane.grid.step));
    made->grid = {plane.grid};
    made->image = *plane.volume;
    made->unit = plane.unit.toStdString();
    return made;
}

// b: image of the reference.
inline ui::Comparison comparison(const ui::GridSlice& a, const ui::GridSlice& b = {})
{
    ui::Comparison result;
    result.compared.push_back({QStringLiteral("A"), {}, reconstructionOf(a)});
    result.compared.front().reference = reconstructionOf(b);
    return result;
}

inline float ramp(double x, double) // 0 … 1 over 64 pixels
{
    return static_cast<float>(x / 63);
}

// Base class of tests of the panel.
class ShownPanel : public QObject
{
  protected:
    void open(int width = 900, int height = 420)
    {
        m_panel = std::make_unique<ui::ImagePanel>();
        m_panel->setView(*ui::findView(QStringLiteral("all")));
        m_panel->resize(width, height);
        m_panel->QWidget::show();
        QVERIFY(isExposed(m_panel.get()));
    }
    void close()
    {
        m_panel.reset();
        m_noWarnings.reset();
    }

    ui::ImageView* view(const char* name) const { return child<ui::ImageView>(*m_panel, name); }
    QWidget* viewport(const char* name) const { return view(name)->viewport(); }
    // Ends of the grey-value window.
    ui::ValueSpinBox* low() const { return child<ui::ValueSpinBox>(*m_panel, "windowLow"); }
    ui::ValueSpinBox* high() const { return child<ui::ValueSpinBox>(*m_panel, "windowHigh"); }
    void setWindow(double from, double to)
    {
        low()->setValue(from);
        high()->setValue(to);
    }

    std::optional<NoWarnings> m_noWarnings; // created by init()
    std::unique_ptr<ui::ImagePanel> m_panel;
};

} // namespace fixtures
