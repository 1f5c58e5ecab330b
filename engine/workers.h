// The threads that computations share, all started before the first.
#pragma once

namespace engine
{

// oneTBB starts its threads one by one when there is work for them, and ends the program where the system refuses one
// (ulimit -u, memory). So it is asked first how many there are to be had, some are left for the program's own, and
// oneTBB starts the others at once; where there are fewer than cores, it does with them. The images are the same with
// any number.
//
// Does so when it is first called, in a process; parallelFor() and arenaOf() call it. Throws std::bad_alloc.
void startWorkers();

} // namespace engine
