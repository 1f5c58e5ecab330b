// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/saving/volume_format_fields.h"

#include "ui/saving/dialog_fields.h"
#include "ui/widgets/number_box.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>

#include <algorithm>

namespace ui
{

using engine::OutputFormat;

namespace
{

struct Described {
    QString label, summary;
};

Described described(OutputFormat::Type type)
{
    switch (type) {
    case OutputFormat::Type::float32:
        return {VolumeFormatFields::tr("32-bit floats"), VolumeFormatFields::tr("The values as they were computed")};
    case OutputFormat::Type::half:
        return {VolumeFormatFields::tr("16-bit floats (halves)"),
                VolumeFormatFields::tr("Half the size: 11 significant bits per value, up to 65504")};
    default:
        return {VolumeFormatFields::tr("16-bit whole numbers"),
                VolumeFormatFields::tr("Half the size: 65536 even steps of a range, which is stored too")};
    }
}

} // namespace

VolumeFormatFields::VolumeFormatFields(const engine::OutputChoice& stored, const QString& unit)
    : m_type(called(new QComboBox, "volumeType", tr("Numbers"))), m_rangeRow(new QWidget), m_compressionRow(new QWidget)
{
    for (const OutputFormat::Type type : engine::outputTypes()) {
        const auto [label, summary] = described(type);
        m_type->addItem(label, int(type));
        m_type->setItemData(m_type->count() - 1, summary, Qt::ToolTipRole);
    }
    m_type->setCurrentIndex(m_type->findData(int(stored.type)));
    makeRange(stored, unit);
    makeCompression(stored.deflateLevel);
    for (QLineEdit* edit : {m_least, m_most})
        connect(edit, &QLineEdit::textChanged, this, &VolumeFormatFields::changed);
    for (QComboBox* combo : {m_type, m_compression})
        connect(combo, &QComboBox::currentIndexChanged, this, &VolumeFormatFields::changed);
}

void VolumeFormatFields::makeRange(const engine::OutputChoice& stored, const QString& unit)
{
    m_least = called(new QLineEdit, "volumeLeast", tr("Value stored as 0"));
    m_most = called(new QLineEdit, "volumeMost", tr("Value stored as 65535"));
    if (stored.range) {
        const QStringList ends = QString::fromStdString(engine::toText(*stored.range)).split(QLatin1Char(':'));
        m_least->setText(ends[0]);
        m_most->setText(ends[1]);
    }
    for (QLineEdit* edit : {m_least, m_most}) {
        edit->setPlaceholderText(tr("automatic"));
        edit->setToolTip(tr("Values stored as 0 and 65535; values outside are clipped. Automatic: the range of the "
                            "middle slice plus 5 % on each side"));
    }
    QHBoxLayout* layout = dialogRow(m_rangeRow);
    layout->addWidget(m_least, 1);
    layout->addWidget(new QLabel(tr("to")));
    layout->addWidget(m_most, 1);
    layout->addWidget(new QLabel(unit));
}

void VolumeFormatFields::makeCompression(int level)
{
    m_compression = called(new QComboBox, "volumeCompression", tr("Compression"));
    m_compression->addItem(tr("None, fastest"), false);
    m_compression->addItem(tr("Deflate, lossless"), true);
    m_compression->setCurrentIndex(level > 0 ? 1 : 0);
    m_level = called(new CountBox, "volumeLevel", tr("Compression level"));
    m_level->setRange(1, OutputFormat::mostDeflate);
    m_level->setValue(std::max(level, 1));
    m_level->setPrefix(tr("level "));
    m_level->setToolTip(tr("1 is fast, %1 makes the smallest files").arg(OutputFormat::mostDeflate));
    QHBoxLayout* layout = dialogRow(m_compressionRow);
    layout->addWidget(m_compression, 1);
    layout->addWidget(m_level);
}

bool VolumeFormatFields::isWhole() const
{
    return m_type->currentData().toInt() == int(OutputFormat::Type::uint16);
}

bool VolumeFormatFields::isCompressed() const
{
    return m_compression->currentData().toBool();
}

bool VolumeFormatFields::isRangeHalf() const
{
    return isWhole() && m_least->text().trimmed().isEmpty() != m_most->text().trimmed().isEmpty();
}

engine::OutputChoice VolumeFormatFields::choice() const
{
    engine::OutputChoice choice;
    choice.type = OutputFormat::Type(m_type->currentData().toInt());
    choice.deflateLevel = isCompressed() ? m_level->value() : 0;
    const QString least = plainNumber(m_least->text().trimmed()), most = plainNumber(m_most->text().trimmed());
    if (isWhole() && !(least.isEmpty() && most.isEmpty()))
        choice.range = engine::valueRangeFromText((least + QLatin1Char(':') + most).toStdString());
    return choice;
}

void VolumeFormatFields::offer()
{
    m_least->setEnabled(isWhole());
    m_most->setEnabled(isWhole());
    m_level->setEnabled(isCompressed());
}

} // namespace ui
