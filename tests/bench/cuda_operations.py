#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Counts the operations of an update in the machine code of the CUDA kernels, for their limits.

    tests/bench/cuda_operations.py NVDISASM > engine/backends/cuda/counted_operations.h

Compiles the kernels for compute capability 9.0 with nvcc, finds the loops in the code that nvdisasm prints, and counts
the instructions of each loop by their unit. An update takes the instructions of the innermost loop over its updates, and
its share of the loops around it: filling shared memory, and the loop over the stages of `alu`, whose numbers of turns
follow from the tuning in the kernel's name. Remainders of unrolled loops and code before and after the loops don't
count. Loads of one address by all threads count as one word. Run it again after a change of a kernel or of nvcc."""
import collections
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
CUDA = ROOT / "engine/backends/cuda"
INTEGERS = {"IADD3", "LOP3", "SHF", "LEA", "ISETP", "FSETP", "SEL", "FSEL", "FMNMX", "PRMT", "PLOP3", "VIADD", "IADD",
            "MOV", "VIMNMX", "IABS", "I2FP"}
CONVERSIONS = {"F2I", "I2F", "F2F", "MUFU", "FRND", "F2IP", "I2I"}
MODES = ["nearest", "linear", "oversampled", "cubic"]

# Prints the name of each variant of `alu` with the numbers that the names of kernels contain.
TUNINGS = r"""
#define SINOSCOPE_TUNINGS 1
#include "engine/backends/cuda/parallel/alu_tuning.h"
#include <cstdio>
#include <initializer_list>
using namespace engine;
int main() {
    for (int mode = 0; mode < 4; ++mode) for (int slices : {1, 2, 4}) for (int half = 0; half < 2; ++half)
        for (const cuda::AluVariantName& name : cuda::aluVariants) {
            const Precision precision = half ? Precision::half : Precision::single;
            if (!cuda::hasAluVariant(cuda::AluMode(mode), precision, slices, name.variant)) continue;
            const cuda::AluTuning t = cuda::aluTuning(90, cuda::AluMode(mode), precision, slices, name.variant);
            std::printf("%s %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d\n", name.id, mode, slices, half,
                        t.columns, t.rows, t.stage, t.unroll, t.blocks, int(t.cache), int(t.words), t.together,
                        int(t.rounding), t.columnCache, t.sineCache, int(t.order), int(t.fill), t.threads);
        }
}
"""


def output(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True, cwd=ROOT).stdout


def functions(nvdisasm, cubin):
    """Yields the demangled name and the lines of each function: labels, and (predicate, operation, operands)."""
    name, lines = None, []
    for line in output(nvdisasm, "-c", cubin).splitlines():
        if found := re.match(r"\s*\.text\.(\S+):", line):
            name, lines = found[1], []
        elif name and (line.startswith("//-") or re.match(r"\s*\.section", line)):
            yield output("c++filt", name).strip(), lines
            name = None
        elif found := re.match(r"(\.L_\S+):", line):
            lines.append(found[1])
        elif found := re.match(r"\s*/\*[0-9a-f]+\*/\s+(?:\{\s*)?(@!?U?P\d+\s+)?([A-Z0-9_.]+)(.*)", line):
            lines.append((found[1], found[2], found[3]))
    if name:
        yield output("c++filt", name).strip(), lines


class Code:
    """The basic blocks of a function, and its natural loops."""

    def __init__(self, lines):
        labels, operations = {}, []
        for line in lines:
            if isinstance(line, str):
                labels[line] = len(operations)
            else:
                operations.append(line)
        starts = {0} | set(labels.values()) | {k + 1 for k, one in enumerate(operations) if self.jumps(one)}
        starts = sorted(start for start in starts if start < len(operations))
        at = {start: k for k, start in enumerate(starts)}
        self.blocks = [operations[start:end] for start, end in zip(starts, starts[1:] + [len(operations)])]
        self.after = []
        for k, block in enumerate(self.blocks):
            condition, operation, operands = block[-1]
            target = re.search(r"\.L_\w+", operands)
            next_block = [k + 1] if k + 1 < len(self.blocks) else []
            if operation.startswith("BRA") and target and labels.get(target[0]) in at:
                self.after.append([at[labels[target[0]]]] + (next_block if condition else []))
            else:
                self.after.append([] if operation.startswith("EXIT") and not condition else next_block)
        self.loops = self.natural_loops()

    @staticmethod
    def jumps(one):
        return one[1].split(".")[0] in ("BRA", "EXIT", "BRX", "CALL", "RET", "JMP")

    def natural_loops(self):
        reached, waiting = {0}, [0]
        while waiting:
            for following in self.after[waiting.pop()]:
                if following not in reached:
                    reached.add(following)
                    waiting.append(following)
        before = collections.defaultdict(set)
        for block in reached:
            for following in self.after[block]:
                before[following].add(block)
        dominators = {block: set(reached) for block in reached}
        dominators[0] = {0}
        changed = True
        while changed:
            changed = False
            for block in sorted(reached - {0}):
                found = set.intersection(*(dominators[one] for one in before[block])) | {block}
                changed |= found != dominators[block]
                dominators[block] = found
        loops = {}
        for block in reached:
            for head in self.after[block]:
                if head in dominators[block]:
                    loop, waiting = loops.setdefault(head, {head}), [block]
                    while waiting:
                        one = waiting.pop()
                        if one not in loop:
                            loop.add(one)
                            waiting.extend(before[one])
        return list(loops.values())

    def own(self, loop):
        """Returns the operations of a loop's blocks without those of inner loops."""
        inner = set().union(*(one for one in self.loops if one < loop))
        return [operation for block in sorted(loop - inner) for operation in self.blocks[block]]


def has(operations, start):
    return any(one[1].startswith(start) for one in operations)


def counts(operations):
    found = collections.Counter()
    for _, operation, _ in operations:
        kind = operation.split(".")[0]
        found["instructions"] += 1
        found["integers"] += kind in INTEGERS
        found["conversions"] += kind in CONVERSIONS
        found["fetches"] += kind in ("TEX", "TLD")
        found["loads"] += kind == "LDG"
        if kind in ("LDS", "STS"):
            found["sharedBytes"] += 16 if ".128" in operation else 8 if ".64" in operation else 4
    return found


def total(*parts):
    """Returns the sum of the counts, each over a number of updates."""
    found = collections.Counter()
    for part, updates in parts:
        for kind, number in part.items():
            found[kind] += number / updates
    return found


def of_alu(code, slices, tuning):
    """Returns the operations of an update of `alu`."""
    columns, _, stage, unroll, _, _, _, _, _, column_cache, sine_cache, order, _, threads = tuning
    patch = 32 if order == 2 else 8
    pixels = tuning[1] // (32 // patch * (threads // 32) // (columns // patch))
    stages = max((loop for loop in code.loops if any(has(code.blocks[block], "BAR") for block in loop)), key=len)
    inner = [code.own(loop) for loop in code.loops if loop < stages]
    sums = [one for one in inner if has(one, "LDS") and not has(one, "STS")]
    main = max(sums, key=lambda one: sum(operation[1].startswith("LDS") for operation in one))
    fills = [one for one in inner if has(one, "STS")]
    outside = set().union(*(loop for loop in code.loops if loop < stages))
    # A projection that remains of an unrolled loop has loads from shared memory, as a column cache has when it is filled.
    rest = [operation for block in stages - outside for operation in code.blocks[block]
            if column_cache or not has(code.blocks[block], "LDS")]
    once = stage * pixels * slices  # updates of a stage
    found = total((counts(main), unroll * pixels * slices), (counts(rest), once),
                  *((counts(one), once / max(1, 32 * stage / threads)) for one in fills))
    if sine_cache and not column_cache:
        found["sharedBytes"] -= 12 / (pixels * slices)  # of a ray, which all threads load
    return found


def main_loop(code, kind):
    return max((code.own(loop) for loop in code.loops), key=lambda one: counts(one)[kind])


def rows(nvdisasm):
    """Yields the fields of each row: method, beam, variant, interpolation, precision, slices and counts."""
    with tempfile.TemporaryDirectory() as folder:
        (pathlib.Path(folder) / "tunings.cpp").write_text(TUNINGS)
        output("c++", "-std=c++20", "-I.", f"{folder}/tunings.cpp", "-o", f"{folder}/tunings")
        variants = collections.defaultdict(list)
        for line in output(f"{folder}/tunings").splitlines():
            name, *numbers = line.split()
            variants[tuple(map(int, numbers))].append("" if name == "tuned" else name)

        def kernels(file):
            cubin = f"{folder}/kernels.cubin"
            output("nvcc", "-std=c++20", "-arch=sm_90", "-O3", "-I.", "-DSINOSCOPE_TUNINGS", "-cubin",
                   f"{CUDA}/{file}.cu", "-o", cubin)
            for name, lines in functions(nvdisasm, cubin):
                yield re.sub(r"\(engine::cuda::\w+\)|engine::cuda::|\(anonymous namespace\)::", "", name), Code(lines)

        for file, kernel, method, variant in (
                ("standard", "standardKernel<", "standard", ""), ("texture", "textureKernel<", "texture", ""),
                ("texture_steps", "zOrderKernel<", "texture", "z-order"),
                ("texture_steps", "fourProjectionsKernel<", "texture", "four-projections"),
                ("texture_steps", "sharedConstantsKernel<", "texture", "shared-constants")):
            for name, code in kernels(f"parallel/{file}"):
                if found := re.match(rf"void {kernel}(\d)(, true)?", name):
                    of_loop = counts(main_loop(code, "fetches"))
                    slices = int(found[1])
                    yield (method, False, "shuffle-reduction" if found[2] else variant, "", "", slices,
                           total((of_loop, of_loop["fetches"] * slices)))
        for file in ("alu", "alu_variants_linear", "alu_variants_nearest", "alu_variants_oversampled"):
            for name, code in kernels(f"parallel/{file}"):
                found = re.search(r"aluKernel<AluShape<AluTuning\{(.*?)\}, (\d), (\d), (true|false), (0|4)>", name)
                if not found:
                    continue
                tuning = [{"true": 1, "false": 0}.get(one, one) for one in found[1].split(", ")]
                key = tuple(map(int, [found[2], found[3], found[4] == "true", *tuning]))
                for variant in variants.get(key, []):
                    yield ("alu", False, variant, MODES[key[0]], ("single", "half")[key[2]], key[1],
                           of_alu(code, key[1], key[3:]))
        for name, code in kernels("cone/cone_standard"):
            of_loop = counts(main_loop(code, "fetches"))
            yield "standard", True, "", "", "", 1, total((of_loop, of_loop["fetches"]))
        for name, code in kernels("cone/cone_texture"):
            if found := re.match(r"void coneTexture<(\d), (\d), true>|void coneFourfold<(\d)>", name):
                values = int(found[1] or 4)
                of_loop = counts(main_loop(code, "fetches"))
                yield ("texture", True, {1: "single", 2: "mirrored", 4: "fourfold"}[values], "", "",
                       1 if "1" in (found[2], found[3]) else 8, total((of_loop, of_loop["fetches"] * values)))
        for name, code in kernels("cone/cone_shuffle"):
            found = re.match(r"void coneShuffle<(\d), (float|__half), (true|false), true>|void coneRtk32<(true|false)>", name)
            if not found:
                continue
            variant = ["rtk-32", "bp-tex", "tex-tran", "bp-l1", "l1-tran"][int(found[1] or 0)]
            of_loop = counts(main_loop(code, "loads" if "l1" in variant else "fetches"))
            is_linear = "true" in (found[3], found[4])
            values = of_loop["loads" if "l1" in variant else "fetches"] // (4 if is_linear else 1)
            precision = {"float": "single", "__half": "half"}[found[2]] if "l1" in variant else ""
            yield ("shuffle", True, variant, "linear" if is_linear else "nearest", precision, 1, total((of_loop, values)))


def main():
    print("""// SPDX-License-Identifier: GPL-3.0-or-later
// Operations of an update, counted in the machine code of the kernels for compute capability 9.0. Written by
// tests/bench/cuda_operations.py, which says how.
#pragma once

#include "engine/request/setting.h"

#include <optional>

namespace engine::cuda
{

struct CountedKernel {
    const char* method;
    bool isCone;
    const char* variant;
    std::optional<Interpolation> interpolation; // empty: any
    std::optional<Precision> precision;         // empty: any
    int slicesPerPass;
    double instructions, integers, conversions; // of a thread; the last two are among the first
    double sharedBytes;                         // read and written
};

// clang-format off
inline constexpr CountedKernel countedKernels[] = {""")
    for method, is_cone, variant, interpolation, precision, slices, found in sorted(rows(sys.argv[1]), key=lambda row: row[:6]):
        interpolation = f"Interpolation::{interpolation}" if interpolation else "{}"
        precision = f"Precision::{precision}" if precision else "{}"
        numbers = ", ".join(f"{found[kind]:.2f}" for kind in ("instructions", "integers", "conversions", "sharedBytes"))
        print(f'    {{"{method}", {str(is_cone).lower()}, "{variant}", {interpolation}, {precision}, {slices}, {numbers}}},')
    print("""};
// clang-format on

} // namespace engine::cuda""")


if __name__ == "__main__":
    main()
