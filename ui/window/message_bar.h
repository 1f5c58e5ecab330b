// SPDX-License-Identifier: GPL-3.0-or-later
// One line over the images that shows errors, hints, or the progress of an operation with a button to cancel it.
#pragma once

#include <QElapsedTimer>
#include <QFrame>

#include <functional>

class QLabel;
class QProgressBar;
class QPushButton;
class QToolButton;

namespace ui
{

// Lies over its parent, `top` pixels below its upper edge, so that nothing moves when the bar appears or disappears,
// and to the left of the widget given to keepLeftOf().
class MessageBar : public QFrame
{
    Q_OBJECT
  public:
    MessageBar(QWidget* parent, int top);
    void keepLeftOf(QWidget* seen); // a widget in the parent; no effect while it is hidden

    void showError(const QString& text);
    // Adds a button with a remedy.
    void showError(const QString& text, const QString& action, std::function<void()> act);
    void showInformation(const QString& text); // disappears after a few seconds
    void showHint(const QString& text, const QString& action, std::function<void()> act);    // stays
    void showSuccess(const QString& text, const QString& action, std::function<void()> act); // stays
    void showProgress(const QString& text, std::function<void()> cancel);
    void setProgress(double fraction); // after some time, also shows the time left
    void dismiss();

    void fail(const QString& message);        // shows an error and emits failed()
    void failOnce(const QString& message);    // does nothing if this error is already shown
    void failRequest(const QString& message); // as fail(), but endRequestFailure() removes the error
    void endRequestFailure();                 // to be called when a request has succeeded
    void keepNextError();                     // endRequestFailure() will not remove the error shown next

    bool isError() const { return !isHidden() && m_kind == Kind::error; }
    QString text() const;

  signals:
    void failed(const QString& message);

  protected:
    void changeEvent(QEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    enum class Kind { error, hint, success, progress };
    void present(const QString& text, Kind kind);
    void offer(const QString& text, Kind kind, const QString& action, std::function<void()> act);
    void place();
    void showMark();

    QWidget* m_seen = nullptr;
    QLabel* m_mark; // icon for the kind of message
    QLabel* m_text;
    QProgressBar* m_progress;
    QPushButton* m_button;
    QToolButton* m_close;
    QTimer* m_timer;
    std::function<void()> m_act;
    QString m_doing;       // text of the progress
    QElapsedTimer m_begun; // start of the progress
    int m_top;
    Kind m_kind = Kind::hint;
    bool m_isOfRequest = false; // the last error came from failRequest()
};

} // namespace ui
