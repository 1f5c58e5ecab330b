// SPDX-License-Identifier: GPL-3.0-or-later
// Choice of how recorded images are shown: as recorded, prepared, or at a step of preparation.
#pragma once

#include "engine/stages/recorded_images.h"

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

    QComboBox* how() const { return m_how; } // how() and step() get their parent from the layout that they are added to
    QComboBox* step() const { return m_step; }

    engine::Look look() const;                                      // the chosen one
    bool isAtStep() const;                                          // before a step, after it, or at its difference
    void set(const engine::Look& look);                             // emits no signal
    void lookAt(const QString& step);                               // emits no signal; see RecordedPanel::lookAt()
    void offerSteps(const std::optional<engine::Request>& request); // the steps that are on

    void saveState(QSettings& settings) const;
    void restoreState(const QSettings& settings);

  signals:
    void changed();

  private:
    void showPossible();

    QComboBox* m_how;
    QComboBox* m_step;
    QString m_wantedStep;
    bool m_waitsForDifference = false; // lookAt() shows the difference of the next step that has one
};

} // namespace ui
