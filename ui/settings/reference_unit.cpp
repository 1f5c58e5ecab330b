// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/settings/reference_unit.h"

#include "ui/settings/choice_combo.h"
#include "ui/widgets/boxes.h"

#include <QLabel>
#include <QPushButton>

namespace ui
{

QString unitInWords(const std::string& unit)
{
    return ReferenceUnit::tr("per %1").arg(QString::fromStdString(unit.substr(unit.find('/') + 1)));
}

ReferenceUnit::ReferenceUnit(QWidget* parent) : QWidget(parent), m_units(new ChoiceCombo), m_offer(new QPushButton)
{
    m_units->setObjectName(QStringLiteral("referenceUnit"));
    m_units->setAccessibleName(tr("Unit of the reference's values"));
    m_units->addChoice(tr("As the file says"), QString(),
                       tr("In the unit that the file specifies; if it specifies none, in the unit of the slices"));
    for (const char* unit : engine::imageUnits)
        m_units->addChoice(
            unitInWords(unit), QLatin1String(unit),
            tr("The values of the file are attenuation %1, whatever it specifies").arg(unitInWords(unit)));
    m_units->setToolTip(tr("The unit in which the values of the file are read. They are converted to the unit of the "
                           "slices, so that a wrong unit makes every error wrong"));
    auto* label = new QLabel(tr("Its unit"));
    label->setBuddy(m_units);
    label->setToolTip(m_units->toolTip());
    m_offer->setObjectName(QStringLiteral("likelyUnit"));
    m_offer->setToolTip(tr("The file specifies no unit. Its bright parts agree with those of the slices within 2 % in "
                           "this unit, but not as it is read now"));
    m_offer->hide();
    auto* row = new QHBoxLayout;
    row->addWidget(label);
    row->addWidget(m_units, 1);
    filled(new QVBoxLayout(this), {row, m_offer}, {QMargins(), 4});
    hide();
    connect(m_offer, &QPushButton::clicked, this, [this] { emit chosen(std::string(m_offered)); });
    connect(m_units, &QComboBox::currentIndexChanged, this,
            [this] { emit chosen(m_units->currentData().toString().toStdString()); });
}

void ReferenceUnit::showFor(const ReferenceChoice& reference, const engine::Scan* scan)
{
    const bool isSizeKnown = scan && scan->pixelSizeMm();
    for (int k = 1; k < m_units->count(); ++k) {
        const bool isPossible = isSizeKnown || m_units->itemData(k).toString() == QLatin1String("1/pixel");
        m_units->setImpossible(k, isPossible ? std::nullopt
                                             : std::optional(tr("The scan doesn't specify the size of its pixels.")));
    }
    m_units->select(QString::fromStdString(reference.file.unit));
    if (reference.kind != ReferenceChoice::Kind::file || !reference.file.unit.empty())
        offer({});
    setVisible(reference.kind == ReferenceChoice::Kind::file);
}

void ReferenceUnit::offer(const std::string& unit)
{
    m_offered = unit;
    m_offer->setText(unit.empty() ? QString() : tr("Read as %1: it fits").arg(unitInWords(unit)));
    m_offer->setVisible(!unit.empty());
}

} // namespace ui
