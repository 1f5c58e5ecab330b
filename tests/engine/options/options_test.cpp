// SPDX-License-Identifier: GPL-3.0-or-later
// The table of options: conversion to text and back, consistent limits, and no stale image after any option has
// changed.
#include "engine/backends/devices.h"
#include "engine/backends/method.h"
#include "engine/backends/support.h"
#include "engine/base/error.h"
#include "engine/base/lru_cache.h"
#include "engine/base/number_text.h"
#include "engine/options/options.h"
#include "engine/reconstruct/reconstruct.h"
#include "engine/simulate/phantom.h"
#include "engine/stages/stages.h"
#include "tests/engine/options/option_values.h"
#include "tests/fixtures.h"

#include <limits>

using namespace engine;
using namespace fixtures;
using option_values::needs;
using option_values::toTry;

namespace
{

Simulation smallObject()
{
    Simulation simulation;
    simulation.size = 48;
    simulation.projections = 40;
    simulation.slices = 3;
    simulation.phantom = Phantom::sheppLogan3d;
    return simulation;
}

std::shared_ptr<const Scan> coneScan()
{
    Simulation simulation = smallObject();
    simulation.arcDeg = 360;
    ConeOptions& cone = simulation.cone.emplace();
    cone.sourceAxisMm = 200;
    cone.sourceDetectorMm = 300;
    cone.pixelUMm = 1.5;
    return simulate(simulation);
}

Request standard()
{
    static const std::shared_ptr<const Scan> scan = simulate(smallObject());
    Request request;
    request.scan = scan;
    request.place.setSlices({1, 2});
    return request;
}

// Returns a request in which the option has an effect.
Request standardFor(const std::string& id)
{
    Request request = standard();
    if (id == "batch") {
        static const std::shared_ptr<const Scan> cone = coneScan();
        request.scan = cone;
    }
    if (const auto needed = needs.find(id); needed != needs.end())
        for (const auto& [other, text] : needed->second)
            setField(option(other), request, text);
    return request;
}

Request with(const std::string& id, const std::string& text)
{
    Request request = standardFor(id);
    setField(option(id), request, text);
    return request;
}

// Makes a request that differs in its plane alone, where the other one has a plane: both keep the rows of all slices.
void letPlanesFollow(Request& before, Request& after)
{
    if (!after.place.plane())
        return;
    std::get<PlanePart>(after.place.part).othersFollow = true;
    before.place = after.place;
    std::get<PlanePart>(before.place.part).plane.centre[0] += 1;
}

} // namespace

class OptionsTest : public QObject
{
    Q_OBJECT
  private slots:
    void everyOptionIsTried();
    void textsComeBack();
    void limitsAreThoseOfTheTable();
    void invalidRequestsNameTheOption();
    void partsExcludeEachOther();
    void nothingStaleAndNothingTwice_data();
    void nothingStaleAndNothingTwice();
    void keysSeeEveryOption();
    void idleOptionsDontMatter();
    void everyVariantCanBeAskedFor();
    void reportsSayEveryOption();
    void keptWithinABudget();
    void automaticDeviceIsAnyThatWorks();
};

void OptionsTest::everyOptionIsTried()
{
    for (const Option& row : options())
        QVERIFY2(toTry.contains(row.id), row.id);
    QCOMPARE(toTry.size(), options().size());
    QVERIFY(fails(ErrorKind::badRequest, [] { option("magic"); }));
}

void OptionsTest::textsComeBack()
{
    for (const Option& row : options()) {
        const std::string text = toTry.at(row.id).front();
        const Request request = with(row.id, text);
        QVERIFY2(request != standard(), row.id);
        QVERIFY2((request.setting != standard().setting) == row.use.ofSetting, row.id);
        QVERIFY2(row.get(request) == text || row.get(request).empty(), row.id); // empty: written by another row
        Request repeated = standard();
        repeated.scan = request.scan;
        for (const Option& other : options())
            if (const std::string said = other.get(request); !said.empty())
                setField(other, repeated, said);
        QVERIFY2(repeated == request, row.id);
        for (const FieldChoice& choice : row.choices) {
            Request chosen = standard();
            setField(row, chosen, choice.id);
            QVERIFY(row.get(chosen) == choice.id || row.get(chosen).empty());
            QVERIFY(!choice.label.empty() && !choice.summary.empty());
        }
        QVERIFY(*row.label && *row.summary);
        QVERIFY2(formOf(row).empty() == (row.kind == Option::Kind::boolean), row.id);
        QVERIFY2((row.step > 0) == (row.kind == Option::Kind::real), row.id);
    }
    // Numbers keep all their digits.
    for (const char* axis : {"295.82031251", "-0.1", "1e-05"})
        QCOMPARE(option("axis").get(with("axis", axis)), std::string(axis));
}

void OptionsTest::limitsAreThoseOfTheTable()
{
    for (const Option& row : options()) {
        if (row.kind != Option::Kind::whole && row.kind != Option::Kind::real)
            continue;
        const auto text = [&](double value) {
            return row.kind == Option::Kind::whole ? std::to_string((long long)value) : numberToText(value);
        };
        Request request = standard();
        setField(row, request, text(row.most));
        if (row.leastIncluded)
            setField(row, request, text(row.least));
        std::vector<std::string> bad{text(row.most + 1), text(row.least - 1), "x", "", "nan", "1e999"};
        if (!row.leastIncluded)
            bad.push_back(text(row.least));
        for (const std::string& value : bad)
            QVERIFY2(fails(ErrorKind::badRequest, {value}, [&] { setField(row, request, value); }),
                     (std::string(row.id) + " " + value).c_str());
    }
    for (const Option& row : options())
        if (row.kind == Option::Kind::choice) {
            Request request = standard();
            std::vector<std::string> words;
            for (const FieldChoice& choice : row.choices)
                words.push_back(choice.id);
            QVERIFY(fails(ErrorKind::badRequest, words, [&] { setField(row, request, "magic"); }));
        }
}

void OptionsTest::invalidRequestsNameTheOption()
{
    Request request = standard();
    request.setting.filter.cutoff = std::numeric_limits<double>::quiet_NaN();
    QVERIFY(fails(ErrorKind::badRequest, {"cut-off"}, [&] { validateOptions(request); }));
    request = standard();
    request.setting.filter.window = Window::butterworth;
    request.setting.filter.order = 1000;
    QVERIFY(fails(ErrorKind::badRequest, {"1000"}, [&] { validateOptions(request); }));
    request.setting.filter.window = Window::ramLak; // the order then has no effect
    validateOptions(request);
    validateOptions(standard());
}

void OptionsTest::partsExcludeEachOther()
{
    const std::map<std::string, std::array<const char*, 2>> parts{
        {"region", {"3,4,7,5", "1,2,3,4"}}, {"slab", {"20,22,30,9,4", "20,22,40,9,4"}}, {"plane", {"x=12", "y=13"}}};
    for (const auto& [first, texts] : parts)
        for (const auto& [second, others] : parts) {
            Request request = standard();
            setField(option(first), request, texts[0]);
            if (first != second) {
                QVERIFY(fails(ErrorKind::badRequest, {"can't be combined"},
                              [&] { setField(option(second), request, others[0]); }));
                continue;
            }
            setField(option(first), request, texts[1]);
            Request alone = standard();
            setField(option(first), alone, texts[1]);
            QVERIFY2(request == alone, first.c_str());
            QCOMPARE(request.place.slices(), first == "plane" ? (RowRange{0, 1}) : standard().place.slices());
        }
}

void OptionsTest::nothingStaleAndNothingTwice_data()
{
    QTest::addColumn<QString>("id");
    for (const Option& row : options())
        if (with(row.id, toTry.at(row.id).front()).resources.device.backend != "cuda")
            QTest::newRow(row.id) << QString(row.id);
}

// A Reconstructor that has cached the standard image and a fresh one give identical changed images. Stages that the
// option does not affect are taken from the cache.
void OptionsTest::nothingStaleAndNothingTwice()
{
    QFETCH(QString, id);
    const Option& row = option(id.toStdString());
    Request before = standardFor(row.id), after = with(row.id, toTry.at(row.id).front());
    letPlanesFollow(before, after);
    before.resources.device.backend = after.resources.device.backend = "cpu";
    Reconstructor kept, fresh;
    kept.run(before);
    const Reconstruction again = kept.run(after);
    QCOMPARE(again.image.values, fresh.run(after).image.values);
    const bool prepares = row.use.stage == Stage::prepare;
    QVERIFY(prepares || again.timings.read.reused);
    QCOMPARE(again.timings.prepare.reused, !prepares);
    const bool isIdle = row.idle && row.idle(after); // the filter on GPUs, on the processor
    const bool filters =
        prepares || (row.use.stage == Stage::filter && !isIdle) || id == "method"; // `exact` filters in double
    QCOMPARE(again.timings.filter.reused, !filters);
    QCOMPARE(kept.run(before).image.values, fresh.run(before).image.values); // and back again
}

// A changed option changes the keys of the stage that its row names and of all later stages, and no other key.
void OptionsTest::keysSeeEveryOption()
{
    const auto filteredIn = [](const Request& r) { return filteredKey(r, FilterPrecision::float32); };
    for (const Option& row : options()) {
        Request before = standardFor(row.id), after = with(row.id, toTry.at(row.id).front());
        letPlanesFollow(before, after);
        QVERIFY2((imageKey(before) == imageKey(after)) == !row.use.stage, row.id);
        const bool prepares = row.use.stage == Stage::prepare;
        QVERIFY2((filteredIn(before) == filteredIn(after)) == (row.use.stage != Stage::filter && !prepares), row.id);
        QVERIFY2((preparedKey(before) == preparedKey(after)) == !prepares, row.id);
        QVERIFY2((axisKey(before) == axisKey(after)) == !prepares, row.id);
        QVERIFY(imageKey(after) == imageKey(with(row.id, toTry.at(row.id).front())));
    }
    Request other = standard();
    other.place.setSlices({0, 2});
    QVERIFY(imageKey(standard()) != imageKey(other) && filteredIn(standard()) != filteredIn(other));
    QVERIFY(preparedKey(standard()) != preparedKey(other) && axisKey(standard()) == axisKey(other));
    QVERIFY(filteredIn(standard()) != filteredKey(standard(), FilterPrecision::float64));
    other = standard();
    other.place.previewStep = 4;
    QVERIFY(imageKey(standard()) != imageKey(other) && filteredIn(standard()) == filteredIn(other));
    other = standard();
    other.scan = simulate({});
    QVERIFY(imageKey(standard()) != imageKey(other) && axisKey(standard()) != axisKey(other));
}

void OptionsTest::idleOptionsDontMatter()
{
    Request a = standard(), b = standard();
    b.setting.filter.order = 7;        // no effect without the Butterworth filter
    b.setting.kernel.oversampling = 9; // no effect without oversampled interpolation
    const auto filteredIn = [](const Request& r) { return filteredKey(r, FilterPrecision::float32); };
    QVERIFY(imageKey(a) == imageKey(b) && filteredIn(a) == filteredIn(b));
    a.setting.filter.window = b.setting.filter.window = Window::butterworth;
    QVERIFY(imageKey(a) != imageKey(b) && filteredIn(a) != filteredIn(b));
}

// One row serves the variants of all methods. An unknown variant is refused with an error that lists all variants; a
// variant of another method has no effect.
void OptionsTest::everyVariantCanBeAskedFor()
{
    const Option& row = option("variant");
    std::vector<std::string> all;
    for (const Method& method : methods())
        for (const Variant& variant : variantsOf(method)) {
            Request request = standard();
            request.setting.kernel.method = method.id;
            const auto kind = std::ranges::find_if(
                geometryKinds(), [&](const GeometryKind& each) { return method.takes(each.example); });
            auto scan = std::make_shared<Scan>();
            scan->geometry = kind->example;
            request.scan = scan;
            setField(row, request, variant.id);
            QCOMPARE(request.setting.kernel.variant, variant.id);
            QVERIFY2(!row.idle(request), variant.id.c_str());
            QVERIFY(!variant.summary.empty());
            for (const Method* other : methodsFor(kind->example)) {
                request.setting.kernel.method = other->id;
                QCOMPARE(bool(row.idle(request)), !hasVariant(*other, variant.id));
            }
            all.push_back(variant.id);
        }
    QVERIFY(!all.empty());
    Request request = standard();
    QVERIFY(fails(ErrorKind::badRequest, all, [&] { setField(row, request, "magic"); }));
    QVERIFY(request == standard());
    setField(option("alu-tuning"), request, "tuned"); // back to the variant that is measured as fastest
    QVERIFY(request == standard());
}

// Reports list every option that is set, each once, except options whose row has no report line.
void OptionsTest::reportsSayEveryOption()
{
    const auto linesWith = [](const Request& request) {
        Reconstruction made;
        made.request = request;
        made.method = request.setting.kernel.method == "auto" ? "cpu" : request.setting.kernel.method;
        return linesOf(made.request, made.method);
    };
    for (const Option& row : options()) {
        Request request = with(row.id, toTry.at(row.id).front());
        if (row.id == std::string("variant") || row.id == std::string("gpu-filter"))
            request.setting.kernel.method = "alu";
        if (row.id == std::string("batch"))
            request.setting.kernel.method = "columns";
        int said = 0;
        for (const OptionLine& line : linesWith(request)) {
            said += line.option == &row;
            QVERIFY2(!line.value.empty() && line.value.ends_with(line.option->unit), row.id);
        }
        QCOMPARE(said, row.use.line != ReportLine::none && !row.get(request).empty() ? 1 : 0);
    }
    std::vector<std::string> plain;
    for (const OptionLine& line : linesWith(standard()))
        plain.push_back(lowerLabel(*line.option) + ": " + line.value);
    for (const char* line : {"filter: Ram-Lak", "cut-off: 1 × Nyquist", "edges: Zeros"})
        QVERIFY2(std::ranges::count(plain, line) == 1, line);
    for (const char* idle : {"order", "ring width"}) // options without an effect
        QVERIFY2(std::ranges::none_of(plain, [&](const std::string& line) { return line.starts_with(idle); }), idle);
    Request other = standard();
    other.setting.kernel.variant = "values"; // belongs to another method than the one that ran
    QCOMPARE(linesWith(other).size(), plain.size());
}

// Beyond the budget the least recently used entries are dropped; the newest entry always stays.
void OptionsTest::keptWithinABudget()
{
    LruCache<int, std::string> kept(10);
    kept.keep(1, "one", 4);
    kept.keep(2, "two", 4);
    QVERIFY(kept.find(1) && *kept.find(2) == "two");
    QVERIFY(kept.find(1)); // becomes the newest
    kept.keep(3, "three", 4);
    QVERIFY(!kept.find(2));
    QVERIFY(kept.find(1) && kept.find(3));
    QCOMPARE(kept.bytes(), 8.0);
    kept.makeRoom(6);
    QVERIFY(!kept.find(1) && kept.find(3));
    kept.keep(4, "four", 40);
    QVERIFY(!kept.find(3) && kept.find(4));
    QCOMPARE(kept.size(), std::size_t(1));
    kept.makeRoom(1);
    QCOMPARE(kept.size(), std::size_t(0));
    QCOMPARE(kept.bytes(), 0.0);
}

// GPU 0 may be too old while GPU 1 is suitable.
void OptionsTest::automaticDeviceIsAnyThatWorks()
{
    static Devices found;
    const Machine machine{.devices = [](const Backend&) -> const Devices& { return found; }};
    QVERIFY(!deviceFor(cudaBackend, {"auto", 0}, machine));
    found.devices.resize(2);
    found.devices[0].index = 1;
    found.devices[1].index = 3;
    QCOMPARE(deviceFor(cudaBackend, {"auto", 0}, machine)->index, 1);
    QCOMPARE(deviceFor(cudaBackend, {"cuda", 3}, machine)->index, 3);
    QVERIFY(!deviceFor(cudaBackend, {"cuda", 0}, machine));
    QVERIFY(!deviceFor(cudaBackend, {"cpu", 1}, machine));
    QVERIFY(!deviceFor(openClBackend, {"auto", 0}, machine)); // only if it is named
    QCOMPARE(deviceFor(openClBackend, {"opencl", 3}, machine)->index, 3);
    // A device that isn't there is told from devices that can't be used.
    found.reason = "Old GPU has compute capability 7.0";
    QCOMPARE(*deviceProblem(cudaBackend, {"cuda", 7}, machine),
             std::string("there is no NVIDIA GPU 7, only 1 to 3 (Old GPU has compute capability 7.0)"));
    found.devices[0].unusable = found.devices[1].unusable = "its driver has no compiler";
    QCOMPARE(*deviceProblem(openClBackend, {"opencl", DeviceSettings::all}, machine),
             std::string("no OpenCL device can be used: its driver has no compiler"));
    found.devices.clear();
    QCOMPARE(*deviceProblem(cudaBackend, {"cuda", 0}, machine),
             std::string("no NVIDIA GPU can be used: Old GPU has compute capability 7.0"));
}

SINOSCOPE_TEST(OptionsTest, QCoreApplication)
#include "options_test.moc"
