// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/recorded/look_chooser.h"

#include "engine/prepare/steps.h"
#include "ui/recorded/small_combo.h"

#include <QComboBox>
#include <QCoreApplication>
#include <QSettings>
#include <QSignalBlocker>
#include <QStandardItemModel>

#include <algorithm>

namespace ui
{

namespace
{

const QString shownKey = QStringLiteral("recorded/shown"), stepKey = QStringLiteral("recorded/step");

} // namespace

LookChooser::LookChooser()
    : m_how(smallCombo("recordedShown", tr("Data shown"))),
      m_step(smallCombo("recordedStep", tr("Preparation step to look at")))
{
    const auto addLook = [this](engine::Shown shown, const QString& label, const QString& tip) {
        m_how->addItem(label, static_cast<int>(shown));
        m_how->setItemData(m_how->count() - 1, tip, Qt::ToolTipRole);
    };
    using engine::Shown;
    addLook(Shown::raw, tr("As recorded"), tr("The numbers in the file"));
    addLook(Shown::prepared, tr("Prepared"), tr("Line integrals, after the steps of the chosen setting"));
    addLook(Shown::before, tr("Before"), tr("Input of the step beside it"));
    addLook(Shown::after, tr("After"), tr("Output of the step beside it"));
    addLook(
        Shown::difference, tr("Difference"),
        tr("Output minus input of the step; for the logarithm and phase retrieval, output minus −log of the input"));
    connect(m_how, &QComboBox::currentIndexChanged, this, [this] {
        m_waitsForDifference = false;
        emit changed();
    });
    connect(m_step, &QComboBox::currentIndexChanged, this, [this] {
        m_wantedStep = m_step->currentData().toString();
        emit changed();
    });
}

engine::Look LookChooser::look() const
{
    const auto shown = static_cast<engine::Shown>(m_how->currentData().toInt());
    if (shown == engine::Shown::raw || shown == engine::Shown::prepared || m_step->count() == 0)
        return shown == engine::Shown::raw ? engine::Shown::raw : engine::Shown::prepared;
    return {shown, m_step->currentData().toString().toStdString()};
}

bool LookChooser::isAtStep() const
{
    const engine::Shown how = look().how;
    return how != engine::Shown::raw && how != engine::Shown::prepared;
}

void LookChooser::set(const engine::Look& look)
{
    if (!look.step.empty())
        m_wantedStep = QString::fromStdString(look.step);
    const QSignalBlocker blocker(m_how);
    m_how->setCurrentIndex(m_how->findData(static_cast<int>(look.how)));
}

void LookChooser::lookAt(const QString& step)
{
    const auto found = std::ranges::find(engine::steps(), step.toStdString(), &engine::Step::id);
    const bool hasDifference = found != engine::steps().end() && !engine::noDifference(*found);
    engine::Shown how = m_waitsForDifference || !isAtStep() ? engine::Shown::difference : look().how;
    m_waitsForDifference = how == engine::Shown::difference && !hasDifference;
    if (m_waitsForDifference)
        how = engine::Shown::after;
    set({how, step.toStdString()});
}

void LookChooser::offerSteps(const std::optional<engine::Request>& request)
{
    const auto shown = static_cast<engine::Shown>(m_how->currentData().toInt());
    m_step->setVisible(shown != engine::Shown::raw && shown != engine::Shown::prepared);
    if (!request || !request->scan)
        return;
    const QSignalBlocker blocker(m_step);
    m_step->clear();
    for (const engine::Step* each : engine::stepsToLookAt(*request)) {
        m_step->addItem(QCoreApplication::translate("engine", each->label), QString::fromLatin1(each->id));
        m_step->setItemData(m_step->count() - 1, QCoreApplication::translate("engine", each->summary), Qt::ToolTipRole);
    }
    m_step->setCurrentIndex(std::max(0, m_step->findData(m_wantedStep)));
    showPossible();
}

// A step without a difference image is shown after it, until a step with one is chosen.
void LookChooser::showPossible()
{
    const engine::Look chosen = look();
    const auto step = std::ranges::find(engine::steps(), chosen.step, &engine::Step::id);
    const bool hasNone = step != engine::steps().end() && engine::noDifference(*step);
    const int difference = m_how->findData(static_cast<int>(engine::Shown::difference));
    auto* const item = qobject_cast<QStandardItemModel*>(m_how->model())->item(difference);
    item->setEnabled(!hasNone);
    if (hasNone && chosen.how == engine::Shown::difference) {
        m_waitsForDifference = true;
        set({engine::Shown::after, chosen.step});
    } else if (!hasNone && isAtStep() && m_waitsForDifference) {
        m_waitsForDifference = false;
        set({engine::Shown::difference, chosen.step});
    }
}

void LookChooser::saveState(QSettings& settings) const
{
    settings.setValue(shownKey, m_how->currentIndex());
    settings.setValue(stepKey, m_wantedStep);
}

void LookChooser::restoreState(const QSettings& settings)
{
    m_wantedStep = settings.value(stepKey).toString();
    m_how->setCurrentIndex(std::clamp(settings.value(shownKey, 0).toInt(), 0, m_how->count() - 1));
}

} // namespace ui
