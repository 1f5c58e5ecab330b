#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The speed of method `cpu`: slice modes at three sizes, interpolations and instruction sets at one, a sweep over
sizes, one thread and two. The settings of a command take turns in one process, so that a busy machine is busy for all
of them.

Usage: tests/bench/processor.py PROGRAM OUTPUT.json [QUICK]     PROGRAM: sinoscope-cli; QUICK: small sizes only
"""
import datetime
import json
import subprocess
import sys


def benchmark(program, *options):
    command = [program, "benchmark", "--methods", "cpu", "--json", "-", *map(str, options)]
    report = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
    return {"command": " ".join(["sinoscope-cli", *command[1:]]), **report}


def main():
    if len(sys.argv) not in (3, 4):
        sys.exit(__doc__)
    program, output, quick = sys.argv[1], sys.argv[2], len(sys.argv) == 4
    sets = benchmark(program, "--size", 32, "--projections", 8, "--repeat", 1)["processorPeaks"][0]["instructionSet"]
    best, other = sets, {"AVX3_DL": "AVX2", "AVX3": "AVX2", "AVX2": "SSE4"}.get(sets)
    both = f"{best},{other}" if other else best
    runs = []

    def add(what, *options):
        print(what, *options, file=sys.stderr, flush=True)
        runs.append({"what": what, **benchmark(program, *options)})

    for size, repeat in ((512, 5), (1024, 3)) if quick else ((512, 5), (1024, 3), (2048, 2)):
        place = ["--size", size, "--projections", size, "--threads", 1, "--repeat", repeat]
        for slices in (1, 8, 16, 32, 64) if size < 2048 else (1, 32):
            # All interpolations at size 512, and for one slice at 2048: the others would take a quarter of an hour.
            everything = size == 512 or (size == 2048 and slices == 1)
            add("one core", *place, "--slices-per-pass", slices, *([] if everything else ["--interpolation", "linear"]))
        for slices in (1, 32) if size == 512 else ():
            add("instruction sets", *place, "--slices-per-pass", slices, "--interpolation", "linear",
                "--instruction-sets", both)
    for size in (200, 256, 400, 512) if quick else (200, 256, 400, 512, 1000, 1023, 1024, 1025, 1440, 2048, 2560, 4096):
        for slices in (1, 32) if size <= 1440 else (1,):
            add("sizes", "--size", size, "--projections", 256, "--threads", 1, "--repeat", 5, "--slices-per-pass", slices,
                "--interpolation", "linear")
    for attempt in range(3):
        for threads in (1, 2):
            for slices in (1, 32):
                add(f"threads, turn {attempt + 1}", "--size", 1024, "--projections", 512, "--threads", threads, "--repeat",
                    3, "--slices-per-pass", slices, "--interpolation", "linear")
    write(output, runs)


def write(output, runs):
    """Writes one row per line, so that versions of the file can be compared."""
    def line(value):
        return json.dumps(json.loads(json.dumps(value), parse_float=lambda text: round(float(text), 6)))

    common = ("program", "version", "processor", "rows")
    with open(output, "w", encoding="utf-8") as file:
        file.write(f'{{"date": "{datetime.date.today().isoformat()}", "processor": {line(runs[0]["processor"])},\n')
        file.write(' "runs": [\n')
        for index, run in enumerate(runs):
            head = line({key: value for key, value in run.items() if key not in common})
            rows = ",\n".join("   " + line(row) for row in run["rows"])
            file.write(f'  {head[:-1]}, "rows": [\n{rows}]}}{"," if index + 1 < len(runs) else ""}\n')
        file.write(" ]}\n")


if __name__ == "__main__":
    main()
