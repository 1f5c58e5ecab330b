// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/speed/card_dialog.h"

#include "engine/measure/benchmark_json.h"
#include "ui/speed/card_drawing.h"

#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

namespace ui
{

namespace
{

constexpr int previewWidth = 720; // pixels

} // namespace

CardDialog::CardDialog(QWidget* parent)
    : MeasuringDialog("card", tr("Card of this machine"), tr("Stops measuring"), parent)
{
    m_preview = new QLabel(tr("Measures the fastest method of each interpolation and precision, how much of the "
                              "device it uses, and its error. Close other programs first."));
    m_preview->setObjectName(QStringLiteral("cardPreview"));
    m_preview->setWordWrap(true);
    m_preview->setAlignment(Qt::AlignCenter);
    m_preview->setFixedSize(previewWidth, qRound(previewWidth * cardShape));
    m_above->addWidget(m_preview);
    m_save = addSave(
        "saveCard", tr("Save the card"), QStringLiteral("sinoscope_card.png"), [this] { return drawingOf(m_card); },
        [this] { return engine::benchmarkJson(m_card); });
    connect(&m_task, &BackgroundTask::cancelled, this, &QDialog::reject);
    engine::BenchmarkOptions asked;
    asked.kind = engine::BenchmarkOptions::Kind::card;
    auto made = std::make_shared<engine::Benchmark>();
    measure(
        [made, asked](const std::stop_token& stop, const BackgroundTask::Progress& progress) {
            *made = engine::runBenchmark(
                asked, {.onProgress = [&progress](double fraction, const std::string&) { progress(fraction); }}, stop);
        },
        [this, made] { show(*made); });
}

void CardDialog::show(const engine::Benchmark& card)
{
    m_card = card;
    DrawingLook look;
    look.dotsPerInch = static_cast<int>(previewWidth * devicePixelRatioF() / (look.widthMm / 25.4));
    QImage image = imageOf(drawingOf(card), look);
    image.setDevicePixelRatio(devicePixelRatioF());
    m_preview->setPixmap(QPixmap::fromImage(image));
    m_preview->setAccessibleName(QString::fromStdString(engine::benchmarkJson(card)));
    m_save->setEnabled(true);
}

} // namespace ui
