// SPDX-License-Identifier: GPL-3.0-or-later
// Fields made from the table of options: the number typed is the number used, and an option left to the program stays
// so.
#include "engine/base/number_text.h"
#include "tests/ui/fixtures.h"
#include "ui/settings/axis_edit.h"
#include "ui/settings/option_field.h"

#include <QAbstractButton>
#include <QDoubleSpinBox>
#include <QSpinBox>

using namespace fixtures;
using engine::Option;
using engine::Request;

namespace
{

// Options for this test only: whole and real numbers that may be left to the program.
const Option wholeNumber{
    .id = "threads-made-up",
    .label = "Whole",
    .summary = "A whole number",
    .unit = "threads",
    .kind = Option::Kind::whole,
    .least = 1,
    .most = 64,
    .get = [](const Request& r) { return r.resources.threads ? std::to_string(r.resources.threads) : ""; },
    .set = [](Request& r, const std::string& text) { r.resources.threads = std::stoi(text); }};
const Option realNumber{
    .id = "limit-made-up",
    .label = "Real",
    .summary = "A number",
    .kind = Option::Kind::real,
    .least = 0.5,
    .most = 1000,
    .step = 10,
    .get =
        [](const Request& r) {
            const double value = r.resources.memoryLimitBytes;
            return value > 0 ? engine::numberToText(value) : std::string();
        },
    .set = [](Request& r, const std::string& text) { r.resources.memoryLimitBytes = std::stod(text); }};

// Returns the field's value as text of its option; empty: left to the program.
std::string textOf(const ui::OptionField& field)
{
    Request request;
    field.write(request);
    return field.option->get(request);
}

void show(const ui::OptionField& field, const std::string& text)
{
    Request request;
    if (!text.empty())
        engine::setField(*field.option, request, text);
    field.show(request);
}

} // namespace

class OptionFieldTest : public QObject
{
    Q_OBJECT

  private slots:
    void everyRowKeepsWhatItIsGiven()
    {
        for (const Option& option : engine::options()) {
            if (!option.use.offered && (option.kind == Option::Kind::text || option.kind == Option::Kind::bytes))
                continue;
            const ui::OptionField field = ui::fieldOf(option, [] {});
            const std::unique_ptr<QWidget> widget(field.widget);
            QCOMPARE(textOf(field), option.get({})); // empty: left to the program; the field adds no number
            std::vector<std::string> texts{engine::numberToText(option.most)};
            if (option.kind == Option::Kind::boolean) {
                texts = {"true", "false"};
            } else if (option.kind == Option::Kind::choice || option.use.offered) {
                texts.clear();
                for (const engine::FieldChoice& choice : option.use.offered ? option.use.offered({}) : option.choices)
                    texts.push_back(choice.id);
            } else if (option.leastIncluded) {
                texts.push_back(engine::numberToText(option.least));
            }
            for (const std::string& text : texts) {
                Request request;
                engine::setField(option, request, text);
                field.show(request);
                QCOMPARE(textOf(field), option.get(request)); // empty for a shorthand
            }
        }
    }

    void booleansAreTicked()
    {
        static const Option boolean{
            .id = "boolean",
            .label = "Boolean",
            .summary = "On or off",
            .kind = Option::Kind::boolean,
            .get = [](const Request& r) { return r.resources.threads > 0 ? "true" : "false"; },
            .set = [](Request& r, const std::string& text) { r.resources.threads = text == "true" ? 1 : 0; }};
        int changes = 0;
        const ui::OptionField field = ui::fieldOf(boolean, [&] { ++changes; });
        const std::unique_ptr<QWidget> widget(field.widget);
        auto* box = qobject_cast<QAbstractButton*>(widget.get());
        QVERIFY(box && box->isCheckable());
        QCOMPARE(textOf(field), std::string("false"));
        box->click();
        QCOMPARE(textOf(field), std::string("true"));
        QCOMPARE(changes, 1);
        show(field, "false");
        QVERIFY(!box->isChecked());
        QCOMPARE(changes, 1); // only by the user
        Request request;
        engine::setField(boolean, request, "true");
        QVERIFY(engine::valueInWords(boolean, request) == std::string("on"));
        QVERIFY_THROWS_EXCEPTION(engine::Error, engine::setField(boolean, request, "yes"));
    }

    void lengthsTakeAnyUnit()
    {
        const ui::OptionField field = ui::fieldOf(engine::option("phase-distance"), [] {});
        const std::unique_ptr<QWidget> widget(field.widget);
        auto* box = qobject_cast<QDoubleSpinBox*>(widget.get());
        for (const auto& [text, mm] : {std::pair("5cm", "50"), std::pair("0.25 m", "250"), std::pair("30", "30"),
                                       std::pair("1500um", "1.5"), std::pair("2 yards", "1.5")}) {
            box->selectAll();
            QTest::keyClicks(box, QLatin1String(text));
            QTest::keyClick(box, Qt::Key_Return);
            QCOMPARE(textOf(field), std::string(mm));
        }
    }

    // A field that isn't filled shows the scan's value, or is blank.
    void valuesOfTheScanAreShown()
    {
        for (const auto& [id, text] : {std::pair("phase-energy", "25"), std::pair("phase-distance", "150")}) {
            const Option& option = engine::option(id);
            const ui::OptionField field = ui::fieldOf(option, [] {});
            const std::unique_ptr<QWidget> widget(field.widget);
            auto* box = qobject_cast<QDoubleSpinBox*>(widget.get());
            engine::Scan scan = *smallScan();
            Request asked;
            asked.scan = std::make_shared<const engine::Scan>(scan);
            ui::showRecorded(field, asked);
            QCOMPARE(box->text().trimmed(), QString());
            QCOMPARE(textOf(field), std::string());
            scan.energyKeV = 25;
            scan.detectorDistanceMm = 150;
            asked.scan = std::make_shared<const engine::Scan>(scan);
            ui::showRecorded(field, asked);
            QVERIFY2(box->text().startsWith(QLatin1String(text)) && box->text().endsWith(QStringLiteral("(scan)")),
                     qPrintable(box->text()));
            QCOMPARE(textOf(field), std::string()); // still the scan's
            box->selectAll();
            QTest::keyClicks(box, QStringLiteral("30"));
            QTest::keyClick(box, Qt::Key_Return);
            QCOMPARE(textOf(field), std::string("30"));
            field.show(asked);
            QVERIFY(box->text().endsWith(QStringLiteral("(scan)")));
        }
    }

    void numbersKeepTheirDigits()
    {
        int changes = 0;
        const ui::OptionField field = ui::fieldOf(engine::option("cutoff"), [&] { ++changes; });
        const std::unique_ptr<QWidget> widget(field.widget);
        auto* box = qobject_cast<QDoubleSpinBox*>(widget.get());
        for (const char* text : {"0.126", "0.005", "0.5", "1", "0.123456789", "1e-09"}) {
            show(field, text);
            QCOMPARE(textOf(field), std::string(text));
        }
        QCOMPARE(changes, 0);
        show(field, "0.126");
        QCOMPARE(box->cleanText(), QStringLiteral("0.126"));
        box->stepUp();
        QCOMPARE(textOf(field), std::string("0.176"));
        show(field, "0.5");
        QCOMPARE(box->cleanText(), QStringLiteral("0.50"));
        box->setValue(0); // not allowed by the table
        engine::Request request;
        engine::setField(engine::option("cutoff"), request, textOf(field));
        QVERIFY(request.setting.filter.cutoff > 0);
    }

    void axisKeepsItsDigits()
    {
        ui::AxisEdit edit;
        for (const double bins : {31.125, 0.000123, 295.82031251}) {
            const engine::AxisSettings given{engine::AxisSettings::Mode::given, bins};
            edit.setAxis(given);
            QVERIFY(edit.axis() == given);
        }
        child<QDoubleSpinBox>(edit, "axisBins")->setValue(12.5);
        QCOMPARE(edit.axis().bins, 12.5);
    }

    void whatIsLeftToTheProgramStaysSo()
    {
        for (const Option* option : {&wholeNumber, &realNumber}) {
            const ui::OptionField field = ui::fieldOf(*option, [] {});
            const std::unique_ptr<QWidget> widget(field.widget);
            auto* box = qobject_cast<QAbstractSpinBox*>(widget.get());
            QCOMPARE(textOf(field), std::string());
            QCOMPARE(box->text(), QStringLiteral("automatic"));
            box->stepUp();
            engine::Request request;
            engine::setField(*option, request, textOf(field)); // the least value, or one step above it
            QVERIFY(box->text() != QStringLiteral("automatic"));
            show(field, "7");
            QCOMPARE(textOf(field), std::string("7"));
            show(field, "");
            QCOMPARE(textOf(field), std::string());
        }
    }

    void backToTheProgramsChoice()
    {
        for (const char* id : {"ring-size", "phase-pixel"}) {
            const Option& option = engine::option(id);
            const ui::OptionField field = ui::fieldOf(option, [] {});
            const std::unique_ptr<QWidget> widget(field.widget);
            Request request;
            engine::setField(option, request, "31");
            field.show(request);
            if (auto* whole = qobject_cast<QSpinBox*>(widget.get()))
                whole->setValue(whole->minimum());
            else
                qobject_cast<QDoubleSpinBox*>(widget.get())->setValue(-1);
            field.write(request);
            QCOMPARE(option.get(request), std::string());
        }
    }
};

SINOSCOPE_TEST(OptionFieldTest, QApplication)
#include "option_field_test.moc"
