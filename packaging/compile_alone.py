#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Checks that source files compile alone: in a unity build, a file may use what another file of its group includes.

Usage: packaging/compile_alone.py BUILD-FOLDER [COMMIT]

The folder is configured with -DSINOSCOPE_UNITY=OFF; nothing of it needs to be built. Each file is compiled without
generating code: all files, or those whose text, or whose header, changed after COMMIT. Status 1 if one fails.
"""
import concurrent.futures
import json
import os
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent


def run(entry, arguments):
    command = re.sub(r" -o (\S+) -c ", arguments, entry["command"], count=1)
    return subprocess.run(command, shell=True, cwd=entry["directory"], capture_output=True, text=True)


def changed_since(commit):
    diff = subprocess.run(["git", "diff", "--name-only", commit], cwd=ROOT, capture_output=True, text=True, check=True)
    return {str((ROOT / name).with_suffix("")) for name in diff.stdout.splitlines()}


def main():
    folder = pathlib.Path(sys.argv[1]).resolve()
    entries = json.loads((folder / "compile_commands.json").read_text())
    headers = {e["file"].removesuffix(".cxx"): e for e in entries if e["file"].endswith("/cmake_pch.hxx.cxx")}
    sources = {e["file"]: e for e in entries if e["file"].endswith(".cpp") and not e["file"].startswith(f"{folder}/")}
    if len(sys.argv) > 2:
        changed = changed_since(sys.argv[2])
        sources = {file: e for file, e in sources.items() if file.removesuffix(".cpp") in changed}

    made = folder / "compile_alone" # what the build would generate, empty: declarations suffice
    made.mkdir(exist_ok=True)
    (made / "sinoscope_version.h").write_text('#define SINOSCOPE_VERSION ""\n')
    used = set()
    for file, entry in sources.items():
        used.update(header for header in headers if header in entry["command"])
        for name in re.findall(r'#include "(\w+\.moc)"', pathlib.Path(file).read_text()):
            (made / name).touch()

    failed = 0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        list(pool.map(lambda header: run(headers[header], r" -o \1 -c "), used)) # errors show in the sources
        jobs = {pool.submit(run, entry, f" -I{made} -fsyntax-only "): file for file, entry in sources.items()}
        for job in concurrent.futures.as_completed(jobs):
            if job.result().returncode:
                failed += 1
                print(f"{os.path.relpath(jobs[job], ROOT)} does not compile alone:\n{job.result().stderr}", flush=True)
    times = os.times()
    print(f"{len(sources)} files compiled alone, {failed} failed; "
          f"{times.children_user + times.children_system:.0f} s of processor time")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
