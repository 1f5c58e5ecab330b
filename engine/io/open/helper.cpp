// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/io/open/helper.h"

#include "engine/base/error.h"
#include "engine/base/number_text.h"
#include "engine/base/parallel_for.h"
#include "engine/io/check/check_program.h"
#include "engine/io/check/confinement.h"
#include "engine/io/check/file_check.h"
#include "engine/io/open/open_fields.h"
#include "engine/io/open/open_scan.h"
#include "engine/io/slices/slice_stack.h"
#include "engine/scan/cone_fields.h"

#include <malloc.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <new>

namespace engine
{

namespace
{

namespace fs = std::filesystem;

// Ids in addition to those of the command line: listed angles, for which there is no option, and the prefix of the
// cone's fields.
const std::string listedAngle = "angle in radians", ofCone = "cone ";

std::vector<std::string> textsOf(const OpenOptions& options)
{
    std::vector<std::string> texts;
    for (const OpenField& field : openFields())
        if (field.id != std::string("angles") || options.anglesRad.empty()) // listed angles override a file
            for (const std::string& text : textsOf(field, options))
                texts.insert(texts.end(), {field.id, text});
    for (const double angle : options.anglesRad)
        texts.insert(texts.end(), {listedAngle, numberToText(angle)});
    for (const ConeField& field : coneFields())
        for (const std::string& text : textsOf(field, options.cone))
            texts.insert(texts.end(), {ofCone + field.id, text});
    return texts;
}

OpenOptions optionsFrom(std::span<const std::string> texts)
{
    OpenOptions options;
    for (std::size_t k = 0; k + 1 < texts.size(); k += 2) {
        const std::string &id = texts[k], &text = texts[k + 1];
        for (const OpenField& field : openFields())
            if (id == field.id)
                field.set(options, text);
        for (const ConeField& field : coneFields())
            if (id == ofCone + field.id)
                field.set(options.cone, text);
        if (id == listedAngle) // accepts NaN, which is refused when the scan is opened
            std::from_chars(text.data(), text.data() + text.size(), options.anglesRad.emplace_back());
    }
    return options;
}

int numberFrom(const std::string& text)
{
    return static_cast<int>(integerFromText(text, "number"));
}

std::vector<SliceSize> sizesFrom(std::span<const std::string> texts)
{
    std::vector<SliceSize> sizes;
    for (std::size_t k = 0; k + 1 < texts.size(); k += 2)
        sizes.push_back({numberFrom(texts[k]), numberFrom(texts[k + 1])});
    return sizes;
}

using Rest = std::span<const std::string>; // the texts after the name of the reading and the file

// A row of the table of readings.
struct ReadingKind {
    const char* name;
    std::size_t details; // the minimum number of further texts
    void (*read)(const fs::path& file, Rest rest);
};

constexpr ReadingKind readingKinds[] = {
    {"scan", 0, [](const fs::path& file, Rest rest) { openScan(file, optionsFrom(rest)); }},
    {"slices", 2,
     [](const fs::path& file, Rest rest) {
         slicesIn({file, rest[0], rest[1]}, sizesFrom(rest.subspan(2))).open(0);
     }},
    {"fitting slices", 0, [](const fs::path& file, Rest rest) { datasetsThatFit(file, sizesFrom(rest)); }},
    {"file", 0, [](const fs::path& file, Rest) { openScan(file); }},
};

void read(const Reading& reading)
{
    const auto kind =
        std::ranges::find_if(readingKinds, [&](const ReadingKind& one) { return one.name == reading[0]; });
    require(kind != std::end(readingKinds) && reading.size() >= 2 + kind->details, "there is no such reading");
    kind->read(reading[1], Rest(reading).subspan(2));
}

std::string standardInput()
{
    std::string all;
    std::array<char, 4096> part;
    for (ssize_t got = 1; got != 0;) {
        got = ::read(STDIN_FILENO, part.data(), part.size());
        if (got < 0 && errno != EINTR)
            return {};
        all.append(part.data(), static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
    }
    return all;
}

bool say(const std::string& text)
{
    for (std::size_t done = 0; done < text.size();) {
        const ssize_t some = ::write(STDOUT_FILENO, text.data() + done, text.size() - done);
        if (some < 0 && errno != EINTR)
            return false;
        done += static_cast<std::size_t>(std::max<ssize_t>(some, 0));
    }
    return true;
}

CheckAnswer answerTo(const Reading& reading)
{
    constexpr int mostThreads = 2;
    limitWorkers(mostThreads);
    CheckAnswer answer;
    ReadingLimits limits;
    if (const auto identity = identityOf(readingFile(reading))) // as the parent does, for the same limits
        limits.add(identity->bytes);
    limits.apply();
    beHelper([&](const fs::path& file, const FileIdentity& identity) {
        answer.files.emplace_back(file, identity);
        if (answer.files.size() > 1) {
            limits.add(identity.bytes);
            limits.apply();
        }
    });
    try {
        read(reading);
    } catch (const Error& error) {
        answer.refusal = error;
    } catch (const std::bad_alloc&) {
        answer.refusal.emplace(ErrorKind::noMemory, "not enough memory");
    } catch (const std::exception& error) {
        answer.refusal.emplace(ErrorKind::badFile, error.what());
    }
    return answer;
}

} // namespace

Reading readingOfScan(const fs::path& path, const OpenOptions& options)
{
    Reading reading{"scan", path.string()};
    for (std::string& text : textsOf(options))
        reading.push_back(std::move(text));
    return reading;
}

int runHelper()
{
    const auto reading = unpacked(standardInput());
    if (!reading || reading->size() < 2)
        return 2;
#if defined(M_PERTURB)
    ::mallopt(M_PERTURB, 0xa5); // makes reads of uninitialised or freed memory fail here
#endif
    confineProcess(Opening::isAllowed);
    return say(packed(answerTo(*reading))) ? 0 : 1;
}

} // namespace engine
