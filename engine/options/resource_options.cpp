// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/options/option_tables.h"

#include "engine/backends/devices.h"
#include "engine/base/units.h"

namespace engine
{

std::optional<Text> idleFilterOn(const Request& request)
{
    const Backend* backend = findBackend(request.resources.device.backend);
    const bool hasChoice = backend && !backend->isAutomatic; // for slices of parallel beams, too
    if (request.scan && !hasChoice && !request.place.plane() &&
        !std::holds_alternative<ConeBeam>(request.scan->geometry))
        return "only cone-beam methods and planes on GPUs, and OpenCL devices, can leave the filter to the processor";
    return {};
}

std::vector<Option> resourceOptions()
{
    using Kind = Option::Kind;
    static const std::string usage = deviceUsage(),
                             summary = "Devices that compute: " + deviceForms() +
                                       "; several, such as cuda:0,cuda:2 or cuda:all,cpu, share the slices of a volume";
    return {
        {.id = "device",
         .label = "Device",
         .summary = summary.c_str(),
         .group = methodGroup,
         .form = usage.c_str(),
         .kind = Kind::text,
         .get = [](const Request& r) { return devicesToText(r.resources); },
         .set = [](Request& r, const std::string& text) { setDevices(r.resources, text); },
         .use = {.stage = Stage::backproject,
                 .ofSetting = false,
                 .line = ReportLine::none,
                 .field = WindowField::device,
                 .key = 'D'}},
        {.id = "filter-on",
         .label = "Filter runs on",
         .summary = "Cone beams and planes on a GPU, and OpenCL devices: filter on the GPU, or on the processor; auto "
                    "selects the faster",
         .group = methodGroup,
         .kind = Kind::choice,
         .choices = {{"auto", "Automatic", "The faster one according to measurements"},
                     {"gpu", "GPU", "Between the back-projection kernels; on an OpenCL device of any kind, by VkFFT"},
                     {"processor", "Processor",
                      "While an NVIDIA GPU back-projects slices (Chen et al. 2019, section 4.1.3); before a plane "
                      "or an OpenCL device"}},
         .idle = idleFilterOn,
         .get = [](const Request& r) { return toText(r.resources.filterOn); },
         .set = [](Request& r, const std::string& text) { r.resources.filterOn = filterOnFromText(text); },
         .use = {.ofSetting = false, .row = WindowRow::none, .line = ReportLine::none}},
        {.id = "threads",
         .label = "Threads",
         .summary = "Processor threads; default: all cores",
         .group = methodGroup,
         .unit = "threads",
         .form = "T",
         .kind = Kind::whole,
         .least = 1,
         .most = 4096,
         .get =
             [](const Request& r) {
                 return r.resources.threads == 0 ? std::string() : std::to_string(r.resources.threads);
             },
         .set = [](Request& r, const std::string& text) { r.resources.threads = wholeOf(text); },
         .jsonLeftOut = "0",
         .use = {.stage = Stage::backproject,
                 .ofSetting = false,
                 .row = WindowRow::none,
                 .line = ReportLine::none,
                 .isKept = false}},
        {.id = "memory-limit",
         .label = "Memory",
         .summary = "Memory that the program may use, such as 800M, 12GB or 12GiB; default: half of the machine's",
         .group = methodGroup,
         .form = "SIZE",
         .kind = Kind::bytes,
         .get =
             [](const Request& r) {
                 return r.resources.memoryLimitBytes > 0 ? bytesToText(r.resources.memoryLimitBytes) : std::string();
             },
         .set = [](Request& r, const std::string& text) { r.resources.memoryLimitBytes = bytesFromText(text); },
         .json = "memoryLimitBytes",
         .use = {.ofSetting = false, .line = ReportLine::none, .field = WindowField::memory, .key = 'y'}}};
}

} // namespace engine
