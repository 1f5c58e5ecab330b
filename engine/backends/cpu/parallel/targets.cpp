// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backends/cpu/parallel/kernels.h"
#include "engine/base/error.h"
#define SINOSCOPE_USES_VNNI 1
#include "engine/base/targets-inl.h"

#include <hwy/highway.h>
#include <hwy/targets.h>

#include "engine/base/chosen_target-inl.h"

namespace engine
{

namespace
{

// The calling thread's choice.
struct OwnTarget {
    hwy::ChosenTarget chosen;
    std::int64_t target = 0; // 0: none
};
thread_local OwnTarget ownTarget;

} // namespace

const hwy::ChosenTarget& chosenTarget()
{
    return ownTarget.target != 0 ? ownTarget.chosen : hwy::GetChosenTarget();
}

std::vector<std::string> processorTargets()
{
    std::vector<std::string> names;
    for (const std::int64_t target : hwy::SupportedAndGeneratedTargets())
        names.push_back(hwy::TargetName(target));
    return names;
}

std::string processorTarget()
{
    return hwy::TargetName(ownTarget.target != 0 ? ownTarget.target : hwy::SupportedAndGeneratedTargets().front());
}

ForcedTarget::ForcedTarget(const std::string& name)
{
    if (name.empty())
        return;
    const std::string before = processorTarget();
    if (!forceProcessorTarget(name)) {
        forceProcessorTarget(before);
        throw Error(ErrorKind::badRequest, "this processor, or this build, has no instruction set '" + name + "'");
    }
    m_before = before;
}

ForcedTarget::~ForcedTarget()
{
    if (!m_before.empty())
        forceProcessorTarget(m_before);
}

std::vector<Variant> processorVariants()
{
    std::vector<Variant> rows;
    for (const std::string& target : processorTargets())
        rows.push_back({target, "instruction set " + target});
    return rows;
}

bool forceProcessorTarget(const std::string& name)
{
    ownTarget.target = 0;
    if (name.empty())
        return true;
    for (const std::int64_t target : hwy::SupportedAndGeneratedTargets())
        if (name == hwy::TargetName(target)) {
            // With all worse sets, of which the best is used by kernels that were not compiled for this one.
            ownTarget.chosen.Update(hwy::SupportedTargets() & ~(target - 1));
            ownTarget.target = target;
            return true;
        }
    return false;
}

// Highway expands HWY_TARGETS by the instruction sets that are disabled here: those that a quick build leaves out
// count.
#undef HWY_DISABLED_TARGETS
#define HWY_DISABLED_TARGETS SINOSCOPE_UNUSED_TARGETS
std::vector<std::string> knownTargets()
{
    std::vector<std::string> names;
    for (std::int64_t left = HWY_TARGETS; left != 0; left &= left - 1) // the lowest bit is the best target
        names.push_back(hwy::TargetName(left & -left));
    return names;
}

} // namespace engine
