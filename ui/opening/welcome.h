// SPDX-License-Identifier: GPL-3.0-or-later
// The start page, which covers the images while no scan is open: what the program is, and ways to open a scan.
#pragma once

#include <QStringList>
#include <QWidget>

class QHBoxLayout;
class QPushButton;
class QVBoxLayout;

namespace ui
{

class Welcome : public QWidget
{
    Q_OBJECT
  public:
    explicit Welcome(QWidget* over); // covers this widget and follows its size

    void setRecent(const QStringList& paths); // scans and sessions, newest first; missing ones aren't offered

  signals:
    void scanWanted();
    void sessionWanted();
    void sampleChosen(const QString& id); // an id of samples()
    void tourWanted();
    void recentChosen(const QString& path);

  protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    QWidget* dropArea();
    QHBoxLayout* sampleRow();

    QPushButton* m_session;
    QWidget* m_recent;
};

} // namespace ui
