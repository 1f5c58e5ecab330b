// SPDX-License-Identifier: GPL-3.0-or-later
// Figures of images that take too long to compute in the window's thread: computed one after the other in the
// background, and cached while their images exist.
#pragma once

#include "engine/compare/histogram.h"
#include "engine/compare/marks.h"
#include "ui/background/background_task.h"
#include "ui/background/comparison.h"

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <vector>

namespace ui
{

// Everything that a figure is computed from.
struct FigureOf {
    Image image, reference; // reference: null for figures of the image alone
    int slice = 0;
    engine::Mask mask = {};
    engine::Mark line = {};                          // only its shape and width
    engine::HistogramRange values = {}, errors = {}; // ranges of histograms
    bool operator==(const FigureOf&) const = default;
};

// Cache of late figures. Everything runs in the window's thread, except `make`.
template <typename Figure>
class LateFigures
{
  public:
    using Make = std::function<Figure(const FigureOf&, const std::stop_token&)>; // in a background thread; may throw
    using Arrived = std::function<void()>;

    LateFigures(Make make, Arrived arrived) : m_make(std::move(make)), m_arrived(std::move(arrived))
    {
        QObject::connect(&m_task, &BackgroundTask::failed, &m_task, [this](const QString& why) { keep({}, why); });
        QObject::connect(&m_task, &BackgroundTask::cancelled, &m_task, [this] { next(); });
    }

    const Figure* find(const FigureOf& of) const // null: not computed yet, or impossible
    {
        const Kept* known = kept(of);
        return known && known->figure ? &*known->figure : nullptr;
    }
    // Returns the figure or, until it is there, the one that was last shown under this id. So nothing flickers while
    // an area is dragged.
    const Figure* shown(int id, const FigureOf& of)
    {
        if (const Kept* known = kept(of)) {
            if (!known->figure)
                m_shown.erase(id);
            else
                m_shown.insert_or_assign(id, *known->figure);
        }
        const auto found = m_shown.find(id);
        return found == m_shown.end() ? nullptr : &found->second;
    }
    QString failure(const FigureOf& of) const // why it is impossible; empty while unknown
    {
        const Kept* known = kept(of);
        return known ? known->why : QString();
    }

    // Computes missing figures in this order. Drops earlier requests that are not in the list.
    void want(std::vector<FigureOf> wanted)
    {
        m_wanted = std::move(wanted);
        std::erase_if(m_kept, [](const Kept& one) { return one.image.expired(); });
        const std::size_t most = m_wanted.size() + 200; // also keeps figures of places passed during a drag
        if (m_kept.size() > most)
            m_kept.erase(m_kept.begin(), m_kept.end() - static_cast<std::ptrdiff_t>(most));
        next();
    }
    // Drops all requests and cancels the current computation.
    void stop()
    {
        m_wanted.clear();
        m_task.cancel();
    }
    void clear() // for another scan
    {
        m_shown.clear();
        want({});
    }

  private:
    struct Kept {
        std::weak_ptr<const engine::Reconstruction> image, reference;
        FigureOf where; // without its images
        std::optional<Figure> figure;
        QString why;
    };

    static FigureOf withoutImages(FigureOf of)
    {
        of.image.reset();
        of.reference.reset();
        return of;
    }

    const Kept* kept(const FigureOf& of) const
    {
        const FigureOf where = withoutImages(of);
        const auto found = std::ranges::find_if(m_kept, [&](const Kept& one) {
            return one.image.lock() == of.image && one.reference.lock() == of.reference && one.where == where;
        });
        return found == m_kept.end() ? nullptr : &*found;
    }

    // Computes one figure at a time, in one thread only: newer requests wait for the current figure, which is soon
    // there.
    void next()
    {
        std::erase_if(m_wanted, [this](const FigureOf& of) { return kept(of) != nullptr; });
        if (m_task.busy() || m_wanted.empty())
            return;
        m_underway = m_wanted.front();
        auto made = std::make_shared<std::optional<Figure>>();
        m_task.start([made, make = m_make, of = m_underway](
                         std::stop_token stop, const BackgroundTask::Progress&) { *made = make(of, stop); },
                     [this, made] { keep(std::move(*made), {}); });
    }

    void keep(std::optional<Figure> figure, const QString& why)
    {
        m_kept.push_back({m_underway.image, m_underway.reference, withoutImages(m_underway), std::move(figure), why});
        m_underway = {};
        next();
        m_arrived();
    }

    Make m_make;
    Arrived m_arrived;
    std::vector<FigureOf> m_wanted;
    FigureOf m_underway;
    std::vector<Kept> m_kept;
    std::map<int, Figure> m_shown;
    BackgroundTask m_task; // last member: destroyed first, which waits for its thread
};

} // namespace ui
