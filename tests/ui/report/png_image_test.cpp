// SPDX-License-Identifier: GPL-3.0-or-later
// PNGs of the engine are read by Qt: size, grey values, values beyond the range, averages of larger images.
#include "engine/io/files/png_image.h"
#include "tests/test_program.h"

#include <QImage>

#include <limits>

class PngImageTest : public QObject
{
    Q_OBJECT
  private slots:
    void greys()
    {
        const std::vector<float> values{0, 1, 2, 3, -5, std::numeric_limits<float>::quiet_NaN()};
        const std::string png = engine::greyPng(values, 3, 2, 0, 2, 100);
        const QImage image = QImage::fromData(QByteArray::fromStdString(png));
        QCOMPARE(image.size(), QSize(3, 2));
        const int expected[] = {0, 128, 255, 255, 0, 0};
        for (int k = 0; k < 6; ++k)
            QCOMPARE(qGray(image.pixel(k % 3, k / 3)), expected[k]);
        const QByteArray text = QByteArray::fromStdString(engine::dataUri(png));
        QCOMPARE(QByteArray::fromBase64(text.mid(text.indexOf(',') + 1)), QByteArray::fromStdString(png));
    }

    void averages()
    {
        std::vector<float> values(10 * 6);
        for (std::size_t k = 0; k < values.size(); ++k)
            values[k] = static_cast<float>(k % 10); // columns
        const QImage image = QImage::fromData(QByteArray::fromStdString(engine::greyPng(values, 10, 6, 0, 9, 5)));
        QCOMPARE(image.size(), QSize(5, 3));
        for (int column = 0; column < 5; ++column)
            QCOMPARE(qGray(image.pixel(column, 1)), qRound(255 * (2 * column + 0.5) / 9));
    }
};

SINOSCOPE_TEST(PngImageTest, QGuiApplication)
#include "png_image_test.moc"
