// The strip under the images: grey window and colour map of A and B, and the range of the difference.
#pragma once

#include "ui/image/histogram_bar.h"

#include <QWidget>

class QCheckBox;
class QComboBox;
class QToolButton;

namespace ui
{

class ValueSpinBox;

// Only shows and asks: every change is a signal, and comes back by a setter.
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
    void setColourMap(int index);               // in colourMaps()
    void setDifference(double range, bool automatic);
    void setAvailable(bool images, bool difference);
    void setParts(bool images, bool difference); // the controls that are there

  signals:
    void windowEdited(const ui::GreyWindow& window);
    void automaticRequested();
    void sharedChosen(bool shared);
    void targetChosen(ui::WindowStrip::Target target);
    void colourMapChosen(int index);
    void differenceRangeEdited(double range);
    void differenceAutomaticChosen(bool automatic);

  private:
    void makeWindowControls();
    void makeTargetButtons();
    void makeDifferenceControls();
    void arrange();
    void emitWindow();

    HistogramBar* m_histogram = nullptr;
    ValueSpinBox* m_low = nullptr;
    ValueSpinBox* m_high = nullptr;
    QToolButton* m_automatic = nullptr;
    QToolButton* m_targetA = nullptr;
    QToolButton* m_targetB = nullptr;
    QCheckBox* m_shared = nullptr;
    QComboBox* m_colourMap = nullptr;
    QWidget* m_windowRow = nullptr;
    QWidget* m_differenceRow = nullptr;
    DifferenceBar* m_differenceBar = nullptr;
    ValueSpinBox* m_range = nullptr;
    QToolButton* m_rangeAutomatic = nullptr;
};

} // namespace ui
