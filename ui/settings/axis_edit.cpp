// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/settings/axis_edit.h"
#include "ui/widgets/engine_text.h"

#include <QApplication>
#include <QGridLayout>
#include <QLabel>
#include <QSignalBlocker>

#include <algorithm>
#include <cstdlib>

namespace ui
{

namespace
{
constexpr int choicesOfAnyScan = 4;
constexpr int hintRole = Qt::UserRole + 20; // axis position from the file's metadata

QString convention(const engine::Scan* scan)
{
    const QString steps = QLatin1Char(' ') + AxisEdit::tr("Steps of 0.25 bin, 0.01 with Ctrl.");
    if (scan && std::holds_alternative<engine::ConeBeam>(scan->geometry))
        return AxisEdit::tr("Bin of the central ray, which passes through the rotation axis, counted from the centre "
                            "of bin 0\n(the middle is (bins − 1)/2).") +
               steps;
    return AxisEdit::tr("Rotation axis in detector bins, counted from the centre of bin 0 (the middle is (bins − "
                        "1)/2).\nnabu, tomocupy and tomopy's gridrec count in the same way.") +
           steps;
}

// The longest usual text about the used axis; the label reserves its width from the start.
QString foundText()
{
    return AxisEdit::tr("found from the projections");
}

} // namespace

void AxisSpinBox::stepBy(int steps)
{
    const bool fine = QApplication::keyboardModifiers() & Qt::ControlModifier;
    setSingleStep(fine ? 0.01 : 0.25);
    if (fine && std::abs(steps) >= 10) // with Ctrl, Qt multiplies steps by 10
        steps /= 10;
    NumberBox::stepBy(steps);
}

AxisEdit::AxisEdit(QWidget* parent)
    : QWidget(parent), m_mode(new ChoiceCombo), m_bins(new AxisSpinBox), m_used(new QLabel)
{
    m_mode->addChoice(tr("Automatic"), QStringLiteral("auto"), tr("From the scan, else found from the projections"));
    m_mode->addChoice(tr("Found"), QStringLiteral("find"),
                      tr("Found from the projections, even if the scan specifies it"));
    m_mode->addChoice(tr("Middle"), QStringLiteral("middle"), tr("The middle of the detector, (bins − 1)/2"));
    m_mode->addChoice(tr("Given"), QStringLiteral("given"), tr("The number below"));
    m_mode->setAccessibleName(tr("Rotation axis"));
    m_mode->setToolTip(tr("How the rotation axis is chosen"));
    m_mode->setObjectName(QStringLiteral("axisMode"));
    m_bins->setDecimals(2);
    m_bins->setSingleStep(0.25);
    m_bins->setRange(0, 1e6);
    m_bins->setSuffix(tr(" bins"));
    m_bins->setKeyboardTracking(false);
    m_bins->setAccessibleName(tr("Position of the rotation axis in bins"));
    m_bins->setObjectName(QStringLiteral("axisBins"));
    m_used->setMinimumWidth(m_used->fontMetrics().horizontalAdvance(foundText()));
    m_used->setObjectName(QStringLiteral("axisUsed"));
    m_used->setEnabled(false); // greyed: only a remark

    auto* grid = new QGridLayout(this);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setVerticalSpacing(4);
    grid->addWidget(m_mode, 0, 0);
    grid->addWidget(m_bins, 1, 0);
    grid->addWidget(m_used, 2, 0);

    setScan(nullptr);

    connect(m_mode, &QComboBox::currentIndexChanged, this, [this](int index) {
        const QVariant hint = m_mode->itemData(index, hintRole);
        if (hint.isValid())
            setNumber(hint.toDouble());
        else if (axis().mode == engine::AxisSettings::Mode::middle)
            setNumber(m_middle);
        emit changed();
    });
    connect(m_bins, &QDoubleSpinBox::valueChanged, this, [this] {
        m_mode->select(QStringLiteral("given")); // typing a number chooses "Given"
        emit changed();
    });
}

engine::AxisSettings AxisEdit::axis() const
{
    using Mode = engine::AxisSettings::Mode;
    const QString mode = m_mode->currentData().toString();
    if (mode == QLatin1String("auto"))
        return {Mode::automatic, 0};
    if (mode == QLatin1String("find"))
        return {Mode::find, 0};
    if (mode == QLatin1String("middle"))
        return {Mode::middle, 0};
    return {Mode::given, m_bins->value() == m_shown ? m_given : m_bins->value()};
}

void AxisEdit::setAxis(const engine::AxisSettings& axis)
{
    using Mode = engine::AxisSettings::Mode;
    m_mode->select(axis.mode == Mode::automatic ? QStringLiteral("auto")
                   : axis.mode == Mode::find    ? QStringLiteral("find")
                   : axis.mode == Mode::middle  ? QStringLiteral("middle")
                                                : QStringLiteral("given"));
    if (axis.mode == Mode::given)
        setNumber(axis.bins);
    else if (axis.mode == Mode::middle)
        setNumber(m_middle);
}

void AxisEdit::setScan(const engine::Scan* scan)
{
    engine::AxisSettings before = axis();
    if (before.mode == engine::AxisSettings::Mode::given)
        before = {}; // the given number belongs to the previous scan
    {
        const QSignalBlocker blocker(m_mode);
        while (m_mode->count() > choicesOfAnyScan)
            m_mode->removeItem(m_mode->count() - 1);
        if (scan)
            for (const engine::AxisHint& hint : scan->axisHints) {
                m_mode->addChoice(tr("File: %1").arg(hint.axisBins, 0, 'f', 2), QStringLiteral("hint"),
                                  tr("%1, read as %2")
                                      .arg(QString::fromStdString(hint.source), QString::fromStdString(hint.reading)));
                m_mode->setItemData(m_mode->count() - 1, hint.axisBins, hintRole);
            }
    }
    if (scan) {
        m_middle = scan->middleBins();
        const QSignalBlocker blocker(m_bins);
        m_bins->setRange(0, std::max(0, scan->bins() - 1));
        setNumber(m_middle);
    }
    m_bins->setToolTip(convention(scan));
    m_used->setToolTip(m_bins->toolTip());
    setAxis(before);
    m_used->clear();
}

// Shows the used axis; a doubtful one is bold with a warning sign, because the slice may be wrong.
void AxisEdit::showUsed(const engine::Reconstruction& made)
{
    if (axis().mode != engine::AxisSettings::Mode::given)
        setNumber(made.axisBins);
    const std::string& source = made.axisSource;
    const bool guessed = source == "guess", doubtful = guessed || !made.axisDoubt.empty();
    QFont used = font();
    used.setBold(doubtful);
    m_used->setFont(used);
    m_used->setEnabled(doubtful);
    m_used->setToolTip(doubtful ? inWindow(made.axisDoubt) : m_bins->toolTip());
    m_used->setText(guessed                 ? tr("⚠ middle, a guess")
                    : doubtful              ? tr("⚠ found, doubtful")
                    : source == "automatic" ? foundText()
                    : source == "scan"      ? tr("from file")
                    : source == "middle"    ? tr("middle of the detector")
                                            : tr("as given"));
}

void AxisEdit::setNumber(double bins)
{
    const QSignalBlocker blocker(m_bins);
    m_bins->setValue(bins);
    m_given = bins;
    m_shown = m_bins->value();
}

} // namespace ui
