// How a scan on the command line is to be read: angles, darks and flats, layout of raw files.
#pragma once

#include "engine/io/open_scan.h"

#include <string>

namespace CLI
{
class App;
}

namespace cli
{

// The words of the user; the files that they name are read by openOptions().
struct ScanOptions {
    std::string path;
    std::string angles; // FILE or FIRST:LAST in degrees
    std::string darks, flats;
    std::string values; // empty: as the file says, or guessed
    bool sinogram = false;
    std::string rawShape; // PxRxB
    std::string sampleType = "uint16";
    bool bigEndian = false;
    long long headerBytes = 0;
    std::string geometry; // "parallel", "cone" or a file
    engine::ConeOptions cone;
};

void addScanOptions(CLI::App& command, ScanOptions& options);

// "line integrals", "counts (a guess: whole numbers with flat fields)"
std::string valuesText(const engine::Scan& scan);

// Throws Error(badRequest, badFile).
engine::OpenOptions openOptions(const ScanOptions& options);

} // namespace cli
