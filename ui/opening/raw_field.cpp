// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/opening/raw_field.h"

#include "engine/base/error.h"
#include "engine/io/files/size_limits.h"
#include "engine/io/formats/raw_file.h"
#include "ui/opening/labelled_field.h"
#include "ui/widgets/boxes.h"
#include "ui/widgets/displayed_number.h"
#include "ui/widgets/number_box.h"

#include <QFileInfo>
#include <QGridLayout>
#include <QLabel>
#include <QPushButton>
#include <QRegularExpression>
#include <QSignalBlocker>

#include <limits>
#include <utility>

namespace ui
{

namespace
{

QSpinBox* countBox(const char* name, const QString& says, int least, int most, int width)
{
    auto* box = new CountBox;
    box->setObjectName(QLatin1String(name));
    box->setRange(least, most);
    box->setAccessibleName(says);
    box->setToolTip(says);
    box->setFixedWidth(width);
    box->setGroupSeparatorShown(false);
    return box;
}

// Guesses the layout from a name such as "brain_720x512x640_uint16.raw": the first three numbers joined by "x", and
// the type whose size fits the file.
engine::RawLayout suggestedBy(const QString& name, long long fileBytes)
{
    engine::RawLayout layout{.projections = 1, .rows = 1, .bins = 1};
    static const QRegularExpression shape(QStringLiteral("(\\d+)[x×](\\d+)[x×](\\d+)"));
    const QRegularExpressionMatch found = shape.match(name);
    if (found.hasMatch()) {
        layout.projections = found.captured(1).toInt();
        layout.rows = found.captured(2).toInt();
        layout.bins = found.captured(3).toInt();
    }
    const auto fits = [&](const std::string& type) {
        engine::RawLayout tried = layout;
        tried.sampleType = type;
        return engine::bytesOf(tried) == fileBytes;
    };
    if (layout.projections < 1 || layout.rows < 1 || layout.bins < 1)
        return {.projections = 1, .rows = 1, .bins = 1};
    for (const std::string& type : engine::rawSampleTypes())
        if (name.contains(QString::fromStdString(type), Qt::CaseInsensitive)) {
            layout.sampleType = type;
            if (fits(type))
                return layout;
        }
    for (const char* type : {"uint16", "float32", "uint8", "float64"})
        if (fits(type)) {
            layout.sampleType = type;
            return layout;
        }
    return layout;
}

} // namespace

RawField::RawField(QWidget* parent)
    : QWidget(parent), m_type(new ChoiceCombo), m_order(new ChoiceCombo), m_fit(new QLabel), m_mend(new QPushButton),
      m_open(new QPushButton(tr("Open")))
{
    m_projections = countBox("rawProjections", tr("Projections"), 1, engine::mostFrames, 80);
    m_rows = countBox("rawRows", tr("Rows of the detector"), 1, engine::mostAcross, 70);
    m_bins = countBox("rawBins", tr("Bins of a row"), 1, engine::mostAcross, 70);
    m_header = countBox("rawHeader", tr("Bytes before the first number"), 0, std::numeric_limits<int>::max(), 90);
    m_header->setSuffix(tr(" bytes"));
    m_type->setObjectName(QStringLiteral("rawType"));
    m_type->setAccessibleName(tr("Type of the numbers"));
    for (const std::string& type : engine::rawSampleTypes())
        m_type->addChoice(QString::fromStdString(type), QString::fromStdString(type));
    m_order->setObjectName(QStringLiteral("rawOrder"));
    m_order->setAccessibleName(tr("Order of the bytes"));
    m_order->addChoice(tr("little-endian"), false, tr("Least significant byte first, as on most machines"));
    m_order->addChoice(tr("big-endian"), true, tr("Most significant byte first"));
    m_fit->setObjectName(QStringLiteral("rawFit"));
    m_fit->setTextFormat(Qt::PlainText);
    m_mend->setObjectName(QStringLiteral("rawMend"));
    m_open->setObjectName(QStringLiteral("rawOpen"));

    auto* grid = new QGridLayout;
    grid->setHorizontalSpacing(6);
    grid->setVerticalSpacing(4);
    const std::pair<QString, QWidget*> rows[] = {
        {tr("Projections"), m_projections}, {tr("Rows"), m_rows},    {tr("Bins"), m_bins}, {tr("Numbers"), m_type},
        {tr("Byte order"), m_order},        {tr("Header"), m_header}};
    for (const auto& [text, box] : rows)
        labelled(text, box).addTo(grid, grid->rowCount(), 0);
    grid->setColumnStretch(2, 1);
    m_fit->setWordWrap(true);
    auto* buttons = filled(new QHBoxLayout, {m_mend, m_open, BoxItem::stretch(1)});
    filled(new QVBoxLayout(this), {grid, m_fit, buttons}, {QMargins(), 4});
    setFocusProxy(m_projections);

    for (QSpinBox* box : {m_projections, m_rows, m_bins, m_header})
        connect(box, &QSpinBox::valueChanged, this, &RawField::check);
    for (ChoiceCombo* combo : {m_type, m_order})
        connect(combo, &QComboBox::currentIndexChanged, this, &RawField::check);
    connect(m_mend, &QPushButton::clicked, this, [this] { m_mending(); });
    connect(m_open, &QPushButton::clicked, this, &RawField::wanted);
}

void RawField::show(const std::optional<engine::RawLayout>& layout, const std::filesystem::path& file)
{
    const QFileInfo info(QString::fromStdString(file.string()));
    m_fileBytes = info.size();
    m_opened = layout;
    const engine::RawLayout shown = layout.value_or(suggestedBy(info.fileName(), m_fileBytes));
    {
        const QSignalBlocker projections(m_projections), rows(m_rows), bins(m_bins), header(m_header), type(m_type),
            order(m_order);
        m_projections->setValue(shown.projections);
        m_rows->setValue(shown.rows);
        m_bins->setValue(shown.bins);
        m_header->setValue(static_cast<int>(std::min<long long>(shown.headerBytes, m_header->maximum())));
        m_type->select(QString::fromStdString(shown.sampleType));
        m_order->select(shown.bigEndian);
    }
    check();
}

engine::RawLayout RawField::layout() const
{
    return {.projections = m_projections->value(),
            .rows = m_rows->value(),
            .bins = m_bins->value(),
            .sampleType = m_type->currentData().toString().toStdString(),
            .bigEndian = m_order->currentData().toBool(),
            .headerBytes = m_header->value()};
}

// Compares the size of the layout with that of the file. If a header or another number of projections explains the
// difference, offers to set it.
void RawField::check()
{
    const engine::RawLayout said = layout();
    const std::optional<long long> needed = engine::bytesOf(said);
    m_mend->hide();
    const long long over = needed ? m_fileBytes - *needed : std::numeric_limits<long long>::min();
    m_open->setEnabled(over == 0 && said != m_opened);
    m_open->setToolTip(over != 0             ? tr("Shape, type and header must add up to the size of the file.")
                       : m_open->isEnabled() ? tr("Open the file with these values")
                                             : tr("The file is open with these values."));
    if (over == 0) {
        m_fit->setText(tr("%1 bytes, the size of the file").arg(groupedText(m_fileBytes)));
        return;
    }
    if (!needed) {
        m_fit->setText(tr("That is larger than any file."));
        return;
    }
    m_fit->setText(tr("%1 of the file's %2 bytes: %3 %4")
                       .arg(groupedText(*needed), groupedText(m_fileBytes), groupedText(over > 0 ? over : -over),
                            over > 0 ? tr("left over") : tr("missing")));
    const long long frame = (*needed - said.headerBytes) / said.projections, body = m_fileBytes - said.headerBytes;
    if (const long long fitting = body / frame;
        body > 0 && body % frame == 0 && fitting <= engine::mostFrames && said.rows * said.bins > 1)
        offer(m_projections, fitting, tr("%1 projections"));
    else if (over > 0 && over + said.headerBytes < frame)
        offer(m_header, over + said.headerBytes, tr("A header of %1 bytes"));
}

void RawField::offer(QSpinBox* box, long long value, const QString& text)
{
    m_mend->setText(text.arg(groupedText(value)));
    m_mending = [box, value] { box->setValue(static_cast<int>(value)); };
    m_mend->show();
}

} // namespace ui
