// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/speed/tune_dialog.h"

#include "ui/widgets/displayed_number.h"

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

TuneDialog::TuneDialog(const engine::BenchmarkOptions& options, QWidget* parent)
    : MeasuringDialog("tune", tr("Fastest methods of this machine"), tr("Stops measuring; nothing is changed"), parent),
      m_device(options.device), m_table(new QLabel)
{
    resize(560, 420);
    say(tr("Measures each method that “auto” may take, with every interpolation, precision and number of slices. This "
           "takes a minute or two; close other programs first."));
    m_table->setObjectName(QStringLiteral("tunedTable"));
    m_table->setTextFormat(Qt::RichText);
    m_table->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_table->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    auto* scroll = new QScrollArea;
    scroll->setWidget(m_table);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    m_below->addWidget(scroll);
    connect(&m_task, &BackgroundTask::cancelled, this, &QDialog::reject);
    auto speeds = std::make_shared<std::vector<engine::MeasuredSpeed>>();
    measure(
        [speeds, options](const std::stop_token& stop, const BackgroundTask::Progress& progress) {
            *speeds = engine::measureSpeeds(
                options, {.onProgress = [&progress](double fraction, const std::string&) { progress(fraction); }},
                stop);
        },
        [this, speeds] { take(*speeds); });
}

void TuneDialog::take(const std::vector<engine::MeasuredSpeed>& speeds)
{
    engine::keepMeasuredSpeeds(speeds);
    const std::vector<engine::TunedChoice> choices = engine::tunedChoices(speeds, m_device);
    m_table->setText(tunedTable(choices));
    const auto changed =
        std::ranges::count_if(choices, [](const engine::TunedChoice& choice) { return choice.before != choice.after; });
    say(changed > 0 ? tr("“auto” goes by these speeds from now on; they are kept for the next start.")
                    : tr("“auto” takes the same methods as before; the speeds are kept for the next start."));
    emit kept();
}

} // namespace ui
