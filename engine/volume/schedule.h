// SPDX-License-Identifier: GPL-3.0-or-later
// Decides which worker reconstructs which part of a volume, and when its result may be handed over. It is a pure
// table of the work under way that gets the time as an argument, so that tests can use a clock of their own.
#pragma once

#include <optional>
#include <vector>

namespace engine
{

// Assignment of parts to workers. Parts are read in order and taken by workers as these become free; equal workers
// take them in turn (Chilingaryan et al. 2018, section on several GPUs). Results are written in order, so a part
// taken by a slow worker could delay all others. A slow worker therefore takes a part only if no other worker is
// expected to finish it much earlier, and if there is room for the results that the others finish meanwhile. Speeds
// are measured ones.
//
// Times are seconds of any clock; parts and workers are numbers from 0.
class Schedule
{
  public:
    // sizes: slices of each part. slowness: rough slowness of each worker relative to the others, used until its
    // speed is measured; 1 for all where workers are alike. mostWaiting: number of results that may wait for earlier
    // ones, in addition to one held by each worker.
    Schedule(std::vector<int> sizes, const std::vector<double>& slowness, int mostWaiting);

    std::optional<int> nextToRead();                      // returned parts first; nothing: none is left
    bool mayTake(int worker, int part, double now) const; // false: another worker should take it
    void take(int worker, int part, double now);          // the part has been read
    void make(int worker, int part, double now);          // the part is done; the worker holds its result
    bool maySetDown(int worker, int part) const;          // the result may be handed over, to be written or to wait
    void setDown(int worker, int part, double now);
    bool isNext(int part) const { return part == m_next; }   // to be written next
    void write(int part);                                    // the next part; its result waits no longer
    void fail(int worker);                                   // its parts are returned, and it takes no more
    int alive() const { return m_alive; }                    // number of workers
    void revive(int worker);                                 // as another device, of unknown speed
    bool isMade() const { return m_made == m_parts.size(); } // all results are handed over
    int next() const { return m_next; }                      // the part that is written next

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
        std::vector<int> parts; // taken or held, in the order in which they were taken
    };

    std::optional<double> typicalSecondsPerSlice() const;
    double whenFree(const WorkerState& worker, double secondsPerSlice, bool isKnown, double now) const;

    std::vector<PartState> m_parts;
    std::vector<WorkerState> m_workers;
    std::vector<int> m_returned; // in ascending order
    std::size_t m_made = 0;
    int m_unread = 0, m_next = 0, m_waiting = 0, m_alive = 0;
    const int m_mostWaiting;
};

} // namespace engine
