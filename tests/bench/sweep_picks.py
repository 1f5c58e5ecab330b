#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""How much worse than the best setting of a sweep is the one that --best picks, on noisy phantoms?

Usage: sweep_picks.py PROGRAM COUNT

Runs `compare-settings` with filters and cut-offs by `error`, and with axes by `sharpness`, on COUNT random phantoms, and
prints the RMSE of the pick over the least RMSE of the sweep, each against the exact phantom.
"""
import json
import random
import subprocess
import sys
import tempfile


def loss_of(program, scan, score, *variations):
    command = [program, "compare-settings", scan, "--scores", f"rmse,{score}", "--best", score, "--json", "-"]
    for variation in variations:
        command += ["--vary", variation]
    swept = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
    rmse = [setting["scores"]["rmse"] for setting in swept["settings"]]
    return rmse[swept["best"]["setting"] - 1] / min(rmse)


def report(what, losses):
    ordered = sorted(losses)
    print(f"{what}: median {ordered[len(ordered) // 2][0]:.3f}, most {ordered[-1][0]:.3f}, "
          f"above 1.1: {sum(loss > 1.1 for loss, _ in ordered)} of {len(ordered)}")
    for loss, scan in ordered:
        if loss > 1.1:
            print(f"  {loss:.3f}  {scan}")


def main():
    program, count = sys.argv[1], int(sys.argv[2])
    random.seed(1)
    filters, axes = [], []
    with tempfile.TemporaryDirectory() as folder:
        scan = f"{folder}/scan.h5"
        for number in range(count):
            size, projections = random.choice([96, 128, 160]), random.choice([90, 150, 240, 360])
            photons, arc, offset = int(10 ** random.uniform(2.5, 5.5)), random.choice([180, 360]), random.choice([0, 1.5, -2])
            subprocess.run([program, "phantom", "shepp-logan", "--size", str(size), "--projections", str(projections),
                            "--photons", str(photons), "--axis-offset", str(offset), "--seed", str(number + 1),
                            "--arc", str(arc), "--output", scan, "--overwrite"], capture_output=True, check=True)
            name = f"{size} bins, {projections} projections over {arc} degrees, {photons} photons"
            filters.append((loss_of(program, scan, "error", "filter=ram-lak,shepp-logan,cosine,hamming,hann",
                                    "cutoff=0.25,0.35,0.5,0.7,1"), name))
            middle = (size - 1) / 2 + offset
            axes.append((loss_of(program, scan, "sharpness", f"axis={middle - 3}:{middle + 3}:0.5"), name))
    report("error, filters and cut-offs", filters)
    report("sharpness, axes", axes)


main()
