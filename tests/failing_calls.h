// SPDX-License-Identifier: GPL-3.0-or-later
// Lets the calls of a device fail, one after the other.
#pragma once

#include "engine/reconstruct/reconstruct.h"
#include "tests/fixtures.h"

#include <atomic>

// Counts down to 0; whether this call is the one to fail. Thread-safe.
inline bool isDue(std::atomic<int>& left)
{
    int now = left;
    while (now > 0 && !left.compare_exchange_weak(now, now - 1)) {
    }
    return now == 1;
}

namespace fixtures
{

struct FailedCalls {
    int all = 0, harmless = 0; // harmless: the device made a good image all the same
};

// Lets the n-th call fail for n = 1, 1 + step… until a request on that device needs fewer calls. Returns how many
// failed; none, and a warning, if a failure gave an error of another kind or another image (the processor may take
// over, if a note tells it), or changed the image of the next run. bound: of relative errors of these images. checked:
// called after each run, when the reconstructor is gone; returns what is wrong.
inline FailedCalls failEach(
    std::atomic<int>& countdown, engine::ErrorKind kind, const engine::Request& request, int step = 1, double bound = 0,
    const std::function<QString()>& checked = [] { return QString(); })
{
    const auto wrong = [](int n, const QString& what) {
        qWarning("failure %d: %s", n, qPrintable(what));
        return FailedCalls();
    };
    const engine::Values expected = engine::Reconstructor().run(request).image.values;
    FailedCalls calls;
    for (int n = 1;; n += step) {
        engine::Reconstructor reconstructor;
        countdown = n;
        engine::Reconstruction made;
        const auto failed = errorOf([&] { made = reconstructor.run(request); });
        const int left = countdown.exchange(0);
        if (failed && (failed->kind() != kind || std::string(failed->what()).empty()))
            return wrong(n, failed->what());
        if (!failed && !(relativeError(made.image.values, expected) <= bound))
            return wrong(n, "other values, and no error");
        if (!(relativeError(reconstructor.run(request).image.values, expected) <= bound))
            return wrong(n, "other values afterwards");
        reconstructor = engine::Reconstructor();
        if (const QString what = checked(); !what.isEmpty())
            return wrong(n, what);
        if (left > 0)
            return calls;
        ++calls.all;
        const bool tookOver = !made.notes.empty() && contains(made.notes.back().text(), "the processor took over");
        calls.harmless += failed || tookOver ? 0 : 1;
    }
}

} // namespace fixtures
