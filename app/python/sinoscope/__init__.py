# SPDX-License-Identifier: GPL-3.0-or-later
"""Tomographic reconstruction by filtered back-projection: the engine of Sinoscope for Python.

Arrays are numpy arrays, read in place and returned without copies. Projections are [projection][bin] or
[projection][row][bin], slices [row][column] or [slice][row][column], with row 0 on top. Angles are in radians,
anticlockwise. The rotation axis is counted in bins from the centre of bin 0. Images are in attenuation per pixel, or
per mm where the pixel size is known.

Long calls release Python's lock and end with KeyboardInterrupt on Ctrl+C. Failures raise `Error`, whose text says what
is wrong and what to do.
"""

from __future__ import annotations

import difflib
import os
import warnings
from dataclasses import dataclass, field
from typing import Any, Callable, Mapping, Optional, Sequence, Union

import numpy as np

from . import _engine
from ._engine import Scan

# An interface between pybind11 and numpy that doesn't fit must not give wrong values.
if _engine.probe().tolist() != [[0.0, 1.0, 2.0], [3.0, 4.0, 5.0]]:
    raise ImportError(f"this build of Sinoscope can't exchange arrays with numpy {np.__version__}; install another numpy")

__all__ = [
    "ConeGeometry", "Error", "FileError", "OutOfMemory", "RequestError", "Scan", "Volume", "benchmark", "compare", "exact_image", "fbp",
    "fdk", "find_axis", "from_array", "methods", "open", "open_options", "options", "phantom", "prepare", "read",
    "reconstruct",
]
__version__: str = _engine.version


class Error(Exception):
    """A failure of the engine. `kind`: bad_request, bad_file, outside, output, no_memory, device."""

    def __init__(self, message: str, kind: str = "bad_request"):
        super().__init__(message)
        self.kind = kind


class RequestError(Error, ValueError):
    """A request that can't be carried out: a value, a shape, an option."""


class FileError(Error, OSError):
    """A file that can't be read, or has unexpected contents."""

    def __str__(self) -> str:
        return str(self.args[0])


class OutOfMemory(Error, MemoryError):
    """Too little memory of the machine or of a GPU."""


def _make_error(message: str, kind: str) -> Error:
    classes = {"bad_request": RequestError, "bad_file": FileError, "outside": FileError, "no_memory": OutOfMemory}
    return classes.get(kind, Error)(message, kind)


_engine.use_error_factory(_make_error)


def options() -> list[dict[str, Any]]:
    """Return the table of options of `reconstruct`: id, label, summary, unit, kind, choices, default."""
    return _option_rows


def open_options() -> list[dict[str, Any]]:
    """Return the table of options of `open`."""
    return _engine.open_options()


def methods() -> list[dict[str, str]]:
    """Return the methods of back-projection: id, label, summary, reference, device, geometry."""
    return _engine.methods()


def _keyword(identifier: str) -> str:
    return identifier.replace("-", "_")


# A limit of the memory applies to whole volumes on disk, which the command line writes.
_option_rows = [row for row in _engine.options() if row["id"] != "memory-limit"]
_option_names = {_keyword(row["id"]): row["id"] for row in _option_rows}
_open_names = {_keyword(row["id"]): row["id"] for row in _engine.open_options()}


def _text(value: Any) -> str:
    if isinstance(value, (bool, np.bool_)):
        return "true" if value else "false"
    if isinstance(value, (float, np.floating)):
        return repr(float(value))
    if isinstance(value, (list, tuple)):
        return ",".join(_text(each) for each in value)
    return os.fspath(value) if isinstance(value, os.PathLike) else str(value)


def _texts(given: Mapping[str, Any], names: Mapping[str, str], function: str) -> list[tuple[str, str]]:
    texts = []
    for name, value in given.items():
        if name not in names:
            begin = name.split("_")[0]
            near = sorted({*difflib.get_close_matches(name, names, 2), *(each for each in names if begin in each)}, key=len)
            hint = f"; did you mean {' or '.join(near[:6])}?" if near else "."
            listed = "open" if function == "open" else "reconstruct"
            raise TypeError(f"{function}() has no option {name!r}{hint} help(sinoscope.{listed}) lists all.")
        if isinstance(value, np.ndarray) and value.ndim > 0:
            raise TypeError(f"{name}: a number or a text is needed, not an array; from_array() takes arrays")
        if value is not None:
            texts.append((names[name], _text(value)))
    return texts


def _scan(scan: Any) -> Scan:
    if not isinstance(scan, Scan):
        raise TypeError(f"a scan is needed, as open() and from_array() return it, not {type(scan).__name__}")
    return scan


def _progress(progress: Any) -> Any:
    if progress is not None and not callable(progress):
        raise TypeError(f"progress: a function of a stage and its fraction is needed, not {progress!r}")
    return progress


def _slices(slices: Any, count: int) -> tuple[int, int]:
    """Return the first slice and the number of slices."""
    if slices is None:
        return 0, count
    if isinstance(slices, (int, np.integer)):
        return int(slices), 1
    if isinstance(slices, slice) and slices.step in (None, 1):
        first, end = slices.start or 0, count if slices.stop is None else slices.stop
    elif isinstance(slices, (tuple, list)) and len(slices) == 2:
        first, end = slices
    else:
        raise TypeError(f"slices: a number, (first, end) or slice(first, end) is needed, not {slices!r}")
    if end <= first:
        raise RequestError(f"slices: the end, {end}, must lie behind the first, {first}")
    return int(first), int(end) - int(first)


@dataclass(frozen=True)
class ConeGeometry:
    """A cone beam on a circle. Lengths in mm, angles of the detector in degrees; see the manual's page on cone beams.

    offset_u_mm, offset_v_mm: distance of the detector's middle from the central ray, towards higher bins and rows.
    voxel_mm, size, slices: of the volume; by default the pixel at the axis, as many pixels as bins, and as many slices
    as fill the height.
    """

    source_axis_mm: float
    source_detector_mm: float
    pixel_mm: float
    pixel_v_mm: Optional[float] = None
    offset_u_mm: Optional[float] = None
    offset_v_mm: Optional[float] = None
    tilt_deg: Optional[float] = None
    roll_deg: Optional[float] = None
    voxel_mm: Optional[float] = None
    size: Optional[int] = None
    slices: Optional[int] = None

    def _given(self) -> dict[str, float]:
        return {name: float(value) for name, value in vars(self).items() if value is not None}


@dataclass
class Volume:
    """A stack of reconstructed slices.

    array: float32 [slice][row][column]. unit: of its values, "1/mm" or "1/pixel". x, y, z: positions of the voxels'
    centres in `length_unit`: x to the right and y up from the rotation axis, z up from slice 0, which is on top.
    voxel: sides of a voxel in `length_unit`, along columns and rows, and from one slice to the next. plane: of an image
    of one, its middle, the unit vectors of its rows and columns, and the sides of its pixels; else None. seconds: of
    each stage; total: from prepared projections to the image. kernel_gups, total_gups: giga-updates per second.
    notes: what was assumed, repaired or left out.
    """

    array: np.ndarray = field(repr=False)
    unit: str
    x: np.ndarray = field(repr=False)
    y: np.ndarray = field(repr=False)
    z: np.ndarray = field(repr=False)
    length_unit: str
    method: str
    device: str
    axis: float
    axis_source: str
    axis_confidence: Optional[float]
    kernel_gups: float
    total_gups: float
    seconds: dict[str, float]
    notes: list[str]
    configuration: str = field(repr=False, default="")
    voxel: tuple[float, float] = (1.0, 1.0)
    plane: Optional[tuple[list[float], list[float], list[float], list[float]]] = field(repr=False, default=None)

    def __array__(self, dtype: Any = None, copy: Any = None) -> np.ndarray:
        return np.asarray(self.array, dtype=dtype)

    @property
    def affine(self) -> np.ndarray:
        """The 4 × 4 matrix from (slice, row, column, 1) to (x, y, z, 1) in `length_unit`; a plane is slice 0."""
        made = np.eye(4)
        made[:3, :3] = 0
        width, height = self.voxel
        if self.plane is not None:
            centre, u, v, pixel = map(np.asarray, self.plane)
            made[:3, :3] = np.transpose([height * np.cross(u, v), pixel[1] * v, pixel[0] * u])
            made[:3, 3] = centre - made[:3, :3] @ [0, (self.array.shape[1] - 1) / 2, (self.array.shape[2] - 1) / 2]
            return made
        for row, positions, axis, step in ((0, self.x, 2, width), (1, self.y, 1, -width), (2, self.z, 0, -height)):
            made[row, axis] = step
            made[row, 3] = positions[0]
        return made


def open(path: Union[str, os.PathLike], **options: Any) -> Scan:
    """Open a scan of any format that Sinoscope reads."""
    return _engine.open(os.fspath(path), _texts(options, _open_names, "open"))


def from_array(projections: np.ndarray, angles: Sequence[float], *, axis: Optional[float] = None,
               geometry: Optional[ConeGeometry] = None, values: str = "line-integrals",
               darks: Optional[np.ndarray] = None, flats: Optional[np.ndarray] = None) -> Scan:
    """Make a scan of an array, which must not be changed while the scan is in use.

    projections: [projection][bin] or [projection][row][bin]; types of up to 16 bits and float32 are used as they are.
    angles: one per projection, radians. axis: in bins, if it is known. geometry: of a cone beam; else parallel.
    values: line-integrals, transmission, or counts with `darks` and `flats` [frame][row][bin].
    """
    angles = np.asarray(angles, dtype=np.float64)
    if angles.ndim != 1:
        raise RequestError(f"angles: one number per projection is needed, not an array of {angles.ndim} dimensions")
    if geometry is not None and not isinstance(geometry, ConeGeometry):
        raise TypeError(f"geometry: a ConeGeometry is needed, not {geometry!r}")
    if angles.size > 1 and np.ptp(angles) > 8 * np.pi:
        warnings.warn(f"The angles cover {np.ptp(angles):.4g} radians, more than four turns: if they are degrees, "
                      "np.radians() converts them.", stacklevel=3)
    return _engine.scan_of(np.asarray(projections), angles, values, None if axis is None else float(axis),
                           {} if geometry is None else geometry._given(),
                           None if darks is None else np.asarray(darks), None if flats is None else np.asarray(flats))


def phantom(name: str = "shepp-logan", size: int = 512, projections: int = 512, slices: int = 1, *, counts: bool = True,
            **more: float) -> Scan:
    """Simulate a scan whose exact image is known.

    more: arc_deg, the angles that the projections cover; photons, those that a flat records in a pixel (0: no noise);
    rings, the spread of the pixels' gains (0.02 is 2 %); axis_offset, of the axis from the detector's middle, in bins.
    """
    for what, value in (("size", size), ("projections", projections), ("slices", slices)):
        if not isinstance(value, (int, np.integer)):
            raise TypeError(f"phantom: {what} must be a whole number, not {value!r}")
    for key, value in more.items():
        if not isinstance(value, (int, float, np.number)):
            raise TypeError(f"phantom: {key} must be a number, not {value!r}")
    return _engine.phantom(name, size, projections, slices, {key: float(value) for key, value in more.items()}, counts)


def exact_image(scan: Scan, slice: int = 0) -> Optional[np.ndarray]:
    """Return the exact image of a slice of a simulated scan, in attenuation per pixel; None for other scans."""
    return _engine.exact_image(_scan(scan), slice)


def read(scan: Scan, first: int = 0, count: int = 1) -> np.ndarray:
    """Read rows as they were recorded: float32 [projection][row][bin]."""
    return _engine.read(_scan(scan), first, count)


def prepare(scan: Scan, first: int = 0, count: int = 1, **options: Any) -> np.ndarray:
    """Return rows as line integrals, after all steps of preparation: float32 [row][projection][bin]."""
    return _engine.prepare(_scan(scan), first, count, _texts(options, _option_names, "prepare"))


def find_axis(scan: Union[Scan, np.ndarray], angles: Optional[Sequence[float]] = None, **options: Any) -> dict[str, Any]:
    """Find the rotation axis of a scan, or of line integrals with their angles.

    Returns bins, confidence (0 to 1; below 0.5 is doubtful), how, doubt (a sentence, or empty) and the candidates of
    each method.
    """
    if not isinstance(scan, Scan):
        if isinstance(scan, (str, os.PathLike)):
            _scan(scan)
        if angles is None:
            raise RequestError("find_axis: an array needs its angles")
        scan = from_array(scan, angles)
    return _engine.find_axis(scan, _texts(options, _option_names, "find_axis"))


Progress = Callable[[str, float], None]


def reconstruct(scan: Scan, slices: Union[None, int, tuple[int, int]] = None, *, progress: Optional[Progress] = None,
                **options: Any) -> Volume:
    """Reconstruct slices of a scan.

    slices: a slice, or (first, end); all of them by default. progress: called with a stage and its fraction.
    """
    volume, doubts = _reconstructed(scan, slices, progress, options, "reconstruct")
    for doubt in doubts:
        warnings.warn(doubt, stacklevel=2)
    return volume


def _reconstructed(scan: Scan, slices: Any, progress: Any, options: Mapping[str, Any],
                   function: str) -> tuple[Volume, list[str]]:
    """Return the volume, and a sentence for each reason to doubt it."""
    first, count = _slices(slices, _scan(scan).slices)
    made = _engine.reconstruct(scan, first, count, _texts(options, _option_names, function), _progress(progress))
    doubts = made.pop("warnings")
    for axis in ("x", "y", "z"):
        made[axis] = np.asarray(made[axis])
    return Volume(**made), doubts


def _array_of(scan: Scan, slices: Any, progress: Any, options: Mapping[str, Any], function: str) -> np.ndarray:
    """Return the array, and warn of what would be lost with the rest of the volume."""
    volume, doubts = _reconstructed(scan, slices, progress, options, function)
    for note in dict.fromkeys([*doubts, *volume.notes]):
        warnings.warn(note, stacklevel=3)
    return volume.array


def fbp(sinogram: np.ndarray, angles: Sequence[float], axis: Union[None, float, str] = None, filter: str = "ram-lak",
        method: str = "auto", *, values: str = "line-integrals", progress: Optional[Progress] = None,
        **options: Any) -> np.ndarray:
    """Reconstruct parallel beams by filtered back-projection.

    sinogram: [projection][bin] for one slice, [projection][row][bin] for several. angles: radians, one per projection.
    axis: in bins, "middle", or "find"; by default it is found, with a warning if it is doubtful. Returns float32
    [row][column] or [slice][row][column], in attenuation per pixel.
    """
    sinogram = np.asarray(sinogram)
    scan = from_array(sinogram, angles, values=values)
    made = _array_of(scan, None, progress, {"axis": axis, "filter": filter, "method": method, **options}, "fbp")
    return made[0] if sinogram.ndim == 2 else made


def fdk(projections: np.ndarray, angles: Sequence[float], geometry: ConeGeometry, *, filter: str = "ram-lak",
        method: str = "auto", axis: Union[None, float, str] = None, values: str = "line-integrals",
        slices: Union[None, int, tuple[int, int]] = None, progress: Optional[Progress] = None,
        **options: Any) -> np.ndarray:
    """Reconstruct a cone beam (Feldkamp, Davis and Kress 1984); a fan beam if it has one row.

    projections: [projection][row][bin]. angles: radians, of the source, anticlockwise. Returns float32
    [slice][row][column], in attenuation per mm.
    """
    if geometry is None:
        raise TypeError("geometry: a ConeGeometry is needed; fbp() reconstructs parallel beams")
    scan = from_array(projections, angles, geometry=geometry, values=values)
    return _array_of(scan, slices, progress, {"axis": axis, "filter": filter, "method": method, **options}, "fdk")


def compare(image: np.ndarray, reference: np.ndarray, disc: Optional[float] = None) -> dict[str, float]:
    """Compare two images [row][column]: rmse, maximum, psnr, ssim and others.

    disc: only the disc of this fraction of the half width, up to 1.
    """
    return _engine.compare(np.asarray(image), np.asarray(reference), disc)


def benchmark(size: int = 512, projections: int = 512, methods: Sequence[str] = (), *, geometry: str = "parallel",
              device: str = "auto", repeat: int = 5, threads: int = 0,
              progress: Optional[Progress] = None) -> list[dict[str, Any]]:
    """Measure the methods on this machine: medians of kernel and total, in seconds and GU/s. Unless named, those made
    for accuracy (exact, exact-cuda) are left out."""
    return _engine.benchmark(geometry, size, projections, list(methods), device, repeat, threads, progress)


def _documented(function: Callable, rows: list[dict[str, Any]], skipped: tuple[str, ...] = ()) -> None:
    lines = []
    for row in rows:
        name = _keyword(row["id"])
        if name in skipped:
            continue
        form = "|".join(row["choices"]) if row["choices"] else row["kind"]
        unit = f" ({row['unit']})" if row["unit"] else ""
        lines.append(f"    {name}: {row['summary']}{unit}. {form}" + (f" [{row['default']}]" if row["default"] else ""))
    function.__doc__ = f"{function.__doc__}\n    Options, as on the command line:\n\n" + "\n".join(lines) + "\n"


_documented(reconstruct, _option_rows)
_documented(open, _engine.open_options())
