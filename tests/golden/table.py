# SPDX-License-Identifier: GPL-3.0-or-later
"""The requests of the golden record: a table of factors, and rows that contain every pair of their values."""
import collections
import itertools
import random
import re

CONE = "--source-axis 100 --source-detector 150 --pixel 1"
SCANS = {  # options of the command phantom
    "par": "shepp-logan-3d --size 48 --projections 61 --slices 6 --axis-offset 1.5 --photons 20000 --rings 0.02",
    "lines": "shepp-logan-3d --size 40 --projections 50 --slices 5 --axis-offset -0.75 --line-integrals --bin-mean",
    "half": "shepp-logan-3d --size 40 --projections 80 --slices 4 --arc 360 --axis-offset 14 --photons 100000",
    "fan": f"shepp-logan --size 40 --projections 60 {CONE}",
    "cone": f"shepp-logan-3d --size 40 --projections 48 --slices 12 {CONE}",
    "tilted": f"shepp-logan-3d --size 40 --projections 48 --slices 9 --tilt 2 --roll 1 --detector-offset 3,1 {CONE}",
    "short": f"shepp-logan-3d --size 36 --projections 50 --slices 7 --arc 220 --rings 0.02 {CONE}"}
SHIFTS = "".join(f"{n % 5 / 10} {n % 3 / 4}\n" for n in range(61))  # of the projections of par, in bins and rows

CPU = ["", "--device cpu", "--device cpu --variant AVX2", "--device cpu --method cpu",
       "--device cpu --method cpu --variant AVX2", "--device cpu --method double", "--device cpu --method exact",
       "--device cpu --method ladder", "--device cpu --method ladder --variant symmetry"]
OPENCL = ["--device opencl", "--device opencl --method standard-opencl", "--device opencl --method texture-opencl",
          "--device opencl --method hybrid-opencl", "--device opencl --method alu-opencl", "--device cpu,opencl"]
CUDA = ["--device cuda", "--device cuda:all,cpu", "--device cuda --method standard", "--device cuda --method texture",
        "--device cuda --method hybrid", "--device cuda --method alu", "--device cuda --method tensor",
        "--device cuda --method exact-cuda", "--device cuda --method shuffle",
        "--device cuda --method columns --batch 16"]
FACTORS = {  # the first value is the usual one; in the order of the command line
    "scan": [f"../{scan}.h5" for scan in SCANS],
    "kernel": CPU,
    "section": [
        "-o volume.h5", "-o slices/", "-o slice.tif", "--slices 1:3 -o volume.h5", "--region 3,2,14,11 -o volume.h5",
        "--slab x=8:17 -o slices/", "--slab 10,9,24,14,5 -o volume.h5", "--plane x=13 -o plane.tif",
        "--plane z=1 -o plane.h5", "--plane 'centre=11,10,2;u=1,0.4,0;v=0,0,1' -o plane.h5",
        "--plane 'centre=10,9,1.5;u=1,0.4,0.2;v=0,0.3,1;width=24;height=9;pixel=1.5' -o plane.tif"],
    "interpolation": ["", "--interpolation nearest", "--interpolation oversampled", "--interpolation oversampled:2",
                      "--interpolation cubic"],
    "precision": ["", "--precision half"],
    "slices per pass": ["", "--slices-per-pass 1", "--slices-per-pass 2", "--slices-per-pass 8"],
    "preparation": [
        "", "--flat-field median --bad-pixels 5", "--flat-field interpolated", "--log-floor 0.02",
        "--zingers projections --zinger-size 5 --zinger-threshold 1.1",
        "--zingers square --step-order zingers,flat-field",
        "--phase paganin --phase-energy 20 --phase-distance 50 --phase-pixel 1.5 --phase-delta-beta 200",
        "--air both --air-width 3", "--air left", "--axis-tilt 0.7",
        "--beam-hardening polynomial --hardening-square 0.2 --hardening-cube 0.01", "--rings sorting --ring-size 5",
        "--rings wavelet --ring-levels 2", "--rings all --zingers square"],
    "filter": ["", "--filter none", "--filter shepp-logan --cutoff 0.9", "--filter cosine", "--filter hann",
               "--filter hamming --cutoff 0.6", "--filter parzen", "--filter butterworth --order 3 --cutoff 0.5"],
    "edges": ["", "--pad edge", "--pad cylinder"],
    "axis": ["", "--axis find", "--axis middle", "--axis 20.75", "--axis tomopy:21.5", "--axis-rows 5"],
    "grid": ["", "--output-pixel 0.5", "--rotate 30", "--size 30", "--voxel 0.9"],
    "output": ["", "--output-type half", "--output-type uint16", "--output-type uint16 --output-range -0.05:0.3",
               "--compression deflate:3"],
    "opening": ["", "--bin 2", "--every 2", "--leave-out 3,7:9", "--shifts ../shifts.txt", "--angles 0:175",
                "--values transmission"],
    "filter on": ["", "--filter-on gpu", "--filter-on processor"],
    "resources": ["", "--no-overlap", "--memory-limit 168.3MB --threads 1", "--threads 3"]}
USUAL = {"threads": "2", "memory-limit": "1GB"}  # given with every request that has none
MORE = {"preparation": [  # values that are not combined
    "--rings filtering --ring-sigma 2", "--rings fitting --ring-order 2", "--rings large --ring-snr 2", "--rings dead",
    "--rings titarenko --ring-blocks 2 --ring-alpha 0.5", "--air right", "--step-order dead-values,air"],
        "axis": ["--axis 60", "--axis tomopy-iterative:21.5"], "section": [
            "--slice 1 -o volume.h5", "--slab y=3:9 -o slices/", "--plane y=30.5 -o plane.h5", "--slice 99 -o slice.tif",
            "--slices 2: -o slice.tif", "--region 30,30,20,20 -o volume.h5", "--plane x=99 -o plane.h5"],
        "interpolation": ["--interpolation oversampled:99"], "grid": ["--output-pixel 0", "--size 24x4", "--rotate -75"],
        "opening": ["--bin 3 --every 3", "--leave-out 0:60", "--values line-integrals", "--angles 0:360 --angles-end-excluded",
                    "--geometry parallel", "--geometry cone"], "resources": ["--memory-limit 160MB"],
        "output": ["--output-type half --compression deflate:9"]}
# Of devices, whose kernels take seconds to compile and don't know of the preparation, fewer values.
FEWER = {**FACTORS, "preparation": ["", "--air both --air-width 3", "--rings sorting --ring-size 5", "--log-floor 0.02"],
         "filter": FACTORS["filter"][:2], "axis": FACTORS["axis"][:3], "output": FACTORS["output"][:2],
         "opening": ["", "--bin 2", "--shifts ../shifts.txt", "--angles 0:175"]}
# Requests for several ranks: pairs of mirrored slices, and shares of the projections.
RANKS = [f"-n {ranks} ../{scan}.h5 {options} --device cpu --threads 1" for ranks, scan, options in
         itertools.product((2, 3), ("par", "cone", "short"), (
             "-o volume.h5", "--slices 1:6 -o slices/ --filter hann --loading exchanged --variant AVX2",
             "-o volume.h5 --grid 1x2 --variant AVX2", "--plane x=13 -o plane.h5"))]

PARALLEL, CONES, TURNED = r"/(par|lines|half)\.h5", r"/(fan|cone|tilted|short)\.h5", "centre="
# What is known to be refused: requests that match all texts of a line. Pairs are covered without these, and each line
# by a request of its own. What else is refused, the pairs show.
REFUSED = [
    (CONES, "cubic|oversampled|axis-rows|shifts|axis-tilt|double|(standard|hybrid|alu)-opencl|hybrid|alu|tensor|exact-c"),
    (PARALLEL, "voxel|ladder|shuffle|columns"), (r"/(lines|half)\.h5", "axis-rows|shifts"),
    (r"/lines\.h5|transmission", "flat-field|bad-pixels|zingers|log-floor|phase"), (CONES, "angles", "axis find"),
    (r"/fan\.h5", "--slices |--plane"), ("double|ladder", "cubic|oversampled|nearest"),
    ("standard|texture|shuffle|columns", "cubic|oversampled"), ("hybrid", "cubic|oversampled:2"),
    ("tensor", "oversampled"), ("method (standard|hybrid|alu)", "per-pass 8"), ("device cuda .*texture ", "per-pass 8"),
    ("tensor", "per-pass [12]"), ("shuffle|columns", "per-pass"), ("device (cpu,)?opencl", PARALLEL, "per-pass 8"),
    ("device (cpu,)?opencl", CONES, "per-pass 2"), ("device cuda", "per-pass [28]", CONES),
    ("device cuda ", "per-pass 8", PARALLEL), (TURNED, "precision half|cubic|oversampled"),
    (TURNED, "device opencl|ladder|tensor|exact-c|method (standard|hybrid|alu|shuffle|columns)"),
    (PARALLEL, "filter none", "pad"), ("axis-rows", "axis-tilt|bin 2"), (r"/(?!par)\w*\.h5", "bin 2", "axis 20|tomopy"),
    (r"/(lines|half)\.h5", "bin 2", "--slices "),
    (PARALLEL, r"device cpu( |$)|\.\.\S+ (?!--device)", "-o (slice|volume)", "filter-on")]
# Not refused, but not recorded: written.py doesn't read compressed TIFFs; which of several devices makes a slice is up to
# chance, and they may not choose the same bin of two that are equally near.
LEFT_OUT = [("deflate", "slices/|tif"), (r"device \S+,", "nearest")]


def is_refused(request):
    return any(all(re.search(text, request) for text in line) for line in REFUSED + LEFT_OUT)


def options(row):
    return " ".join(row[factor] for factor in FACTORS if row.get(factor))


def pairwise(factors, seed):
    """Requests with all pairs of values that aren't known to be refused: greedy, the same for the same seed."""
    draw = random.Random(seed)

    def pair(one, other, row):
        return (one, row[one], other, row[other]) if one < other else (other, row[other], one, row[one])

    left = [pair(one, other, {one: a, other: b}) for one, other in itertools.combinations(factors, 2)
            for a, b in itertools.product(factors[one], factors[other])]
    left = dict.fromkeys(each for each in left if not is_refused(options({each[0]: each[1], each[2]: each[3]})))
    tries = collections.Counter()
    while left:
        begun = draw.choice(list(left))
        row = {begun[0]: begun[1], begun[2]: begun[3]}
        for factor in draw.sample(list(factors), len(factors)):
            if factor not in row:
                usual, *others = factors[factor]
                rows = [{**row, factor: value} for value in [usual, *draw.sample(others, len(others))]]
                rows = [each for each in rows if not is_refused(options(each))]
                row = max(rows, default=row, key=lambda each: sum(pair(factor, other, each) in left for other in row))
        tries[begun] += 1
        if len(row) == len(factors):
            for one, other in itertools.combinations(factors, 2):
                left.pop(pair(one, other, row), None)
            yield options(row)
        elif tries[begun] == 9:  # nothing of a third factor goes with this pair
            del left[begun]


def refusals(seed):
    """Requests with usual values but one or two, which are known to be refused: two for each line of REFUSED."""
    draw = random.Random(seed)
    for line in REFUSED:
        for _ in range(2):
            request = ""
            for _ in range(20000):
                row = {factor: values[0] for factor, values in FACTORS.items()}
                row.update({factor: draw.choice(FACTORS[factor]) for factor in draw.sample(list(FACTORS), 2)},
                           scan=draw.choice(FACTORS["scan"]), kernel=draw.choice(CPU[1:] + OPENCL))
                if all(re.search(text, options(row)) for text in line):
                    request = options(row)
                    break
            if request:
                yield request


def single():
    """Requests with usual values but for the scan and one other factor."""
    usual = {factor: values[0] for factor, values in FACTORS.items()} | {"kernel": "--device cpu --variant AVX2"}
    for factor, value in [(factor, value) for factor in FACTORS for value in FACTORS[factor][1:] + MORE.get(factor, [])]:
        rows = [options({**usual, "scan": scan, factor: value}) for scan in FACTORS["scan"]]
        rows = [row for row in rows if not is_refused(row)]
        yield from rows[len(value) % max(1, len(rows)):][:1]  # of any scan


def requests():
    """Ids and requests."""
    for letter, rows in (("s", single()), ("p", pairwise(FACTORS, 75)), ("x", refusals(75)),
                         ("o", pairwise({**FEWER, "kernel": OPENCL}, 75)), ("r", RANKS),
                         ("c", pairwise({**FEWER, "kernel": CUDA}, 75))):
        yield from ((f"{letter}{number:03}", request) for number, request in enumerate(rows))
