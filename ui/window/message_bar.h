// SPDX-License-Identifier: GPL-3.0-or-later
// One line over the images: what went wrong, or what is being done and how to stop it.
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

// Lies over its parent, `top` below its upper edge, so that nothing moves when it comes or goes; and to the left of
// what is to be seen beside it.
class MessageBar : public QFrame
{
    Q_OBJECT
  public:
    MessageBar(QWidget* parent, int top);
    void keepLeftOf(QWidget* seen); // in the parent, while it is shown

    void showError(const QString& text);
    // With a button that offers the way out.
    void showError(const QString& text, const QString& action, std::function<void()> act);
    void showInformation(const QString& text); // goes by itself after a few seconds
    void showHint(const QString& text, const QString& action, std::function<void()> act);    // stays
    void showSuccess(const QString& text, const QString& action, std::function<void()> act); // stays
    void showProgress(const QString& text, std::function<void()> cancel);
    void setProgress(double fraction); // with the time left, when it has gone on for a while
    void dismiss();

    void fail(const QString& message);        // shows an error in the window's words, and emits failed()
    void failOnce(const QString& message);    // the same, unless that error is shown already
    void failRequest(const QString& message); // the same as fail(), but the error goes when a request succeeds
    void endRequestFailure();                 // a request has succeeded
    void keepNextError();                     // which isn't of a request

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
    QLabel* m_mark; // what kind it is
    QLabel* m_text;
    QProgressBar* m_progress;
    QPushButton* m_button;
    QToolButton* m_close;
    QTimer* m_timer;
    std::function<void()> m_act;
    QString m_doing;       // of the progress
    QElapsedTimer m_begun; // likewise
    int m_top;
    Kind m_kind = Kind::hint;
    bool m_isOfRequest = false; // the error that was shown last, and goes when a request succeeds
};

} // namespace ui
