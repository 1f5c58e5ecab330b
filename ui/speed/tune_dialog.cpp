// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/speed/tune_dialog.h"

#include "ui/background/background_task.h"
#include "ui/background/task_row.h"
#include "ui/widgets/displayed_number.h"

#include <QDialogButtonBox>
#include <QLabel>
#include <QScrollArea>
#include <QVBoxLayout>

#include <algorithm>

namespace ui
{

QString tunedTable(const std::vector<engine::TunedChoice>& choices)
{
    const auto cell = [](const QString& text, bool isNumber = false) {
        return QStringLiteral("<td style='padding:1px 10px 1px 0' align='%1'>%2</td>")
            .arg(isNumber ? QStringLiteral("right") : QStringLiteral("left"), text.toHtmlEscaped());
    };
    QString html = QStringLiteral("<table><tr>");
    for (const QString& heading :
         {TuneDialog::tr("interpolation"), TuneDialog::tr("precision"), TuneDialog::tr("slices"),
          TuneDialog::tr("before"), TuneDialog::tr("now"), TuneDialog::tr("GU/s"), TuneDialog::tr("gain")})
        html += QStringLiteral("<th align='left' style='padding:1px 10px 3px 0'>%1</th>").arg(heading);
    html += QStringLiteral("</tr>");
    for (const engine::TunedChoice& choice : choices) {
        const bool isKnown = choice.beforeGups > 0 && choice.afterGups > 0;
        html += QStringLiteral("<tr>") + cell(QString::fromStdString(toText(choice.interpolation))) +
                cell(QString::fromStdString(toText(choice.precision))) +
                cell(QString::number(choice.slicesPerPass), true) + cell(QString::fromStdString(choice.before)) +
                cell(QString::fromStdString(choice.after)) + cell(gupsText(choice.afterGups), true) +
                cell(isKnown ? TuneDialog::tr("× %1").arg(choice.afterGups / choice.beforeGups, 0, 'f', 2)
                             : QStringLiteral("–"),
                     true) +
                QStringLiteral("</tr>");
    }
    return html + QStringLiteral("</table>");
}

struct TuneDialog::Impl {
    engine::TuneOptions options;
    QLabel *text = nullptr, *message = nullptr;
    TaskRow* running = nullptr;
    BackgroundTask task{BackgroundTask::Priority::normal}; // destroyed first, which cancels and waits
};

TuneDialog::TuneDialog(engine::TuneOptions options, QWidget* parent) : QDialog(parent), m_impl(std::make_unique<Impl>())
{
    setObjectName(QStringLiteral("tuneDialog"));
    setWindowTitle(tr("Fastest methods of this machine"));
    resize(560, 420);
    Impl& impl = *m_impl;
    impl.options = std::move(options);
    auto* layout = new QVBoxLayout(this);
    impl.message = new QLabel(tr("Measures each method that “auto” may take, with every interpolation, precision and "
                                 "number of slices. This takes a minute or two; close other programs first."));
    impl.message->setObjectName(QStringLiteral("tuneMessage"));
    impl.message->setWordWrap(true);
    layout->addWidget(impl.message);
    impl.running = new TaskRow(impl.task, tr("Stops measuring; nothing is changed"), new QLabel);
    layout->addWidget(impl.running);
    impl.text = new QLabel;
    impl.text->setObjectName(QStringLiteral("tunedTable"));
    impl.text->setTextFormat(Qt::RichText);
    impl.text->setTextInteractionFlags(Qt::TextSelectableByMouse);
    impl.text->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    auto* scroll = new QScrollArea;
    scroll->setWidget(impl.text);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    layout->addWidget(scroll, 1);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    layout->addWidget(buttons);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(&impl.task, &BackgroundTask::failed, impl.message, &QLabel::setText);
    connect(&impl.task, &BackgroundTask::cancelled, this, [this] { reject(); });
    impl.running->begin(tr("Measuring"));
    auto speeds = std::make_shared<std::vector<engine::MeasuredSpeed>>();
    impl.task.start(
        [speeds, asked = impl.options](const std::stop_token& stop, const BackgroundTask::Progress& progress) {
            *speeds = engine::measureSpeeds(
                asked, [&progress](double fraction, const std::string&) { progress(fraction); }, stop);
        },
        [this, speeds] { take(*speeds); });
}

TuneDialog::~TuneDialog() = default;

void TuneDialog::take(const std::vector<engine::MeasuredSpeed>& speeds)
{
    engine::keepMeasuredSpeeds(speeds);
    const std::vector<engine::TunedChoice> choices = engine::tunedChoices(speeds, m_impl->options.device);
    m_impl->text->setText(tunedTable(choices));
    const auto changed =
        std::ranges::count_if(choices, [](const engine::TunedChoice& choice) { return choice.before != choice.after; });
    m_impl->message->setText(
        changed > 0 ? tr("“auto” goes by these speeds from now on; they are kept for the next start.")
                    : tr("“auto” takes the same methods as before; the speeds are kept for the next start."));
    emit kept();
}

} // namespace ui
