// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/speed/card_dialog.h"

#include "ui/background/background_task.h"
#include "ui/background/task_row.h"
#include "ui/speed/card_drawing.h"
#include "ui/speed/save_measured.h"

#include <QDialogButtonBox>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

#include <optional>

namespace ui
{

namespace
{

constexpr int previewWidth = 720; // pixels

} // namespace

struct CardDialog::Impl {
    QLabel* preview = nullptr;
    QLabel* message = nullptr;
    QPushButton* save = nullptr;
    TaskRow* running = nullptr;
    std::optional<engine::MachineCard> card;
    BackgroundTask task{BackgroundTask::Priority::normal}; // destroyed first, which cancels and waits
};

CardDialog::CardDialog(QWidget* parent) : QDialog(parent), m_impl(std::make_unique<Impl>())
{
    setObjectName(QStringLiteral("cardDialog"));
    setWindowTitle(tr("Card of this machine"));
    Impl& impl = *m_impl;
    auto* layout = new QVBoxLayout(this);
    impl.preview = new QLabel(tr("Measures the fastest method of each interpolation and precision, how much of the "
                                 "device it uses, and its error. Close other programs first."));
    impl.preview->setObjectName(QStringLiteral("cardPreview"));
    impl.preview->setWordWrap(true);
    impl.preview->setAlignment(Qt::AlignCenter);
    impl.preview->setFixedSize(previewWidth, qRound(previewWidth * cardShape));
    layout->addWidget(impl.preview);
    impl.running = new TaskRow(impl.task, tr("Stops measuring"), new QLabel);
    layout->addWidget(impl.running);
    impl.message = new QLabel;
    impl.message->setObjectName(QStringLiteral("cardMessage"));
    impl.message->setWordWrap(true);
    impl.message->hide();
    layout->addWidget(impl.message);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    impl.save = buttons->addButton(tr("&Save…"), QDialogButtonBox::ActionRole);
    impl.save->setObjectName(QStringLiteral("saveCard"));
    impl.save->setEnabled(false);
    impl.save->setToolTip(tr("PNG, SVG, PDF, or the figures as JSON"));
    layout->addWidget(buttons);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(impl.save, &QPushButton::clicked, this, &CardDialog::save);
    const auto say = [this](const QString& text) {
        m_impl->message->setText(text);
        m_impl->message->show();
    };
    connect(&impl.task, &BackgroundTask::failed, this, say);
    connect(&impl.task, &BackgroundTask::cancelled, this, [this] { reject(); });
    impl.running->begin(tr("Measuring"));
    auto made = std::make_shared<engine::MachineCard>();
    impl.task.start(
        [made](const std::stop_token& stop, const BackgroundTask::Progress& progress) {
            *made = engine::measureCard(
                {}, [&progress](double fraction, const std::string&) { progress(fraction); }, stop);
        },
        [this, made] { show(*made); });
}

CardDialog::~CardDialog() = default;

void CardDialog::show(const engine::MachineCard& card)
{
    m_impl->card = card;
    DrawingLook look;
    look.dotsPerInch = static_cast<int>(previewWidth * devicePixelRatioF() / (look.widthMm / 25.4));
    QImage image = imageOf(drawingOf(card), look);
    image.setDevicePixelRatio(devicePixelRatioF());
    m_impl->preview->setPixmap(QPixmap::fromImage(image));
    m_impl->preview->setAccessibleName(QString::fromStdString(engine::cardJson(card)));
    m_impl->save->setEnabled(true);
}

void CardDialog::save()
{
    const QString said = saveMeasured(this, tr("Save the card"), QStringLiteral("sinoscope_card.png"),
                                      drawingOf(*m_impl->card), engine::cardJson(*m_impl->card));
    if (said.isEmpty())
        return;
    m_impl->message->setText(said);
    m_impl->message->show();
}

} // namespace ui
