// SPDX-License-Identifier: GPL-3.0-or-later
// Questions about files that the helper program answers: messages that can't be true, a helper that ends, a copy
// of this process, links that change.
#include "engine/io/check/helper_session.h"

#include "engine/base/error.h"
#include "engine/io/check/mat_contents.h"
#include "engine/io/hdf5/hdf5_file.h"
#include "engine/io/hdf5/hdf5_questions.h"
#include "tests/engine/io/bad_files.h"

#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <fstream>
#include <thread>

using namespace engine;
using namespace fixtures;
namespace fs = std::filesystem;

namespace
{

DatasetFacts someFacts()
{
    DatasetFacts facts;
    facts.shape = {7, 3, 4};
    facts.chunk = {2, 3, 4};
    facts.files = {"a.h5", "b.h5"};
    facts.sampleType = "uint16";
    facts.gaps.untouched = {{{1, 2}}, {}, {}};
    facts.format = ChunkFormat{*findSampleType("uint16"), true, {{.kind = ChunkFilter::Kind::deflate}}};
    facts.chunkFile = "b.h5";
    facts.fillValue = 2.5;
    return facts;
}

// Checks that a message which ends early, or has any byte changed, is refused or read, but nothing else.
template <typename Read>
void attack(const Parcel& whole, const Read& read)
{
    const auto outcome = [&](const std::string& bytes) {
        Parcel parcel(bytes);
        try {
            read(parcel);
            return true;
        } catch (const Error&) {
            return false;
        }
    };
    QVERIFY(outcome(whole.bytes()));
    for (std::size_t length = 0; length < whole.bytes().size(); ++length)
        QVERIFY(!outcome(whole.bytes().substr(0, length)));
    for (std::size_t k = 0; k < whole.bytes().size(); ++k)
        for (const int change : {1, 0x40, 0x80, 0xff}) {
            std::string bytes = whole.bytes();
            bytes[k] = static_cast<char>(bytes[k] ^ change);
            outcome(bytes);
        }
}

} // namespace

class HelperSessionTest : public QObject
{
    Q_OBJECT

  private slots:
    void init() { m_folder.emplace(); }

    void answersThatCannotBeTrue()
    {
        Parcel facts;
        addTo(facts, someFacts());
        attack(facts, [](Parcel& parcel) { factsIn(parcel); });
        const SampleType& floats = *findSampleType("float32");
        Parcel stored;
        addTo(stored, std::optional(StoredNumbers{floats, false, {{"a.h5", 2048, 0, 40}, {"b.h5", 0, 40, 44}}}));
        attack(stored, [](Parcel& parcel) { storedIn(parcel, 84); });
        Parcel parts;
        addTo(parts, std::vector<VirtualPart>{{"a.h5", "/d", 0, 3, 1}, {"b.h5", "/d", 4, 3, 0}});
        attack(parts, [](Parcel& parcel) { partsIn(parcel, 7); });
        Parcel places;
        addTo(places, std::vector<ChunkPlace>(4));
        attack(places, [](Parcel& parcel) { placesIn(parcel, 4); });
        MatVariable numbers;
        numbers.name = "numbers";
        numbers.kind = MatVariable::Kind::numbers;
        numbers.isWhole = true;
        numbers.shape = {3, 4};
        MatVariable structure = numbers;
        structure.kind = MatVariable::Kind::structure;
        structure.fields = {numbers, numbers};
        Parcel variables;
        addTo(variables, {structure, numbers});
        attack(variables, [](Parcel& parcel) { matVariablesIn(parcel, 12); });
        Parcel again(variables.bytes());
        QVERIFY(fails(ErrorKind::badFile, {"can't be true"}, [&] { matVariablesIn(again, 11); }));

        const auto refused = [](const std::optional<StoredNumbers>& numbers) {
            Parcel parcel;
            addTo(parcel, numbers);
            return fails(ErrorKind::badFile, {"can't be true"}, [&] { storedIn(parcel, 84); });
        };
        QVERIFY(refused(StoredNumbers{floats, false, {{"a.h5", 0, 0, 40}}}));                      // too few
        QVERIFY(refused(StoredNumbers{floats, false, {{"a.h5", 0, 0, 40}, {"a.h5", 0, 39, 45}}})); // overlap
        QVERIFY(refused(StoredNumbers{floats, false, {{"a.h5", -4, 0, 84}}}));
        QVERIFY(refused(StoredNumbers{floats, false, {{"a.h5", 0, 0, 85}}}));
        DatasetFacts huge = someFacts();
        huge.shape = {1LL << 40, 1LL << 40, 4};
        Parcel parcel;
        addTo(parcel, huge);
        QVERIFY(fails(ErrorKind::badFile, {"can't be true"}, [&] { factsIn(parcel); }));
    }

    // Bytes that are no message end the conversation.
    void noMessage()
    {
        for (const std::string& bytes : {std::string("sinoscope"), std::string(64, '\xff'), std::string(64, '\0')}) {
            int ends[2];
            QCOMPARE(::socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
            const Descriptor ours(ends[0]);
            {
                const Descriptor theirs(ends[1]);
                QCOMPARE(::write(ends[1], bytes.data(), bytes.size()), ssize_t(bytes.size()));
            }
            QVERIFY(!receive(ours.number()).message);
        }
    }

    void messagesArrive()
    {
        int ends[2];
        QCOMPARE(::socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
        const Descriptor ours(ends[0]), theirs(ends[1]);
        const std::vector<std::string> texts{"", "a", std::string("\0\n:3", 4), "é\xff", std::string(3 << 20, 'x')};
        std::ofstream(at("there")) << "text";
        const InputFile file(at("there"));
        std::jthread sender(
            [&] { send(theirs.number(), MessageKind::question, Parcel().add(texts).add(-1.5), file.descriptor()); });
        Received received = receive(ours.number());
        QVERIFY(received.message && received.message->kind == MessageKind::question);
        QVERIFY(received.message->parcel.takeList<std::string>() == texts);
        QCOMPARE(received.message->parcel.take<double>(), -1.5);
        QCOMPARE(InputFile("there", received.message->descriptor.release()).bytes(), 4U);
        Parcel refused = parcelOf(Error(ErrorKind::noMemory, "of " + fileText("a b") + hint("angles")));
        const Error error = errorIn(refused);
        QVERIFY(error.kind() == ErrorKind::noMemory && error.text() == "of " + fileText("a b") + hint("angles"));
    }

    // If the helper is killed, the next question starts another one.
    void helperThatEnds()
    {
        const made::Given given = made::whole(m_folder->path());
        const Hdf5File file(given.scan);
        const std::vector<std::string> names = file.children("/exchange");
        QVERIFY(!names.empty());
        const pid_t helper = childOf(::getpid());
        QVERIFY(helper > 0);
        ::kill(helper, SIGKILL);
        QVERIFY(fails(ErrorKind::badFile, {"scan.h5", "ended without an answer"}, [&] { file.children("/exchange"); }));
        QCOMPARE(file.children("/exchange"), names);
    }

    // Places of chunks that the helper didn't give are asked for when they are needed again, also in a file that has
    // been written to meanwhile.
    void helperThatEndsWithoutPlaces()
    {
        constexpr hsize_t chunks = 20'001; // more than are looked at on opening
        const hid_t creation = H5Pcreate(H5P_DATASET_CREATE);
        const hsize_t edge = 1;
        H5Pset_chunk(creation, 1, &edge);
        made::Hdf5(at("many.h5")).numbers("/data", {chunks}, made::counting(chunks), H5T_STD_U16LE, creation);
        H5Pclose(creation);
        const Hdf5Dataset data = Hdf5File(at("many.h5")).dataset("/data");
        ::kill(childOf(::getpid()), SIGKILL);
        QVERIFY(fails(ErrorKind::badFile, {"many.h5"}, [&] { data.isWritten({7}); }));
        fs::last_write_time(at("many.h5"), fs::file_time_type());
        QCOMPARE(data.layout(), 0);
        QVERIFY(data.isWritten({7}));
    }

    // The copy of a process (Python's multiprocessing) reads with a helper of its own, and leaves its parent's alone.
    void copyOfThisProcess()
    {
        const made::Given given = made::whole(m_folder->path());
        const Hdf5File file(given.scan);
        const std::vector<std::string> names = file.children("/exchange");
        const pid_t child = ::fork();
        if (child == 0)
            ::_exit(file.children("/exchange") == names ? 0 : 1);
        int status = -1;
        ::waitpid(child, &status, 0);
        QCOMPARE(status, 0);
        QCOMPARE(file.children("/exchange"), names);
    }

    // The helper ends with the program that started it, also if that program is killed.
    void helperEndsWithItsProgram()
    {
        const made::Given given = made::whole(m_folder->path());
        int ends[2];
        QCOMPARE(::pipe(ends), 0);
        const pid_t child = ::fork();
        if (child == 0) {
            const Hdf5File file(given.scan);
            const pid_t helper = childOf(::getpid());
            [[maybe_unused]] const ssize_t written = ::write(ends[1], &helper, sizeof helper);
            ::kill(::getpid(), SIGKILL);
        }
        pid_t helper = -1;
        QCOMPARE(::read(ends[0], &helper, sizeof helper), ssize_t(sizeof helper));
        QVERIFY(helper > 0);
        ::waitpid(child, nullptr, 0);
        QTRY_VERIFY(!isRunning(helper));
        ::close(ends[0]);
        ::close(ends[1]);
    }

    // A name that leads to another file later is refused: what was described is not what would be read.
    void linkThatChanges()
    {
        made::Hdf5(at("source.h5")).numbers("/frames", {5, 3, 4}, made::counting(60), H5T_STD_U16LE);
        fs::copy_file(at("source.h5"), at("other.h5"));
        fs::create_symlink("source.h5", at("link.h5"));
        const made::Given given = made::hdf5(m_folder->path(), [](made::Hdf5& file) {
            made::virtualSource(file, "/exchange/data", "link.h5", "/frames");
            file.numbers("/exchange/theta", {5}, made::counting(5, 36));
        });
        HelperSession session(given.scan);
        session.ask(HelperQuestion::dataset, given.scan, "/exchange/data");
        QVERIFY(session.open(at("link.h5")));
        fs::remove(at("link.h5"));
        fs::create_symlink("other.h5", at("link.h5"));
        QVERIFY(fails(ErrorKind::badFile, {"link.h5", "another file has taken its place"},
                      [&] { session.open(at("link.h5")); }));
    }

    // A request to stop that comes after a scan was opened doesn't end its helper.
    void stopAfterOpening()
    {
        const made::Given given = made::hdf5(m_folder->path(), [](made::Hdf5& file) {
            const hid_t creation = H5Pcreate(H5P_DATASET_CREATE);
            const hsize_t edges[3] = {1, 3, 4};
            H5Pset_chunk(creation, 3, edges);
            file.numbers("/exchange/data", {5, 3, 4}, made::counting(60), H5T_STD_U16LE, creation);
            H5Pclose(creation);
            file.numbers("/exchange/theta", {5}, made::counting(5, 36));
        });
        std::stop_source stop;
        const auto scan = openScan(given.scan, {}, stop.get_token());
        stop.request_stop();
        QCOMPARE(scan->read({2, 1}, {}).data[19], 59.0f);
        QVERIFY(fails(ErrorKind::cancelled, {}, [&] { openScan(given.scan, {}, stop.get_token()); }));
    }

  private:
    fs::path at(const std::string& name) const { return *m_folder / name; }

    // Returns the number of a helper process that `parent` started; −1 if there is none.
    static pid_t childOf(pid_t parent)
    {
        for (const fs::directory_entry& entry : fs::directory_iterator("/proc")) {
            std::ifstream file(entry.path() / "stat");
            pid_t number = 0, of = 0;
            std::string name, state;
            if (file >> number >> name >> state >> of && of == parent && name.starts_with("(sinoscope-chec") &&
                state != "Z")
                return number;
        }
        return -1;
    }
    static bool isRunning(pid_t process)
    {
        std::ifstream file("/proc/" + std::to_string(process) + "/stat");
        std::string number, name, state;
        return file >> number >> name >> state && state != "Z";
    }

    std::optional<TemporaryFolder> m_folder;
};

SINOSCOPE_TEST(HelperSessionTest, QCoreApplication)
#include "helper_session_test.moc"
