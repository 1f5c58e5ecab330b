// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/compare/compare_settings.h"

#include "engine/base/error.h"
#include "engine/compare/reference_image.h"
#include "engine/stages/stages.h"

#include <algorithm>
#include <utility>

namespace engine
{

namespace
{

using Kind = ReferenceChoice::Kind;
using Image = std::shared_ptr<const Reconstruction>;

} // namespace

Request requestShowing(const std::shared_ptr<const Scan>& scan, const Setting& setting, const Resources& resources,
                       int slice)
{
    const int slices = scan ? scan->slices() : 1;
    const int count = std::clamp(setting.kernel.slicesPerPass, 1, slices);
    return {scan, setting, {Slices{{std::min(slice / count * count, slices - count), count}}}, resources};
}

std::optional<Metrics> measured(const Reconstruction* image, const Reconstruction* reference, int slice,
                                const Mask& mask, bool leavesOut)
{
    if (!image || !reference || image == reference || image->request.place.previewStep > 1)
        return std::nullopt;
    const auto sliceOf = [&](const Reconstruction& made) {
        return made.image.slice(made.request.place.plane() ? 0 : slice - made.request.place.slices().first);
    };
    const auto values = sliceOf(*image), truth = sliceOf(*reference);
    if (values.size() != truth.size())
        return std::nullopt;
    return compareImages(values, truth, image->image.width, image->image.height, mask, leavesOut);
}

std::vector<ComparedSetting> compareSettings(const std::shared_ptr<const Scan>& scan, const SettingList& list,
                                             const Resources& resources, int slice, const Mask& mask,
                                             const std::function<void(double)>& progress, const std::stop_token& stop)
{
    const ReferenceChoice& against = list.reference;
    if (against.kind == Kind::phantom && !scan->exactImage)
        throw Error(ErrorKind::badRequest, "only a simulated scan has a phantom to measure against; choose another "
                                           "reference");
    std::vector<ComparedSetting> all;
    for (const NamedSetting& one : list.settings)
        if (one.visible || one.id == against.id || one.id == list.chosenId)
            all.push_back({one, nullptr, nullptr, std::nullopt});
    double done = 0;
    const auto onProgress = [&](Stage stage, double fraction) {
        if (progress && stage == Stage::backproject)
            progress((done + fraction) / (2 * static_cast<double>(all.size())));
    };
    Reconstructor reconstructor;
    std::vector<std::pair<ImageKey, Image>> made;
    const auto imageOf = [&](const Request& request) {
        const ImageKey key = imageKey(request);
        auto there = std::ranges::find(made, key, &std::pair<ImageKey, Image>::first);
        if (there == made.end()) {
            made.emplace_back(key, std::make_shared<Reconstruction>(reconstructor.run(request, onProgress, stop)));
            there = std::prev(made.end());
        }
        ++done;
        return there->second;
    };
    for (ComparedSetting& one : all)
        one.result = imageOf(requestShowing(scan, one.setting.setting, resources, slice));
    const auto of = std::ranges::find_if(all, [&](const ComparedSetting& one) { return one.setting.id == against.id; });
    Image shared; // the phantom or the image of a file, used for all settings
    for (ComparedSetting& one : all) {
        const ComparedSetting& like = against.kind == Kind::exactOf && of != all.end() ? *of : one;
        if (against.kind == Kind::setting && of != all.end())
            one.reference = of->result;
        else if (against.kind == Kind::phantom || against.kind == Kind::file)
            one.reference = shared =
                shared ? shared
                       : std::make_shared<Reconstruction>(against.kind == Kind::phantom
                                                              ? phantomImage(*one.result, slice)
                                                              : fileImage(against.file, *one.result, slice).image);
        else
            one.reference = imageOf(exactRequest(requestShowing(scan, like.setting.setting, resources, slice), slice,
                                                 *like.result, against.interpolation));
        one.metrics = measured(one.result.get(), one.reference.get(), slice, mask);
    }
    return all;
}

void measureConsistency(std::vector<ComparedSetting>& all, int slice, const std::function<void(double)>& progress,
                        const std::stop_token& stop)
{
    for (std::size_t k = 0; k < all.size(); ++k) {
        ComparedSetting& one = all[k];
        if (progress)
            progress(static_cast<double>(k) / static_cast<double>(all.size()));
        // An earlier setting with the same image, or this one.
        const auto same = std::find_if(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(k),
                                       [&](const ComparedSetting& other) { return other.result == one.result; });
        if (!one.consistency && one.result)
            one.consistency =
                same->consistency ? same->consistency : std::optional(consistencyOf(*one.result, slice, stop));
    }
}

std::string referenceText(const SettingList& list, const Reconstruction* made)
{
    const NamedSetting* of = list.find(list.reference.id);
    return referenceText(list.reference, of ? of->name : std::string(), made);
}

} // namespace engine
