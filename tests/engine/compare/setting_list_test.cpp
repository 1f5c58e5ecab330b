// SPDX-License-Identifier: GPL-3.0-or-later
// Settings that are applied to another scan: positions and tilts of the axis belonged to the previous scan.
#include "engine/compare/setting_list.h"
#include "engine/prepare/steps.h"
#include "tests/fixtures.h"

#include <QTest>

using namespace engine;

class CompareSettingListTest : public QObject
{
    Q_OBJECT
  private slots:
    void axesAreForgotten();
    void tiltsAreForgotten();
    void namesAfterValuesEndWithThem();
};

void CompareSettingListTest::namesAfterValuesEndWithThem()
{
    SettingList list;
    list.settings.clear();
    Setting half;
    half.kernel.precision = Precision::half;
    list.add({}, "float").isNamedAfterValues = true;
    list.add(half, "half").isNamedAfterValues = true;
    list.add(half, "mine");
    Setting other = half;
    other.filter.window = Window::none;

    list.edit(list.settings[1], half); // no change
    QCOMPARE(list.settings[1].name, std::string("half"));
    list.edit(list.settings[1], other);
    QCOMPARE(list.settings[1].name, std::string("A"));
    list.settings[1].name = "by the user";
    list.edit(list.settings[1], half);
    list.edit(list.settings[2], other);
    std::vector<std::string> names;
    for (const NamedSetting& one : list.settings)
        names.push_back(one.name);
    QCOMPARE(names, (std::vector<std::string>{"float", "by the user", "mine"}));
    QVERIFY(list.settings[1].setting == half && list.settings[2].setting == other);
}

void CompareSettingListTest::axesAreForgotten()
{
    SettingList list;
    const Setting plain = list.settings[0].setting;
    list.settings[0].name = "±0 bins";
    list.settings[0].setting.axis = {AxisSettings::Mode::given, 40};
    for (const auto& [name, bins] : {std::pair{"−2 bins", 38.0}, {"+2 bins", 42.0}}) {
        Setting setting = plain;
        setting.axis = {AxisSettings::Mode::given, bins};
        list.chosenId = list.add(setting, name).id;
    }
    Setting sharp = plain;
    sharp.filter.window = Window::ramLak == sharp.filter.window ? Window::hann : Window::ramLak;
    sharp.axis = {AxisSettings::Mode::given, 41};
    list.add(sharp, "my own");
    Setting middle = plain;
    middle.axis = {AxisSettings::Mode::middle, 0};
    list.add(middle, "middle");
    list.add(middle, "middle again"); // added by the user
    list.reference = {ReferenceChoice::Kind::setting, list.settings[1].id, {}};

    list.forgetScan();
    std::vector<std::string> names;
    for (const NamedSetting& one : list.settings)
        names.push_back(one.name);
    QCOMPARE(names, (std::vector<std::string>{"A", "my own", "middle", "middle again"}));
    QVERIFY(list.settings[0].setting == plain);
    QVERIFY(list.settings[1].setting.axis == AxisSettings());
    QVERIFY(list.settings[2].setting == middle);
    QCOMPARE(list.chosenId, list.settings[0].id);
    QVERIFY(list.reference == ReferenceChoice());

    const SettingList once = list;
    list.forgetScan();
    QVERIFY(list == once);
}

void CompareSettingListTest::tiltsAreForgotten()
{
    const auto set = [](Setting& setting, const char* id, double value) {
        setValue(*findParameter(id).parameter, value, setting.preparation);
    };
    Setting rings;
    set(rings, "rings", 2);
    Setting both = rings;
    set(both, "axis-tilt", 1.5);
    set(both, "phase-pixel", 0.65);
    SettingList list;
    list.settings[0].setting = both;
    list.forgetScan();
    QVERIFY(list.settings[0].setting == rings);
    QVERIFY(forAnotherScan(both) == rings);
}

SINOSCOPE_TEST(CompareSettingListTest, QCoreApplication)
#include "setting_list_test.moc"
