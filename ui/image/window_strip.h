// SPDX-License-Identifier: GPL-3.0-or-later
// The strip under the images: grey window and colour map of A and B, and the range of the difference.
#pragma once

#include "ui/image/difference_kind.h"
#include "ui/image/histogram_bar.h"

#include <QWidget>

class QCheckBox;
class QComboBox;
class QHBoxLayout;
class QToolButton;

namespace ui
{

class ValueSpinBox;

// One line high, whatever it shows: without room, some controls are hidden, whose work the histogram and the menu do
// as well. Controls only: every change is emitted as a signal, and takes effect by a setter.
class WindowStrip : public QWidget
{
    Q_OBJECT
  public:
    enum class Target { a, b };

    explicit WindowStrip(QWidget* parent = nullptr);

    void setUnit(const QString& unit);
    void setHistogram(const std::vector<int>& counts, const GreyWindow& domain);
    void setWindow(const GreyWindow& window);
    void setTarget(Target target, bool shared); // whose window is shown
    void setColourMap(int index);               // index in colourMaps()
    // colouring: the colours, and the window of difference values that they cover. unit: of these values.
    void setDifference(DifferenceKind kind, const Colouring& colouring, const QString& unit, bool automatic);
    void setAvailable(bool images, bool difference);
    // Which controls are shown: of images, of two of them, of their difference.
    void setParts(bool images, bool both, bool difference);

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

  signals:
    void windowEdited(const ui::GreyWindow& window);
    void automaticRequested();
    void sharedChosen(bool shared);
    void targetChosen(ui::WindowStrip::Target target);
    void colourMapChosen(int index);
    void differenceKindChosen(ui::DifferenceKind kind);
    void differenceRangeEdited(double range);
    void differenceAutomaticChosen(bool automatic);

  protected:
    void resizeEvent(QResizeEvent* event) override;

  private:
    void makeWindowControls();
    void makeTargetButtons();
    void makeDifferenceControls();
    void arrange();
    void showTargets();
    int leastWidth() const;
    void fitWidth();
    void emitWindow();

    HistogramBar* m_histogram = nullptr;
    ValueSpinBox* m_low = nullptr;
    ValueSpinBox* m_high = nullptr;
    QToolButton* m_automatic = nullptr;
    QToolButton* m_targetA = nullptr;
    QToolButton* m_targetB = nullptr;
    QCheckBox* m_shared = nullptr;
    bool m_both = true;
    QComboBox* m_colourMap = nullptr;
    QHBoxLayout* m_line = nullptr;
    QWidget* m_windowRow = nullptr;
    QWidget* m_differenceRow = nullptr;
    QComboBox* m_kind = nullptr;
    DifferenceBar* m_differenceBar = nullptr;
    ValueSpinBox* m_range = nullptr;
    QToolButton* m_rangeAutomatic = nullptr;
};

} // namespace ui
