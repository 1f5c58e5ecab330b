#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Changes lines of the engine one at a time, and reports which changes no test notices.

Usage: tests/mutate.py BUILD-FOLDER --seed N [--count 100] [--jobs 2] [--budget 60] [--programs engine_tests,app_tests]

Run it in a clone of its own, with a build folder without CUDA: it changes the sources, and restores them at its end.
All changes are compiled together, each behind mutant(NUMBER), which an environment variable selects. Each test runs
unchanged first, which records the changed places that it executes. Then each change is tried with the tests that
execute it, nearest by path first, until one fails, crashes or takes far more processor time, or the budget (seconds
of tests for one change) is spent. If it is interrupted, it reports the changes tried so far. Headers, code for GPUs
and code that only constants need are left out.
"""
import argparse
import concurrent.futures
import mmap
import os
import pathlib
import random
import re
import resource
import signal
import subprocess
import tempfile
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
LEFT_OUT = re.compile(r"/(cuda|opencl|cluster)/|opencl|_none\.cpp$|/check/")
SLOTS = 4096
# One line, so that the numbers of the other lines stay. Named operators ("a <mutants::Less{7}> b") keep the precedence.
PRELUDE = (r"""
#pragma GCC diagnostic ignored "-Wparentheses"
#ifndef SINOSCOPE_MUTANTS
#define SINOSCOPE_MUTANTS
#include <fcntl.h>
#include <cstdlib>
#include <sys/mman.h>
namespace mutants {
inline unsigned char unused[SLOTS];
inline unsigned char* openTable() {
    const char* name = std::getenv("SINOSCOPE_MUTANTS_TABLE");
    const int file = name ? ::open(name, O_RDWR | O_CLOEXEC) : -1;
    void* const table = file < 0 ? MAP_FAILED : ::mmap(nullptr, SLOTS, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    return table == MAP_FAILED ? unused : static_cast<unsigned char*>(table);
}
inline unsigned char* const table = openTable();
inline const int chosen = std::getenv("SINOSCOPE_MUTANT") ? std::atoi(std::getenv("SINOSCOPE_MUTANT")) : -1;
inline bool reach(int n) {
    if (unsigned char* const all = table; all && !all[n]) all[n] = 1;
    return chosen == n;
}
constexpr bool mutant(int n) { return !__builtin_is_constant_evaluated() && reach(n); }
template <int N> struct Less {}; template <int N> struct LessEqual {}; template <int N> struct Equal {};
template <int N> struct More {}; template <int N> struct MoreEqual {}; template <int N> struct Unequal {};
template <typename T, typename How> struct Left { const T& value; };
""" + "".join(f"""
template <typename T, int N> constexpr auto operator{before}(const T& a, {name}<N>)
{{ return Left<T, {name}<N>>{{a}}; }}
template <typename T, typename U, int N> constexpr bool operator{after}(Left<T, {name}<N>> a, const U& b)
{{ return mutant(N) ? a.value {wrong} b : a.value {right} b; }}
""" for name, right, wrong, before, after in [
    ("Less", "<", "<=", "<", ">"), ("LessEqual", "<=", "<", "<", ">"), ("More", ">", ">=", "<", ">"),
    ("MoreEqual", ">=", ">", "<", ">"), ("Equal", "==", "!=", "==", "=="), ("Unequal", "!=", "==", "==", "==")]) + """
}
#endif
""").replace("SLOTS", str(SLOTS))
COMPARISONS = {"<": "< mutants::Less<N>{} >", "<=": "< mutants::LessEqual<N>{} >", ">": "< mutants::More<N>{} >",
               ">=": "< mutants::MoreEqual<N>{} >", "==": "== mutants::Equal<N>{} ==",
               "!=": "== mutants::Unequal<N>{} =="}
NUMBER = re.compile(r"(?<![\w.\"'])(\d+\.\d+(?:e[+-]?\d+)?F?|\d+e[+-]?\d+F?|\d+)(?![\w.'>])")
STATEMENT = re.compile(r"^(?!.*\b(?:return|throw|delete|static_assert|using|else|case|goto)\b)\s{4,}"
                       r"((?:\+\+|--|\*)?[a-z][\w.:>\[\]-]*(?: (?:[-+*/|&]?=) .*|\(.*\)|\+\+)?;)$")
CONSTANT = re.compile(r"^(\s*(?:static )?)const(?:expr)? ")


def changes_of(line, before):
    """Returns all changes of a line, given the line before it, as (kind, new line); N stands for the number."""
    code = line.split(" // ")[0].rstrip()
    if not re.match(r"    |constexpr ", line) or re.search(
            r'"|^\s*(#|//|case |static_assert|template|using |enum )|if constexpr|^\s+[\w:]+ \w+\[\w+\]', code):
        return []
    found = []
    for match in NUMBER.finditer(code):
        number, rest = match[1], code[match.end():]
        if float(number.rstrip("F")) != 0:
            found.append(("× 2", f"{code[:match.start()]}(mutants::mutant(N) ? 2 * {number} : {number}){rest}"))
        if number.isdigit():
            found.append(("± 1", f"{code[:match.start()]}(mutants::mutant(N) ? {number} + 1 : {number}){rest}"))
    for match in re.finditer(r" [-+] (?=[\w(*])", code):
        found.append(("sign", code[:match.end()] + "(mutants::mutant(N) ? -1 : 1) * " + code[match.end():]))
    for match in re.finditer(r" ([<>=!]=|[<>]) ", code):
        found.append(("comparison", code[:match.start() + 1] + COMPARISONS[match[1]] + code[match.end() - 1:]))
    if (match := STATEMENT.match(code)) and re.search(r"(^|[;{}:)]|else)\s*$", before.split(" // ")[0]):
        found.append(("deleted", code[:match.start(1)] + "{ if (!mutants::mutant(N)) " + match[1] + " }"))
    if not CONSTANT.match(code):
        return found
    # A constant's value would be computed by the compiler.
    return [(kind, CONSTANT.sub(r"\1const ", new).replace("mutants::mutant(", "mutants::reach("))
            for kind, new in found]


class Mutant:
    def __init__(self, number, file, line, kind, new):
        self.number, self.file, self.line, self.kind = number, file, line, kind
        self.new = re.sub(r"\bN\b(?=[>)])", str(number), new)
        self.spent, self.tests, self.end, self.isTried = 0.0, 0, None, False # end: why it died

    def __str__(self):
        return f"{self.number} {self.file}:{self.line} {self.kind}: {self.new.strip()}"


def draw(seed):
    """Yields changes at lines drawn from all lines that can be changed, each line once."""
    lines = []
    for path in sorted(ROOT.glob("engine/**/*.cpp")):
        name = str(path.relative_to(ROOT))
        if not LEFT_OUT.search(name):
            text = path.read_text().split("\n")
            lines += [(name, k + 1, changes) for k in range(1, len(text))
                      if (changes := changes_of(text[k], text[k - 1]))]
    dice = random.Random(seed)
    dice.shuffle(lines)
    print(f"{len(lines)} lines can be changed", flush=True)
    for number, (name, line, changes) in enumerate(lines[:SLOTS - 1], 1):
        kind = dice.choice(sorted({kind for kind, _ in changes}))
        yield Mutant(number, name, line, kind, dice.choice([new for k, new in changes if k == kind]))


def restore():
    subprocess.run(["git", "checkout", "--quiet", "--", "engine"], cwd=ROOT, check=True)


def compile_all(folder, mutants, targets, jobs):
    """Compiles the changes, and returns those that can be compiled."""
    header = folder / "mutants.h"
    if not header.exists() or header.read_text() != PRELUDE:
        header.write_text(PRELUDE)
    while True:
        for name in {m.file for m in mutants}:
            lines = subprocess.run(["git", "show", f"HEAD:{name}"], cwd=ROOT, capture_output=True, text=True,
                                   check=True).stdout.split("\n")
            lines[0] = f'#include "{header}"'
            for m in mutants:
                if m.file == name:
                    lines[m.line - 1] = m.new
            if (ROOT / name).read_text() != "\n".join(lines):
                (ROOT / name).write_text("\n".join(lines))
        built = subprocess.run(["ninja", "-C", folder, "-k", "0", "-j", str(jobs), *targets], capture_output=True,
                               text=True)
        if built.returncode == 0:
            return mutants
        # A wrong line can show up as an error, or as the place from which the wrong template is used.
        wrong = set(re.findall(r"(engine/[\w/]+\.cpp):(\d+):\d+: +(?:error|required from)", built.stdout))
        left = [m for m in mutants if (m.file, str(m.line)) not in wrong]
        print(f"{len(mutants) - len(left)} changes can't be compiled", flush=True)
        for name in {m.file for m in mutants} - {m.file for m in left}:
            subprocess.run(["git", "checkout", "--quiet", "--", name], cwd=ROOT, check=True)
        if len(left) == len(mutants):
            raise SystemExit(built.stdout[-3000:])
        mutants = left


class Tests:
    """The test files of all programs, each run once without a change when it is first needed."""

    def __init__(self, programs):
        self.known, self.lock = {}, threading.Lock()
        self.all = []
        for program in programs:
            listing = subprocess.run([program], capture_output=True, text=True).stderr
            self.all += [(program, name) for name in re.findall(r"/tests/(\S+)\.cpp$", listing, re.M)]

    def nearest(self, file):
        """Returns the tests ordered by the distance of their folder, then by common words in the name."""
        folders, words = file.split("/")[:-1], set(pathlib.Path(file).stem.split("_"))

        def distance(test):
            there = test[1].split("/")[:-1]
            common = len(os.path.commonprefix([folders, there]))
            return len(folders) + len(there) - 2 * common, -len(words & set(pathlib.Path(test[1]).stem.split("_")))
        return sorted(self.all, key=distance)

    def run(self, test, number=None, seconds=None):
        """Returns (why it failed or None, the executed places, processor seconds)."""
        with tempfile.TemporaryDirectory() as scratch:
            for name in ("config", "cache", "runtime"):
                os.mkdir(f"{scratch}/{name}", 0o700)
            with open(f"{scratch}/table", "w+b") as table:
                table.truncate(SLOTS)
                environment = os.environ | {f"XDG_{n.upper()}_{'DIR' if n == 'runtime' else 'HOME'}": f"{scratch}/{n}"
                                            for n in ("config", "cache", "runtime")}
                environment |= {"SINOSCOPE_MUTANTS_TABLE": table.name, "SINOSCOPE_MUTANT": str(number or -1),
                                "TMPDIR": scratch}
                limit = int(4 * seconds + 10) if seconds is not None else resource.RLIM_INFINITY
                began = time.monotonic()
                process = subprocess.Popen(
                    test, env=environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
                    errors="replace", start_new_session=True,
                    preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (limit, limit)))
                stuck = threading.Timer(600 if seconds is None else 60 + 10 * seconds,
                                        lambda: os.killpg(process.pid, signal.SIGKILL))
                stuck.start()
                end = next((line.strip() for line in process.stdout if line.startswith("FAIL!")), None)
                if end: # the rest doesn't matter
                    os.killpg(process.pid, signal.SIGKILL)
                _, status, usage = os.wait4(process.pid, 0)
                process.returncode = status
                stuck.cancel()
                if not end and status:
                    end = f"status {status} after {time.monotonic() - began:.0f} s"
                with mmap.mmap(table.fileno(), SLOTS) as executed:
                    return end, {n for n in range(SLOTS) if executed[n]}, usage.ru_utime + usage.ru_stime

    def executed(self, test):
        """Returns the places that the test executes and its processor seconds; no places if it fails anyway."""
        with self.lock:
            once = self.known.setdefault(test, threading.Lock())
        with once if not isinstance(once, tuple) else threading.Lock():
            if not isinstance(self.known[test], tuple):
                end, places, seconds = self.run(test)
                if end:
                    print(f"left out, fails unchanged: {test[1]} ({end})", flush=True)
                self.known[test] = (set() if end else places, seconds)
        return self.known[test]


def attack(mutant, tests, budget, stop):
    """Tries one change with the tests that execute it."""
    for test in tests.nearest(mutant.file):
        places, seconds = tests.executed(test)
        if stop.is_set():
            return
        if mutant.number not in places:
            continue
        mutant.end, _, used = tests.run(test, mutant.number, seconds)
        mutant.tests += 1
        mutant.spent += used
        if mutant.end:
            print(f"dies    {mutant} | {test[1]}: {mutant.end}", flush=True)
        if mutant.end or mutant.spent > budget:
            break
    mutant.isTried = True
    if not mutant.end:
        print(f"{'survives' if mutant.tests else 'not executed'} {mutant} | {mutant.tests} tests", flush=True)


def main():
    arguments = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    arguments.add_argument("folder", type=pathlib.Path)
    arguments.add_argument("--seed", type=int, required=True)
    arguments.add_argument("--count", type=int, default=100)
    arguments.add_argument("--jobs", type=int, default=2)
    arguments.add_argument("--budget", type=float, default=60)
    arguments.add_argument("--programs", default="engine_tests")
    given = arguments.parse_args()
    folder, programs = given.folder.resolve(), given.programs.split(",")
    if subprocess.run(["git", "diff", "--quiet", "HEAD", "--", "engine"], cwd=ROOT).returncode:
        raise SystemExit("engine/ has changes that aren't committed")
    try:
        spare = given.count + given.count // 3 + 2
        drawn = [m for m, _ in zip(draw(given.seed), range(spare))]
        mutants = compile_all(folder, drawn, programs, given.jobs)[:given.count]
        tests = Tests([f"{folder}/tests/{program}" for program in programs])
        stop = threading.Event() # after a signal, the changes tried until then are reported
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, lambda *_: stop.set())
        with concurrent.futures.ThreadPoolExecutor(given.jobs) as pool:
            list(pool.map(lambda m: attack(m, tests, given.budget, stop), mutants))
        print(f"{sum(bool(m.end) for m in mutants)} of {sum(m.isTried for m in mutants)} die, {len(mutants)} compiled")
    finally:
        restore()


if __name__ == "__main__":
    main()
