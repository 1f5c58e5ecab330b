#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Counts the instructions in the inner loops of the processor's kernels, from a program's machine code.

Usage: tests/bench/instruction_counts.py PROGRAM     PROGRAM: sinoscope-cli, an optimised build; needs objdump.
A loop of shuffleKernel or stepsKernel adds one projection to 16 × 16 pixels (AVX-512) or 8 × 8 (AVX2): 16 and 8 vectors of
updates. A loop of lanesKernel adds one projection, or several where the compiler unrolled it, to 1 to 4 pixels
of 16, 32 or 64 slices: as many vectors of updates as it has dot products, or half its multiply-adds.
"""
import collections
import re
import subprocess
import sys

# Title; regular expression for the function's name; an instruction; how many of these instructions a vector of updates
# takes. The loop that is counted is the function's innermost loop with the most of these instructions.
LOOPS = [
    ("one slice, nearest, AVX-512", r"N_AVX3_DL.*addTile<true, \(engine::BinStorage\)0>", "vpermi2ps", 1),
    ("one slice, oversampled ×4, AVX-512", r"N_AVX3_DL.*addTile<false, \(engine::BinStorage\)0>", "vpermi2ps", 1),
    ("one slice, linear, AVX-512", r"N_AVX3_DL.*addTile<\(engine::Interpolation\)1, \(engine::BinStorage\)0>", "vperm", 2),
    ("one slice, cubic, AVX-512", r"N_AVX3_DL.*addTile<\(engine::Interpolation\)3, \(engine::BinStorage\)0>", "vperm", 4),
    ("one slice, linear, AVX2", r"N_AVX2.*addTile<\(engine::Interpolation\)1, \(engine::BinStorage\)0>", "vpermps", 2),
] + [
    (f"{slices} slices, linear, {name}, AVX-512",
     rf"N_AVX3_DL.*addTile<\(engine::Interpolation\)1, \(engine::BinStorage\){storage}, {slices}>", instruction, per)
    for storage, name, instruction, per in ((0, "float", "vfmadd", 2), (2, "half", "vpdpwssd", 1))
    for slices in (16, 32, 64)
]
KINDS = ["multiply-adds", "dot products", "permutes", "other vector arithmetic", "broadcasts", "vector moves", "scalar"]


def functions(program):
    listing = subprocess.run(["objdump", "-d", "--no-show-raw-insn", "-C", program], capture_output=True, text=True,
                             check=True).stdout
    found, body = {}, None
    for line in listing.splitlines():
        if match := re.match(r"^[0-9a-f]+ <(.*)>:$", line):
            body = found.setdefault(match.group(1), [])
        elif body is not None and (match := re.match(r"^\s+([0-9a-f]+):\s+(\S.*)$", line)):
            body.append((int(match.group(1), 16), match.group(2)))
    return found


def innermost_loop(body, instruction):
    """Returns the innermost loop that contains an instruction most often; None if no loop contains it."""
    place = {address: index for index, (address, _) in enumerate(body)}
    loops = []
    for index, (_, text) in enumerate(body):
        if match := re.match(r"j\w+\s+([0-9a-f]+)", text):
            start = place.get(int(match.group(1), 16))
            if start is not None and start < index:
                loops.append((start, index))
    best, most = None, 0
    for start, end in loops:
        inner = not any(start <= a and b <= end and (a, b) != (start, end) for a, b in loops)
        count = sum(instruction in text for _, text in body[start:end + 1])
        if inner and count > most:
            best, most = body[start:end + 1], count
    return best


def kind(text):
    words = text.split()
    name = words[1] if words[0] in ("{evex}", "{vex}") else words[0]
    if re.match(r"vfn?m", name):
        return "multiply-adds"
    if name.startswith(("vpdpwssd", "vpmaddwd")):
        return "dot products"
    if name.startswith(("vpermt2ps", "vpermi2ps", "vpermps")):
        return "permutes"
    if "broadcast" in name:
        return "broadcasts"
    if name.startswith("vmov"):
        return "vector moves"
    return "other vector arithmetic" if name.startswith(("vadd", "vsub", "vmul", "vmin", "vp", "vcvt")) else "scalar"


def reads_memory(text):
    return "(" in text and not text.startswith(("lea", "nop")) and not re.match(r"vmov\w+\s+%", text)


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    bodies = functions(sys.argv[1])
    print("Instructions for one vector of updates (16 or 8 pixels, or slices of a pixel):\n")
    print("| loop | all | " + " | ".join(KINDS) + " | reading memory |\n| --- |" + " --- |" * (len(KINDS) + 2))
    for title, pattern, instruction, per in LOOPS:
        body = next((body for name, body in bodies.items() if re.search(pattern, name)), None)
        loop = body and innermost_loop(body, instruction)
        if not loop:
            print(f"| {title} | not in this program |")
            continue
        vectors = sum(instruction in text for _, text in loop) / per
        counts = collections.Counter(kind(text) for _, text in loop)
        figures = [len(loop)] + [counts[name] for name in KINDS] + [sum(reads_memory(text) for _, text in loop)]
        print(f"| {title} | " + " | ".join(f"{figure / vectors:.2g}" for figure in figures) + " |")


if __name__ == "__main__":
    main()
