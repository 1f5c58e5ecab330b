// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/queue/volume_queue.h"

#include "engine/base/error.h"
#include "engine/io/slices/volume_journal.h"
#include "ui/widgets/displayed_number.h"
#include "ui/widgets/engine_text.h"

#include <QDir>
#include <QFileInfo>

#include <algorithm>
#include <memory>
#include <utility>

namespace ui
{

namespace
{

constexpr const char* pausesKey = "queuePausesAtDoubts";

QString outputText(const engine::QueuedVolume& volume)
{
    return QDir::toNativeSeparators(QString::fromStdString(volume.output.path.string()));
}

} // namespace

VolumeQueue::VolumeQueue(QObject* parent) : QObject(parent)
{
    connect(&m_task, &BackgroundTask::progressed, this, [this](double fraction) {
        if (m_current < 0)
            return;
        Item& item = m_items[m_current];
        if (std::exchange(m_isFirst, false)) // the first value is the part that an earlier run had completed
            m_begunAt = fraction;
        item.fraction = fraction;
        emit progressed();
    });
    m_comeBack.setSingleShot(true);
    m_comeBack.setInterval(2000);
    connect(&m_comeBack, &QTimer::timeout, this, &VolumeQueue::comeBack);
}

VolumeQueue::~VolumeQueue() = default;

int VolumeQueue::current() const
{
    return m_current;
}

int VolumeQueue::count(State state) const
{
    return int(std::ranges::count(m_items, state, &Item::state));
}

double VolumeQueue::secondsLeft() const
{
    constexpr double soonest = 2; // seconds; earlier estimates are unreliable
    const double elapsed = m_begun.isValid() ? double(m_begun.elapsed()) / 1e3 : 0;
    if (m_current < 0 || elapsed < soonest)
        return -1;
    const double fraction = m_items[m_current].fraction, made = fraction - m_begunAt;
    return made > 0.02 ? elapsed * (1 - fraction) / made : -1;
}

void VolumeQueue::add(engine::QueuedVolume volume)
{
    const auto sameOutput = [&](const Item& item) {
        return item.volume.output.path == volume.output.path &&
               (item.state == State::waiting || item.state == State::running);
    };
    if (std::ranges::any_of(m_items, sameOutput))
        throw engine::Error(engine::ErrorKind::badRequest,
                            tr("%1 is in the queue already.").arg(outputText(volume)).toStdString());
    const bool isFile = QFileInfo(QString::fromStdString(volume.output.path.string())).isFile();
    if (isFile && !volume.output.overwrite)
        throw engine::Error(engine::ErrorKind::output, tr("%1 exists already.").arg(outputText(volume)).toStdString());
    m_items.push_back({.volume = std::move(volume), .id = QueueStore::newId()});
    announce();
    runNext();
}

void VolumeQueue::remove(int place)
{
    if (place < 0 || place >= int(m_items.size()) || place == m_current)
        return;
    m_gone.insert(m_items[place].id);
    m_items.erase(m_items.begin() + place);
    if (place < m_current)
        --m_current;
    announce();
}

void VolumeQueue::move(int place, int places)
{
    const int to = place + places;
    if (place < 0 || to < 0 || place >= int(m_items.size()) || to >= int(m_items.size()) || place == to)
        return;
    const auto from = m_items.begin() + place;
    if (place < to)
        std::rotate(from, from + 1, m_items.begin() + to + 1);
    else
        std::rotate(m_items.begin() + to, from, from + 1);
    if (m_current >= 0)
        m_current = int(std::ranges::find(m_items, State::running, &Item::state) - m_items.begin());
    m_isMoved = true;
    announce();
}

void VolumeQueue::putBack(const Item& item, int place)
{
    const int at = std::clamp(place, 0, int(m_items.size()));
    const auto added = m_items.insert(m_items.begin() + at, item);
    added->id = QueueStore::newId(); // the old one is known as removed
    added->isStored = false;
    if (m_current >= at)
        ++m_current;
    m_isMoved = true;
    announce();
    runNext();
}

void VolumeQueue::skip(int place)
{
    if (place < 0 || place >= int(m_items.size()))
        return;
    if (place == m_current) {
        m_isSkipping = true;
        m_task.cancel();
    } else if (m_items[place].state == State::waiting) {
        m_items[place].state = State::skipped;
        emit changed();
    }
}

void VolumeQueue::again(int place)
{
    if (place < 0 || place >= int(m_items.size()))
        return;
    Item& item = m_items[place];
    if (item.state != State::failed && item.state != State::skipped)
        return;
    item = {.volume = item.volume, .id = item.id};
    item.volume.failure.clear();
    announce();
    runNext();
}

void VolumeQueue::setPaused(bool paused)
{
    if (m_isPaused == paused)
        return;
    m_isPaused = paused;
    if (paused)
        m_task.cancel();
    announce(); // first notices what other windows have done
    runNext();
}

void VolumeQueue::runNext()
{
    if (m_isPaused || m_current >= 0)
        return;
    auto next =
        std::ranges::find_if(m_items, [](const Item& item) { return item.state == State::waiting && !item.isInUse; });
    if (next == m_items.end()) {
        m_claim.reset();
        return waiting() > 0 ? m_comeBack.start() : finished();
    }
    if (m_store) {
        const QString id = next->id;
        m_claim = m_store->claim(id);
        next->isInUse = !m_claim;
        announce(); // another window may have completed the volume before it was claimed here
        next = std::ranges::find(m_items, id, &Item::id);
        if (next == m_items.end() || next->isInUse)
            return runNext();
    }
    run(*next);
}

// Tries the volumes again that other programs were writing, unless they have completed them.
void VolumeQueue::comeBack()
{
    for (Item& item : m_items)
        item.isInUse = false;
    announce();
    runNext();
}

void VolumeQueue::run(Item& item)
{
    m_current = int(&item - m_items.data());
    item.state = State::running;
    item.fraction = 0;
    item.text.clear();
    m_begunAt = 0;
    m_isFirst = true;
    m_isSkipping = false;
    m_begun.start();
    emit starting();
    // A non-empty text means that the volume was completed although it was cancelled: the request came too late.
    struct End {
        QString text, warnings;
        bool isDoubtful = false, isInUse = false;

        State state() const { return isDoubtful ? State::doubtful : State::done; }
    };
    const auto its = std::make_shared<End>();
    m_task.disconnect(SIGNAL(cancelled()));
    m_task.disconnect(SIGNAL(failed(QString)));
    connect(&m_task, &BackgroundTask::cancelled, this, [this, its] {
        const bool isSkipped = std::exchange(m_isSkipping, false);
        end(!its->text.isEmpty() ? its->state()
            : isSkipped          ? State::skipped
                                 : State::waiting,
            its->text + its->warnings);
    });
    connect(&m_task, &BackgroundTask::failed, this, [this, its](const QString& message) {
        m_items[m_current].isInUse = its->isInUse;
        end(its->isInUse ? State::waiting : State::failed, its->isInUse ? QString() : message + its->warnings);
    });
    m_task.start(
        [volume = item.volume, its](std::stop_token stop, const BackgroundTask::Progress& progress) {
            try {
                const engine::WrittenVolume written = engine::writeVolume(
                    volume, [&progress](double fraction, auto&&...) { progress(fraction); }, stop,
                    [its](const engine::Text& warning) { its->warnings += QStringLiteral(" · ") + inWindow(warning); });
                its->text = written.wasNamed   ? tr("was already computed; files are now renamed")
                            : written.wasThere ? tr("existed already")
                                               : tr("axis %1 bins").arg(written.made.axisBins, 0, 'f', 2);
                for (const engine::Text& doubt : engine::doubtsAbout(written.made))
                    its->warnings += QStringLiteral(" · ") + inWindow(doubt);
                its->isDoubtful = !engine::doubtsAbout(written.made).empty();
            } catch (const engine::OutputInUse&) {
                its->isInUse = true;
                throw;
            }
        },
        [this, its] { end(its->state(), its->text + its->warnings); });
    emit changed();
}

void VolumeQueue::end(State state, const QString& text)
{
    if (m_current < 0)
        return;
    Item& item = m_items[m_current];
    item.state = state;
    item.text = text;
    item.seconds = double(m_begun.elapsed()) / 1e3;
    if (state == State::failed) { // also shown at the next start
        item.volume.failure = text.toStdString();
        item.isStored = false;
    }
    const bool pauses = state == State::doubtful && m_pausesAtDoubts && !m_isPaused && waiting() > 0;
    m_isPaused = m_isPaused || pauses;
    const QString scan = QString::fromStdString(item.volume.scan);
    m_current = -1;
    announce();
    m_claim.reset(); // after the store: no other window takes a volume that is done
    if (pauses)
        emit pausedAtDoubt(scan);
    runNext();
}

void VolumeQueue::keepIn(QSettings& settings)
{
    m_store.emplace(settings);
    m_settings = &settings;
    m_pausesAtDoubts = settings.value(QLatin1String(pausesKey), false).toBool();
    announce();
}

void VolumeQueue::setPausesAtDoubts(bool pauses)
{
    m_pausesAtDoubts = pauses;
    if (m_settings)
        m_settings->setValue(QLatin1String(pausesKey), pauses);
}

void VolumeQueue::refresh()
{
    if (synchronise())
        emit changed();
}

void VolumeQueue::announce()
{
    synchronise();
    emit changed();
}

// Exchanges entries with the settings. Returns whether other windows have changed any.
bool VolumeQueue::synchronise()
{
    if (!m_store)
        return false;
    const std::vector<QueueStore::Entry> there = m_store->entries();
    const bool isChanged = takeOthers(there);
    storeOwn(there);
    return isChanged;
}

bool VolumeQueue::takeOthers(const std::vector<QueueStore::Entry>& there)
{
    for (const Item& item : m_items)
        if (item.isStored && std::ranges::find(there, item.id, &QueueStore::Entry::id) == there.end())
            m_gone.insert(item.id);
    // The running volume goes on, and finished ones stay visible.
    const auto erased = std::erase_if(m_items, [this](const Item& item) {
        return m_gone.contains(item.id) && item.state != State::running && !isDone(item.state);
    });
    std::size_t added = 0;
    for (const QueueStore::Entry& entry : there) {
        if (m_gone.contains(entry.id) || std::ranges::find(m_items, entry.id, &Item::id) != m_items.end())
            continue;
        Item item{.volume = {}, .id = entry.id, .isStored = true};
        try {
            item.volume = engine::queuedVolumeFromJson(entry.text.toStdString());
            if (!item.volume.failure.empty()) {
                item.state = State::failed;
                item.text = QString::fromStdString(item.volume.failure);
            }
        } catch (const engine::Error& error) { // written by another version, or damaged: kept as it is
            item.state = State::unreadable;
            item.text = inWindow(error.text());
        }
        m_items.push_back(std::move(item));
        ++added;
    }
    if (m_current >= 0)
        m_current = int(std::ranges::find(m_items, State::running, &Item::state) - m_items.begin());
    return erased > 0 || added > 0;
}

void VolumeQueue::storeOwn(const std::vector<QueueStore::Entry>& there)
{
    QStringList removed, order, ownOrder;
    for (const Item& item : m_items)
        if (isDone(item.state))
            m_gone.insert(item.id);
    for (const QueueStore::Entry& entry : there)
        (m_gone.contains(entry.id) ? removed : order) << entry.id;
    std::vector<QueueStore::Entry> added;
    for (Item& item : m_items) {
        if (m_gone.contains(item.id))
            continue;
        ownOrder << item.id;
        if (std::exchange(item.isStored, true))
            continue;
        added.push_back({item.id, QString::fromStdString(engine::queuedVolumeJson(item.volume))});
        if (!order.contains(item.id))
            order << item.id;
    }
    const bool isMoved = std::exchange(m_isMoved, false);
    if (isMoved || !added.empty() || !removed.isEmpty())
        m_store->change(added, removed, isMoved ? ownOrder : order);
}

} // namespace ui
