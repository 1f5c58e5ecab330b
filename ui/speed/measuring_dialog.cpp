// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/speed/measuring_dialog.h"

#include "ui/background/task_row.h"
#include "ui/speed/save_measured.h"

#include <QDialogButtonBox>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

#include <utility>

namespace ui
{

MeasuringDialog::MeasuringDialog(const char* name, const QString& title, const QString& cancelTip, QWidget* parent)
    : QDialog(parent), m_above(new QVBoxLayout), m_below(new QVBoxLayout),
      m_buttons(new QDialogButtonBox(QDialogButtonBox::Close)), m_running(new TaskRow(m_task, cancelTip, new QLabel)),
      m_message(new QLabel)
{
    setObjectName(QLatin1String(name) + QStringLiteral("Dialog"));
    setWindowTitle(title);
    m_message->setObjectName(QLatin1String(name) + QStringLiteral("Message"));
    m_message->setWordWrap(true);
    m_message->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_message->hide();
    auto* layout = new QVBoxLayout(this);
    layout->addLayout(m_above);
    layout->addWidget(m_running);
    layout->addWidget(m_message);
    layout->addLayout(m_below, 1);
    layout->addWidget(m_buttons);
    connect(m_buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(this, &QDialog::finished, this, [this] { m_task.cancel(); });
    connect(&m_task, &BackgroundTask::failed, this, &MeasuringDialog::say);
}

void MeasuringDialog::measure(BackgroundTask::Work work, BackgroundTask::Done done)
{
    m_running->begin(tr("Measuring"));
    m_task.start(std::move(work), std::move(done));
}

void MeasuringDialog::say(const QString& text)
{
    m_message->setText(text);
    m_message->setVisible(!text.isEmpty());
}

QPushButton* MeasuringDialog::addSave(const char* name, const QString& title, const QString& file,
                                      std::function<Drawing()> drawing, std::function<std::string()> json)
{
    QPushButton* button = m_buttons->addButton(tr("&Save…"), QDialogButtonBox::ActionRole);
    button->setObjectName(QLatin1String(name));
    button->setToolTip(tr("PNG, SVG, PDF, or the figures as JSON"));
    button->setAutoDefault(false);
    button->setEnabled(false);
    connect(button, &QPushButton::clicked, this,
            [this, title, file, drawing = std::move(drawing), json = std::move(json)] {
                if (const QString said = saveMeasured(this, title, file, drawing(), json()); !said.isEmpty())
                    say(said);
            });
    return button;
}

} // namespace ui
