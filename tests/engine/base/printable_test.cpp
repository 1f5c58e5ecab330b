// SPDX-License-Identifier: GPL-3.0-or-later
// How untrusted names and texts are shown on a terminal, and how they are written to JSON.
#include "engine/base/json_text.h"
#include "engine/base/printable.h"

#include "tests/test_program.h"

class PrintableTest : public QObject
{
    Q_OBJECT

  private slots:
    void texts_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("shown");
        const auto row = [](const char* name, const char* text, const char* shown) {
            QTest::newRow(name) << QByteArray(text) << QByteArray(shown);
        };
        row("plain", "a b\\n.h5", "a b\\n.h5");
        row("UTF-8 of 2, 3 and 4 bytes", "\xC3\xA4 \xE2\x80\xA6 \xF0\x9F\x94\xAC",
            "\xC3\xA4 \xE2\x80\xA6 \xF0\x9F\x94\xAC");
        row("escape", "\x1B[31mred", "\\x1B[31mred");
        row("line feed and bell", "a\nb\x07", "a\\x0Ab\\x07");
        row("delete", "a\x7F", "a\\x7F");
        row("C1 as UTF-8",
            "\xC2\x9B"
            "31m",
            "\\u009B"
            "31m");
        row("C1 as a byte",
            "\x9B"
            "31m",
            "\\x9B31m");
        row("Latin-1",
            "h\xE4"
            "nde",
            "h\\xE4nde");
        row("cut off", "\xE2\x80", "\\xE2\\x80");
        row("two bytes for one", "\xC0\xAF", "\\xC0\\xAF");
        row("three bytes for two", "\xE0\x82\x9B", "\\xE0\\x82\\x9B");
        row("surrogate", "\xED\xA0\x80", "\\xED\\xA0\\x80");
        row("beyond Unicode", "\xF4\x90\x80\x80", "\\xF4\\x90\\x80\\x80");
        row("right to left",
            "a\xE2\x80\xAE"
            "5h.b",
            "a\\u202E"
            "5h.b");
    }
    void texts()
    {
        QFETCH(const QByteArray, text);
        QFETCH(const QByteArray, shown);
        QCOMPARE(QByteArray::fromStdString(engine::printable(text.toStdString())), shown);
    }

    void keptControls() { QCOMPARE(engine::printable("a\tb\nc\r", "\n\t"), std::string("a\tb\nc\\x0D")); }

    void unfinished()
    {
        QCOMPARE(engine::unfinishedCharacter("a"), std::size_t(0));
        QCOMPARE(engine::unfinishedCharacter("a\xC3"), std::size_t(1));
        QCOMPARE(engine::unfinishedCharacter("a\xE2\x80"), std::size_t(2));
        QCOMPARE(engine::unfinishedCharacter("a\xE2\x80\xA6"), std::size_t(0));
        QCOMPARE(engine::unfinishedCharacter("\xF0\x9F\x94"), std::size_t(3));
        QCOMPARE(engine::unfinishedCharacter("\x80\x80"), std::size_t(0)); // these bytes belong to no character
        QCOMPARE(engine::unfinishedCharacter(""), std::size_t(0));
    }

    // Two different names give two different texts, and the output is JSON that is safe to show on a terminal.
    void json()
    {
        const nlohmann::ordered_json named = {{"one", "h\xE4.h5"},
                                              {"other", "h\xE9.h5"},
                                              {"control", "\x1B[31m\x7F\xC2\x9B"},
                                              {"list", {"\xE2\x80\xA6"}}};
        for (const std::string& text : {engine::dumped(named), engine::onOneLine(named)}) {
            QCOMPARE(engine::printable(text, "\n"), text);
            const auto read = nlohmann::ordered_json::parse(text);
            QCOMPARE(read["one"].get<std::string>(), std::string("h\\xE4.h5"));
            QCOMPARE(read["other"].get<std::string>(), std::string("h\\xE9.h5"));
            QCOMPARE(read["control"].get<std::string>(), std::string("\x1B[31m\x7F\xC2\x9B"));
            QCOMPARE(read["list"][0].get<std::string>(), std::string("\xE2\x80\xA6"));
        }
        const nlohmann::ordered_json key = {{"k\xE4", 1}};
        QCOMPARE(engine::onOneLine(key), std::string("{\"k\\\\xE4\":1}"));
    }
};

SINOSCOPE_TEST(PrintableTest, QCoreApplication)
#include "printable_test.moc"
