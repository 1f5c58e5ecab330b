// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/opening/scan_bar.h"

#include "engine/scan/geometry_facts.h"
#include "ui/opening/notes_button.h"
#include "ui/widgets/boxes.h"
#include "ui/widgets/engine_text.h"

#include <QComboBox>
#include <QLabel>
#include <QToolButton>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace ui
{

namespace
{

QString number(double value, int decimals)
{
    QString text = QString::number(value, 'f', decimals);
    while (text.contains('.') && (text.endsWith('0') || text.endsWith('.')))
        text.chop(1);
    return text;
}

// Describes the angles: the difference between the largest and the smallest, or the step if they cover more than four
// turns.
QString arcText(const engine::Scan& scan)
{
    constexpr double fewTurns = 8 * std::numbers::pi;
    const std::vector<double>& angles = scan.anglesRad();
    if (angles.empty())
        return {};
    const auto [low, high] = std::minmax_element(angles.begin(), angles.end());
    const auto degrees = [](double rad, int decimals) {
        return number(rad * 180 / std::numbers::pi, decimals) + QStringLiteral("°");
    };
    if (*high - *low > fewTurns) // such as golden angles
        return ScanBar::tr("in steps of %1").arg(degrees(angles[1] - angles[0], 3));
    return ScanBar::tr("over %1").arg(degrees(*high - *low, 1));
}

QString quantityText(engine::Quantity quantity)
{
    switch (quantity) {
    case engine::Quantity::counts:
        return ScanBar::tr("counts");
    case engine::Quantity::transmission:
        return ScanBar::tr("transmission");
    case engine::Quantity::negatedAttenuation:
        return ScanBar::tr("negative line integrals");
    case engine::Quantity::attenuation:
        break;
    }
    return ScanBar::tr("line integrals");
}

QString quantityHelp(engine::Quantity quantity)
{
    switch (quantity) {
    case engine::Quantity::counts:
        return ScanBar::tr("Detector counts: dark and flat fields are applied, then the logarithm");
    case engine::Quantity::transmission:
        return ScanBar::tr("Already flat-fielded, 1 in air: only the logarithm is applied");
    case engine::Quantity::negatedAttenuation:
        return ScanBar::tr("Flat-fielded, logarithm taken without its minus, 0 in air: the sign is inverted");
    case engine::Quantity::attenuation:
        break;
    }
    return ScanBar::tr("Flat-fielded, logarithm taken, 0 in air: used as they are");
}

} // namespace

ScanBar::ScanBar(QWidget* parent)
    : QWidget(parent), m_nameLabel(new QLabel), m_label(new QLabel), m_quantityLabel(new QLabel(tr("Values"))),
      m_quantity(new QComboBox), m_found(new QToolButton), m_notes(new NotesButton)
{
    setObjectName(QStringLiteral("scanBar"));
    QFont bold = m_nameLabel->font();
    bold.setBold(true);
    m_nameLabel->setFont(bold);
    m_nameLabel->setTextFormat(Qt::PlainText);
    m_label->setTextFormat(Qt::PlainText);
    m_label->setObjectName(QStringLiteral("scanFacts"));
    m_label->setAccessibleName(tr("What is open"));
    m_label->setMinimumWidth(0);
    m_label->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    auto* layout = filled(new QHBoxLayout(this),
                          {m_nameLabel, {m_label, 1}, m_quantityLabel, m_quantity, BoxItem::space(6), m_found, m_notes},
                          {QMargins(12, 3, 12, 3)});
    m_quantityLabel->setBuddy(m_quantity);
    m_quantity->setObjectName(QStringLiteral("quantity"));
    m_quantity->setAccessibleName(tr("Kind of the scan's values"));
    m_quantity->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    connect(m_quantity, &QComboBox::activated, this,
            [this](int index) { emit quantityChosen(engine::storedQuantities()[static_cast<std::size_t>(index)]); });
    m_found->setObjectName(QStringLiteral("foundOfScan"));
    m_found->setText(tr("Scan info"));
    m_found->setToolTip(tr("What was found in the scan and what is missing, with images"));
    m_found->setAccessibleName(m_found->toolTip());
    m_found->setAutoRaise(true);
    connect(m_found, &QToolButton::clicked, this, &ScanBar::foundWanted);
    // The bar keeps its height when a scan is opened.
    setMinimumHeight(layout->contentsMargins().top() + layout->contentsMargins().bottom() +
                     std::max(m_quantity->sizeHint().height(), m_found->sizeHint().height()));
    showQuantity(nullptr);
    update();
}

// Shows what the values of the scan are, and marks a guess as one.
void ScanBar::showQuantity(const engine::Scan* scan)
{
    m_found->setVisible(scan != nullptr);
    m_quantity->clear();
    m_quantity->setVisible(scan != nullptr);
    m_quantityLabel->setVisible(scan != nullptr);
    if (!scan)
        return;
    const bool guessed = scan->quantitySource == engine::QuantitySource::guessed && !scan->quantityReason.empty();
    for (const engine::Quantity quantity : engine::storedQuantities()) {
        const bool current = quantity == scan->storedQuantity();
        m_quantity->addItem(quantityText(quantity) + (current && guessed ? tr(" (guessed)") : QString()));
        m_quantity->setItemData(m_quantity->count() - 1, quantityHelp(quantity), Qt::ToolTipRole);
        if (current)
            m_quantity->setCurrentIndex(m_quantity->count() - 1);
    }
    QFont font = this->font();
    font.setBold(!scan->quantityDoubt.empty());
    m_quantity->setFont(font);
    m_quantity->setEnabled(!scan->path.empty());
    QStringList lines{scan->path.empty() ? tr("The scan is simulated: the kind of its values is known.")
                      : guessed          ? tr("A guess: %1.").arg(QString::fromStdString(scan->quantityReason))
                      : scan->quantitySource == engine::QuantitySource::given ? tr("Chosen by you.")
                                                                              : tr("From the file.")};
    if (!scan->quantityDoubt.empty())
        lines << inWindow(scan->quantityDoubt);
    lines << quantityHelp(scan->storedQuantity()) + QLatin1Char('.');
    m_quantity->setToolTip(lines.join('\n'));
}

void ScanBar::setScan(const engine::Scan* scan)
{
    m_axis.clear();
    m_name.clear();
    QStringList notes;
    showQuantity(scan);
    if (scan) {
        m_name = QString::fromStdString(scan->name);
        if (scan->path.empty()) // the name of a simulated scan repeats bins and projections
            m_name = m_name.section(QStringLiteral(", "), 0, 0);
        m_slices = scan->slices();
        m_facts = tr("%1 bins").arg(scan->bins()) + " · " +
                  tr("%1 projections %2").arg(scan->projections()).arg(arcText(*scan)) +
                  (scan->anglesAssumed ? tr(" (assumed)") : QString());
        const QString beam = QString::fromStdString(engine::geometryLine(scan->geometry));
        if (!beam.isEmpty())
            m_facts = beam + " · " + m_facts;
        m_pixel = !beam.isEmpty()       ? QString() // already in the text of the geometry
                  : scan->pixelSizeMm() ? tr("pixel %1 µm").arg(number(*scan->pixelSizeMm() * 1000, 3))
                                        : tr("pixel size unknown");
        notes = inWindow(scan->notes);
        QStringList tooltip{
            scan->path.empty() ? tr("Simulated") : QString::fromStdString(scan->path),
            tr("%1, %2").arg(QString::fromStdString(scan->format), QString::fromStdString(scan->sampleType)),
            tr("%1 flat and %2 dark frames").arg(scan->flatFrames).arg(scan->darkFrames)};
        for (const engine::GeometryFact& fact : engine::geometryFacts(scan->geometry))
            tooltip << QStringLiteral("%1: %2").arg(QString::fromStdString(fact.name),
                                                    QString::fromStdString(fact.value));
        for (const auto& [key, value] : scan->metadata)
            tooltip << QStringLiteral("%1: %2").arg(QString::fromStdString(key), QString::fromStdString(value));
        if (tooltip.size() > 24)
            tooltip = tooltip.mid(0, 24) << QStringLiteral("…");
        m_label->setToolTip(tooltip.join('\n'));
        m_nameLabel->setToolTip(tooltip.join('\n'));
    }
    m_notes->setScanNotes(notes);
    update();
}

void ScanBar::focusQuantity()
{
    m_quantity->setFocus();
}

void ScanBar::setSlice(int slice)
{
    m_slice = slice;
    update();
}

void ScanBar::showResult(const engine::Reconstruction& result)
{
    const QString source = result.axisSource == "automatic" ? tr("automatic")
                           : result.axisSource == "guess"   ? tr("a guess")
                           : result.axisSource == "scan"    ? tr("from the scan")
                           : result.axisSource == "middle"  ? tr("middle")
                                                            : tr("given");
    m_axis = tr("axis %1 bins (%2)").arg(result.axisBins, 0, 'f', 2).arg(source);
    QStringList warnings;
    for (const engine::Text& text : engine::warningsOf(result))
        warnings << inWindow(text);
    m_notes->setImageNotes(inWindow(result.notes), warnings);
    update();
}

QString ScanBar::text() const
{
    if (m_name.isEmpty())
        return tr("Nothing is open");
    // The slice comes first: a narrow window cuts off the end.
    QStringList parts{tr("slice %1 (0–%2)").arg(m_slice).arg(m_slices - 1), m_facts};
    if (m_slices == 1)
        parts[0] = tr("one slice");
    if (!m_axis.isEmpty())
        parts << m_axis;
    if (!m_pixel.isEmpty())
        parts << m_pixel;
    return parts.join(QStringLiteral(" · "));
}

void ScanBar::update()
{
    m_nameLabel->setText(fontMetrics().elidedText(m_name, Qt::ElideMiddle, 320));
    m_nameLabel->setVisible(!m_name.isEmpty());
    const QString full = text();
    m_label->setAccessibleDescription(full);
    m_label->setText(fontMetrics().elidedText(full, Qt::ElideRight, std::max(60, m_label->width())));
    m_notes->showNotes();
}

void ScanBar::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    update();
}

} // namespace ui
