#!/usr/bin/python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Sinoscope's Python package beside its command line, scikit-image and ASTRA, on the same sinograms.

Usage: tests/bench/beside_python.py PROGRAM [--sizes 255,511,1023] [--repeat 9] [--json FILE]
PROGRAM: sinoscope-cli of the same build as the package `sinoscope` that Python imports. scikit-image (apt-get install
python3-skimage) and ASTRA (pip install astra-toolbox) are left out where they are missing. Each size N: the modified
Shepp-Logan phantom, pi/2*N projections over 180 degrees, ramp filter without a window, linear interpolation. Odd
sizes, because scikit-image's axis lies at N//2, which only then is the middle of the detector. All take turns, and the
order changes with each turn. Times: medians, from the sinogram in memory to the image in memory, filter included;
`call` is the time of fbp() as Python's clock sees it, `total` what the engine itself measures, in the package and in
the program. ASTRA's CPU FBP and scikit-image use one core. `rmse`: against the phantom, inside a disc of 0.9 of the
half width. `threads`: of Sinoscope; 0: all cores.
"""
import argparse
import datetime
import importlib.util
import json
import math
import os
import pathlib
import statistics
import subprocess
import tempfile
import time

import numpy
import sinoscope

from measured import processor, rmse


class Package:
    def __init__(self, threads):
        self.name = f"sinoscope.fbp, {'all cores' if threads == 0 else '1 core'}"
        self.options = {"threads": threads} if threads else {}

    def run(self, scene):
        begin = time.perf_counter()
        image = sinoscope.fbp(scene.sinogram, scene.angles, axis="middle", method="cpu", **self.options)
        call = time.perf_counter() - begin
        scan = sinoscope.from_array(scene.sinogram, scene.angles)
        made = sinoscope.reconstruct(scan, axis="middle", method="cpu", **self.options)
        return {"call": call, "total": made.seconds["total"]}, image


class Program:
    def __init__(self, program, threads):
        self.program, self.name = program, f"sinoscope-cli, {'all cores' if threads == 0 else '1 core'}"
        self.options = ["--threads", str(threads)] if threads else []

    def run(self, scene):
        report = scene.folder / "report.json"
        subprocess.run([self.program, "reconstruct", scene.folder / "scan.h5", "--output", scene.folder / "image.tif",
                        "--overwrite", "--method", "cpu", "--axis", "middle", "--json", report] + self.options,
                       check=True, stdout=subprocess.DEVNULL)
        return {"total": json.loads(report.read_text())["totalSeconds"]}, None


class ScikitImage:
    def __init__(self):
        import skimage
        from skimage.transform import iradon
        self.name, self.iradon = f"scikit-image {skimage.__version__}", iradon

    def run(self, scene):
        degrees, columns = numpy.degrees(scene.angles), numpy.ascontiguousarray(scene.sinogram.T)
        begin = time.perf_counter()
        image = self.iradon(columns, theta=degrees, filter_name="ramp", interpolation="linear", circle=True)
        return {"call": time.perf_counter() - begin}, image


class Astra:
    def __init__(self):
        import astra
        self.name, self.astra = f"ASTRA {astra.__version__}, FBP on the processor", astra

    def run(self, scene):
        astra, n = self.astra, scene.sinogram.shape[1]
        geometry = astra.create_proj_geom("parallel", 1.0, n, scene.angles)
        grid = astra.create_vol_geom(n, n)
        begin = time.perf_counter()
        projector = astra.create_projector("linear", geometry, grid)
        data, result = astra.data2d.create("-sino", geometry, scene.sinogram), astra.data2d.create("-vol", grid)
        config = astra.astra_dict("FBP")
        config.update(ProjectorId=projector, ProjectionDataId=data, ReconstructionDataId=result)
        algorithm = astra.algorithm.create(config)
        astra.algorithm.run(algorithm)
        image = astra.data2d.get(result)
        call = time.perf_counter() - begin
        astra.algorithm.delete(algorithm)
        astra.data2d.delete([data, result])
        astra.projector.delete(projector)
        return {"call": call}, image


class Scene:
    def __init__(self, program, folder, size):
        self.folder, self.projections = folder, math.ceil(math.pi / 2 * size)
        subprocess.run([program, "phantom", "shepp-logan", "--size", str(size), "--projections", str(self.projections),
                        "--line-integrals", "--output", folder / "scan.h5", "--overwrite"], check=True,
                       stdout=subprocess.DEVNULL)
        scan = sinoscope.phantom("shepp-logan", size, self.projections, counts=False)
        self.sinogram = numpy.ascontiguousarray(sinoscope.prepare(scan)[0])
        self.angles, self.truth = numpy.asarray(scan.angles), sinoscope.exact_image(scan)


def contenders(program):
    for threads in (1, 0):
        yield Package(threads)
        yield Program(program, threads)
    for name, other in (("skimage", ScikitImage), ("astra", Astra)):
        if importlib.util.find_spec(name):
            yield other()
        else:
            print(f"{name} is not installed and is left out")


def measure(program, size, repeat):
    with tempfile.TemporaryDirectory() as temporary:
        scene = Scene(program, pathlib.Path(temporary), size)
        all_of_them = list(contenders(program))
        times, errors = {}, {}
        for turn in range(repeat + 1):  # the first turn warms up
            for one in all_of_them[turn % len(all_of_them):] + all_of_them[:turn % len(all_of_them)]:
                seconds, image = one.run(scene)
                if turn > 0:
                    for kind, value in seconds.items():
                        times.setdefault((one.name, kind), []).append(value)
                if image is not None:
                    errors[one.name] = round(rmse(image, scene.truth), 7)
    return [{"program": name, "time": kind, "size": size, "projections": scene.projections,
             "milliseconds": round(1e3 * statistics.median(values), 3),
             "quartiles": [round(1e3 * value, 3) for value in statistics.quantiles(values, n=4)[::2]],
             **({"rmse": errors[name]} if kind == "call" else {})} for (name, kind), values in times.items()]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--sizes", default="255,511,1023")
    parser.add_argument("--repeat", type=int, default=9)
    parser.add_argument("--json")
    options = parser.parse_args()
    rows = []
    for size in map(int, options.sizes.split(",")):
        for row in measure(os.path.abspath(options.program), size, options.repeat):
            rows.append(row)
            print(f"{row['program']:<40} {row['time']:<6} {size:>5} {row['milliseconds']:>10} ms  "
                  f"rmse {row.get('rmse', '')}", flush=True)
    if options.json:
        pathlib.Path(options.json).write_text(json.dumps(
            {"device": f"{processor()}, {os.cpu_count()} cores", "date": datetime.date.today().isoformat(),
             "version": sinoscope.__version__,
             "command": f"tests/bench/beside_python.py sinoscope-cli --sizes {options.sizes} --repeat {options.repeat}",
             "timing": "medians of turns; see the script", "rows": rows}, indent=1) + "\n")


if __name__ == "__main__":
    main()
