// SPDX-License-Identifier: GPL-3.0-or-later
// Compilation of kernels and its cache, the formats of images, and the time limit.
#include "engine/backends/opencl/device/opened_device.h"
#include "engine/backends/opencl/device/program.h"
#include "engine/backends/opencl/device/time_limit.h"
#include "engine/base/error.h"
#include "engine/base/own_file.h"
#include "tests/opencl/opencl.h"

#include <QTemporaryDir>

#include <filesystem>
#include <fstream>

using namespace engine;
using namespace fixtures;

namespace
{

const opencl::ProgramText doubled{"kernel void twice(global float* x) { x[get_global_id(0)] *= FACTOR; }",
                                  "-DFACTOR=2"};

// Runs `twice` of the program over three numbers.
std::vector<float> results(const opencl::OpenedDevice& device, const opencl::Program& program)
{
    std::vector<float> values{1, 2, 3};
    const std::size_t bytes = values.size() * sizeof(float);
    opencl::Buffer buffer;
    buffer.reserve(device.context(), bytes);
    const opencl::Queue queue = device.makeQueue();
    const opencl::Kernel kernel = opencl::kernelOf(program, "twice");
    const opencl::Functions& cl = opencl::functions();
    opencl::check(
        cl.clEnqueueWriteBuffer(queue.get(), buffer.get(), CL_TRUE, 0, bytes, values.data(), 0, nullptr, nullptr),
        "clEnqueueWriteBuffer");
    opencl::setArguments(kernel.get(), buffer.get());
    opencl::enqueue(queue.get(), kernel.get(), {3}, 1);
    opencl::check(
        cl.clEnqueueReadBuffer(queue.get(), buffer.get(), CL_TRUE, 0, bytes, values.data(), 0, nullptr, nullptr),
        "clEnqueueReadBuffer");
    return values;
}

std::vector<std::filesystem::path> filesIn(const std::filesystem::path& folder)
{
    return {std::filesystem::directory_iterator(folder), std::filesystem::directory_iterator()};
}

} // namespace

class OpenClProgramsTest : public QObject
{
    Q_OBJECT

  private slots:
    void initTestCase() { SINOSCOPE_NEEDS_OPENCL(); }

    // A file is written once, read the second time, and replaced if its program is damaged or its key another one's.
    void programsAreCached()
    {
        const QTemporaryDir folder;
        const std::filesystem::path cache = folder.path().toStdString() + "/made/here";
        const opencl::OpenedDevice device(0);
        const auto values = [&] { return results(device, opencl::compiled(device.context(), 0, doubled, cache)); };
        const std::vector<float> wanted{2, 4, 6};
        QVERIFY(values() == wanted);
        QCOMPARE(filesIn(cache).size(), std::size_t(1));
        const std::filesystem::path file = filesIn(cache).front();
        const auto size = std::filesystem::file_size(file);
        QVERIFY(values() == wanted);
        std::filesystem::resize_file(file, size / 2); // what is left begins with the key, or with a part of it
        QVERIFY(values() == wanted);
        QVERIFY(std::filesystem::file_size(file) > size / 2); // written anew; PoCL's programs vary in size
        std::fstream(file, std::ios::in | std::ios::out) << "another driver";
        QVERIFY(values() == wanted);
        std::string begin(14, ' ');
        std::ifstream(file).read(begin.data(), 14);
        QVERIFY(begin != "another driver");
        // One to which others may write might contain anything: it is replaced, too.
        std::filesystem::permissions(file, std::filesystem::perms::group_write, std::filesystem::perm_options::add);
        const auto refused = cacheProblems().size();
        QVERIFY(values() == wanted);
        QCOMPARE(cacheProblems().size(), refused + 1);
        QVERIFY((std::filesystem::status(file).permissions() & std::filesystem::perms::group_write) ==
                std::filesystem::perms::none);
        const opencl::ProgramText tripled{doubled.source, "-DFACTOR=3"};
        const std::vector<float> three = results(device, opencl::compiled(device.context(), 0, tripled, cache));
        QVERIFY((three == std::vector<float>{3, 6, 9}));
        QCOMPARE(filesIn(cache).size(), std::size_t(2));
    }

    void compilerRefuses()
    {
        const opencl::OpenedDevice device(0);
        QVERIFY(fails(ErrorKind::device, {"refuses a kernel", "error"}, [&] {
            opencl::compiled(device.context(), 0, {"kernel void wrong(global float* x) { x = unknown; }", ""}, {});
        }));
    }

    // Four texels tell which formats a driver reads rightly; some list others (PoCL 3.1: one channel of halves).
    void formatsAreTriedOut()
    {
        opencl::OpenedDevice device(0);
        for (const bool half : {false, true})
            for (const int values : {1, 2, 4}) {
                const int channels = device.channelsFor(values, half);
                QVERIFY(channels >= values && channels <= 4);
            }
    }

    void slowCallsEnd()
    {
        QCOMPARE(opencl::withinSeconds(60, "slow", [] { return 7; }), 7);
        QVERIFY(fails(ErrorKind::device, {"it didn't end"}, [] {
            opencl::withinSeconds(0.05, "it didn't end", [] {
                std::this_thread::sleep_for(std::chrono::seconds(2));
                return 0;
            });
        }));
        QVERIFY(fails(ErrorKind::noMemory, {"full"}, [] {
            opencl::withinSeconds(60, "slow", []() -> int { throw Error(ErrorKind::noMemory, "full"); });
        }));
    }
};

SINOSCOPE_TEST(OpenClProgramsTest, QCoreApplication)
#include "opencl_programs_test.moc"
