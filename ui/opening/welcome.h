// SPDX-License-Identifier: GPL-3.0-or-later
// The start page, which covers the images while no scan is open or as the menu shows it: what the program is, and ways
// to open a scan.
#pragma once

#include <QList>
#include <QString>
#include <QWidget>

class QHBoxLayout;
class QPushButton;
class QVBoxLayout;

namespace ui
{

struct RecentScan {
    QString path;
    QString way; // how it was opened, in words; empty: as the program opens it by itself
};

class Welcome : public QWidget
{
    Q_OBJECT
  public:
    explicit Welcome(QWidget* over); // covers this widget and follows its size

    void setRecent(const QList<RecentScan>& all); // scans and sessions, newest first; missing ones aren't offered
    void setOpen(const QString& name);            // of the open scan, to which a button leads back; empty: none is open

  signals:
    void scanWanted();
    void sessionWanted();
    void sampleChosen(const QString& id); // an id of samples()
    void tourWanted();
    void recentChosen(const QString& path);
    void backWanted(); // to the open scan

  protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    QWidget* dropArea();
    QHBoxLayout* sampleRow();
    void addRecent(const RecentScan& recent, QVBoxLayout* column);

    QPushButton *m_back, *m_session;
    QWidget* m_recent;
};

} // namespace ui
