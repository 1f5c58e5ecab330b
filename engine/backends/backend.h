// SPDX-License-Identifier: GPL-3.0-or-later
// Backends: the ways to compute that this program has, such as the processor and CUDA. Whoever stands above them asks
// what a backend can do, not which one it is.
#pragma once

#include "engine/backends/method.h"
#include "engine/backends/unit_rates.h"
#include "engine/base/device.h"

#include <memory>
#include <span>
#include <string>
#include <vector>

namespace engine
{

// A device in use, with what it keeps from launch to launch, so that the next launch need not allocate memory or
// filter again. For one thread at a time.
class DeviceSession
{
  public:
    DeviceSession() = default;
    virtual ~DeviceSession() = default;
    DeviceSession(const DeviceSession&) = delete;
    DeviceSession& operator=(const DeviceSession&) = delete;

    // Back-projects slices with a method of the backend, or the plane of the arguments. Throws Error(device, noMemory,
    // badRequest, cancelled).
    virtual LaunchReport run(const Method& method, const LaunchArguments& arguments) = 0;
    // Returns whether a plane with this key, and with a filter, finds its filtered projections in the device's memory.
    // Its sinograms then need no values.
    virtual bool holds(const FilteredKey&, Precision) const { return false; }
    virtual void dropOthers(const Scan*) {} // frees the projections of other scans
};

struct Backend {
    const char* id;                    // in DeviceSettings, on the command line and in files: "cuda"
    const char *deviceLabel, *aDevice; // "NVIDIA GPU" and "an NVIDIA GPU", for sentences
    const char* about = "";      // its devices, for people who don't know them: "A GPU of any maker, through OpenCL"
    const char* nameSuffix = ""; // of its devices' names where those of all backends are listed: " (OpenCL)"
    bool isProcessor = false;
    // Whether `auto` may choose its methods. The others are used only if the user names one of their devices, and their
    // drivers are loaded only then: nobody has measured these devices, which may be slower than the processor.
    bool isAutomatic = false;
    // Whether a failure of a device that the user named ends the run. Otherwise the processor takes over: some drivers
    // refuse some kernels.
    bool isStrict = false;
    bool isBuilt = true;              // whether this program was compiled with it; asks no driver
    std::vector<Method> (*methods)(); // for the table of all methods, which fills in their backend
    // Returns the devices. The first call may load drivers, which can take a second; the result is cached, because
    // devices don't come and go. May be called from any thread; doesn't throw.
    const Devices& (*devices)();
    std::unique_ptr<DeviceSession> (*open)(int device); // throws Error(device)
    // Return the device's state, and its clock alone, which is known sooner. May be called from any thread; they don't
    // throw. Null: nothing is known.
    DeviceState (*state)(int device) = nullptr;
    double (*clockMhz)(int device) = nullptr;
    // Returns the occupancy of the kernel that ran last. For measurements, in which one kernel runs at a time.
    KernelOccupancy (*occupancyOfLastLaunch)() = nullptr;
    // Returns the measured rates of the work's device, all of whose units are known; measures them within a second.
    // Throws Error(device, noMemory). Null: nothing can be measured.
    DeviceRates (*ratesOf)(const KernelWork& work) = nullptr;
    // Returns the limits of a kernel by these rates, the lowest first; empty if its operations aren't counted.
    std::vector<Limit> (*limitsOf)(const KernelWork& work, const DeviceRates& rates) = nullptr;
    const char* ratesKey = "";  // in reports: "gpuPeaks"
    bool hasFetchRates = false; // whether the rates have fetches from images, even if a device has none
    // Throws Error(badRequest), which tells how to build it, for a variant that this build lacks for every setting.
    void (*requireVariant)(const std::string& variant) = nullptr;
    // Returns why its devices can't filter with another transform than our own kernel (FilterTransform); the first call
    // may load a library. Null: they have no such choice.
    std::optional<std::string> (*transformProblem)() = nullptr;
    const char* lacking = ""; // what this build lacks of its variants, and how to get it; empty: nothing
};

// Returns all backends. A method that can run on two of them is preferably run on the later one.
std::span<const Backend* const> backends();          // list.cpp
const Backend* findBackend(const std::string& id);   // nullptr: there is none
const Backend& backendOf(const DeviceSettings& one); // of a device that isn't automatic; throws Error(badRequest)
const Backend& processorBackend();
std::string fullName(const Device& device, const Backend& backend); // with the suffix

// Sessions of the devices in use, one of each backend. For one thread at a time.
class Workspace
{
  public:
    // Returns the session of the method's backend on that device, which is opened if necessary.
    DeviceSession& sessionOf(const Method& method, int deviceIndex);
    // Returns whether the session of that device holds the filtered projections of a plane (DeviceSession::holds).
    bool holds(const Method& method, int deviceIndex, const FilteredKey& key, Precision precision) const;
    void dropOthers(const Scan* scan); // in all sessions

  private:
    struct Opened {
        const Backend* backend;
        int device;
        std::unique_ptr<DeviceSession> session;
    };
    std::vector<Opened> m_sessions;
};

// Launches the method on the device of the arguments, and names the device in the report: whole slices, an image
// without some slices in the middle of its grid, or a plane. Called by the program, `verify`, the benchmark and the
// tests.
LaunchReport launch(const Method& method, const LaunchArguments& arguments, Workspace& workspace);

// Backends of this program, for the list.
extern const Backend cpuBackend, cudaBackend, openClBackend; // cpu/, cuda/, opencl/

} // namespace engine
