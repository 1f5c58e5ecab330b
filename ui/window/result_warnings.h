// SPDX-License-Identifier: GPL-3.0-or-later
// Warnings about a reconstruction whose image is wrong: empty projections, or a guessed axis.
#pragma once

#include "engine/reconstruct/reconstruction.h"

#include <QObject>

#include <memory>
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

    void warnOfEmpty(const engine::Reconstruction& made); // the scan bar shows it permanently
    void warnOfAxis(const engine::Reconstruction& made);
    void forgetAxis(); // for another scan

  signals:
    void leaveOutWanted(const std::vector<engine::RowRange>& projections); // numbers in the scan as recorded
    void trialsWanted();

  private:
    void showAxisDoubt();

    MessageBar& m_messages;
    std::shared_ptr<const engine::Scan> m_warnedOf; // scan whose empty projections were reported
    QString m_axisDoubt; // of the last image, if its axis is more likely wrong than right; else empty
    bool m_warnedOfAxis = false;
};

} // namespace ui
