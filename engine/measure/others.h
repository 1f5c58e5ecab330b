// SPDX-License-Identifier: GPL-3.0-or-later
// Other programs' back-projection on the same sinogram, in a Python environment of the user's.
#pragma once

#include <filesystem>
#include <functional>
#include <stop_token>
#include <string>
#include <vector>

namespace engine
{

struct OthersOptions {
    std::string python = "python3"; // a path, or a name that PATH finds
    int size = 511; // bins, and pixels along each side; odd: scikit-image's axis lies at size / 2, the middle only then
    int projections = 0; // 0: as many as projectionsOf() gives
    int repeat = 5;      // counted runs of each program, after one that isn't counted
    int threads = 0;     // of Sinoscope; 0: all
};

int projectionsOf(const OthersOptions& options); // those given, or π / 2 × size

struct OtherProgram {
    std::string name;   // "scikit-image 0.24.0", "Sinoscope, cpu, one thread"
    std::string device; // "one core", "all cores", "GPU"
    bool isOurs = false;
    double seconds = 0; // median, from the sinogram in memory to the image in memory, with the filter
    double gups = 0;
    double rmse = 0;        // against the phantom, in a disc of 90 % of the width
    double timesAsLong = 0; // seconds over those of Sinoscope on one core, if it runs on one, else on all that it uses
    double difference = 0;  // root mean square against Sinoscope's image, in the same disc and unit
    std::string problem;    // why it has no figures, or why they can't be compared: a sentence; empty: they can
};

// Runs Sinoscope on all threads, and on one, and whichever of scikit-image, ASTRA, silx and tomopy the environment has:
// filtered back-projection of the modified Shepp-Logan phantom, ramp filter, linear interpolation. A program that
// fails, or whose image differs from Sinoscope's by more than both differ from the phantom, has a problem. progress:
// receives the share of the runs that are done. Throws Error(badRequest) if Python can't be started or lacks numpy,
// Error(output), Error(cancelled).
std::vector<OtherProgram> measureOthers(const OthersOptions& options,
                                        const std::function<void(double fraction)>& progress = {},
                                        std::stop_token stop = {});

} // namespace engine
