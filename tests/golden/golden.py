#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The golden record: what the program answers to pairwise combined small requests, for changes that must not change it.

  golden.py check PROGRAM   asks again, and prints each difference; status 1 if there are any
  golden.py write PROGRAM   adds the requests of table.py that the record doesn't have, and the answers that it lacks,
                            such as those of a GPU; it never replaces an answer

PROGRAM: sinoscope-cli. sinoscope-mpi beside it takes the requests for several ranks. Requests for what this machine
doesn't have are skipped visibly; all of them (status 77) if the program isn't linked with a shared HDF5 library, which
this script needs.

record.json has a line per request: plan (what --plan prints), status, texts (errors, warnings, notes), report (--json),
key (what the written files say they depend on, for --resume), place (where they say their voxels lie), sha and values.
Long texts are in a list at the beginning, and so is what reports and keys usually have: a line has only what differs
("—": has not). Times, free disk space, paths, versions, numbers of threads and names of devices are left out.

sha: all bits of the values as written, if every processor of Intel with AVX-512 computes the same; else only the
statistics (written.py) are compared, up to LOOSE of the largest value. These are the values of OpenCL and CUDA devices,
and those of the processor's kernel `cpu` for cone beams and turned planes without --variant AVX2. On other processors,
no bits are compared: without AVX-512 sums have another order, and AMD's approximate reciprocals have other bits. There,
`write --record FILE` with the older program, and `check --record FILE --bits` with the newer one.
"""
import argparse
import collections
import concurrent.futures
import ctypes
import hashlib
import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

import table
import written

RECORD = pathlib.Path(__file__).with_name("record.json")
LOOSE = 1e-4
MPI = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", "OMPI_MCA_rmaps_base_oversubscribe": "1",
       "OMPI_MCA_plm": "isolated", "OMPI_MCA_pml": "ob1", "OMPI_MCA_btl": "self,vader", "PMIX_MCA_gds": "hash",
       "OMPI_MCA_btl_vader_single_copy_mechanism": "none"}
BY_CHANCE = "were compiled for this OpenCL device|cancelled by a signal; MPI sends one"
PLANNED = r"(sinoscope|warning|scan|output|disk|memory|ranks|possible|not possible|would fit|note)\b"
LEFT_OUT = re.compile(r".*(seconds|gups|overlap|notes|warnings|threads|version|program|scan/path|texture\w*share).*|scan/.*|"
                      r"madeOf/.*|devices", re.IGNORECASE)


class Machine:
    """The program on this machine, in a folder with scans."""

    def __init__(self, program, folder, threads):
        self.program, self.folder, self.threads = program, folder, threads
        self.program_of_ranks = program.with_name("sinoscope-mpi")
        self.environment = {**os.environ, **MPI, "HOME": str(folder), "XDG_CACHE_HOME": str(folder / "cache"),
                            "POCL_CACHE_DIR": str(folder / "cache/pocl")}
        (folder / "cache/pocl").mkdir(parents=True)
        (folder / "shifts.txt").write_text(table.SHIFTS)
        linked = re.search(r"libhdf5\S* => (\S+)", subprocess.run(["ldd", program], capture_output=True, text=True).stdout)
        if not linked:
            print("SKIP: the program isn't linked with a shared HDF5 library")
            sys.exit(77)
        written.Hdf5.library = ctypes.PyDLL(linked[1])
        written.Hdf5.library.H5open()
        methods = self.run(["methods"]).stdout
        pocl = re.search(r"opencl:0  (.*), Portable Computing Language", methods)
        cuda = re.search(r"device +cuda\n(  .*\n)*?  usable here +yes", methods)
        self.has = {"CUDA": bool(cuda), "PoCL": bool(pocl), "processor only": not cuda,
                    "MPI": bool(shutil.which("mpirun")) and self.program_of_ranks.exists()}
        about = pathlib.Path("/proc/cpuinfo").read_text()
        self.has_bits = "GenuineIntel" in about and "avx512f" in about
        processor = re.search(r"model name\s*: (.*)", about)
        self.names = {found[1]: name for found, name in ((pocl, "PoCL"), (processor, "Processor")) if found}
        for name, options in table.SCANS.items():
            self.run(["phantom", *shlex.split(options), "-o", f"{name}.h5"]).check_returncode()

    def run(self, command, folder=None):
        return subprocess.run([self.program, *command] if command[0] != "mpirun" else command, env=self.environment,
                              cwd=folder or self.folder, capture_output=True, text=True, timeout=600)

    def lacks(self, request):
        """Returns what the request needs and this machine doesn't have."""
        needs = {"CUDA": "cuda" in request, "PoCL": "opencl" in request, "MPI": request.startswith("-n"),
                 "processor only": "--device" not in request}
        return " and ".join(what for what, is_needed in needs.items() if is_needed and not self.has[what])

    def plain(self, text):
        for name, plain in self.names.items():
            text = text.replace(name, plain)
        text = re.sub(r", \S+ \S+ free\b|, \d+ threads?\b", "", text)
        return re.sub(r"\d+\.\d{6,}(e-?\d+)?", lambda number: f"{float(number[0]):.6g}", text)

    def sentences(self, text, begin=""):
        lines = [re.sub("  +", " ", line) for line in text.split("\n") if line and re.match(begin, line)]
        return [self.plain(line) for line in lines if not re.search(BY_CHANCE, line)]

    def answer(self, request):
        folder = pathlib.Path(tempfile.mkdtemp(dir=self.folder))
        if self.threads:
            request = re.sub(r" --threads \d+|$", f" --threads {self.threads}", request, count=1)
        request += "".join(f" --{name} {value}" for name, value in table.USUAL.items() if f"--{name}" not in request)
        command = ["reconstruct", *shlex.split(request)]
        if "-n" in command:
            command = ["mpirun", *command[1:3], str(self.program_of_ranks), "reconstruct", *command[3:]]
        planned = self.run([*command, "--plan"], folder)
        made = self.run([*command, "--json", "report.json"], folder)
        found = {"plan": self.sentences(planned.stdout + planned.stderr, PLANNED), "status": made.returncode,
                 "texts": self.sentences(made.stderr, "(sinoscope|warning|note)" if command[0] == "mpirun" else "")}
        if planned.returncode != made.returncode:
            found["plan"].append(f"status {planned.returncode}")
        if made.returncode == 0:
            report = json.loads((folder / "report.json").read_text())
            found["texts"] += self.sentences("\n".join(report["warnings"] + report["notes"] + report["scanNotes"]))
            for rank in report.get("ranks", []):
                report[f"rank {rank['rank']}"] = f"{rank['firstSlice']} + {rank['slices']}"
            report.pop("ranks", None)
            place, key, values = written.place_key_values(folder)
            if re.search(r"device \S+,", request):  # it is up to chance which of them works
                report.pop("device")
                place.pop("method", None)
            found.update((part, self.flat(each)) for part, each in (("place", place), ("report", report), ("key", key)))
            report = found["report"]
            found["report"] = {at: each for at, each in report.items() if report.get(f"request/{at}") != each}
            found["key"] = {at: each for at, each in found["key"].items() if each not in (
                report.get(at), report.get(f"request/{at}"), report.get(at.replace("setting/", "request/")))}
            found["values"] = written.statistics(values)
            if has_same_bits(request, report["method"]):
                found["sha"] = digest(b"".join(part.data for part in values))
                del found["values"][5:]
        shutil.rmtree(folder)
        return found

    def flat(self, json_value, path=""):
        """Returns what a JSON object has by paths, without what differs from run to run or between machines."""
        if isinstance(json_value, dict):
            return {at: each for name, part in json_value.items() for at, each in self.flat(part, f"{path}/{name}").items()}
        if LEFT_OUT.fullmatch(path[1:]):
            return {}
        return {path[1:]: self.plain(json_value) if isinstance(json_value, str) else rounded(json_value)}


def has_same_bits(request, method):
    is_narrow = "AVX2" in request or not re.search(f"{table.CONES}|{table.TURNED}", request)
    return "opencl" not in request and (method in ("exact", "double", "ladder") or method == "cpu" and is_narrow)


def digest(data):
    return hashlib.sha256(data).hexdigest()[:16]


def rounded(value):
    return [rounded(each) for each in value] if isinstance(value, list) else \
        float(f"{value:.7g}") if isinstance(value, float) else value


# The record as a file: "usual" is what most reports and keys of a scan, and most outputs of a name, have; "texts" are
# the long texts by a digest.

def group(part, line):
    scan, output = re.search(r"/(\w+)\.h5.* -o ([\w.]+)", line["request"]).groups()
    return scan if part != "place" else output + " of a cone beam" * bool(re.search(table.CONES, line["request"]))


def with_texts(value, texts):
    """Returns the value with what texts(TEXT) returns for each text."""
    if isinstance(value, list):
        return [with_texts(each, texts) for each in value]
    if isinstance(value, dict):
        return {at: with_texts(each, texts) for at, each in value.items()}
    return texts(value) if isinstance(value, str) else value


def expanded(line, record):
    """Returns a line with texts and with what is usual."""
    line = with_texts(line, lambda text: record["texts"].get(text, text))
    for part in {"report", "key", "place"} & {*line}:
        whole = {**record["usual"][part][group(part, line)], **line[part]}
        line[part] = {at: each for at, each in whole.items() if each != "—"}
    return line


def usual_of(part, lines):
    """Returns what most of the lines have, for each group of them."""
    counts = collections.defaultdict(lambda: collections.defaultdict(collections.Counter))
    for line in lines:
        for at in {at for other in lines if part in other for at in other[part]} if part in line else ():
            counts[group(part, line)][at][json.dumps(line[part].get(at, "—"))] += 1
    return {name: {at: each for at, count in sorted(of.items())
                   if (each := json.loads(count.most_common(1)[0][0])) != "—"} for name, of in sorted(counts.items())}


def save(path, lines):
    usual, texts, rows = {part: usual_of(part, lines) for part in ("report", "key", "place")}, {}, []

    def short(text):
        name = "#" + digest(text.encode())[:7]
        return text if len(text) < 25 else texts.setdefault(name, text) and name

    for line in sorted(lines, key=lambda line: line["id"]):
        row = dict(line)
        for part in {*usual} & {*line}:
            most = usual[part][group(part, line)]
            row[part] = {at: each for at in sorted({*line[part], *most})
                         if (each := line[part].get(at, "—")) != most.get(at, "—")}
        row = {at: each if at in ("id", "request", "sha") else with_texts(each, short) for at, each in row.items()}
        rows.append(json.dumps(row, ensure_ascii=False, separators=(",", ":")))
    head = json.dumps({"usual": usual, "texts": dict(sorted(texts.items()))}, ensure_ascii=False, indent=0)
    path.write_text(f'{head[:-2]},\n"requests": [\n' + ",\n".join(rows) + "\n]}\n")


# Differences

def is_close(one, other):
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(is_close, one, other))
    return abs(one - other) <= 1e-5 * abs(one) if isinstance(one, float) and isinstance(other, float) else one == other


def differences(was, now, has_bits):
    for part in ("status", "plan", "texts", "report", "key", "place"):
        old, new = was.get(part, {}), now.get(part, {})
        if isinstance(old, list) and old != new:
            yield from (f"{part}, no longer: {each}" for each in old if each not in new)
            yield from (f"{part}, new: {each}" for each in new if each not in old)
            if sorted(old) == sorted(new):
                yield f"{part}, in another order: {new}"
        elif isinstance(old, dict):
            yield from (f"{part}: {at} was {old.get(at, 'not there')}, is {new.get(at, 'not there')}"
                        for at in {**old, **new} if not is_close(old.get(at), new.get(at)))
        elif old != new:
            yield f"{part} was {old}, is {new}"
    old, new = was.get("values", []), now.get("values", [])
    names = ["number", "mean", "root mean square", "least", "largest"] + [f"sample {k}" for k in range(1, 17)]
    numbers = [(each, other) for each, other in zip(old, new) if not isinstance(each, str) and not isinstance(other, str)]
    scale = max((abs(each) for each, _ in numbers[1:]), default=0)
    if old and new and has_bits and "sha" in was and was["sha"] != now.get("sha"):
        most = max(abs(each - other) for each, other in numbers[1:])
        yield f"values: other bits; statistics and samples differ by up to {most:.2g}, and the largest is {scale:.4g}"
    yield from (f"values: {name} was {each}, is {other}" for name, each, other in zip(names, old, new)
                if each != other and not ((each, other) in numbers and abs(each - other) <= LOOSE * scale))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("command", choices=("check", "write"))
    parser.add_argument("program", type=pathlib.Path)
    parser.add_argument("--record", type=pathlib.Path, default=RECORD)
    parser.add_argument("--bits", action="store_true", help="compare all bits, as the record is of this machine")
    parser.add_argument("--only", default="", metavar="REGEX", help="only lines whose id and request contain it")
    parser.add_argument("--jobs", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("--threads", type=int, help="instead of those of the requests; nothing may depend on them")
    options = parser.parse_args()
    record = json.loads(options.record.read_text()) if options.record.exists() else {"requests": []}
    lines = {line["id"]: expanded(line, record) for line in record["requests"]}
    writes = options.command == "write"
    if writes:
        known = {line["request"] for line in lines.values()}
        lines.update((name, {"id": name, "request": request}) for name, request in table.requests() if request not in known)
    asked = [line for line in lines.values() if ("status" in line) != writes and
             re.search(options.only, f"{line['id']} {line['request']}")]
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        machine = Machine(options.program.resolve(), pathlib.Path(folder), options.threads)
        for what, count in collections.Counter(machine.lacks(line["request"]) for line in asked).items():
            if what:
                print(f"SKIP: {count} requests that need: {what}")
        asked = [line for line in asked if not machine.lacks(line["request"])]
        answers = list(pool.map(lambda line: machine.answer(line["request"]), asked))
    if writes:
        lines.update((line["id"], {**line, **answer}) for line, answer in zip(asked, answers))
        save(options.record, lines.values())
        print(f"{len(asked)} answers added, {sum(answer['status'] != 0 for answer in answers)} of them refusals")
        return 0
    has_bits = options.bits or machine.has_bits
    if not has_bits:
        print("SKIP: bits of values, as those of the record are of a processor of Intel with AVX-512")
    failed = 0
    for line, answer in zip(asked, answers):
        found = list(differences(line, answer, has_bits))
        failed += bool(found)
        if found:
            print(f"\n{line['id']}: reconstruct {line['request']}", *found, sep="\n  ")
    print(f"{len(asked)} requests, {failed} answered differently")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
