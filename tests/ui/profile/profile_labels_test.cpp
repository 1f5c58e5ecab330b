// SPDX-License-Identifier: GPL-3.0-or-later
// Texts of the profile, on screen and in saved plots: which there are, in which order, and that none covers another.
#include "tests/ui/drawn_texts.h"
#include "tests/ui/fixtures.h"
#include "tests/ui/sample_comparison.h"
#include "ui/profile/profile_curves.h"
#include "ui/profile/profile_panel.h"
#include "ui/profile/profile_plot.h"

#include <QToolButton>

#include <map>

using namespace fixtures;
using ui::Curve;

class ProfileLabelsTest : public QObject
{
    Q_OBJECT

    static ui::Comparison fiveSettings()
    {
        ui::Comparison c = sample::comparison(129, true);
        for (const char* name : {"C", "D", "E"}) {
            c.compared.push_back(c.compared.back());
            c.compared.back().name = QString::fromLatin1(name);
            ++c.compared.back().id;
            ++c.compared.back().colour;
        }
        return c;
    }

    // Describes labels of a value axis that are closer than lines of text; empty if there are none.
    static QString closeTicks(const ui::ProfilePlot& plot, const DrawnTexts& drawn)
    {
        for (const QCPAxisRect* pane : plot.axisRects()) {
            const int least = QFontMetrics(pane->axis(QCPAxis::atLeft)->tickLabelFont()).height();
            std::map<double, QString> labels; // by height
            for (const DrawnText& each : drawn.texts) {
                const double left = pane->left() - each.ink.right(), y = each.ink.center().y();
                if (left > 0 && left < 20 && y > pane->top() - 6 && y < pane->bottom() + 6 && each.text != u"−")
                    labels[y] = each.text;
            }
            for (auto next = labels.begin(); next != labels.end(); ++next)
                if (next != labels.begin() && next->first - std::prev(next)->first < least - 1)
                    return QStringLiteral("close: %1, %2").arg(std::prev(next)->second, next->second);
        }
        return {};
    }

  private slots:
    void init() { m_noWarnings.emplace(); }
    void cleanup() { m_noWarnings.reset(); }

    // Settings are listed in their order, whichever is chosen, and then the reference.
    void curvesAreListedInTheOrderOfTheSettings()
    {
        ui::Comparison c = fiveSettings();
        c.chosen = 2;
        const ui::ProfileCurves p = ui::profileCurves(c, sample::verticalLine(129));
        QCOMPARE(p.curves.back().name, QStringLiteral("C")); // drawn on top of all others
        QStringList names;
        for (const Curve* curve : p.inOrder())
            names << curve->briefName;
        QCOMPARE(names, QStringList({"A", "B", "C", "D", "E", "exact"}));
    }

    // Saved plots name both quantities at any size, and no text covers another.
    void savedPlotsAreLegible()
    {
        ui::ProfilePanel panel;
        panel.show(fiveSettings(), sample::marks(129));
        const ui::Drawing drawing = panel.drawing();
        const auto drawn = [&](const ui::DrawingLook& look) {
            TextRecorder recorder(ui::pointsOf({look.widthMm, look.heightMm}));
            QPainter painter(&recorder);
            drawing.draw(painter, ui::pointsOf({look.widthMm, look.heightMm}), look);
            return recorder.drawn();
        };
        for (const ui::DrawingLook& look :
             {ui::DrawingLook{}, ui::DrawingLook{.widthMm = 85, .heightMm = 60}, ui::DrawingLook{.heightMm = 200}}) {
            const DrawnTexts texts = drawn(look);
            const QString words = texts.all();
            QVERIFY2(words.contains(QStringLiteral("attenuation")), qPrintable(words));
            QVERIFY2(words.contains(QStringLiteral("|difference to exact method|")), qPrintable(words));
            QVERIFY2(texts.fault().isEmpty(), qPrintable(QString::number(look.heightMm) + ": " + texts.fault()));
        }
        const QString one = drawn({.differences = false}).all();
        QVERIFY2(!one.contains(QStringLiteral("difference")) && one.contains(QStringLiteral("attenuation")) &&
                     one.contains(QStringLiteral("position along the line")),
                 qPrintable(one));
        QVERIFY(drawn({}).all().contains(QStringLiteral("difference")));
    }

    // On screen, too, no label covers another, whatever the height was before.
    void labelsDontOverlap()
    {
        ui::ProfilePanel panel;
        panel.resize(620, 420);
        panel.QWidget::show();
        QVERIFY(isExposed(&panel));
        panel.show(fiveSettings(), sample::marks(129));
        auto* plot = panel.findChild<ui::ProfilePlot*>();
        for (const bool isLogarithmic : {false, true}) {
            child<QToolButton>(panel, "profileLogarithmic")->setChecked(isLogarithmic);
            for (const int height : {140, 240, 160, 420, 120, 230, 115}) {
                panel.resize(620, height);
                const auto fault = [&] {
                    TextRecorder recorder(plot->size());
                    QCPPainter painter(&recorder);
                    plot->toPainter(&painter, plot->width(), plot->height());
                    const QString tooClose = closeTicks(*plot, recorder.drawn());
                    return tooClose.isEmpty() ? recorder.drawn().fault() : tooClose;
                };
                QVERIFY2(comes([&] { return fault().isEmpty(); }),
                         qPrintable(QStringLiteral("height %1: ").arg(height) + fault()));
            }
        }
    }

  private:
    std::optional<NoWarnings> m_noWarnings;
};

SINOSCOPE_TEST(ProfileLabelsTest, QApplication)
#include "profile_labels_test.moc"
