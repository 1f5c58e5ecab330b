// SPDX-License-Identifier: GPL-3.0-or-later
// What lies over the images while no scan is open: the ways to one.
#pragma once

#include <QStringList>
#include <QWidget>

class QPushButton;
class QVBoxLayout;

namespace ui
{

class Welcome : public QWidget
{
    Q_OBJECT
  public:
    explicit Welcome(QWidget* over); // fills it

    void
    setRecent(const QStringList& paths); // scans and sessions, the newest first; those that are gone aren't offered

  signals:
    void scanWanted();
    void sessionWanted();
    void sampleChosen(const QString& id); // of samples()
    void recentChosen(const QString& path);

  protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    QPushButton* m_session;
    QWidget* m_recent;
};

} // namespace ui
