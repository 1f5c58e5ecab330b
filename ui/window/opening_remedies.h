// SPDX-License-Identifier: GPL-3.0-or-later
// Remedies that the window offers if a file can't be opened: another reader, a choice of its data sets, or a raw
// layout.
#pragma once

#include "engine/io/open/open_scan.h"

#include <QObject>
#include <QString>

class QWidget;

namespace ui
{

class MessageBar;
class OpeningController;
class PersistentState;
class ReadingPanel;
class ScanController;
class Welcome;

// Everything passed to the constructor outlives this object.
class OpeningRemedies : public QObject
{
    Q_OBJECT
  public:
    OpeningRemedies(QWidget& window, PersistentState& state, Welcome& welcome, ReadingPanel& reading,
                    MessageBar& messages, const ScanController& scan, OpeningController& opening);

    // Asks for the data sets of an HDF5 file, stores the choice and opens the file with it.
    void chooseDataSets(const QString& path, const engine::OpenOptions& options);

  private:
    void offer(const QString& path, const engine::OpenOptions& options, const QString& message);
    void openAsKnown(const QString& path, const engine::OpenOptions& options, const QString& message);
    void askForShape(const QString& path, const engine::OpenOptions& options);

    QWidget& m_window;
    PersistentState& m_state;
    Welcome& m_welcome;
    ReadingPanel& m_reading;
    MessageBar& m_messages;
    const ScanController& m_scan;
    OpeningController& m_opening;
};

} // namespace ui
