// SPDX-License-Identifier: GPL-3.0-or-later
// What a reconstruction reports that makes its image wrong: empty projections, and an axis that is only a guess.
#pragma once

#include "engine/reconstruct/reconstruction.h"

#include <QObject>

#include <memory>
#include <vector>

namespace ui
{

class MessageBar;

// Shows each once per scan in the message bar, which outlives this object.
class ResultWarnings : public QObject
{
    Q_OBJECT
  public:
    explicit ResultWarnings(MessageBar& messages);

    void warnOfEmpty(const engine::Reconstruction& made); // the scan bar goes on showing it
    void warnOfAxis(const engine::Reconstruction& made);
    void forgetAxis(); // another scan was opened

  signals:
    void leaveOutWanted(const std::vector<engine::RowRange>& projections); // of the scan as recorded
    void trialsWanted();

  private:
    MessageBar& m_messages;
    std::shared_ptr<const engine::Scan> m_warnedOf; // its empty projections
    bool m_warnedOfAxis = false;
};

} // namespace ui
