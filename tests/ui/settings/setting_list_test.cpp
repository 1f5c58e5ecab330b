// SPDX-License-Identifier: GPL-3.0-or-later
// The list of settings as a value: names, differences, presets, and the effects of removing a setting that others
// refer to.
#include "engine/backends/devices.h"
#include "engine/base/error.h"
#include "engine/measure/paper_steps.h"
#include "tests/ui/fixtures.h"
#include "ui/background/comparison.h"
#include "ui/background/setting_differences.h"
#include "ui/settings/presets.h"

#include <algorithm>
#include <set>

using namespace ui;

class SettingListTest : public QObject
{
    Q_OBJECT

  private slots:
    void addsNamesAndColoursOfItsOwn()
    {
        SettingList list;
        QCOMPARE(list.settings.size(), std::size_t(1));
        QCOMPARE(list.chosen().name, std::string("A"));
        for (int k = 0; k < 30; ++k)
            list.add({});
        std::set<std::string> names;
        QSet<int> ids, colours;
        for (const NamedSetting& one : list.settings)
            names.insert(one.name), ids << one.id, colours << one.colour;
        QCOMPARE(names.size(), std::size_t(31));
        QCOMPARE(ids.size(), 31);
        QCOMPARE(colours.size(), 31);
        QVERIFY(names.contains("Z") && names.contains("A1"));
    }

    void whatGoesIsLeantOnNoMore()
    {
        SettingList list;
        const int b = list.add({}).id, c = list.add({}).id;
        list.chosenId = b;
        list.reference = {ReferenceChoice::Kind::setting, b};
        list.remove(b);
        QCOMPARE(list.chosenId, c);
        QVERIFY(list.reference == ReferenceChoice());
        list.remove(c);
        QCOMPARE(list.chosen().name, std::string("A"));
        list.remove(list.chosenId); // the last setting cannot be removed
        QCOMPARE(list.settings.size(), std::size_t(1));
    }

    void movesWithinItsEnds()
    {
        SettingList list;
        const int a = list.chosenId, b = list.add({}).id;
        list.move(b, -5);
        QCOMPARE(list.settings.front().id, b);
        QCOMPARE(list.chosenIndex(), std::size_t(1)); // the same setting
        list.move(b, 1);
        QCOMPARE(list.settings.front().id, a);
    }

    // Every option that changes an image appears in the text of the differences.
    void saysWhatDiffers()
    {
        SettingList list;
        QVERIFY(differences(list).front().contains(QStringLiteral("linear")));
        list.add({});
        QCOMPARE(differences(list)[1], QStringLiteral("as A"));
        engine::Setting& b = list.settings[1].setting;
        b.kernel.precision = engine::Precision::half;
        QCOMPARE(differences(list)[0], QStringLiteral("float"));
        QCOMPARE(differences(list)[1], QStringLiteral("half"));
        b.filter.window = engine::Window::hann;
        b.axis = {engine::AxisSettings::Mode::given, 296.5};
        QCOMPARE(differences(list)[1], QStringLiteral("half · hann · axis 296.5"));
        b = {};
        b.kernel.interpolation = engine::Interpolation::oversampled;
        b.kernel.oversampling = 8;
        QCOMPARE(differences(list)[1], QStringLiteral("oversampled ×8"));
        b = {};
        b.filter.cutoff = 0.5;
        QCOMPARE(differences(list)[1], QStringLiteral("cut-off 0.5"));
        b = {};
        b.preparation.values = {{"rings", 1}, {"ring-size", 31}};
        QCOMPARE(differences(list)[0], QStringLiteral("rings off"));
        QCOMPARE(differences(list)[1], QStringLiteral("rings sorting · ring width 31"));
    }

    // What all settings have in common is said, too, unless it is the default.
    void saysWhatIsShared()
    {
        SettingList list;
        QCOMPARE(sharedText(list), QString());
        list.chosen().setting.kernel.precision = engine::Precision::half;
        QCOMPARE(sharedText(list), QString()); // a single setting shows its kernel anyway
        list.add(list.chosen().setting).setting.kernel.interpolation = engine::Interpolation::nearest;
        QCOMPARE(sharedText(list), QStringLiteral("half"));
        list.settings[0].setting.filter.window = list.settings[1].setting.filter.window = engine::Window::hann;
        QVERIFY(sharedText(list).contains(QStringLiteral("hann")));
    }

    // A preset compares what it names: halves that were chosen before don't stay in the others.
    void presetsDontKeepHalves()
    {
        engine::Request chosen = fixtures::requestFor(fixtures::smallScan());
        chosen.setting.kernel.precision = engine::Precision::half;
        for (const Preset& preset : presets())
            if (preset.id != std::string("half"))
                for (const engine::NamedSetting& one : preset.make(chosen, 31.5).settings)
                    QVERIFY2(one.setting.kernel.precision == engine::Precision::single ||
                                 preset.make(chosen, 31.5).settings.size() < 2,
                             preset.id);
    }

    // Names in titles, legends and tables: unique, and no longer than what differs.
    void namesSayWhatDiffers()
    {
        const auto names = [](const SettingList& list) {
            const std::vector<QString> made = namesByDifferences(list);
            return QStringList(made.begin(), made.end()).join(QLatin1Char('|'));
        };
        SettingList list;
        QCOMPARE(names(list), QStringLiteral("A"));
        list.add({});
        QCOMPARE(names(list), QStringLiteral("A|B · as A"));
        engine::Kernel& b = list.settings[1].setting.kernel;
        b.precision = engine::Precision::half;
        QCOMPARE(names(list), QStringLiteral("A · float|B · half"));
        list.settings[0].setting.kernel.method = "texture";
        b = list.settings[0].setting.kernel;
        b.method = "alu";
        QCOMPARE(names(list), QStringLiteral("A · texture|B · alu"));
        b = {.method = "auto", .variant = "other"}; // a method that isn't known yet may have any variant
        list.settings[0].setting.kernel = {.method = "auto"};
        QCOMPARE(names(list), QStringLiteral("A · variant automatic|B · other"));
        list.settings[1].name = "fast";
        QCOMPARE(names(list), QStringLiteral("A · variant automatic|fast"));
        list.settings[0].name = "fast";
        QCOMPARE(names(list), QStringLiteral("fast · variant automatic|fast · other"));
        list.settings[1].setting = list.settings[0].setting;
        list.settings[0].name = "fast · as fast";
        QCOMPARE(names(list), QStringLiteral("fast · as fast|fast"));
        list.settings[1].name = list.settings[0].name;
        list.add({}, "fast · as fast");
        const std::vector<QString> same = namesByDifferences(list);
        QCOMPARE(std::set<QString>(same.begin(), same.end()).size(), same.size());
    }

    void referencesAsTexts()
    {
        for (const char* text :
             {"exact", "exact:3", "phantom", "setting:12", "file:/a b/rec.h5", "file:rec.h5#/exchange/data"})
            QCOMPARE(toText(engine::referenceFromText(text)), std::string(text));
        for (const char* bad :
             {"", "exact:", "setting", "setting:x", "phantom:1", "truth", "file", "file:", "file:#/volume"})
            QVERIFY_THROWS_EXCEPTION(engine::Error, engine::referenceFromText(bad));
    }

    void everyPreset_data()
    {
        QTest::addColumn<int>("preset");
        QTest::addColumn<QString>("names");
        QTest::addColumn<QString>("reference");
        const QStringList expected[] = {
            {"float half", "setting:1"},
            {"nearest|linear|oversampled ×2|oversampled ×4|oversampled ×8", "exact"},
            {"method exact", "exact"},
            {"ram-lak|", "setting:1"},
            {"−2 bins|−1 bin|−0.5 bins|±0 bins|+0.5 bins|+1 bin|+2 bins", "setting:4"},
            {"no ring removal|rings sorting", "setting:1"},
        };
        // The steps of the papers are tested in ui/numbers/speeds_test.

        QCOMPARE(std::size(expected) + engine::paperSequences().size(), presets().size());
        for (int k = 0; k < int(std::size(expected)); ++k)
            QTest::addRow("%s", presets()[std::size_t(k)].id)
                << k << QString(expected[k][0]).replace(QStringLiteral("float half"), QStringLiteral("float|half"))
                << expected[k][1];
    }

    // A sequence of a paper on another device: its methods, without the steps that they lack.
    void stepsOfAnotherDevice()
    {
        if (engine::usableDevices(engine::openClBackend).empty())
            QSKIP("no OpenCL device");
        engine::Request request;
        request.scan = engine::simulate(fixtures::simulationOf(engine::Phantom::sheppLogan, 64, 60));
        request.resources.device = engine::deviceFromText("opencl");
        const auto preset =
            std::ranges::find_if(presets(), [](const Preset& one) { return one.id == std::string("steps-1"); });
        const SettingList list = preset->make(request, 31.7);
        QCOMPARE(list.settings.size(), std::size_t(7));
        QCOMPARE(list.settings[1].setting.kernel.method, std::string("texture-opencl"));
        const PresetOffer offer = offerOf(*preset, request, 31.7);
        QVERIFY(offer.isPossible);
        QVERIFY2(offer.tip.contains(QStringLiteral("reduced by shuffles: `texture-opencl` has no variant")),
                 qPrintable(offer.tip));
        request.resources.device = engine::deviceFromText("cpu");
        QVERIFY(!offerOf(*preset, request, 31.7).isPossible);
    }

    void everyPreset()
    {
        QFETCH(int, preset);
        QFETCH(QString, names);
        QFETCH(QString, reference);
        engine::Request request;
        request.scan = engine::simulate(fixtures::simulationOf(engine::Phantom::sheppLogan, 64, 60));
        request.place.setSlices({0, 1});
        const SettingList list = presets()[std::size_t(preset)].make(request, 31.7);
        QStringList made;
        for (const NamedSetting& one : list.settings)
            made << QString::fromStdString(one.name);
        QVERIFY2(made.join('|').startsWith(names) || made.contains(names), qPrintable(made.join('|')));
        QVERIFY(list.settings.size() >= 2);
        QCOMPARE(QString::fromStdString(toText(list.reference)), reference);
        // The used axis stays chosen: the others are wrong on purpose.
        const int chosen = reference == QLatin1String("exact") ? 1 : reference == QLatin1String("setting:4") ? 4 : 2;
        QCOMPARE(list.chosenId, chosen);
        for (const QString& line : differences(list))
            QVERIFY2(!line.startsWith(QStringLiteral("as ")), qPrintable(line)); // all settings differ
    }
};

SINOSCOPE_TEST(SettingListTest, QCoreApplication)
#include "setting_list_test.moc"
