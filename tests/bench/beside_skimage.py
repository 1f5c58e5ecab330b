#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Sinoscope beside scikit-image on the same sinograms: time, and error against the phantom.

Needs scikit-image, h5py and Pillow from the distribution: apt-get install python3-skimage python3-h5py python3-pil
Usage: tests/bench/beside_skimage.py PROGRAM [--sizes 511,1023,2047] [--repeat 3] [--json FILE]
PROGRAM: sinoscope-cli. Each size N: the modified Shepp-Logan phantom in densities, pi/2*N projections over 180
degrees, ramp filter without a window, linear interpolation. Odd sizes, because scikit-image's axis lies at N//2,
which only then is the middle of the detector. The programs take turns. Time: from the sinogram in memory to the image
in memory, filter included, the fastest of the repeats. scikit-image uses one core; Sinoscope is timed on one core and
on all cores. Error: RMSE inside a disc of 0.9 of the image's half width, against the area-averaged phantom.
"""
import argparse
import datetime
import json
import math
import os
import pathlib
import subprocess
import tempfile
import time

import h5py
import numpy
import skimage
from PIL import Image
from skimage.transform import iradon

from measured import processor, rmse


def read(path):
    return numpy.asarray(Image.open(path), dtype=float)


class Sinoscope:
    """Sinoscope with a number of slices and of threads (0: all); measures the time per slice."""

    def __init__(self, program, threads, slices):
        self.program, self.threads, self.slices = program, threads, slices
        count = "all cores" if threads == 0 else f"{threads} core"
        self.name = f"Sinoscope, {count}" + (f", {slices} slices per pass" if slices > 1 else "")

    def run(self, folder, data):
        scan = folder / ("stack.h5" if self.slices > 1 else "one.h5")
        report, output = folder / "report.json", folder / "slices.h5"
        options = ["--threads", str(self.threads)] if self.threads else []
        if self.slices == 1:
            output = folder / "image.tif"
        subprocess.run(
            [self.program, "reconstruct", scan, "--output", output, "--overwrite", "--method", "cpu", "--axis", "middle",
             "--slices-per-pass", str(self.slices), "--no-overlap", "--json", report] + options,
            check=True, stdout=subprocess.DEVNULL)
        seconds = json.loads(report.read_text())["totalSeconds"] / self.slices
        if self.slices == 1:
            return seconds, read(output)
        with h5py.File(output) as file:
            return seconds, file["/exchange/data"][self.slices // 2]


class ScikitImage:
    name = f"scikit-image {skimage.__version__}, 1 core"

    def run(self, folder, data):
        sinogram, angles = data
        begin = time.perf_counter()
        image = iradon(sinogram, theta=angles, filter_name="ramp", interpolation="linear", circle=True)
        return time.perf_counter() - begin, image


def phantom(program, folder, size, projections, slices, name):
    subprocess.run(
        [program, "phantom", "shepp-logan", "--size", str(size), "--projections", str(projections), "--slices",
         str(slices), "--attenuation", "1", "--line-integrals", "--output", folder / name, "--exact",
         folder / "exact.tif", "--overwrite"], check=True, stdout=subprocess.DEVNULL)


def measure(program, size, repeat, many):
    projections = math.ceil(math.pi / 2 * size)
    contenders = [ScikitImage(), Sinoscope(program, 1, 1), Sinoscope(program, 0, 1), Sinoscope(program, 1, many),
                  Sinoscope(program, 0, many)]
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        phantom(program, folder, size, projections, many, "stack.h5")
        phantom(program, folder, size, projections, 1, "one.h5")
        with h5py.File(folder / "one.h5") as file:
            sinogram = numpy.ascontiguousarray(file["/exchange/data"][:, 0, :].T)
            angles = file["/exchange/theta"][:]
        truth = read(folder / "exact.tif")
        best = {}
        for _ in range(repeat):
            for contender in contenders:
                seconds, image = contender.run(folder, (sinogram, angles))
                if contender.name not in best or seconds < best[contender.name][0]:
                    best[contender.name] = seconds, rmse(image, truth)
    return [{"program": name, "size": size, "projections": projections, "secondsPerSlice": round(seconds, 6),
             "gups": round(size * size * projections / seconds / 1e9, 3), "rmse": round(error, 6),
             "timesFaster": round(best[ScikitImage.name][0] / seconds, 1)} for name, (seconds, error) in best.items()]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--sizes", default="511,1023,2047")
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--slices-per-pass", type=int, default=8)
    parser.add_argument("--json")
    options = parser.parse_args()
    rows = []
    layout = "{:<38} {:>6} {:>12} {:>14} {:>9} {:>10} {:>8}"
    print(layout.format("program", "size", "projections", "s a slice", "GU/s", "RMSE", "faster"))
    for size in map(int, options.sizes.split(",")):
        for row in measure(os.path.abspath(options.program), size, options.repeat, options.slices_per_pass):
            rows.append(row)
            print(layout.format(*(str(row[key]) for key in ("program", "size", "projections", "secondsPerSlice", "gups",
                                                            "rmse", "timesFaster"))), flush=True)
    if options.json:
        pathlib.Path(options.json).write_text(json.dumps(
            {"device": f"{processor()}, {os.cpu_count()} cores", "date": datetime.date.today().isoformat(),
             "command": f"tests/bench/beside_skimage.py sinoscope-cli --sizes {options.sizes} --repeat {options.repeat} "
                        f"--slices-per-pass {options.slices_per_pass}",
             "timing": "sinogram in memory to image in memory, filter included; fastest of the repeats, taken in turn",
             "rows": rows}, indent=1) + "\n")


if __name__ == "__main__":
    main()
