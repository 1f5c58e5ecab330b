#include "engine/volume/ensemble.h"

#include "engine/base/json_difference.h"
#include "engine/base/json_text.h"

#include <algorithm>

namespace engine
{

std::string Ensemble::name(int rank) const
{
    return "rank " + std::to_string(rank) + " of " + std::to_string(size()) + " (" + host(rank) + ')';
}

std::string toldByFirst(Ensemble& ensemble, const std::string& text)
{
    return ensemble.exchange(ensemble.isFirst() ? text : std::string()).front();
}

// "=TEXT", or "!KIND:" and the parts of an error's text, each with its length: "5:w1 is "
std::string toText(const Outcome& outcome)
{
    if (!outcome.failed)
        return '=' + outcome.text;
    std::string text = '!' + std::to_string(static_cast<int>(outcome.kind)) + ':';
    for (const std::string& part : toStrings(outcome.error))
        text += std::to_string(part.size()) + ':' + part;
    return text;
}

Outcome outcomeFromText(const std::string& text)
{
    if (!text.starts_with('!'))
        return {.text = text.substr(std::min<std::size_t>(1, text.size()))};
    std::size_t colon = text.find(':');
    Outcome outcome{.failed = true, .kind = static_cast<ErrorKind>(std::stoi(text.substr(1, colon - 1)))};
    std::vector<std::string> parts;
    while (colon + 1 < text.size()) {
        const std::size_t begin = colon + 1;
        colon = text.find(':', begin);
        const std::size_t size = colon == std::string::npos ? 0 : std::stoul(text.substr(begin, colon - begin));
        if (colon == std::string::npos || size >= text.size() - colon)
            throw Error(ErrorKind::badRequest, "a rank sent half an error");
        parts.push_back(text.substr(colon + 1, size));
        colon += size;
    }
    outcome.error = textFrom(parts);
    return outcome;
}

void requireAll(const std::vector<Outcome>& outcomes, const Ensemble& ensemble)
{
    const Outcome* worst = nullptr;
    for (const Outcome& outcome : outcomes)
        if (outcome.failed && (!worst || (worst->kind == ErrorKind::cancelled && outcome.kind != worst->kind)))
            worst = &outcome;
    if (!worst)
        return;
    const bool ofAll = std::ranges::all_of(
        outcomes, [&](const Outcome& outcome) { return outcome.failed && outcome.error == worst->error; });
    const auto rank = static_cast<int>(worst - outcomes.data());
    throw SharedError(worst->kind, ofAll ? worst->error : ensemble.name(rank) + ": " + worst->error);
}

void requireAlike(const std::vector<std::string>& jsons, const Ensemble& ensemble, const std::string& what)
{
    const auto first = parsedJson(jsons.front());
    for (std::size_t rank = 1; rank < jsons.size(); ++rank)
        if (const auto difference = firstDifference(first, parsedJson(jsons[rank])))
            throw SharedError(ErrorKind::badRequest, ensemble.name(static_cast<int>(rank)) + ' ' + what + ": " +
                                                         difference->at + " is " + difference->other + " there and " +
                                                         difference->one + " at " + ensemble.name(0) +
                                                         ". All ranks want the same.");
}

} // namespace engine
