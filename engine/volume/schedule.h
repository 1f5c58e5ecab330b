// SPDX-License-Identifier: GPL-3.0-or-later
// Who makes which part of a volume, and when its result may be set down: a pure table of what is under way, asked with
// the time, so that it is tested with a clock of its own.
#pragma once

#include <optional>
#include <vector>

namespace engine
{

// Parts are read in order, and made by workers as they come free: where these are equal, in turn (Chilingaryan et al.
// 2018, section on several GPUs). Results are written in order, so a part that a slow worker took would hold up all
// others; it takes one only where nobody else is expected to have it much earlier, and where what the others make
// meanwhile has a place to wait. Speeds are those that were seen.
//
// Times are seconds of any clock; parts and workers are numbers from 0.
class Schedule
{
  public:
    // sizes: slices of each part. slowness: of each worker to the others, roughly, until it was seen: 1 for all where
    // they are alike. mostWaiting: results that may wait for earlier ones, beside one in the hands of each worker.
    Schedule(std::vector<int> sizes, const std::vector<double>& slowness, int mostWaiting);

    std::optional<int> nextToRead();                      // those that came back first; nothing: none is left
    bool mayTake(int worker, int part, double now) const; // or should it be left to another
    void take(int worker, int part, double now);          // which was read
    void make(int worker, int part, double now);          // is made, and in the worker's hands
    bool maySetDown(int worker, int part) const;          // the result: to be written, or to wait
    void setDown(int worker, int part, double now);
    bool isNext(int part) const { return part == m_next; }   // to be written
    void write(int part);                                    // the next one; it waits no more
    void fail(int worker);                                   // what it has goes back, and it takes nothing any more
    int alive() const { return m_alive; }                    // workers
    void revive(int worker);                                 // as another device, whose speed isn't known
    bool isMade() const { return m_made == m_parts.size(); } // all of them, set down
    int next() const { return m_next; }                      // part that is written next

  private:
    enum class State { unread, read, taken, held, waiting, written };
    struct PartState {
        int size = 0;
        State state = State::unread;
        int worker = -1;
        double since = 0; // when it was taken
    };
    struct WorkerState {
        bool isAlive = true;
        double slowness = 1;
        std::optional<double> secondsPerSlice;
        double freeSince = 0;
        std::vector<int> parts; // taken or held, in the order they were taken
    };

    std::optional<double> typicalSecondsPerSlice() const;
    double whenFree(const WorkerState& worker, double secondsPerSlice, bool isKnown, double now) const;

    std::vector<PartState> m_parts;
    std::vector<WorkerState> m_workers;
    std::vector<int> m_returned; // in order
    std::size_t m_made = 0;
    int m_unread = 0, m_next = 0, m_waiting = 0, m_alive = 0;
    const int m_mostWaiting;
};

} // namespace engine
