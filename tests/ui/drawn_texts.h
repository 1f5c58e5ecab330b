// SPDX-License-Identifier: GPL-3.0-or-later
// A paint device that records which texts are drawn and where, to find those that overlap or lie outside.
#pragma once

#include <QFontMetricsF>
#include <QPaintDevice>
#include <QPaintEngine>
#include <QPainter>
#include <QStringList>

#include <vector>

namespace fixtures
{

struct DrawnText {
    QString text;
    QRectF ink; // on the device
};

// Texts in the order in which they were drawn.
struct DrawnTexts {
    QSize size; // of the device
    std::vector<DrawnText> texts;

    QString all() const
    {
        QStringList lines;
        for (const DrawnText& each : texts)
            lines << each.text;
        return lines.join(u'\n');
    }
    // Describes the first texts that overlap, or one that lies outside; empty if there are none.
    QString fault() const
    {
        constexpr double rounding = 1.5; // boxes of letters are whole pixels
        const QRectF whole = QRectF(QPointF(), size).adjusted(-rounding, -rounding, rounding, rounding);
        for (std::size_t k = 0; k < texts.size(); ++k) {
            if (!whole.contains(texts[k].ink))
                return QStringLiteral("%1 is outside, to x = %2, y = %3")
                    .arg(texts[k].text)
                    .arg(texts[k].ink.right())
                    .arg(texts[k].ink.bottom());
            for (std::size_t other = 0; other < k; ++other)
                if (texts[k].ink.intersects(texts[other].ink))
                    return texts[other].text + QStringLiteral(" and ") + texts[k].text;
        }
        return {};
    }
};

class TextRecorder : public QPaintDevice
{
  public:
    explicit TextRecorder(const QSizeF& size) { m_engine.drawn.size = size.toSize(); }

    const DrawnTexts& drawn() const { return m_engine.drawn; }
    QPaintEngine* paintEngine() const override { return &m_engine; }

  protected:
    int metric(PaintDeviceMetric which) const override
    {
        switch (which) {
        case PdmWidth:
            return drawn().size.width();
        case PdmHeight:
            return drawn().size.height();
        case PdmDepth:
            return 32;
        case PdmDpiX:
        case PdmDpiY:
        case PdmPhysicalDpiX:
        case PdmPhysicalDpiY:
            return 96;
        case PdmWidthMM:
            return qRound(drawn().size.width() * 25.4 / 96);
        case PdmHeightMM:
            return qRound(drawn().size.height() * 25.4 / 96);
        case PdmDevicePixelRatio:
            return 1;
        case PdmDevicePixelRatioScaled:
            return qRound(devicePixelRatioFScale());
        default:
            return 0;
        }
    }

  private:
    struct Engine : QPaintEngine {
        Engine() : QPaintEngine(AllFeatures) {}
        bool begin(QPaintDevice*) override { return true; }
        bool end() override { return true; }
        void updateState(const QPaintEngineState&) override {}
        void drawPixmap(const QRectF&, const QPixmap&, const QRectF&) override {}
        void drawImage(const QRectF&, const QImage&, const QRectF&, Qt::ImageConversionFlags) override {}
        void drawPath(const QPainterPath&) override {}
        void drawPolygon(const QPointF*, int, PolygonDrawMode) override {}
        Type type() const override { return User; }
        void drawTextItem(const QPointF& at, const QTextItem& item) override
        {
            const QRectF ink = QFontMetricsF(item.font()).tightBoundingRect(item.text()).translated(at);
            if (!ink.isEmpty())
                drawn.texts.push_back({item.text(), painter()->combinedTransform().mapRect(ink)});
        }
        DrawnTexts drawn;
    };

    mutable Engine m_engine;
};

} // namespace fixtures
