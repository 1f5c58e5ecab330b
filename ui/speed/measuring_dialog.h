// SPDX-License-Identifier: GPL-3.0-or-later
// A window that measures something: the progress, a message, and what was measured, which can be saved.
#pragma once

#include "ui/background/background_task.h"
#include "ui/widgets/drawing.h"

#include <QDialog>

#include <functional>
#include <string>

class QDialogButtonBox;
class QLabel;
class QPushButton;
class QVBoxLayout;

namespace ui
{

class TaskRow;

class MeasuringDialog : public QDialog
{
    Q_OBJECT
  protected:
    // name: "card" for a cardDialog with a cardMessage. cancelTip: what the button beside the progress stops. Closing
    // the window cancels the measurement.
    MeasuringDialog(const char* name, const QString& title, const QString& cancelTip, QWidget* parent);

    // Measures in the background. done: in this thread; an exception is shown as the message, as one of `work` is.
    void measure(BackgroundTask::Work work, BackgroundTask::Done done);
    void say(const QString& text); // an empty text hides the message

    // Adds a button that saves the drawing, or the figures as JSON. The button is disabled at first.
    QPushButton* addSave(const char* name, const QString& title, const QString& file, std::function<Drawing()> drawing,
                         std::function<std::string()> json);

    QVBoxLayout *m_above, *m_below; // of the progress and the message
    QDialogButtonBox* m_buttons;
    BackgroundTask m_task{BackgroundTask::Priority::normal};

  private:
    TaskRow* m_running;
    QLabel* m_message;
};

} // namespace ui
