// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/image/window_strip.h"

#include "ui/image/value_spin_box.h"

#include <QButtonGroup>
#include <QCheckBox>
#include <QComboBox>
#include <QHBoxLayout>
#include <QSignalBlocker>
#include <QToolButton>

namespace ui
{

namespace
{

constexpr int betweenRows = 10, betweenControls = 4;
constexpr int atSides = 4;
constexpr double stepsPerWindow = 50; // arrow keys from one end of the grey window to the other

// The name goes through tr() here, so that ids in settings stay the same in every language.
QString shownName(const QString& map)
{
    if (map == QLatin1String("Grey"))
        return WindowStrip::tr("Grey");
    if (map == QLatin1String("Inverted grey"))
        return WindowStrip::tr("Inverted"); // the only inverted map
    if (map == QLatin1String("Viridis"))
        return WindowStrip::tr("Viridis");
    if (map == QLatin1String("Lagoon"))
        return WindowStrip::tr("Lagoon");
    return map == QLatin1String("Ember") ? WindowStrip::tr("Ember") : map;
}

QIcon iconOf(const ColourTable& colours)
{
    QImage image(256, 1, QImage::Format_RGB32);
    std::copy_n(colours.begin(), 256, reinterpret_cast<QRgb*>(image.scanLine(0)));
    return QIcon(QPixmap::fromImage(image.scaled(64, 24, Qt::IgnoreAspectRatio, Qt::SmoothTransformation)));
}

void name(QWidget* widget, const char* object, const QString& accessible, const QString& tip)
{
    widget->setObjectName(QLatin1String(object));
    widget->setAccessibleName(accessible);
    widget->setToolTip(tip);
}

void setUnitOf(ValueSpinBox* box, const QString& unit)
{
    const QString suffix = unit.isEmpty() ? QString() : QLatin1Char(' ') + unit;
    if (box->suffix() == suffix)
        return;
    const QSignalBlocker quiet(box);
    box->setSuffix(suffix);
    box->updateGeometry();
}

} // namespace

WindowStrip::WindowStrip(QWidget* parent) : QWidget(parent)
{
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    makeWindowControls();
    makeTargetButtons();
    makeDifferenceControls();
    arrange();
}

void WindowStrip::makeWindowControls()
{
    m_histogram = new HistogramBar(this);
    name(m_histogram, "histogram", tr("Histogram and grey window"),
         tr("How often each value occurs (log scale). Drag a handle to set an end of the grey window, "
            "or the part between them to move it."));
    m_low = new ValueSpinBox(this);
    name(m_low, "windowLow", tr("Low end of the grey window"), tr("Values up to here get the first colour."));
    m_high = new ValueSpinBox(this);
    name(m_high, "windowHigh", tr("High end of the grey window"), tr("Values from here on get the last colour."));
    m_automatic = new QToolButton(this);
    m_automatic->setText(tr("Auto"));
    name(m_automatic, "windowAutomatic", tr("Automatic grey window"),
         tr("Grey window from the 0.5 and 99.5 percentiles inside the disc."));
    m_colourMap = new QComboBox(this);
    m_colourMap->setIconSize(QSize(24, 12));
    m_colourMap->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    name(m_colourMap, "colourMap", tr("Colour map"), tr("Colours of image and reference. Magenta: NaN or infinite."));
    for (const ColourMap& map : colourMaps())
        m_colourMap->addItem(iconOf(map.colours), shownName(map.name));

    connect(m_histogram, &HistogramBar::windowDragged, this, &WindowStrip::windowEdited);
    connect(m_low, &QDoubleSpinBox::valueChanged, this, &WindowStrip::emitWindow);
    connect(m_high, &QDoubleSpinBox::valueChanged, this, &WindowStrip::emitWindow);
    connect(m_automatic, &QToolButton::clicked, this, &WindowStrip::automaticRequested);
    connect(m_colourMap, &QComboBox::activated, this, &WindowStrip::colourMapChosen);
}

void WindowStrip::makeTargetButtons()
{
    m_shared = new QCheckBox(tr("Same for both"), this);
    m_shared->setChecked(true);
    name(m_shared, "windowShared", tr("Image and reference share one grey window"),
         tr("One grey window for image and reference. Off: each has its own."));
    m_targetA = new QToolButton(this);
    m_targetA->setText(tr("Image"));
    name(m_targetA, "windowOfA", tr("Grey window of the image"),
         tr("Show the grey window and the histogram of the image."));
    m_targetB = new QToolButton(this);
    m_targetB->setText(tr("Reference"));
    name(m_targetB, "windowOfB", tr("Grey window of the reference"),
         tr("Show the grey window and the histogram of the reference (when both have their own)."));
    auto* group = new QButtonGroup(this);
    for (QToolButton* button : {m_targetA, m_targetB}) {
        button->setCheckable(true);
        button->setAutoRaise(true);
        group->addButton(button);
    }
    m_targetA->setChecked(true);
    connect(m_shared, &QCheckBox::clicked, this, &WindowStrip::sharedChosen);
    connect(m_targetA, &QToolButton::clicked, this, [this] { emit targetChosen(Target::a); });
    connect(m_targetB, &QToolButton::clicked, this, [this] { emit targetChosen(Target::b); });
}

void WindowStrip::makeDifferenceControls()
{
    m_differenceBar = new DifferenceBar(this);
    name(m_differenceBar, "differenceBar", tr("Colours of the difference"),
         tr("Blue: the image is smaller than the reference. Red: it is larger. Magenta: NaN or infinite."));
    m_kind = new QComboBox(this);
    m_kind->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_kind->setMinimumContentsLength(6);
    name(m_kind, "differenceKind", tr("Kind of difference"), tr("Signed, absolute or relative difference."));
    for (const DifferenceRow& row : differenceKinds()) {
        m_kind->addItem(row.text());
        m_kind->setItemData(m_kind->count() - 1, row.description(), Qt::ToolTipRole);
    }
    m_range = new ValueSpinBox(this);
    m_range->setMinimum(0);
    m_range->setSpecialValueText(QStringLiteral("–")); // 0: no difference yet
    name(m_range, "differenceRange", tr("Range of the difference"),
         tr("The difference is coloured from minus to plus this value."));
    m_rangeAutomatic = new QToolButton(this);
    m_rangeAutomatic->setText(tr("Auto"));
    m_rangeAutomatic->setCheckable(true);
    m_rangeAutomatic->setChecked(true);
    name(m_rangeAutomatic, "differenceAutomatic", tr("Automatic range of the difference"),
         tr("On: the range follows the 99.9 percentile of |difference| at every update. Off: it stays fixed."));
    connect(m_kind, &QComboBox::activated, this,
            [this](int index) { emit differenceKindChosen(differenceKinds()[std::size_t(index)].kind); });
    connect(m_range, &QDoubleSpinBox::valueChanged, this, &WindowStrip::differenceRangeEdited);
    connect(m_rangeAutomatic, &QToolButton::clicked, this, &WindowStrip::differenceAutomaticChosen);
}

// Puts everything in one line, which leaves most of the height to the images.
void WindowStrip::arrange()
{
    const auto row = [this](std::initializer_list<QWidget*> widgets, QWidget* wide) {
        auto* holder = new QWidget(this);
        auto* layout = new QHBoxLayout(holder);
        layout->setContentsMargins(0, 0, 0, 0);
        layout->setSpacing(betweenControls);
        for (QWidget* widget : widgets)
            layout->addWidget(widget, widget == wide ? 1 : 0);
        return holder;
    };
    m_windowRow =
        row({m_shared, m_targetA, m_targetB, m_low, m_histogram, m_high, m_automatic, m_colourMap}, m_histogram);
    m_differenceRow = row({m_kind, m_differenceBar, m_range, m_rangeAutomatic}, m_differenceBar);
    m_line = new QHBoxLayout(this);
    m_line->setContentsMargins(atSides, 0, atSides, 0);
    m_line->setSpacing(betweenRows);
    m_line->setSizeConstraint(QLayout::SetNoConstraint); // minimumSizeHint() gives the size
    m_line->addWidget(m_windowRow, 7);
    m_line->addWidget(m_differenceRow, 3);
    fitWidth();
}

void WindowStrip::setParts(bool images, bool both, bool difference)
{
    m_both = both;
    showTargets();
    m_windowRow->setVisible(images);
    m_differenceRow->setVisible(difference);
    fitWidth();
}

// Returns the width of the controls that are always there, in the view that has most of them, so that the panel's
// smallest width does not depend on the view.
int WindowStrip::leastWidth() const
{
    int width = betweenRows + 2 * atSides;
    for (const QWidget* each :
         std::initializer_list<const QWidget*>{m_shared, m_histogram, m_automatic, m_kind, m_range, m_rangeAutomatic})
        width += each->minimumSizeHint().width() + betweenControls;
    return width;
}

// Shows the other controls if there is room: the colour map, the colours of the difference, then the ends of the window
// as numbers.
void WindowStrip::fitWidth()
{
    int left = width() - betweenRows - 2 * atSides;
    const auto take = [&left](const QWidget* each, int width) {
        left -= each->isHidden() ? 0 : width + betweenControls;
    };
    if (!m_windowRow->isHidden())
        for (const QWidget* each :
             std::initializer_list<const QWidget*>{m_shared, m_targetA, m_targetB, m_histogram, m_automatic})
            take(each, each->minimumSizeHint().width());
    if (!m_differenceRow->isHidden())
        for (const QWidget* each : std::initializer_list<const QWidget*>{m_kind, m_range, m_rangeAutomatic})
            take(each, each->sizeHint().width());
    const auto offer = [&left](std::initializer_list<QWidget*> group) {
        int width = 0;
        for (const QWidget* each : group)
            width += each->sizeHint().width() + betweenControls;
        for (QWidget* each : group)
            each->setVisible(width <= left);
        left -= width;
    };
    offer({m_colourMap});
    if (!m_differenceRow->isHidden())
        offer({m_differenceBar});
    offer({m_low, m_high});
    m_line->setStretchFactor(m_differenceRow, left >= 0 ? 3 : 0); // without room, the histogram is the one to shrink
}

void WindowStrip::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    fitWidth();
}

QSize WindowStrip::sizeHint() const
{
    return {leastWidth(), m_colourMap->sizeHint().height()};
}

QSize WindowStrip::minimumSizeHint() const
{
    return {leastWidth(), m_colourMap->sizeHint().height()};
}

void WindowStrip::emitWindow()
{
    const double low = m_low->value(), high = m_high->value();
    if (low < high)
        emit windowEdited({low, high});
    else // the end that was edited pushes the other one along
        emit windowEdited(sender() == m_low ? GreyWindow{low, low + m_low->singleStep()}
                                            : GreyWindow{high - m_low->singleStep(), high});
}

void WindowStrip::setUnit(const QString& unit)
{
    setUnitOf(m_low, unit);
    setUnitOf(m_high, unit);
}

void WindowStrip::setHistogram(const std::vector<int>& counts, const GreyWindow& domain)
{
    m_histogram->setHistogram(counts, domain);
}

void WindowStrip::setWindow(const GreyWindow& window)
{
    const double step = (window.high - window.low) / stepsPerWindow;
    m_low->setStep(step);
    m_high->setStep(step);
    m_low->showValue(window.low);
    m_high->showValue(window.high);
    m_histogram->setWindow(window);
}

void WindowStrip::setTarget(Target target, bool shared)
{
    m_shared->setChecked(shared);
    m_targetA->setChecked(target == Target::a);
    m_targetB->setChecked(target == Target::b);
    showTargets();
}

// A shared window needs no choice of the image, nor does a single image.
void WindowStrip::showTargets()
{
    m_shared->setVisible(m_both);
    for (QToolButton* button : {m_targetA, m_targetB})
        button->setVisible(m_both && !m_shared->isChecked());
}

void WindowStrip::setColourMap(int index)
{
    m_colourMap->setCurrentIndex(index);
    m_histogram->setColours(colourMaps()[index].colours);
}

void WindowStrip::setDifference(DifferenceKind kind, const Colouring& colouring, const QString& unit, bool automatic)
{
    const double range = colouring.window.high;
    m_kind->setCurrentIndex(static_cast<int>(kind));
    setUnitOf(m_range, unit);
    {
        const QSignalBlocker quiet(m_range);
        m_range->setPrefix(rowOf(kind).isSigned ? QStringLiteral("± ") : QStringLiteral("0…"));
    }
    m_range->setStep(range / 10);
    m_range->showValue(range);
    m_rangeAutomatic->setChecked(automatic);
    m_differenceBar->setColours(colouring.colours);
}

void WindowStrip::setAvailable(bool images, bool difference)
{
    for (QWidget* widget : {static_cast<QWidget*>(m_histogram), static_cast<QWidget*>(m_low),
                            static_cast<QWidget*>(m_high), static_cast<QWidget*>(m_automatic)})
        widget->setEnabled(images);
    for (QWidget* widget : {static_cast<QWidget*>(m_differenceBar), static_cast<QWidget*>(m_range)})
        widget->setEnabled(difference);
}

} // namespace ui
