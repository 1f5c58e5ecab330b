#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Names in anonymous namespaces are unique in the engine, whichever files a unity build compiles together.

With sanitizers, without CUDA or without OpenCL, other files share a group. Overloads and equal aliases are allowed,
also names of files that are compiled one by one (engine/CMakeLists.txt).
"""
import collections
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
ALONE = {"peaks.cpp", "stored_bins.cpp", "copy_around.cpp", "row_transform.cpp", "plane.cpp", "filter.cpp",
         "bitshuffle.cpp"}


def declared(line):
    """Name and whole of what a line without indentation declares; the whole differs for overloads."""
    if match := re.match(r"(?:struct|class|enum class|enum|union) (\w+)", line):
        return match[1], match[1]
    if line.startswith(("using ", "namespace ")):
        return line, ""
    if match := re.match(r"[^=(]*?\b(\w+)(?:\[[^\]]*\])*(?: =|\{|;)", line):
        return match[1], match[1]
    if match := re.match(r"[^(]*?\b(\w+)(\(.*)", line):
        return match[1], match[2]
    return None


def main():
    found = collections.defaultdict(lambda: collections.defaultdict(set)) # name, whole, files
    for file in sorted((ROOT / "engine").rglob("*.cpp")):
        name = file.relative_to(ROOT)
        if file.name in ALONE or name.match("*_kernel.cpp") or name.parts[1] == "cluster" or "library" in name.parts:
            continue
        inside = False
        for line in file.read_text().splitlines():
            if line in ("namespace", "} // namespace"):
                inside = line == "namespace"
            elif inside and line[:1].isalpha() and (one := declared(line)):
                found[one[0]][one[1]].add(str(name))
    status = 0
    for name, wholes in found.items():
        files = sorted(set().union(*wholes.values()))
        if name in wholes and len(files) > 1 or any(len(where) > 1 for whole, where in wholes.items() if whole):
            print(f"{name} is declared in anonymous namespaces of {', '.join(files)}")
            status = 1
    if len(found) < 500:
        print(f"only {len(found)} names were found")
        status = 1
    return status


if __name__ == "__main__":
    sys.exit(main())
