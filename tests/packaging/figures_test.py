# SPDX-License-Identifier: GPL-3.0-or-later
"""Compares the measured figures in README and manual with the files in tests/bench/results that they come from.

A figure is a number of a page that a text with {} describes. Its value, computed from the file, has to agree to the last
digit that is printed. All speeds in GU/s and all numbers in the tables of the pages below have to be described.
"""
import json
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
RESULTS = ROOT / "tests/bench/results"
NUMBER = r"\d[\d,]*(?:\.\d+)?"

problems = []
described = {}  # page → spans of the numbers that were compared


def page_text(page):
    return (ROOT / page).read_text(encoding="utf-8")


def result(name):
    return json.loads((RESULTS / name).read_text(encoding="utf-8"))


def row(rows, **wanted):
    """The only one of the rows that has these values."""
    found = [one for one in rows if all(one.get(key) == value for key, value in wanted.items())]
    if len(found) != 1:
        problems.append(f"{len(found)} rows have {wanted}")
        return found[0] if found else {}
    return found[0]


def check(page, text, *values):
    """Compares the numbers at the {} of the text, which occurs once in the page, with the values."""
    pattern = f"({NUMBER})".join(re.escape(part) for part in text.split("{}"))
    matches = list(re.finditer(r"(?<![\d,.])" + pattern, page_text(page)))
    if len(matches) != 1:
        problems.append(f"{page}: “{text}” occurs {len(matches)} times")
        return
    match = matches[0]
    if len(match.groups()) != len(values):
        problems.append(f"{page}: “{text}” has {len(match.groups())} numbers, not {len(values)}")
        return
    for index, value in enumerate(values, 1):
        printed = match.group(index).replace(",", "")
        decimals = len(printed.partition(".")[2])
        if f"{value:.{decimals}f}" != printed:
            problems.append(f"{page}: “{text}”: {match.group(index)} is printed, {value:.{decimals + 2}f} was measured")
        described.setdefault(page, []).append(match.span(index))


def check_words(page, text, source, words):
    """For results in Markdown: the words, with the same numbers as the page's text, stand in the file."""
    pattern = f"({NUMBER})".join(re.escape(part) for part in text.split("{}"))
    match = re.search(r"(?<![\d,.])" + pattern, page_text(page))
    if not match:
        problems.append(f"{page}: “{text}” is missing")
        return
    expected = words
    for number in match.groups():
        expected = expected.replace("{}", number, 1)
    if expected not in " ".join((RESULTS / source).read_text(encoding="utf-8").split()):
        problems.append(f"{page}: “{match.group(0)}”, but {source} has no “{expected}”")
    described.setdefault(page, []).extend(match.span(index) for index in range(1, len(match.groups()) + 1))


README = "README.md"
MANUAL = "resources/manual/"
PERFORMANCE = MANUAL + "performance.md"


def slice_kernels():
    rows = result("h200-kernels-papers.json")["rows"]

    def gups(method, slices, precision, interpolation):
        return row(rows, method=method, slicesPerPass=slices, precision=precision, interpolation=interpolation)["kernelGups"]

    check(README, "one slice of 2048², float, linear | {} |", gups("alu", 1, "float", "linear"))
    for method in ("standard", "texture", "alu", "hybrid"):
        check(PERFORMANCE, f"| `{method}` | {{}} | {{}} | {{}} | {{}} |", gups(method, 1, "float", "linear"),
              gups(method, 2, "float", "linear"), gups(method, 4, "half", "linear"), gups(method, 4, "half", "nearest"))
    standard = row(rows, method="standard", slicesPerPass=1, precision="float", interpolation="linear")
    check(MANUAL + "gus.md", "[{} ms](../../tests/bench/results/h200-kernels-papers.json) on an NVIDIA H200, which is {} GU/s",
          1000 * standard["kernelSeconds"], standard["kernelGups"])

    limited = result("h200-roofline.json")["rows"]

    def shares(**wanted):
        found = [one for one in limited if all(one[key] == value for key, value in wanted.items()) and one["limits"]]
        return sorted(100 * one["kernelGups"] / min(limit["gups"] for limit in one["limits"]) for one in found)

    textures = shares(method="texture", interpolation="linear")
    check(PERFORMANCE, "`texture` reaches {} to {} % of the texture units", textures[0], textures[-1])
    alu = shares(method="alu", interpolation="linear", precision="float")
    check(PERFORMANCE, "`alu` {} to {} % of shared memory with floats", alu[0], alu[-1])


def tensor():
    rows = [one for one in result("h200-tensor.json")["rows"] if one["size"] == 2048 and one["interpolation"] == "linear"]

    def gups(slices, precision):
        return row(rows, slicesPerPass=slices, precision=precision)["kernelGups"]

    check(README, "128 slices, half, on tensor cores | {} |", gups(128, "half"))
    for precision in ("half", "float"):
        check(PERFORMANCE, f"| {precision} | {{}} | {{}} | {{}} | {{}} |", *(gups(slices, precision) for slices in (8, 32, 64, 128)))
    check(MANUAL + "half-precision.md",
          "| H200, `tensor`, 64 slices per pass | [{} GU/s](../../tests/bench/results/h200-tensor.json) | {} GU/s |",
          gups(64, "float"), gups(64, "half"))


def volumes():
    whole = row(result("h200-total.json")["rows"], slices=2048)
    check(README, "from 2048 projections took {} s in 2018", 21)  # printed in Chilingaryan et al. 2018, section IV
    check(README, "on tensor cores it takes [{} s](tests/bench/results/h200-total.json) on an NVIDIA H200", whole["totalSeconds"])
    page = MANUAL + "papers.md"
    check(page, "2048³ voxels from 2048 projections in {} s on a GTX Titan X", 21)
    check(page, "| [{} s](../../tests/bench/results/h200-total.json) by `tensor` with halves, with new memory for the slices; {} s",
          whole["totalSeconds"], whole["reusedTotalSeconds"])
    check(PERFORMANCE, "new memory for the slices | {} |", whole["totalSeconds"])
    check(PERFORMANCE, "the same, memory that was used before | {} |", whole["reusedTotalSeconds"])
    check(MANUAL + "gus.md", "the kernels reach {} GU/s and the whole {}]", whole["kernelGups"], whole["totalGups"])
    check(MANUAL + "gus.md", "the same volume reaches {} GU/s", whole["reusedTotalGups"])

    def seconds(name, folder, output):
        return result(name)[folder]["volume"]["runs"][output]["elapsedSeconds"]

    check(PERFORMANCE, "to 34 GB, one TIFF per slice | {} |\n| the same, one HDF5 file | {} |",
          seconds("h200-disk.json", "tmpfs", "tiffs"), seconds("h200-disk.json", "tmpfs", "hdf5"))
    check(PERFORMANCE, "behind 128 GB of memory, one TIFF per slice | {} |\n| the same, one HDF5 file | {} |",
          seconds("h200-disk.json", "ext4", "tiffs"), seconds("h200-disk.json", "ext4", "hdf5"))
    machine = result("h200-disk.json")["tmpfs"]["volume"]["machine"]
    check(PERFORMANCE, "accepts a single file at {} GB/s and many files at {} GB/s",
          1e-9 * machine["writeFileBytesPerSecond"], 1e-9 * machine["writeFilesBytesPerSecond"])
    check(PERFORMANCE, "takes {} s (TIFFs) and {} s (HDF5) in tmpfs", seconds("h100-disk.json", "tmpfs", "tiffs"),
          seconds("h100-disk.json", "tmpfs", "hdf5"))
    check(PERFORMANCE, "take {} s (HDF5) for 128 slices of 1024²", seconds("cpu-disk.json", "tmpfs", "hdf5"))


def processors():
    rows = [one for run in result("cpu-kernels.json")["runs"] if run["what"] == "one core" for one in run.get("rows", [])
            if one["size"] == 512 and one["projections"] == 512 and one["interpolation"] == "linear"]

    def gups(slices, precision):
        return row(rows, slicesPerPass=slices, precision=precision)["kernelGups"]

    check(README, "32 slices of 512², half, linear | {} |", gups(32, "half"))
    check(PERFORMANCE, "| 1 | {} GU/s | {} |\n| 32 | {} | {} |", *(gups(slices, precision) for slices in (1, 32)
                                                                 for precision in ("float", "half")))
    check(MANUAL + "half-precision.md", "32 slices per pass | [{} GU/s](../../tests/bench/results/cpu-kernels.json) | {} GU/s |",
          gups(32, "float"), gups(32, "half"))
    check_words(PERFORMANCE, "Two cores are {} to {} times", "cpu-limits.md", "32 slices of float {}, 1.98, 1.94")
    check_words(PERFORMANCE, "[{} GU/s](../../tests/bench/results/cpu-cones.md) on one core", "cpu-cones.md",
                "| 512³ from 360 projections of 512², one core | {} |")
    window = result("cpu-window.json")["loopWithThePageOverEngineAlone"]
    check(PERFORMANCE, "with painting, is [{} to {} %]", 100 * (1 - max(window)), 100 * (1 - min(window)))
    check_words(PERFORMANCE, "ring removal `all` is {} % of the time", "cpu-steps.md", "| `--rings all` | 0.30 | {} % |")


def other_programs():
    rows = [one for one in result("cpu-skimage.json")["rows"] if one["program"].startswith("Sinoscope, 1 core")]
    factors = [one["timesFaster"] for one in rows]
    for page, text in ((README, "[{} to {} times as fast](tests/bench/results/cpu-skimage.json)"),
                       (PERFORMANCE, "[1/{} to 1/{} of the time](../../tests/bench/results/cpu-skimage.json)")):
        check(page, text, min(factors), max(factors))

    called = [one for one in result("cpu-python.json")["rows"] if one["time"] == "call"]

    def factor(program, size):
        other = [one for one in called if one["size"] == size and one["program"].startswith(program)]
        ours = row(called, size=size, program="sinoscope.fbp, 1 core")
        return other[0]["milliseconds"] / ours["milliseconds"]

    check(MANUAL + "python.md", "takes 1/{}, 1/{} and 1/{} of the time of scikit-image's `iradon`, and 1/{}, 1/{} and 1/{} of that of ASTRA",
          *(factor("scikit-image", size) for size in (255, 511, 1023)), *(factor("ASTRA", size) for size in (255, 511, 1023)))


def cones():
    check_words(PERFORMANCE, "`texture` with halves {} GU/s, with floats", "h200-cones.md",
                "| `texture`, mirrored rows of opposite projections, half | 4 | {} |")
    check_words(PERFORMANCE, "GU/s, with floats {};", "h200-cones.md", "| `texture`, mirrored rows, float | 2 | {} |")
    check_words(PERFORMANCE, "and needs no symmetry, {}.", "h200-cones.md",
                "| `columns`, float, weights in full precision, no symmetry | – | {} |")
    check_words(PERFORMANCE, "memory to memory, takes {} to {} s with `texture` and halves", "h200-cones.md", "in all {} to {} s")


def power():
    rows = [one for one in result("h200-power.json")["rows"] if one["interpolation"] == "linear" and one["precision"] == "half"]

    def per_watt(method, slices):
        return row(rows, method=method, slicesPerPass=slices)["totalGupsPerWatt"]

    check(PERFORMANCE, "{} GU/s per watt for `texture` and {} for `alu` with four slices of halves, {} for `tensor` with 32",
          per_watt("texture", 4), per_watt("alu", 4), per_watt("tensor", 32))


def filters():
    page = MANUAL + "papers.md"
    rows = result("h200-filter.json")["rows"]
    speeds = {size: [row(rows, size=size, gpuFilter=one)["filterGigavalues"] for one in ("cufft-real", "cufft", "own")]
              for size in (512, 1024, 2048, 4096, 8192)}
    for size, of_size in speeds.items():
        check(page, f"\n| {size} | {{}} | {{}} | {{}} |\n", *of_size)
    pairs = sorted(100 * two / real - 100 for real, two, own in speeds.values())
    check(page, "two rows as one are {} to {} % faster than real transforms", pairs[0], pairs[-1])
    kernel = sorted(own / two for real, two, own in speeds.values())
    check(page, "The kernel is {} to {} times as fast as cuFFT with two rows as one", kernel[0], kernel[-1])


def papers():
    page = MANUAL + "papers.md"
    rows = result("h200-papers.json")["rows"]

    def steps(*names, more=()):
        """The row of the table that these steps stand in: speed and factor of one and two slices, then the paper's factors."""
        found = [row(rows[f"steps-{slices}"], step=name) for slices, name in zip((1, 2), names) if name]
        return [(one["kernelGups"], one["kernelGups"] / rows[f"steps-{slices}"][0]["kernelGups"], one.get("paperFactor"))
                for slices, one in zip((1, 2), found)]

    def same(name):
        return steps(name, name)

    one, two = same("standard")
    check(page, "| method `standard` | {} | {} | {}, {} |", one[0], two[0], one[2], two[2])
    one, two = same("Z order")
    check(page, "variant `z-order` | {} (× {}) | {} (× {}) | {}, {} |", *one[:2], *two[:2], one[2], two[2])
    one, two = same("four projections")
    check(page, "`four-projections` | {} | {} (× {}) | – |", one[0], *two[:2])
    for name, variant in (("reduced by shuffles", "shuffle-reduction"), ("shared constants", "shared-constants")):
        one, two = same(name)
        check(page, f"`{variant}` | {{}} | {{}} | – |", one[0], two[0])
    one, two = same("texture")
    check(page, "| method `texture` | {} | {} | {}, {} |", one[0], two[0], one[2], two[2])
    one, two = same("ALU")
    check(page, "| method `alu` | {} (× {}) | {} (× {}) | {}, {} |", *one[:2], *two[:2], one[2], two[2])
    one, two = same("hybrid")
    check(page, "on the texture unit | {} (× {}) | {} (× {}) | {}, {} |", *one[:2], *two[:2], one[2], two[2])
    single = row(rows["oversampled-1"], method="alu", variant=None)["kernelGups"]
    double = row(rows["steps-2"], step="ALU, oversampled")
    check(page, "with `alu`; `hybrid` has it, too, and is slower | {} (× {}) | {} (× {}) | –, {} |", single, single / rows["steps-1"][0]["kernelGups"],
          double["kernelGups"], double["kernelGups"] / rows["steps-2"][0]["kernelGups"], double["paperFactor"])
    shares = [one for one in result("h200-hybrid.json")["rows"] if one["interpolation"] == "linear" and one["splits"] == 1]

    def hybrid(slices, precision, tile, share, blocks):
        return row(shares, slicesPerPass=slices, precision=precision, tile=tile, blocksPerMultiprocessor=blocks)["gups"][share]

    one, two, four = (1, "float", "64x64"), (2, "float", "64x64"), (4, "half", "64x64")
    check(page, "adds nothing here: {} GU/s with all blocks on the arithmetic units, {} with one of eight",
          hybrid(*one, "0/8", 4), hybrid(*one, "1/8", 4))
    check(page, "both together are faster: {} and, with two of eight, {}; with four slices of halves {} and, with four of eight, {}.",
          hybrid(*two, "0/8", 4), hybrid(*two, "2/8", 4), hybrid(*four, "0/8", 2), hybrid(*four, "4/8", 2))
    check(page, "`hybrid` is {} and {} times as fast as `alu` with its own tile",
          hybrid(*two, "2/8", 4) / hybrid(2, "float", "64x128", "0/8", 2), hybrid(*four, "4/8", 2) / hybrid(*four, "0/8", 2))
    # 128-threads and three-blocks beside the variants of `alu` that they change.
    parts = ("linear-1", "linear-2", "nearest-1", "nearest-2", "half-4", "oversampled-1", "oversampled-2")

    def gups(part, **wanted):
        return row([one for one in rows[part] if one["kernelGups"]], **wanted)["kernelGups"]

    few = [100 * gups(part, method="alu", variant="128-threads") / gups(part, method="alu", variant="small-tile") - 100
           for part in parts]
    check(page, "| {} to {} % faster than `small-tile`", min(few), max(few))
    default = [100 - 100 * gups(part, method="alu", variant="128-threads") / gups(part, method="alu", variant=None)
               for part in parts]
    check(page, "makes it {} to {} % slower than the default", min(default), max(default))
    three = [100 * gups(part, method="alu", variant="three-blocks") / gups(part, method="alu", variant="square-tile") - 100
             for part in parts if part != "half-4"]
    check(page, "| {} to {} % faster than `square-tile`", min(three), max(three))
    check(page, "where the default has this tile, {} % slower",
          100 - 100 * gups("half-4", method="alu", variant="three-blocks") / gups("half-4", method="alu", variant=None))
    fast = result("h200-shuffle.json")
    check(page, "an update of L1-Tran takes {} instructions", fast["instructions"]["mirrored, per update"]["l1-tran"])
    large = result("h200-shuffle-1024.json")["rows"]
    check(page, "At 1024³ from 1024 projections of 1024² its kernel reaches {} GU/s",
          row(large, step="L1-Tran", bins=1024)["kernelGups"])
    check(page, "and Bp-L1 {} GU/s", row(large, step="Bp-L1", bins=1024)["kernelGups"])
    before = rows["shuffle"]
    check(page, "with comparisons they had {} and {}", row(before, step="L1-Tran")["kernelGups"],
          row(before, step="Bp-L1")["kernelGups"])
    small = result("h200-shuffle-512.json")["rows"]
    sequences = json.loads((ROOT / "resources/measure/paper_steps.json").read_text())
    first = small[0]["kernelGups"]
    check(page, "it is {} times as fast as RTK-32", row(small, step="L1-Tran")["kernelGups"] / first)
    of_paper = {one["name"]: one["printedFor"][2] for one in row(sequences, id="shuffle")["steps"]}  # 512² × 1024 to 512³
    for step in small:
        printed = of_paper[step["step"]]
        check(page, f"| {step['step']} | `{step['step'].lower()}` | {{}} | {{}} | {{}} | {{}} |", step["kernelGups"],
              step["kernelGups"] / first, printed * 2**30 / 1e9, printed / of_paper["RTK-32"])

    check_words(page, "they would add [{} MB to each of four programs]", "packages.md",
                "For five architectures {} MB more in each of the four programs")
    ladder = result("cpu-ladder.json")["rows"]
    by_bins = {bins: [one for one in ladder if one["bins"] == bins and one["size"] == 256] for bins in (256, 512, 1024)}
    for k, one in enumerate(by_bins[512]):
        variant = one.get("variant") or "cpu"

        def factors(one, *keys, rows):
            of_paper = [one[key] for key in keys if one.get(key)]
            return [one["kernelGups"], one["kernelGups"] / rows[0]["kernelGups"], *of_paper]

        words = {"scalar": ": plain code in single precision", "baseline": ": with vector instructions, positions in double precision"}
        printed = "".join(" {} |" if one.get(key) else " – |" for key in ("paperFactor", "paperFactorOpenMp"))
        cells = " | {} | {} | {} (OpenMP) | – |" if k == 0 else " | {} | {} |" + printed
        check(page, f"| {'method ' if variant == 'cpu' else ''}`{variant}`{words.get(variant, '')}{cells}\n",
              *factors(one, "paperFactor", "paperFactorOpenMp", rows=by_bins[512]))
        values, cells = [], ""
        for bins in (256, 1024):
            if by_bins[bins]:
                other = by_bins[bins][k]
                values += factors(other, "paperFactor", rows=by_bins[bins])
                cells += " {} | {} |" + (" {} |" if other.get("paperFactor") else " – |")
        check(page, f"\n| `{variant}` |{cells}\n", *values)


def published_speeds():
    page = "resources/measure/published_speeds.json"
    for other in result("h200-others.json")["rows"]:
        gups = other["gups"].get("1024" if "cone" in other["what"] else "2048")
        name = other["what"].removeprefix("cone beam, ").removesuffix(" kernel").removesuffix(", with the filter")
        if other["what"] == "linerec, halves":  # no faster than floats
            continue
        found = [match.group(1) for match in re.finditer(
            rf'"{re.escape(other["program"])}", "what": "{re.escape(name)}[^"]*", "gups": ({NUMBER})}}', page_text(page))]
        if str(gups) not in found:
            problems.append(f"{page}: {other['program']}, {other['what']}: {found} is printed, {gups} was measured")
    rows = result("h200-kernels-papers.json")["rows"]
    single = row(rows, method="alu", slicesPerPass=1, precision="float", interpolation="linear")
    four = row(rows, method="alu", slicesPerPass=4, precision="half", interpolation="linear")
    check(page, '"alu, 1 slice of floats", "gups": {}', single["kernelGups"])
    check(page, '"alu, 1 slice of floats, with copies to and from the GPU", "gups": {}', single["totalGups"])
    check(page, '"alu, 4 slices of halves", "gups": {}', four["kernelGups"])
    many = row(result("h200-tensor.json")["rows"], size=2048, interpolation="linear", slicesPerPass=128, precision="half")
    check(page, '"tensor, 128 slices of halves", "gups": {}', many["kernelGups"])
    check(page, '"tensor, 128 slices of halves, with copies to and from the GPU", "gups": {}', many["totalGups"])
    check_words(page, '"texture, halves", "gups": {}', "h200-cones.md",
                "| `texture`, mirrored rows of opposite projections, half | 4 | {} |")
    check_words(page, '"texture, floats", "gups": {}', "h200-cones.md", "| `texture`, mirrored rows, float | 2 | {} |")
    check_words(page, '"columns, floats, full precision", "gups": {}', "h200-cones.md",
                "| `columns`, float, weights in full precision, no symmetry | – | {} |")
    called = [one for one in result("cpu-python.json")["rows"] if one["time"] == "call" and one["size"] == 511]
    for name, text in (("sinoscope.fbp, 1 core", '"cpu, from Python", "gups": {}'), ("ASTRA 2.5.0, FBP on the processor", '"FBP with the linear projector", "gups": {}'),
                       ("scikit-image 0.19.3", '"iradon", "gups": {}')):
        check(page, text, 1e-6 * 511 * 511 * 803 / row(called, program=name)["milliseconds"])


def check_tables(page):
    """Every cell that is a number alone, or one with a unit or a link, has to be described, apart from first columns."""
    position = 0
    for line in page_text(page).splitlines(keepends=True):
        if line.startswith("|") and not line.startswith("| slices per pass |"):
            cell_position = position + line.index("|", 1) + 1
            for cell in line[line.index("|", 1) + 1:].split("|"):
                match = re.fullmatch(rf"\s*\[?({NUMBER})( GU/s)?(\]\([^)]*\))?\s*", cell)
                span = match and (cell_position + match.start(1), cell_position + match.end(1))
                if span and span not in described.get(page, []):
                    problems.append(f"{page}: {match.group(1)} in “{line.strip()}” is not compared with a result")
                cell_position += len(cell) + 1
        position += len(line)


def check_speeds(page):
    """Every number before GU/s has to be described, apart from those that define the unit."""
    text = page_text(page)
    for match in re.finditer(rf"(?<![\d.,\w])({NUMBER})(?: to ({NUMBER}))? GU/s", text):
        for index in (1, 2):
            if match.group(index) and match.span(index) not in described.get(page, []) and "1 GUPS is" not in text[match.start() - 12:match.end()]:
                problems.append(f"{page}: “{text[match.start() - 40:match.end()]}” is not compared with a result")


def check_records():
    """Each record that a page links names its device, its date, and how it was measured."""
    wanted = {"device": r"NVIDIA|AMD|Intel|H[12]00", "date": r"20\d\d-\d\d-\d\d",
              "command": r"`[^`]*(?:sinoscope-cli|benchmark|reconstruct |bench_|tests/bench/|packaging/|findAxisTilt)[^`]*`|-[a-z0-9]+\.json"}
    for path in [ROOT / README, *sorted((ROOT / MANUAL).glob("*.md"))]:
        for name in set(re.findall(r"tests/bench/results/([^)#\s]+)\)", path.read_text(encoding="utf-8"))):
            if name.endswith(".json"):
                record = result(name)
                runs = record.get("runs") or [{}]  # each of which may have a command of its own
                missing = [key for key in wanted if not all((one | record).get(key) for one in runs)]
            else:
                text = (RESULTS / name).read_text(encoding="utf-8")
                missing = [key for key, pattern in wanted.items() if not re.search(pattern, text)]
            if missing:
                problems.append(f"{name}, which {path.name} links, doesn't name its {' and '.join(missing)}")


for group in (check_records, slice_kernels, tensor, volumes, processors, other_programs, cones, power, filters, papers, published_speeds):
    group()
for page in (README, PERFORMANCE, MANUAL + "gus.md", MANUAL + "half-precision.md", MANUAL + "python.md",
             MANUAL + "papers.md"):
    check_tables(page)
for path in [ROOT / README, *sorted((ROOT / MANUAL).glob("*.md"))]:
    check_speeds(str(path.relative_to(ROOT)))

print("\n".join(problems) if problems else f"{sum(map(len, described.values()))} figures agree with their results")
sys.exit(1 if problems else 0)
