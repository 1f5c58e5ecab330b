#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Pack the Python package of a build folder into a wheel, with the libraries that it needs.

Usage: packaging/make_wheel.py BUILD-FOLDER TARGET-FOLDER

The wheel is for this Python, and for systems whose C library is at least as new as this one's. SOURCE_DATE_EPOCH sets
the times in it, so that the same build gives the same bytes.
"""

import base64
import hashlib
import os
import pathlib
import platform
import re
import subprocess
import sys
import sysconfig
import time
import zipfile

ROOT = pathlib.Path(__file__).resolve().parent.parent

# Libraries that are not copied: as in bundle.cmake.
OF_THE_SYSTEM = re.compile(r"^(ld-linux.*|linux-vdso.*|lib(c|m|dl|rt|pthread|resolv|util|mvec)\.so.*|"
                           r"lib(stdc\+\+|gcc_s)\.so.*|libcuda\.so.*|libnvidia-.*)$")


def libraries_of(file: pathlib.Path) -> dict[str, pathlib.Path]:
    """Return the libraries that a file needs, by name."""
    found = {}
    for line in subprocess.run(["ldd", file], check=True, capture_output=True, text=True).stdout.splitlines():
        parts = line.split()
        if "=>" in parts and "not found" in line:
            sys.exit(f"{file} needs {parts[0]}, which is not on this machine")
        if "=>" in parts and not OF_THE_SYSTEM.match(parts[0]):
            found[parts[0]] = pathlib.Path(parts[2])
    return found


def licence_of(library: pathlib.Path) -> pathlib.Path | None:
    """Return the licence text of the distribution's package that has the library."""
    real = str(library.resolve())
    for path in (real, re.sub("^/usr/", "/", real)):
        owner = subprocess.run(["dpkg-query", "-S", path], capture_output=True, text=True)
        if owner.returncode == 0:
            text = pathlib.Path("/usr/share/doc") / re.split("[:,]", owner.stdout)[0] / "copyright"
            return text if text.exists() else None
    return None


def component_list(version: str, packages: set[str], seconds: int) -> str:
    """Return the SPDX list of the wheel and of the distribution's packages in it, as licences.cmake writes it."""
    created = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(seconds))
    text = (f"SPDXVersion: SPDX-2.3\nDataLicense: CC0-1.0\nSPDXID: SPDXRef-DOCUMENT\n"
            f"DocumentName: sinoscope-python-{version}\n"
            f"DocumentNamespace: https://spdx.org/spdxdocs/sinoscope-python-{version}-{seconds}\n"
            f"Creator: Tool: sinoscope-release\nCreated: {created}\n\n"
            f"PackageName: sinoscope\nSPDXID: SPDXRef-sinoscope\nPackageVersion: {version}\n"
            "PackageDownloadLocation: NOASSERTION\nFilesAnalyzed: false\nPackageLicenseConcluded: GPL-3.0-or-later\n"
            "PackageLicenseDeclared: GPL-3.0-or-later\nPackageCopyrightText: NOASSERTION\n"
            "Relationship: SPDXRef-DOCUMENT DESCRIBES SPDXRef-sinoscope\n")
    for package in sorted(packages):
        source = subprocess.run(["dpkg-query", "-W", "-f", "${source:Package} ${source:Version}", package], check=True,
                                capture_output=True, text=True).stdout.split()
        identity = "SPDXRef-" + re.sub("[^A-Za-z0-9]", "-", package)
        text += (f"\nPackageName: {package}\nSPDXID: {identity}\nPackageVersion: {source[1]}\n"
                 "PackageDownloadLocation: NOASSERTION\nPackageSourceInfo: Debian or Ubuntu source package "
                 f"{source[0]} {source[1]} (apt-get source {source[0]}={source[1]})\nFilesAnalyzed: false\n"
                 "PackageLicenseConcluded: NOASSERTION\nPackageLicenseDeclared: NOASSERTION\n"
                 f"PackageLicenseComments: The licence text is in {package}.txt\nPackageCopyrightText: NOASSERTION\n"
                 f"Relationship: SPDXRef-sinoscope CONTAINS {identity}\n")
    return text


def stripped(file: pathlib.Path, work: pathlib.Path) -> bytes:
    """Return a program or a library without symbols, and without paths of this machine."""
    target = work / file.name
    subprocess.run(["strip", "--strip-unneeded", "-o", target, file], check=True)
    return target.read_bytes()


def main() -> None:
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    build, folder = map(pathlib.Path, sys.argv[1:])
    package = build / "python" / "sinoscope"
    work = build / "python" / "stripped"
    work.mkdir(exist_ok=True)
    folder.mkdir(parents=True, exist_ok=True)
    environment = dict(os.environ, PYTHONPATH=str(package.parent))
    version = subprocess.run([sys.executable, "-c", "import sinoscope; print(sinoscope.__version__)"], check=True,
                             capture_output=True, text=True, env=environment).stdout.strip()
    libc = platform.libc_ver()[1].replace(".", "_")
    short = f"cp{sys.version_info[0]}{sys.version_info[1]}"
    tag = f"{short}-{short}-manylinux_{libc}_{platform.machine()}"

    files: dict[str, bytes] = {}
    libraries: dict[str, pathlib.Path] = {}
    for file in sorted(package.iterdir()):
        if file.suffix in (".py", ".pyi") or file.name == "py.typed":
            files[f"sinoscope/{file.name}"] = file.read_bytes()
        elif file.name == "_engine" + sysconfig.get_config_var("EXT_SUFFIX") or file.name == "sinoscope-check":
            files[f"sinoscope/{file.name}"] = stripped(file, work)
            libraries |= libraries_of(file)
    packages: set[str] = set()
    for name, library in sorted(libraries.items()):
        files[f"sinoscope/{name}"] = stripped(library.resolve(), work)
        if text := licence_of(library):
            packages.add(text.parent.name)
            files[f"sinoscope-{version}.dist-info/licenses/{text.parent.name}.txt"] = text.read_bytes()

    info = f"sinoscope-{version}.dist-info"
    files[f"{info}/licenses/LICENSE"] = (ROOT / "LICENSE").read_bytes()
    seconds = int(os.environ.get("SOURCE_DATE_EPOCH", "0"))
    files[f"{info}/licenses/components.spdx"] = component_list(version, packages, seconds).encode()
    files[f"{info}/METADATA"] = (
        f"Metadata-Version: 2.1\nName: sinoscope\nVersion: {version}\n"
        "Summary: Tomographic reconstruction by filtered back-projection\nLicense: GPL-3.0-or-later\n"
        f"Requires-Python: =={sys.version_info[0]}.{sys.version_info[1]}.*\nRequires-Dist: numpy\n").encode()
    files[f"{info}/WHEEL"] = (f"Wheel-Version: 1.0\nGenerator: sinoscope\nRoot-Is-Purelib: false\n"
                              f"Tag: {tag}\n").encode()
    record = "".join(
        f"{name},sha256={base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b'=').decode()},{len(data)}\n"
        for name, data in files.items())
    files[f"{info}/RECORD"] = (record + f"{info}/RECORD,,\n").encode()

    moment = time.gmtime(max(seconds, 315532800))[:6]  # zip begins in 1980
    wheel = folder / f"sinoscope-{version}-{tag}.whl"
    part = wheel.with_suffix(".part")
    with zipfile.ZipFile(part, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name, data in sorted(files.items()):
            entry = zipfile.ZipInfo(name, moment)
            executable = name.endswith(".so") or ".so." in name or name.endswith("sinoscope-check")
            entry.external_attr = (0o100755 if executable else 0o100644) << 16  # pip needs the bit of a regular file
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, data)
    part.replace(wheel)
    print(wheel)


if __name__ == "__main__":
    main()
