// SPDX-License-Identifier: GPL-3.0-or-later
// Warnings about images that are wrong: a scan that contradicts itself, a guessed axis, a reference in another unit.
#pragma once

#include "engine/reconstruct/reconstruction.h"
#include "ui/background/comparison.h"

#include <QObject>

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace ui
{

class MessageBar;

// Shows each warning once per scan in the message bar, which outlives this object.
class ResultWarnings : public QObject
{
    Q_OBJECT
  public:
    explicit ResultWarnings(MessageBar& messages);

    void warnOfScan(const engine::Reconstruction& made); // the scan bar shows it permanently
    void warnOfAxis(const engine::Reconstruction& made);
    void forgetAxis(); // for another scan
    // Warns of a reference from a file without a unit if it would fit in another one. Removes the warning when another
    // reference or another unit was chosen.
    void warnOfUnit(const Comparison& shown);
    // Says what the difference hides: each setting's exact result has that setting's preparation, filter and axis. Says
    // it once for the same differences. Removes it when another reference was chosen.
    void warnOfHidden(const Comparison& shown);

  signals:
    void correctionWanted(const engine::Doubt& doubt);
    void leaveOutWanted(const std::vector<engine::RowRange>& projections); // numbers in the scan as recorded
    void airWanted();                                                      // to be set to 0
    void trialsWanted();
    void unitWanted(const std::string& unit); // of the reference
    void referenceWanted(const ReferenceChoice& reference);

  private:
    void showAxisDoubt();

    MessageBar& m_messages;
    std::shared_ptr<const engine::Scan> m_warnedOf; // scan with these warnings
    QStringList m_warned;
    QString m_axisDoubt; // of the last image, if its axis is more likely wrong than right; else empty
    bool m_warnedOfAxis = false;
    std::optional<ReferenceChoice> m_unitOf; // reference whose unit was warned of
    QString m_unitText;                      // the warning
    QString m_hiddenText;                    // what the difference hides, as said last
};

} // namespace ui
