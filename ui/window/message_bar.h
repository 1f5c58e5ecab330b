// SPDX-License-Identifier: GPL-3.0-or-later
// A line over the images that shows errors and hints, and below it a line per running task, with a button to cancel it.
#pragma once

#include <QFrame>

#include <functional>
#include <map>
#include <vector>

class QHBoxLayout;
class QImage;
class QLabel;
class QPushButton;
class QToolButton;

namespace ui
{

class BackgroundTask;
class TaskRow;

// Lies over its parent, `top` pixels below its upper edge, so that nothing moves when the bar appears or disappears,
// and to the left of the widgets given to keepLeftOf().
class MessageBar : public QFrame
{
    Q_OBJECT
  public:
    MessageBar(QWidget* parent, int top);
    void keepLeftOf(QWidget* seen); // a widget in the parent; no effect while it is hidden, or leaves too little room

    void showError(const QString& text);
    // Adds a button with a remedy.
    void showError(const QString& text, const QString& action, std::function<void()> act);
    void showInformation(const QString& text); // disappears after a few seconds
    void showHint(const QString& text, const QString& action, std::function<void()> act);    // stays
    void showSuccess(const QString& text, const QString& action, std::function<void()> act); // stays
    void addAction(const QString& action, std::function<void()> act); // another button, for the message shown
    void setPicture(int button, const QImage& picture);               // 0: of the message shown, 1: the other one
    // Shows the task, which is being started, until it ends. Messages don't replace it. cancel: called by the button
    // instead of cancelling the task immediately.
    void showProgress(BackgroundTask& task, const QString& text, std::function<void()> cancel = {});
    void dismiss(); // the message

    void fail(const QString& message);        // shows an error and emits failed()
    void failOnce(const QString& message);    // does nothing if this error is already shown
    void failRequest(const QString& message); // as fail(), but endRequestFailure() removes the error
    void endRequestFailure();                 // to be called when a request has succeeded
    void keepNextError();                     // endRequestFailure() will not remove the error shown next

    bool isError() const { return !m_message->isHidden() && m_kind == Kind::error; }
    QString text() const; // of the message, else of a running task

  signals:
    void failed(const QString& message);
    void dismissed(); // no message is left

  protected:
    bool event(QEvent* event) override;
    void changeEvent(QEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    enum class Kind { error, hint, success };
    void present(const QString& text, Kind kind);
    void offer(const QString& text, Kind kind, const QString& action, std::function<void()> act);
    void actOn(QPushButton* button);
    void place();
    void showMark();
    void showParts(); // hides the bar if it has nothing to show

    std::vector<QWidget*> m_seen;
    QWidget* m_message; // all of these: mark, text, buttons, close
    QLabel* m_mark;     // icon for the kind of message
    QLabel* m_text;
    QPushButton *m_button, *m_other;
    QHBoxLayout *m_line, *m_pictures; // the buttons are in the line, or below it if they have pictures
    QToolButton* m_close;
    QTimer* m_timer;
    std::map<const QPushButton*, std::function<void()>> m_acts;
    std::map<const BackgroundTask*, TaskRow*> m_tasks;
    int m_top;
    Kind m_kind = Kind::hint;
    bool m_isOfRequest = false; // the last error came from failRequest()
};

} // namespace ui
