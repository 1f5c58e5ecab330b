// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/volume/ensemble.h"

#include "engine/base/json_difference.h"
#include "engine/base/json_text.h"
#include "engine/io/check/messages.h"

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

// Returns "=TEXT", or "!" followed by the error.
std::string toText(const Outcome& outcome)
{
    return outcome.failed ? '!' + parcelOf(Error(outcome.kind, outcome.error)).bytes() : '=' + outcome.text;
}

Outcome outcomeFromText(const std::string& text)
{
    if (!text.starts_with('!'))
        return {.text = text.substr(std::min<std::size_t>(1, text.size()))};
    Parcel parcel(text.substr(1));
    const Error error = errorIn(parcel);
    return {.failed = true, .kind = error.kind(), .error = error.text()};
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
                                                         ". All ranks need the same value.");
}

} // namespace engine
