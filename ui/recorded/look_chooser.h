// SPDX-License-Identifier: GPL-3.0-or-later
// What is shown of the recorded images: as recorded, prepared, or at a step of preparation.
#pragma once

#include "engine/reconstruct/recorded_images.h"

#include <QObject>

#include <optional>

class QComboBox;
class QSettings;

namespace ui
{

class LookChooser : public QObject
{
    Q_OBJECT
  public:
    LookChooser();

    QComboBox* how() const { return m_how; } // both belong to the layout that they are put into
    QComboBox* step() const { return m_step; }

    engine::Look look() const;                                      // that is chosen
    bool isAtStep() const;                                          // before it, after it or at its difference
    void set(const engine::Look& look);                             // no signal
    void lookAt(const QString& step);                               // likewise; see RecordedPanel::lookAt()
    void offerSteps(const std::optional<engine::Request>& request); // those that are on

    void saveState(QSettings& settings) const;
    void restoreState(const QSettings& settings);

  signals:
    void changed();

  private:
    QComboBox* m_how;
    QComboBox* m_step;
    QString m_wantedStep;
    bool m_waitsForDifference = false; // of the next step that has one
};

} // namespace ui
