// SPDX-License-Identifier: GPL-3.0-or-later
// A number that is dragged sideways. It shows a value, and reports by how much the user moves it.
#pragma once

#include <QWidget>

#include <optional>

namespace ui
{

struct DragScale {
    double perPixel = 1; // change of the value per pixel of a drag; a tenth of it with Shift
    double keyStep = 1;  // of an arrow key or a step of the wheel; a tenth of it with Ctrl
    int decimals = 2;
    QString unit = {};
};

class DragField : public QWidget
{
    Q_OBJECT
  public:
    explicit DragField(const DragScale& scale, QWidget* parent = nullptr);

    void setValue(std::optional<double> value); // nothing: unknown
    QString text() const;

    QSize sizeHint() const override;

  signals:
    void moved(double by); // in one step of a drag
    void released();       // after one or more steps

  protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

  private:
    void step(int way, Qt::KeyboardModifiers modifiers);

    DragScale m_scale;
    std::optional<double> m_value;
    std::optional<double> m_previous; // position of the pointer during a drag
};

} // namespace ui
