// SPDX-License-Identifier: GPL-3.0-or-later
// Number fields and numbers of the whole window where the desktop's language has a decimal comma: every field takes a
// point and a comma, none takes separators of thousands, and all numbers are shown with a point.
#include "engine/base/error.h"
#include "tests/ui/fixtures.h"
#include "ui/saving/volume_format_fields.h"
#include "ui/views/views.h"
#include "ui/widgets/fold_out.h"
#include "ui/widgets/plot_style.h"

#include <QAbstractSpinBox>
#include <QDialog>
#include <QDirIterator>
#include <QDoubleSpinBox>
#include <QLabel>
#include <QLineEdit>
#include <QRegularExpression>
#include <QSet>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QTabWidget>

#include <memory>

using namespace ui;
using namespace fixtures;

namespace
{

constexpr QChar ellipsis(0x2026);

// Enters text as by the keyboard, or all of it together, as pasted.
template <typename Box>
double entered(Box& box, const QString& text, bool isPasted)
{
    box.selectAll();
    if (isPasted)
        child<QLineEdit>(box, "qt_spinbox_lineedit")->insert(text);
    else
        QTest::keyClicks(&box, text);
    QTest::keyClick(&box, Qt::Key_Return);
    return box.value();
}

// Returns a number with decimals that the field accepts.
double valueFor(const QDoubleSpinBox& box)
{
    for (const double value : {25.3, 2.5, 0.3, -0.3})
        if (value > box.minimum() && value < box.maximum())
            return value;
    return (box.minimum() + box.maximum()) / 2;
}

// Whether the text has a number with a decimal comma. Lists such as "3,7:20" are none.
bool hasComma(const QString& text)
{
    static const QRegularExpression comma(QStringLiteral("(?<![\\d:])\\d+,\\d+(?![\\d:])"));
    return text.contains(comma);
}

QString fieldText(const QWidget& widget)
{
    return QStringLiteral("%1 '%2' '%3'")
        .arg(QLatin1String(widget.metaObject()->className()), widget.objectName(), widget.accessibleName());
}

} // namespace

class NumberFieldsTest : public QObject
{
    Q_OBJECT

    void wrong(const QWidget& widget, const QString& what) { m_wrong << fieldText(widget) + u' ' + what; }

    template <typename Box>
    void refuses(Box& box, const QString& text, bool isPasted)
    {
        const auto before = box.value();
        if (const double after = entered(box, text, isPasted); after != double(before))
            wrong(box, QStringLiteral("takes %1 for %2").arg(text).arg(after));
        box.setValue(before);
    }

    void typeInto(QDoubleSpinBox& box)
    {
        const double value = valueFor(box), before = box.value();
        const QString point = QString::number(value), comma = QString(point).replace(u'.', u',');
        for (const bool isPasted : {false, true}) {
            if (box.decimals() > 0)
                for (const QString& text : {point, comma}) {
                    box.setValue(before);
                    if (const double taken = entered(box, text, isPasted); !(std::abs(taken - value) < 1e-9))
                        wrong(box, QStringLiteral("takes %1 for %2").arg(text).arg(taken));
                    if (const QString shown = box.text(); hasComma(shown))
                        wrong(box, QStringLiteral("shows ") + shown);
                }
            else
                for (const char* text : {"25.3", "25,3"})
                    refuses(box, QLatin1String(text), isPasted);
            box.setValue(before);
            for (const char* text : {"1.234,5", "1,234.5", "1.234.567"})
                refuses(box, QLatin1String(text), isPasted);
        }
    }
    void typeInto(QSpinBox& box)
    {
        for (const bool isPasted : {false, true})
            for (const char* text : {"25.3", "25,3", "1.234", "1,234", "1.234,5"})
                refuses(box, QLatin1String(text), isPasted);
        if (const int most = box.maximum(); box.minimum() < 1000 && most > 1000) {
            const int before = box.value();
            box.setValue(most);
            if (!box.text().contains(QString::number(most)))
                wrong(box, QStringLiteral("shows ") + box.text());
            box.setValue(before);
        }
    }

    // Types into all fields that exist, shown or not. They emit no signals meanwhile.
    void typeIntoAll()
    {
        for (QWidget* widget : QApplication::allWidgets()) {
            auto* box = qobject_cast<QAbstractSpinBox*>(widget);
            if (!box || box->property("typed").toBool())
                continue;
            box->setProperty("typed", true);
            const QSignalBlocker quiet(box);
            QList<QWidget*> disabled;
            for (QWidget* each = box; each; each = each->parentWidget())
                if (each->testAttribute(Qt::WA_ForceDisabled))
                    disabled << each;
            for (QWidget* each : disabled)
                each->setEnabled(true);
            m_typed << (box->objectName().isEmpty() ? box->accessibleName() : box->objectName());
            if (auto* real = qobject_cast<QDoubleSpinBox*>(box))
                typeInto(*real);
            else if (auto* whole = qobject_cast<QSpinBox*>(box))
                typeInto(*whole);
            else
                wrong(*box, QStringLiteral("is no known number field"));
            for (QWidget* each : disabled)
                each->setEnabled(false);
        }
    }

    void readAll()
    {
        for (const QWidget* widget : QApplication::allWidgets()) {
            QStringList texts{widget->toolTip(), widget->accessibleDescription()};
            if (const auto* label = qobject_cast<const QLabel*>(widget))
                texts << label->text();
            else if (const auto* button = qobject_cast<const QAbstractButton*>(widget))
                texts << button->text();
            else if (const auto* combo = qobject_cast<const QComboBox*>(widget))
                texts << combo->currentText();
            else if (const auto* plot = qobject_cast<const Plot*>(widget))
                for (const QCPAxisRect* rect : plot->axisRects())
                    for (const QCPAxis* axis : rect->axes())
                        texts << axis->tickVectorLabels();
            for (const QString& text : texts)
                if (hasComma(text))
                    wrong(*widget, QStringLiteral("shows ") + text);
        }
    }

    void look()
    {
        typeIntoAll();
        readAll();
    }

    // Calls `act`, which may open a dialog, looks at that, and closes it.
    template <typename Act>
    void lookAt(const Act& act)
    {
        QTimer again; // a modal dialog returns only when it is closed
        connect(&again, &QTimer::timeout, this, [this] {
            if (auto* dialog = qobject_cast<QDialog*>(QApplication::activeModalWidget())) {
                look();
                dialog->reject();
            } else if (QWidget* popup = QApplication::activePopupWidget()) {
                popup->close();
            }
        });
        again.start(10);
        act();
        look();
        for (QWidget* other : QApplication::topLevelWidgets())
            if (auto* dialog = qobject_cast<QDialog*>(other); dialog && dialog->isVisible())
                dialog->reject();
    }

  private slots:
    void init()
    {
        m_wrong.clear();
        m_typed.clear();
    }
    void cleanup() { QLocale::setDefault(QLocale::c()); }

    void everyField_data()
    {
        QTest::addColumn<QLocale>("locale");
        for (const auto language :
             {QLocale::German, QLocale::French, QLocale::Italian, QLocale::Spanish, QLocale::Polish, QLocale::English})
            QTest::newRow(qPrintable(QLocale::languageToString(language))) << QLocale(language);
    }
    void everyField()
    {
        QFETCH(const QLocale, locale);
        QLocale::setDefault(locale);
        Window window({1280, 1000});
        look();
        QVERIFY(window.opensSmall());
        for (const View& view : views()) {
            window.images().setView(view);
            QVERIFY(settles(window));
            look();
        }
        auto* tabs = child<QTabWidget>(window, "numberTabs");
        for (int k = 0; k < tabs->count(); ++k) {
            tabs->setCurrentIndex(k);
            QVERIFY(settles(window));
            look();
        }
        for (FoldOut* section : window.findChildren<FoldOut*>())
            section->unfold();
        for (const auto page : {Qt::Key_2, Qt::Key_3}) {
            trigger(window, Qt::CTRL | page);
            QVERIFY(settles(window));
            look();
        }
        trigger(window, Qt::CTRL | Qt::Key_1);
        QVERIFY(settles(window));
        for (const QAction* menu : window.menuWidget()->actions())
            for (QAction* action : menu->menu()->actions())
                if (action->text().endsWith(ellipsis))
                    lookAt([action] { action->trigger(); });
        for (QAbstractButton* button : window.findChildren<QAbstractButton*>())
            if (button->text().size() > 1 && button->text().endsWith(ellipsis))
                lookAt([button] { button->click(); });
        m_typed.removeDuplicates();
        qInfo("%lld fields: %s", static_cast<long long>(m_typed.size()), qPrintable(m_typed.join(u' ')));
        m_wrong.removeDuplicates();
        for (const QString& one : m_wrong) // QVERIFY2 would cut a long list
            qInfo("%s", qPrintable(one));
        QVERIFY(m_wrong.isEmpty());
        for (const char* name : {"axisBins", "rotation", "flickerRate", "lineWidth", "benchmarkSize", "volumeFirst"})
            QVERIFY2(m_typed.contains(QLatin1String(name)), name);
    }

    // A field that no test opens can't be wrong either.
    void noOtherFields()
    {
        static const QRegularExpression ofQt(
            QStringLiteral("(new|public) Q(Double)?SpinBox|QInputDialog::get(Int|Double)|QLocale\\(\\)\\.toString\\("
                           "[^)]*, '[efg]'|%L\\d"));
        QDirIterator sources(QStringLiteral(SINOSCOPE_SOURCE_DIR "/ui"), {"*.cpp", "*.h"}, QDir::Files,
                             QDirIterator::Subdirectories);
        int read = 0;
        while (sources.hasNext()) {
            const QString path = sources.next();
            const QString text = QString::fromUtf8(contentOf(path));
            QVERIFY2(!ofQt.match(text).hasMatch(), qPrintable(path + u' ' + ofQt.match(text).captured()));
            ++read;
        }
        QVERIFY(read > 100);
    }

    void rangeOfIntegers()
    {
        QLocale::setDefault(QLocale(QLocale::German));
        engine::OutputChoice asked;
        asked.type = engine::OutputFormat::Type::uint16;
        VolumeFormatFields fields(asked, QStringLiteral("1/mm"));
        const std::unique_ptr<QWidget> kind(fields.type()), range(fields.rangeRow()),
            compression(fields.compressionRow());
        const auto type = [&fields](const char* name, const char* text) {
            auto* edit = child<QLineEdit>(*fields.rangeRow(), name);
            edit->clear();
            edit->insert(QString::fromUtf8(text));
        };
        type("volumeLeast", "−0,25");
        type("volumeMost", "1.5");
        QCOMPARE(engine::toText(*fields.choice().range), std::string("-0.25:1.5"));
        type("volumeMost", "1.234,5");
        QVERIFY_THROWS_EXCEPTION(engine::Error, (void)fields.choice());
    }

  private:
    QStringList m_wrong, m_typed;
};

SINOSCOPE_TEST(NumberFieldsTest, QApplication)
#include "number_fields_test.moc"
